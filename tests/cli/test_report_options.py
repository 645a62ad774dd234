"""The place of the report, and `mkc report` on a folder. Its contents: tests/report."""

import pytest
from test_bad_input import expect


def page(path):
    text = path.read_text()
    assert text.startswith("<!DOCTYPE html>") and text.rstrip().endswith("</html>")
    return text


def test_complete_prints_where_its_report_is(mkc, views, tmp_path):
    result = mkc("complete", *views, "-o", "out", "-m", "knn", "--title", "Mine & yours")
    assert result.code == 0 and "report: out/report.html" in result.err
    assert "<title>Mine &amp; yours</title>" in page(tmp_path / "out/report.html")
    assert "report: out/report.html" in (tmp_path / "out/mkc.log").read_text()


def test_no_report_or_another_place(mkc, views, tmp_path):
    assert mkc("complete", *views, "-o", "none", "-m", "knn", "--report", "none").code == 0
    assert not (tmp_path / "none/report.html").exists()
    result = mkc("complete", *views, "-o", "there", "-m", "knn", "--report", "other.html")
    assert result.code == 0 and "report: other.html" in result.err
    assert not (tmp_path / "there/report.html").exists()
    page(tmp_path / "other.html")
    assert "report" not in (tmp_path / "there/config.toml").read_text()


def test_an_existing_report_is_refused_before_any_work(mkc, views, tmp_path):
    (tmp_path / "mine.html").write_text("mine")
    expect(
        mkc("complete", *views, "-o", "out", "-m", "knn", "--report", "mine.html"), 2, "mine.html", "exists", "--force"
    )
    assert (tmp_path / "mine.html").read_text() == "mine" and not (tmp_path / "out").exists()
    assert mkc("complete", *views, "-o", "out", "-m", "knn", "--report", "mine.html", "--force").code == 0
    page(tmp_path / "mine.html")


def test_mistaken_options_are_refused(mkc, views, tmp_path):
    expect(mkc("complete", *views, "-o", "out", "--report", "nome"), 2, "nome", ".html", "none")
    (tmp_path / "labels.tsv").write_text("sample\tclass\ns0\tx\ns1\ty\n")
    expect(
        mkc("complete", *views, "-o", "out", "--report", "none", "--labels", "labels.tsv"),
        2,
        "--labels",
        "--report none",
    )
    expect(mkc("complete", *views, "-o", "out", "-m", "knn", "--labels", "labels.tsv:z"), 3, "no column 'z'")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("format", ["npz", "tsv", "hdf5"])
def test_report_of_a_stored_result(mkc, views, tmp_path, format):
    assert mkc("complete", *views, "-o", "out", "-m", "wknn", "--quality", "--format", format).code == 0
    first = page(tmp_path / "out/report.html")
    expect(mkc("report", "out"), 2, "report.html", "exists", "--force")
    assert mkc("report", "out", "--force").code == 0
    assert page(tmp_path / "out/report.html") == first
    (tmp_path / "labels.tsv").write_text("sample\tclass\ns0\tx\ns1\ty\n")
    result = mkc("report", "out", "-o", "new.html", "--labels", "labels.tsv", "--title", "New")
    assert result.code == 0 and "report: new.html" in result.err
    assert '"classes":["x","y"]' in page(tmp_path / "new.html")


def test_report_of_a_folder_without_a_result(mkc, views, tmp_path):
    expect(mkc("report", "nowhere"), 3, "nowhere", "mkc complete")
    (tmp_path / "empty").mkdir()
    expect(mkc("report", "empty"), 3, "empty", "meta_info.json")
    assert mkc("complete", *views, "-o", "out", "-m", "knn").code == 0
    (tmp_path / "out/observed.tsv").write_text("sample\ta\tb\tc\ns0\t1\t1\t1\n")
    expect(mkc("report", "out", "--force"), 3, "observed.tsv", "not those of the kernels")
    page(tmp_path / "out/report.html")  # the old one is still there


def test_evaluate_writes_a_report(mkc, views, tmp_path):
    assert mkc("evaluate", *views, "-m", "affine", "--repeats", "1", "-o", "trial").code == 0
    first = page(tmp_path / "trial/report.html")
    assert '"kind":"evaluation"' in first
    assert mkc("report", "trial", "--force").code == 0
    assert page(tmp_path / "trial/report.html") == first
    (tmp_path / "labels.tsv").write_text("sample\tclass\ns0\tx\ns1\ty\n")
    expect(mkc("report", "trial", "-o", "x.html", "--labels", "labels.tsv"), 2, "--labels", "evaluation")
