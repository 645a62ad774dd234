"""Views from sheets of Excel workbooks."""

import zipfile

import numpy as np
import pytest
from conftest import expect, read_tsv
from xlsx_files import date, error, shared, sheet, write_xlsx

ROWS = [["patient", "g1", "g2"], ["P1", 0.5, 2], ["P2", -1e-300, None], ["P3", 1 / 3, 4.25]]


@pytest.fixture
def convert(mkc, tmp_path):
    """The table that mkc reads from a workbook, as text."""

    def run(view="x.xlsx"):
        result = mkc("convert", view, "-o", "out.tsv", "--force")
        assert result.code == 0, result.err
        return read_tsv(tmp_path / "out.tsv"), result.err

    return run


def refused(mkc, *parts):
    expect(mkc("convert", "x.xlsx", "-o", "refused.tsv"), 3, "x.xlsx", *parts)


def test_sheets_are_read_as_tables(tmp_path, convert):
    write_xlsx(tmp_path / "x.xlsx", {"a": ROWS})
    table, notes = convert()
    assert table == [["sample", "g1", "g2"], ["P1", "0.5", "2"], ["P2", "-1e-300", "NA"], ["P3", repr(1 / 3), "4.25"]]
    assert "sheet" not in notes


def test_same_as_csv(tmp_path, mkc, convert):
    """Numbers of a workbook come back bit for bit, also where samples are in columns."""
    values = np.random.default_rng(0).normal(size=(5, 40))
    ids, genes = [f"S{i}" for i in range(40)], [f"gene{j}" for j in range(5)]
    write_xlsx(tmp_path / "x.xlsx", {"a": [["", *ids]] + [[g, *row.tolist()] for g, row in zip(genes, values)]})
    lines = [",".join(["", *ids])] + [",".join([g, *map(repr, row.tolist())]) for g, row in zip(genes, values)]
    (tmp_path / "y.csv").write_text("\n".join(lines) + "\n")
    for name in ("x.xlsx", "y.csv"):
        assert mkc("convert", f"v={name},samples_in=columns", "-o", name + ".npz").code == 0
    one, two = np.load(tmp_path / "x.xlsx.npz"), np.load(tmp_path / "y.csv.npz")
    assert (one["v"] == values.T).all() and (two["v"] == values.T).all()
    assert list(one["samples"]) == ids


def test_first_visible_sheet_unless_one_is_named(tmp_path, mkc, convert):
    other = [["id", "h"], ["Q1", 7]]
    write_xlsx(tmp_path / "x.xlsx", {"notes": other, "b": ROWS, "c d": other}, hidden=["notes"])
    table, notes = convert()
    assert len(table) == 4 and "the first of 2 sheets, 'b', is read" in notes
    table, notes = convert("x.xlsx:c d")
    assert table == [["sample", "h"], ["Q1", "7"]] and "first of" not in notes
    names = mkc("inspect", "x.xlsx:c d", "--json").json
    assert "c d" in str(names)
    expect(mkc("inspect", "x.xlsx:c"), 3, "has no sheet 'c'", "its sheets are b, c d")


def test_shared_texts_and_rich_texts(tmp_path, convert):
    texts = ["id", "P 1", "<si><r><t>g</t></r><rPh><t>no</t></rPh><r><t>1</t></r></si>", "a\tb\nc "]
    rows = [[shared(0), shared(2), shared(3)], [shared(1), 1, 2]]
    write_xlsx(tmp_path / "x.xlsx", {"a": rows}, texts=texts)
    table, _ = convert()
    assert table[0][1] == "g1" and table[1][0] == "P 1"
    assert (tmp_path / "out.tsv").read_text().splitlines()[0] == 'sample\tg1\t"a\tb c"'


