#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "experiments/experiment_tables.hpp"

namespace mkc::io {

namespace {

using Summaries = std::vector<ExperimentSummary>;
using Rows = std::vector<Strings>;

std::string number(double value) {
  if (std::isnan(value)) return "-";
  return std::abs(value) >= 999.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string spread_text(const Spread& spread) {
  if (std::isnan(spread.mean)) return "-";
  if (std::isnan(spread.deviation)) return number(spread.mean);
  return fmt::format("{} ± {:.2g}", number(spread.mean), spread.deviation);
}

std::string table_text(const Rows& rows) {
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "| " + join(rows[r], " | ") + " |\n";
    if (r > 0) continue;
    text += "|";
    for (std::size_t c = 0; c < rows[r].size(); ++c) text += "---|";
    text += "\n";
  }
  return text + "\n";
}

std::size_t levels_of(const Experiment& experiment) {
  std::size_t most = 0;
  for (const auto& source : experiment.data) most = std::max(most, source.views_missing.size());
  return most;
}

// Data sets that have results.
std::vector<std::size_t> columns_of(const Summaries& summaries, std::size_t count) {
  std::vector<std::size_t> columns;
  for (std::size_t d = 0; d < count; ++d)
    if (std::any_of(summaries.begin(), summaries.end(), [&](const auto& s) { return s.data == d; }))
      columns.push_back(d);
  return columns;
}

// Error, in brackets the paper's where the measure is that of its table.
std::string error_text(const ExperimentRun& run, const Summaries& summaries, std::size_t data,
                       std::size_t method, Index level, Measure measure) {
  const Experiment& experiment = run.experiment;
  const auto s = std::find_if(summaries.begin(), summaries.end(), [&](const auto& one) {
    return one.data == data && one.method == method && one.level == level &&
           one.losing == experiment.losing.back();
  });
  std::string text = "-";
  if (s != summaries.end())
    text = s->failed == s->trials
               ? "failed"
               : spread_text(measure == Measure::are ? s->errors.are : s->errors.are_squared);
  const double printed = paper_figure(run.paper.errors, experiment.data[data].paper,
                                      experiment.methods[method].paper, level);
  if (measure == Measure::are_squared && !std::isnan(printed))
    text += fmt::format(" ({})", number(printed));
  return text;
}

// One table of errors per level: methods in rows, data sets in columns.
std::string error_tables(const ExperimentRun& run, const Summaries& summaries, Measure measure) {
  const Experiment& experiment = run.experiment;
  const auto columns = columns_of(summaries, experiment.data.size());
  std::string text;
  for (std::size_t level = 0; level < levels_of(experiment); ++level) {
    Rows rows = {{"views missing"}};
    for (const std::size_t d : columns) {
      const DataSource& source = experiment.data[d];
      rows[0].push_back(level < source.views_missing.size()
                            ? fmt::format("{}: {}", source.name, source.views_missing[level])
                            : source.name);
    }
    for (std::size_t m = 0; m < experiment.methods.size(); ++m) {
      rows.push_back({"`" + experiment.methods[m].tuned.name + "`"});
      for (const std::size_t d : columns)
        rows.back().push_back(error_text(run, summaries, d, m, static_cast<Index>(level), measure));
    }
    text += table_text(rows);
  }
  return text;
}

std::string time_text(const ExperimentRun& run, std::size_t method, const std::string& column,
                      Index level) {
  std::vector<double> seconds, tuning;
  for (const auto& trial : run.trials)
    if (trial.method == method && trial.level == level && trial.result.test.failure.empty() &&
        run.experiment.data[trial.data].times == column) {
      seconds.push_back(trial.result.test.seconds);
      tuning.push_back(trial.result.tuning_seconds);
    }
  std::string text = spread_text(spread_of(seconds));
  if (const double mean = spread_of(tuning).mean; mean > 0)
    text += fmt::format(" + {}", number(mean));
  const double minutes =
      paper_figure(run.paper.minutes, column, run.experiment.methods[method].paper, level);
  return std::isnan(minutes) ? text : fmt::format("{} ({})", text, number(60 * minutes));
}

// Methods in rows, data sets and levels in columns.
std::string time_table(const ExperimentRun& run, const Summaries& summaries) {
  const Experiment& experiment = run.experiment;
  Rows rows = {{"level"}};
  for (const auto& method : experiment.methods) rows.push_back({"`" + method.tuned.name + "`"});
  for (const auto& column : time_columns(experiment, summaries))
    for (std::size_t level = 0; level < levels_of(experiment); ++level) {
      rows[0].push_back(fmt::format("{}: {}", column, level + 1));
      for (std::size_t m = 0; m < experiment.methods.size(); ++m)
        rows[m + 1].push_back(time_text(run, m, column, static_cast<Index>(level)));
    }
  return table_text(rows);
}

std::string ratio_text(const ExperimentRun& run) {
  Rows rows = {{"data", "views missing", "best of the paper's methods here", "over knn", "paper",
                "auto over knn", "best over knn, diagonal", "auto over knn, diagonal"}};
  for (const auto& r : ratios(run)) {
    const DataSource& source = run.experiment.data[r.data];
    rows.push_back({source.name, std::to_string(source.views_missing[at(r.level)]),
                    r.best.empty() ? "-" : "`" + r.best + "`", number(r.ratio),
                    number(r.paper_ratio), number(r.automatic), number(r.over_diagonal),
                    number(r.automatic_over_diagonal)});
  }
  return rows.size() > 1 ? table_text(rows) : "";
}

// Mean over the data sets of a column, per share of samples that lose views.
std::string losing_tables(const ExperimentRun& run, const Summaries& summaries) {
  const Experiment& experiment = run.experiment;
  std::string text;
  for (const auto& column : time_columns(experiment, summaries)) {
    Rows rows = {{column + ", share that loses views"}};
    for (const double losing : experiment.losing) rows[0].push_back(number(losing));
    for (std::size_t m = 0; m < experiment.methods.size(); ++m) {
      rows.push_back({"`" + experiment.methods[m].tuned.name + "`"});
      for (const double losing : experiment.losing) {
        std::vector<double> are, squared;
        for (const auto& s : summaries)
          if (s.method == m && s.losing == losing && experiment.data[s.data].times == column) {
            are.push_back(s.errors.are.mean);
            squared.push_back(s.errors.are_squared.mean);
          }
        rows.back().push_back(
            fmt::format("{} ({})", number(spread_of(are).mean), number(spread_of(squared).mean)));
      }
    }
    text += table_text(rows);
  }
  return text;
}

std::string notes(const ExperimentRun& run) {
  std::string text;
  for (std::size_t d = 0; d < run.experiment.data.size(); ++d) {
    const DataSource& source = run.experiment.data[d];
    if (!run.missing.at(d).empty())
      text += fmt::format("- {} was left out: {}\n", source.name, run.missing[d]);
    else if (!source.note.empty())
      text += fmt::format("- {}: {}\n", source.name, source.note);
  }
  for (const auto& s : summarize(run))
    if (s.failed > 0)
      text += fmt::format("- {} on {} failed in {} of {} trials: {}\n",
                          run.experiment.methods[s.method].tuned.name,
                          run.experiment.data[s.data].name, s.failed, s.trials, s.errors.failure);
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string experiment_markdown(const ExperimentRun& run, const std::string& command,
                                const Strings& images) {
  const Experiment& experiment = run.experiment;
  const Summaries summaries = summarize(run);
  std::string text =
      fmt::format("{}. `{}`, {} version, {} partitions, seed {}, {} of {} trials.\n\n",
                  experiment.title, command, experiment.full ? "full" : "short",
                  experiment.partitions, experiment.seed, run.trials.size(), run.planned);
  text += notes(run);
  if (experiment.losing.size() > 1) {
    text += "Average relative error in percent, in brackets the squared one:\n\n" +
            losing_tables(run, summaries);
  } else {
    text +=
        "Squared error in percent, mean ± standard deviation over all views of all partitions, as "
        "in "
        "the paper; in brackets the paper's Table 1:\n\n" +
        error_tables(run, summaries, Measure::are_squared) +
        "The same without the square (the paper's Eq. are):\n\n" +
        error_tables(run, summaries, Measure::are);
    if (const std::string table = ratio_text(run); !table.empty())
      text +=
          "Squared errors relative to those of `knn` (k chosen on the tuning set, diagonal=none: "
          "the "
          "paper's) and of `knn, diagonal` (the same with diagonal=add):\n\n" +
          table;
    text +=
        "Processor seconds of one completion of the test problem, + those spent on choosing "
        "options on the tuning set; in brackets the paper's Table 2 in seconds:\n\n" +
        time_table(run, summaries);
  }
  for (const auto& image : images) text += fmt::format("![{0}]({0})\n\n", image);
  return text;
}

}  // namespace mkc::io
