"""The report in a real browser, without a network."""

import json
import re
import time
import xml.etree.ElementTree as tree

import numpy as np
import pytest
from conftest import HOSTILE_SAMPLES, HOSTILE_VIEWS, mkc

REPORTS = ["demo", "hostile", "evaluation", "survival", "numbers", "advice"]
CHARTS = {
    "demo": {"worth", "missing", "kernel-1", "kernel-4", "spectra", "errors", "least-trusted", "convergence", "map"},
    "hostile": {"worth", "missing", "kernel-3", "spectra", "weights", "errors", "least-trusted", "map"},
    "survival": {"map", "survival"},
    "numbers": {"map"},
    "advice": {"money", "map"},
    "evaluation": {"methods", "views", "cost", "accuracy-all", "accuracy-complete"},
}

# Per chart the number of coloured shapes, or of coloured pixels in thousands. Axes, frames and texts are grey.
MARKS = """
figures.map((figure) => {
  const coloured = (red, green, blue) => Math.max(red, green, blue) - Math.min(red, green, blue) > 40;
  const svg = figure.box.querySelector("svg"), canvas = figure.box.querySelector("canvas");
  let count = 0;
  for (const node of svg ? svg.querySelectorAll("path, circle, rect, polyline, line, polygon") : []) {
    const { fill, stroke } = getComputedStyle(node), box = node.getBoundingClientRect();
    const rgb = (text) => (text.match(/\\d+/g) || [0, 0, 0]).slice(0, 3).map(Number);
    const has = [fill, stroke].some((text) => text !== "none" && coloured(...rgb(text)));
    if (has && box.width + box.height > 2) ++count;
  }
  if (!svg) {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && coloured(...data.slice(i, i + 3))) count += 0.001;
  }
  return [figure.id, count];
})
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("name", REPORTS)
def test_renders_without_a_network(browser, reports, screenshots, name, width, scheme):
    browser.open(reports[name], width=width, scheme=scheme)
    browser.screenshot(screenshots / f"{name}-{width}-{scheme}.png")
    assert browser.problems() == []
    assert browser.requests() == []
    marks = dict(browser.run(MARKS))
    assert CHARTS[name] <= set(marks)
    assert all(count >= 1 for count in marks.values()), marks
    assert browser.run("document.documentElement.scrollWidth") <= width  # no horizontal scrolling
    assert browser.run("document.documentElement.dataset.scheme") == scheme


@pytest.mark.parametrize("name", ["hostile", "evaluation", "advice"])
def test_hostile_names_are_text(browser, reports, name):
    browser.open(reports[name])
    text = browser.run("document.getElementById('content').textContent")
    if name == "hostile":
        assert browser.run("document.title") == "<i>Title</i> & more"
        assert browser.run("document.querySelector('h1').textContent") == "<i>Title</i> & more"
        assert all(view in text for view in HOSTILE_VIEWS)
    if name == "advice":
        assert all(view in text for view in HOSTILE_VIEWS)  # in tables; its charts have no names
    else:  # charts show names as text, too; the long one is truncated
        drawn = browser.run("[...document.querySelectorAll('svg text')].map((node) => node.textContent).join('\\n')")
        assert "</script>" in drawn
    assert browser.run("window.hacked === undefined")
    assert browser.run("document.querySelectorAll('main script, main img, main iframe, h1 i').length") == 0
    assert browser.run("document.scripts.length") == 3
    assert "x" * 100 not in text


def test_advice_shows_what_the_files_say(browser, reports):
    """The ranking, the curve and the gains on the map are those of advice.json."""
    stored = json.loads((reports["advice"].parent / "advice.json").read_text())
    browser.open(reports["advice"])
    rows = browser.run(
        "[...document.querySelectorAll('#ranking tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    assert [row[2] for row in rows] == [one["view"] for one in stored["ranking"]][:50]
    assert [row[8] == "within" for row in rows] == [one["within_budget"] for one in stored["ranking"]][:50]
    drawn = browser.run("figures.find((one) => one.id === 'money').chart.getOption().series[0].data")
    curve = [[point["money"], point["expected_error"], point["assays"]] for point in stored["curve"]]
    np.testing.assert_allclose(drawn, curve, rtol=1e-4, atol=1e-12)
    data = browser.run("JSON.parse(document.getElementById('data').textContent)")
    gains = [value for value in data["map"]["values"] if value is not None]
    assert max(gains) == pytest.approx(max(one["gain"] for one in alone(stored)), rel=1e-3)
    assert len(gains) == len({one["sample"] for one in stored["ranking"]})


def alone(stored):
    """The first of a batch has the largest gain, as if it were alone."""
    return stored["ranking"][:1]


def test_survival_of_clusters(browser, reports):
    """The curves end where the data say, every cluster has ticks of censored samples, and the tables say the same."""
    browser.open(reports["survival"])
    data = browser.run("JSON.parse(document.getElementById('data').textContent).survival")
    text = browser.run("document.getElementById('survival').textContent")
    assert data["unit"] == "days" and data["left_out"] == 1 and [g["samples"] for g in data["groups"]] == [20, 19]
    assert "Survival differs between the clusters (log-rank test: p = " in text
    assert "does not see survival times" in text and "1 sample without survival time left out" in text
    for k, group in enumerate(data["groups"]):
        at_risk = [1 - sum(end < time for end in group["ends"]) / group["samples"] for time in group["times"]]
        assert all(gone <= 1 for gone in at_risk) and group["share"] == sorted(group["share"], reverse=True)
        drawn = browser.run(f"figures.find((one) => one.id === 'survival').chart.getOption().series[{k}].data")
        assert drawn[0] == [0, 1] and drawn[-1] == [group["ends"][-1], group["share"][-1]]
        ticks = browser.run(f"figures.find((one) => one.id === 'survival').chart.getOption().series[{2 + k}].data")
        assert [time for time, _ in ticks] == group["censored"] and len(ticks) == group["samples"] - group["events"]
    risk = browser.run(
        "[...document.querySelectorAll('#survival table')[0].rows]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    for row, group in zip(risk[1:], data["groups"]):
        times = [float(cell.replace(",", "")) for cell in risk[0][1:]]
        assert [int(cell) for cell in row[1:]] == [sum(end >= time for end in group["ends"]) for time in times]
    assert browser.problems() == []


def test_doubtful_clusters_are_called_so(browser, reports):
    """The page shows how sure the clusters are, with the warning of `mkc cluster`."""
    browser.open(reports["survival"])
    text = browser.run("document.getElementById('clusters').textContent")
    assert "Warning:not <b>clearly</b> more stable" in text.replace("Warning: ", "Warning:")
    assert "2 clusters found without labels (<b>graph</b>)" in text
    assert "agree to 0.50 (adjusted Rand index); cut from samples without clusters they would agree to 0.48" in text
    rows = browser.run(
        "[...document.querySelectorAll('#clusters table')[0].rows]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    assert rows == [
        ["Cluster", "Samples", "Mean strength", "Weakest"],
        ["cluster 1", "20", "0.90", "0.90"],
        ["cluster 2", "20", "0.90", "0.90"],
    ]
    assert "Colours show the clusters." in browser.run("document.getElementById('samples').textContent")


def test_evidence_of_other_clusters_is_not_shown(browser, reports):
    folder = reports["survival"].parent
    about = (folder / "clusters.json").read_text()
    (folder / "clusters.json").write_text(about.replace("[20, 20]", "[21, 19]"))
    mkc("report", "hostile", "--clusters", "clusters.tsv", "-o", "others.html", cwd=folder)
    (folder / "clusters.json").write_text(about)
    browser.open(folder / "others.html")
    text = browser.run("document.getElementById('clusters').textContent")
    assert "'clusters.json' is about another table than 'clusters.tsv'" in text
    assert "more stable" not in text and "agree to" not in text and "0.90" in text


def test_numbers_have_a_colour_scale(browser, reports):
    browser.open(reports["numbers"])
    option = browser.run(
        "(({visualMap, series}) => ({map: visualMap[0], sizes: series.map((one) => one.data.length)}))"
        "(figures.find((one) => one.id === 'map').chart.getOption())"
    )
    values = browser.run("JSON.parse(document.getElementById('data').textContent).map.values")
    known = [value for value in values if value is not None]
    assert (option["map"]["min"], option["map"]["max"]) == (min(known), max(known))
    assert option["sizes"] == [len(known), len(values) - len(known)] == [39, 1]


def scroll_to(browser, chart):
    """Scrolls a chart into view; returns its left, top, width and height."""
    browser.run(f"document.getElementById('chart-{chart}').scrollIntoView({{block: 'center', behavior: 'instant'}})")
    return browser.run(
        f"(() => {{ const box = document.getElementById('chart-{chart}').getBoundingClientRect();"
        " return [box.left, box.top, box.width, box.height]; })()"
    )


def test_hover_shows_names_and_values(browser, reports):
    browser.open(reports["hostile"])
    left, top, width, height = scroll_to(browser, "kernel-1")
    seen = set()
    for step in range(60):
        browser.mouse("mouseMoved", left + 3 + step * 8, top + 40)
        seen.add(browser.run("document.getElementById('tip').hidden ? '' : document.getElementById('tip').textContent"))
    seen.discard("")
    assert len(seen) > 20 and all("after: " in text for text in seen)
    assert any(sample in text for text in seen for sample in HOSTILE_SAMPLES)
    assert browser.run("document.querySelectorAll('#tip img, #tip b b, #tip script').length") == 0

    left, top, width, height = scroll_to(browser, "map")
    x, y = browser.run("""(() => { const figure = figures.find((one) => one.id === "map");
      const data = JSON.parse(document.getElementById("data").textContent).map;
      const at = data.name.findIndex((name) => name.startsWith("<img"));
      return figure.chart.convertToPixel("grid", [data.x[at], data.y[at]]); })()""")
    browser.mouse("mouseMoved", left + x - 1, top + y)
    browser.mouse("mouseMoved", left + x, top + y)
    time.sleep(0.3)
    tip = browser.run("[...document.querySelectorAll('#chart-map .tip')].map((node) => node.textContent).join()")
    assert "<img src=x onerror=window.hacked=1>" in tip
    assert browser.run("window.hacked === undefined") and browser.problems() == []


def shown_range(browser, chart):
    return browser.run(
        f"figures.find((one) => one.id === '{chart}').chart.getModel().getComponent('xAxis', 0).axis.scale.getExtent()"
    )


def test_drag_zooms_and_double_click_resets(browser, reports):
    browser.open(reports["demo"])
    for chart in ("map", "kernel-2"):
        left, top, width, height = scroll_to(browser, chart)
        before = shown_range(browser, chart)
        corners = [(left + 0.15 * width, top + 0.3 * height), (left + 0.35 * width, top + 0.6 * height)]
        browser.mouse("mouseMoved", *corners[0])
        browser.mouse("mousePressed", *corners[0], button="left", buttons=1, clickCount=1)
        for share in (0.3, 0.6, 1):
            browser.mouse("mouseMoved", *[a + share * (b - a) for a, b in zip(*corners)], button="left", buttons=1)
        browser.mouse("mouseReleased", *corners[1], button="left", clickCount=1)
        after = shown_range(browser, chart)
        assert after[1] - after[0] < 0.5 * (before[1] - before[0])
        if chart == "kernel-2":  # both pictures show the same part
            other = browser.run(
                "figures.find((one) => one.id === 'kernel-2').chart.getModel()"
                ".getComponent('xAxis', 1).axis.scale.getExtent()"
            )
            assert other == pytest.approx(after)
        for _ in range(5):  # a busy machine may take two clicks for single ones
            for count in (1, 2):
                browser.mouse("mousePressed", *corners[1], button="left", buttons=1, clickCount=count)
                browser.mouse("mouseReleased", *corners[1], button="left", clickCount=count)
            if shown_range(browser, chart) == pytest.approx(before):
                break
        assert shown_range(browser, chart) == pytest.approx(before)
    assert browser.problems() == []


def saved(browser, folder, chart, button):
    found = set(folder.iterdir())
    browser.run(
        f"[...document.getElementById('chart-{chart}').closest('figure').querySelectorAll('button')]"
        f".find((node) => node.textContent === '{button}').click()"
    )
    for _ in range(100):
        new = [path for path in folder.iterdir() if path not in found and not path.name.endswith(".crdownload")]
        if new and new[0].stat().st_size > 0:
            return new[0]
        time.sleep(0.05)
    raise AssertionError(f"button {button} of {chart} saved nothing")


def test_every_figure_can_be_saved(browser, reports, tmp_path):
    browser.open(reports["demo"])
    browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    table = saved(browser, tmp_path, "worth", "Data")
    assert table.name == "mkc-worth.tsv"
    lines = table.read_text().splitlines()
    assert lines[0].split("\t") == [
        *("view", "completed_rows", "error", "average_row", "mean_of_others", "recovered"),
        *("recovered_standard_error", "verdict", "true_error", "true_mean_of_others"),
    ]
    assert [line.split("\t")[0] for line in lines[1:]] == ["expression", "methylation", "protein", "mutations"]
    assert tree.parse(saved(browser, tmp_path, "worth", "SVG")).getroot().tag.endswith("svg")
    assert saved(browser, tmp_path, "worth", "PNG").read_bytes().startswith(b"\x89PNG")
    assert saved(browser, tmp_path, "kernel-1", "PNG").read_bytes().startswith(b"\x89PNG")
    rows = saved(browser, tmp_path, "kernel-1", "Data").read_text().splitlines()
    assert len(rows) == 1 + 150 * 151 // 2


def test_saved_files_with_hostile_names(browser, reports, tmp_path):
    browser.open(reports["hostile"])
    browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    for chart in ("worth", "least-trusted", "map"):
        picture = tree.parse(saved(browser, tmp_path, chart, "SVG")).getroot()
        assert {node.tag.split("}")[-1] for node in picture.iter()}.isdisjoint({"script", "img", "b"})
        assert saved(browser, tmp_path, chart, "PNG").read_bytes().startswith(b"\x89PNG")
        rows = saved(browser, tmp_path, chart, "Data").read_text().splitlines()
        assert len({row.count("\t") for row in rows}) == 1  # no name breaks a line
    assert browser.problems() == []


def test_kernel_pictures_match_the_result(browser, reports):
    """The values behind the picture, read in the page, are those of the result."""
    import numpy as np

    browser.open(reports["demo"])
    K = np.load(reports["demo"].parent / "kernels.npz")
    names = list(K["samples"])
    part = browser.run("""(() => { const { kernels } = JSON.parse(document.getElementById("data").textContent);
      const view = kernels.views[2], grid = new Grid(view.after, view.low, view.high);
      const old = new Grid(view.before, view.low, view.high);
      return { names: kernels.first, low: view.low, high: view.high,
        after: kernels.first.map((_, i) => kernels.first.map((_, j) => grid.value(i, j))),
        before: kernels.first.map((_, i) => kernels.first.map((_, j) => old.value(i, j))) }; })()""")
    order = [names.index(name) for name in part["names"]]
    assert sorted(order) == list(range(150))
    truth = np.clip(K["protein"][np.ix_(order, order)], part["low"], part["high"])
    assert np.abs(np.array(part["after"]) - truth).max() < 0.51 * (part["high"] - part["low"]) / 254
    observed = np.loadtxt(reports["demo"].parent / "observed.tsv", skiprows=1, usecols=3)[order] == 1
    known = np.array([[value is not None for value in row] for row in part["before"]])
    assert (known == np.outer(observed, observed)).all()


def luminance(text):
    red, green, blue = (int(value) / 255 for value in re.findall(r"\d+", text)[:3])
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_contrast(browser, reports, scheme):
    """WCAG AA: at least 4.5 to 1 for all text of the page."""
    browser.open(reports["demo"], scheme=scheme)
    pairs = browser.run("""[...document.querySelectorAll(
        "h1, h2, h3, p, a, td, th, b, span, figcaption, button, summary, code")]
      .filter((node) => node.textContent.trim() && node.offsetParent).map((node) => {
        let under = node;
        while (under && getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)") under = under.parentElement;
        return [getComputedStyle(node).color, getComputedStyle(under || document.body).backgroundColor]; })""")
    assert len(pairs) > 50
    for front, back in {tuple(pair) for pair in pairs}:
        light, dark = sorted((luminance(front), luminance(back)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (front, back)


def test_accessibility(browser, reports):
    for name in REPORTS:
        browser.open(reports[name])
        assert browser.run("document.querySelectorAll('h1').length") == 1
        assert browser.run("document.documentElement.lang") == "en"
        labels = browser.run("figures.map((figure) => figure.box.getAttribute('aria-label'))")
        assert all(len(label) > 30 for label in labels), labels
        assert browser.run("[...document.querySelectorAll('button')].every((node) => node.getAttribute('aria-label'))")
        assert browser.run(
            "[...document.querySelectorAll('#contents a')]"
            ".every((link) => document.querySelector(link.getAttribute('href')))"
        )


def test_printing_uses_light_colours_and_all_pages(browser, reports, screenshots):
    import base64

    browser.open(reports["demo"], scheme="dark")
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    (screenshots / "demo.pdf").write_bytes(pdf)
    assert (
        pdf.startswith(b"%PDF")
        and 4
        <= pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page>") + len(re.findall(rb"/Type\s*/Page[^s]", pdf))
        < 60
    )
    assert browser.run("document.documentElement.dataset.scheme") == "dark"  # as it was on the screen


def test_printing_opens_all_details(browser, reports):
    browser.open(reports["hostile"])
    closed = "document.querySelectorAll('details:not([open])').length"
    before = browser.run(closed)
    assert before >= 1
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run(closed) == 0
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run(closed) == before and browser.problems() == []


def test_scores_are_explained(browser, reports):
    browser.open(reports["evaluation"])
    text = browser.run("document.getElementById('content').textContent")
    for word in (
        "RMSE:",
        "Alignment:",
        "Coverage:",
        "Balanced:",
        "NMI (normalised mutual information)",
        "ARI (adjusted Rand index)",
    ):
        assert word in text
    assert browser.run("[...document.querySelectorAll('tr')].some((row) => row.textContent.startsWith('Created'))")


def test_scheme_button(browser, reports):
    browser.open(reports["demo"])
    paper = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.run("document.getElementById('scheme').click()")
    assert browser.run("document.documentElement.dataset.scheme") == "dark"
    assert luminance(browser.run("getComputedStyle(document.body).backgroundColor")) < 0.1 < luminance(paper)
    assert all(count >= 1 for count in dict(browser.run(MARKS)).values())


def test_demo_report_size_and_loading_time(browser, reports):
    assert reports["demo"].stat().st_size < 2e6
    times = []
    for _ in range(3):  # the best of three: other tests may be running
        browser.open(reports["demo"])
        times.append(browser.run("performance.getEntriesByName('first-chart')[0].startTime"))
    assert min(times) < 2000


def test_report_command_reproduces_the_report(reports, tmp_path):
    """`mkc report` reads from the result folder what the run had in memory."""
    for name in ("demo", "hostile", "evaluation"):
        arguments = ["report", reports[name].parent, "-o", tmp_path / f"{name}.html"]
        if name == "hostile":
            arguments += ["--labels", reports[name].parent.parent / "labels.tsv", "--title", "<i>Title</i> & more"]
        if name == "demo":
            arguments += ["--title", "mkc demo: four views of 150 simulated samples"]
        mkc(*arguments)
        assert (tmp_path / f"{name}.html").read_bytes() == reports[name].read_bytes()


@pytest.mark.parametrize("width", [1200, 390])
def test_method_and_its_candidates_are_not_cut_off(browser, reports, width):
    browser.open(reports["hostile"], width=width)
    boxes = browser.run(
        "[...document.querySelectorAll('#run .scroll')].map((node) => [node.scrollWidth, node.clientWidth])"
    )
    assert boxes and all(inner <= outer for inner, outer in boxes), boxes
    assert "candidates = transfer + " in browser.run("document.getElementById('run').textContent")


def test_evaluation_counts_runs_on_held_out_rows(browser, reports):
    """Runs for the labels, and on complete cases only, are no comparison of methods."""
    browser.open(reports["evaluation"])
    cards = browser.run("[...document.querySelectorAll('.card')].map((card) => card.textContent)")
    assert "4methods, 8 runs on held-out rows" in cards, cards