def test_missing_values_booleans_and_errors(tmp_path, mkc, convert):
    write_xlsx(tmp_path / "x.xlsx", {"a": [["id", "a", "b"], ["P1", True, error("#N/A")], ["P2", False, "NA"]]})
    table, _ = convert()
    assert table[1:] == [["P1", "1", "NA"], ["P2", "0", "NA"]]
    write_xlsx(tmp_path / "x.xlsx", {"a": [["id", "a"], ["P1", 1], ["P2", error("#DIV/0!")]]})
    refused(mkc, "line 3, column 'a'", "'#DIV/0!'")
    write_xlsx(tmp_path / "x.xlsx", {"a": [["id", "a"], [error("#REF!"), 1]]})
    refused(mkc, "cell A2: the error #REF!")


def test_numbers_as_ids_are_written_as_they_are_shown(tmp_path, convert):
    rows = [["id", "<c r='{}'><v>2.0E1</v></c>"], ["<c r='{}'><v>1.2000000000000001E6</v></c>", 1], [0.1, 2]]
    write_xlsx(tmp_path / "x.xlsx", {"a": rows})
    table, _ = convert()
    assert [row[0] for row in table] == ["sample", "1200000", "0.1"] and table[0][1] == "20"


@pytest.mark.parametrize(
    ("rows", "place", "what"),
    [
        ([["gene", "P1", "P2"], ["TP53", 1, 2], [date(45537), 3, 4]], "cell A3", "a date, 2024-09-02, where an id"),
        ([["id", "TP53", date(45352)], ["P1", 1, 2]], "cell C1", "a date, 2024-03-01, where a column name"),
    ],
)
def test_gene_names_that_became_dates(tmp_path, mkc, rows, place, what):
    write_xlsx(tmp_path / "x.xlsx", {"a": rows})
    refused(mkc, f"sheet 'a', {place}", what, "SEPT2")


@pytest.mark.parametrize(
    ("code", "is_date"),
    [
        ("d-mmm", True),
        ("yyyy\\-mm\\-dd", True),
        ("[h]:mm", True),
        ("[$-409]mmm d", True),
        ("0.00", False),
        ('0 "days"', False),
        ("[Red]0.0", False),
        ("0.00E+00", False),
        ("General", False),
        ("\\d0", False),
    ],
)
def test_formats_of_dates(tmp_path, mkc, code, is_date):
    write_xlsx(tmp_path / "x.xlsx", {"a": [["id", "a"], [date(45537, style=2), 3]]}, formats=[code])
    if is_date:
        refused(mkc, "a date, 2024-09-02")
    else:
        assert mkc("convert", "x.xlsx", "-o", "out.tsv").code == 0


def test_dates_count_from_1900_or_1904(tmp_path, mkc):
    for days, from_1904, shown in [
        (1, False, "1900-01-01"),
        (59, False, "1900-02-28"),
        (61, False, "1900-03-01"),
        (0, True, "1904-01-01"),
        (44075, True, "2024-09-02"),
        (45537.25, False, "2024-09-02T06:00:00"),
    ]:
        write_xlsx(tmp_path / "x.xlsx", {"a": [["id", "a"], [date(days), 3]]}, date1904=from_1904)
        refused(mkc, f"a date, {shown},")


def test_merged_cells(tmp_path, mkc, convert):
    merged = '<mergeCells><mergeCell ref="{}"/></mergeCells>'
    rows = [["id", "a", "b"], ["P1", 1, 2], ["P2", None, 3]]
    write_xlsx(tmp_path / "x.xlsx", {"a": sheet(rows, after=merged.format("B2:B3"))})
    refused(mkc, "the cells B2:B3 are merged")
    for beside in ("E1:F9", "A5:C6", "B2:B2"):
        write_xlsx(tmp_path / "x.xlsx", {"a": sheet(rows, after=merged.format(beside))})
        assert len(convert()[0]) == 3


def test_hidden_rows_and_columns_are_read_with_a_note(tmp_path, convert):
    text = sheet(ROWS, before='<cols><col min="3" max="9" hidden="1"/></cols>', hidden_row=3)
    write_xlsx(tmp_path / "x.xlsx", {"a": text})
    table, notes = convert()
    assert len(table) == 4
    assert (
        "1 hidden rows are read too, the first is row 3" in notes and "hidden columns are read too: C1 to C1" in notes
    )


