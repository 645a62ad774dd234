"use strict";
// A heat map of a table, with the numbers where there is room.

// {id, title, caption, rows, columns, cells: [[column, row, value]], low, row_height, show(value),
// tip(row, column, value), table}. Shades go from `low`, or the smallest value, to the largest.
function matrix_figure(parent, settings) {
  const { rows, columns, cells, show } = settings;
  const size = cells.map((cell) => Math.abs(cell[2]));
  const low = settings.low ?? Math.min(...size),
    high = Math.max(...size, low + 1e-300);
  // Column names are horizontal where there is room, else slanted.
  const each = (width) => (width - name_room() - 16) / columns.length;
  const level = (width) => each(width) >= 12 * Math.min(12, Math.max(...columns.map((name) => name.length)));
  const below = (width) => (level(width) ? { width: each(width) - 8 } : { rotate: 30, width: 110 });
  const room_below = (width) => (level(width) ? 26 : 70);
  add_figure(parent, {
    id: settings.id,
    title: settings.title,
    caption: settings.caption,
    table: settings.table,
    height: (width) => 8 + room_below(width) + settings.row_height * rows.length,
    label: rows
      .map((row, k) => {
        const own = cells.filter((cell) => cell[1] === k);
        return `${row}: ${own.map(([column, , value]) => `${columns[column]} ${show(value)}`).join(", ")}`;
      })
      .join("; "),
    option: (width) => ({
      grid: { left: name_room(), right: 16, top: 4, bottom: room_below(width) },
      xAxis: name_axis(columns, { inverse: false, axisLabel: below(width) }),
      yAxis: name_axis(rows),
      visualMap: {
        show: false,
        min: low,
        max: high,
        dimension: 2,
        inRange: { color: [0, 1, 2, 3].map((step) => colour(`observed-${step}`)) },
      },
      tooltip: { formatter: (at) => settings.tip(rows[at.value[1]], columns[at.value[0]], at.value[2]) },
      series: [
        {
          type: "heatmap",
          itemStyle: { borderColor: colour("paper"), borderWidth: 1 },
          label: {
            show: columns.length <= (narrow() ? 5 : 12),
            formatter: (at) => (at.value[2] === 0 ? "" : show(at.value[2])),
          },
          data: cells.map((value) => ({
            value,
            label: {
              color: Math.abs(value[2]) - low > 0.55 * (high - low) ? colour("paper") : colour("ink"),
            },
          })),
        },
      ],
    }),
  });
}