def test_formulas(tmp_path, mkc, convert):
    stored = "<c r='{}'><f>1+1</f><v>2</v></c>"
    write_xlsx(tmp_path / "x.xlsx", {"a": [["id", "a"], ["P1", stored], ["P2", 3]]})
    assert convert()[0][1] == ["P1", "2"]
    for empty in ("<c r='{}'><f>1+1</f></c>", "<c r='{}'><f>1+1</f><v></v></c>"):
        write_xlsx(tmp_path / "x.xlsx", {"a": [["id", "a"], ["P1", empty]]})
        refused(mkc, "cell B2: a formula whose value is not stored")


def test_titles_and_notes_around_the_table(tmp_path, mkc):
    write_xlsx(tmp_path / "x.xlsx", {"a": [["Table S1. All patients"], *ROWS]})
    refused(mkc, "row 1 holds one cell only, 'Table S1. All patients'", "delete titles")
    write_xlsx(tmp_path / "x.xlsx", {"a": [ROWS[0], [*ROWS[1], None, "a note"]]})
    refused(mkc, "cell E2: 'a note' is beyond the header, which ends in cell C1")


def test_lines_are_rows_of_the_sheet(tmp_path, mkc, convert):
    rows = [None, ["id", "a"], None, ["P1", 1], [], ["P2", "x"]]
    write_xlsx(tmp_path / "x.xlsx", {"a": rows})
    refused(mkc, "line 6, column 'a'")
    rows[5] = ["P2", 2]
    write_xlsx(tmp_path / "x.xlsx", {"a": rows})
    assert [row[0] for row in convert()[0]] == ["sample", "P1", "P2"]


def test_other_kinds_of_files(tmp_path, mkc):
    (tmp_path / "x.xlsx").write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600))
    refused(mkc, "of the old kind (.xls), or one with a password")
    (tmp_path / "x.xlsx").write_text("id,a\nP1,2\n")
    refused(mkc, "not a complete Excel workbook")
    with zipfile.ZipFile(tmp_path / "x.xlsx", "w") as archive:
        archive.writestr("a.txt", "x")
    refused(mkc, "a ZIP archive, but not an Excel workbook")
    for name in ("x.xls", "x.ods"):
        (tmp_path / name).write_bytes(b"x")
        expect(mkc("inspect", name), 3, name, "save it as .xlsx")
    write_xlsx(tmp_path / "x.xlsx", {"a": []})
    refused(mkc, "sheet 'a': the sheet is empty")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("<worksheet><sheetData>", "not XML"),
        ("", "not XML"),
        ("<!DOCTYPE x [<!ENTITY a 'aaaa'>]><worksheet>&a;</worksheet>", "has a document type"),
        ("<w><sheetData><row r='2'/><row r='1'/></sheetData></w>", "row '1' after row 2"),
        ("<w><sheetData><row r='1048577'/></sheetData></w>", "row '1048577'"),
        ("<w><sheetData><row r='1'><c r='B2'><v>1</v></c></row></sheetData></w>", "cell 'B2' in row 1"),
        ("<w><sheetData><row r='1'><c r='XFE1'><v>1</v></c></row></sheetData></w>", "cell 'XFE1' in row 1"),
        ("<w><sheetData><row r='1'><c t='s'><v>7</v></c></row></sheetData></w>", "cell A1: text 7 of 0"),
        ("<w><sheetData><row><c><v>1\t2</v></c></row></sheetData></w>", "cell A1: not a number"),
    ],
)
def test_damaged_sheets(tmp_path, mkc, text, what):
    write_xlsx(tmp_path / "x.xlsx", {"a": text})
    refused(mkc, what)


def test_completing_workbooks_records_their_hashes(tmp_path, mkc, views):
    random = np.random.default_rng(1)
    rows = [["id", "x", "y"]] + [[f"s{i}", *random.normal(size=2).tolist()] for i in range(12)]
    write_xlsx(tmp_path / "x.xlsx", {"a": rows})
    result = mkc("complete", *views, "x.xlsx", "-m", "mean", "-o", "out")
    assert result.code == 0, result.err
    assert '"x.xlsx"' in (tmp_path / "out" / "meta_info.json").read_text()
