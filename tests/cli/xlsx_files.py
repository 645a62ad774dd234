"""Workbooks written from the definition of the format (ECMA-376), so that tests decide on every byte."""

import zipfile
from xml.sax.saxutils import escape, quoteattr

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
DATE_STYLE = 1  # of a cell, see styles()


def column(j):
    """0 -> A, 26 -> AA"""
    letters = ""
    j += 1
    while j:
        j, rest = divmod(j - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def cell(place, value):
    """A number, text, bool, None, or the XML of a whole cell, in which {} is its place."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f'<c r="{place}"><v>{value!r}</v></c>'
    if value.startswith("<c"):
        return value.replace("{}", place)
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'


def date(days, style=DATE_STYLE):
    return f'<c r="{{}}" s="{style}"><v>{days}</v></c>'


def error(text):
    return f'<c r="{{}}" t="e"><v>{text}</v></c>'


def shared(number):
    return f'<c r="{{}}" t="s"><v>{number}</v></c>'


def sheet(rows, after="", before="", hidden_row=0):
    parts = [f'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="{MAIN}">{before}<sheetData>']
    for i, row in enumerate(rows):
        if row is None:
            continue
        cells = "".join(cell(f"{column(j)}{i + 1}", value) for j, value in enumerate(row))
        parts.append(f'<row r="{i + 1}" hidden="{int(i + 1 == hidden_row)}">{cells}</row>')
    return "".join(parts) + f"</sheetData>{after}</worksheet>"


def styles(formats=()):
    """Style 0 is plain, 1 the built-in date format, 2, 3, ... those given."""
    own = "".join(f'<numFmt numFmtId="{164 + i}" formatCode={quoteattr(f)}/>' for i, f in enumerate(formats))
    cells = "".join(f'<xf numFmtId="{n}"/>' for n in (0, 14, *range(164, 164 + len(formats))))
    return f'<styleSheet xmlns="{MAIN}"><numFmts>{own}</numFmts><cellXfs>{cells}</cellXfs></styleSheet>'


def relations(targets):
    items = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{target}"/>' for name, kind, target in targets
    )
    return f'<Relationships xmlns="{PACKAGE}">{items}</Relationships>'


def write_xlsx(path, sheets, texts=None, formats=(), hidden=(), date1904=False, packed=True):
    """sheets: {name: rows, or the XML of a sheet}"""
    names = list(sheets)
    state = {name: "hidden" if name in hidden else "visible" for name in names}
    entries = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{i + 1}" state="{state[name]}" r:id="s{i}"/>'
        for i, name in enumerate(names)
    )
    links = [(f"s{i}", "worksheet", f"worksheets/sheet{i + 1}.xml") for i in range(len(names))]
    links.append(("st", "styles", "/xl/styles.xml"))
    parts = {
        "_rels/.rels": relations([("r1", "officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><workbookPr date1904="{int(date1904)}"/>'
        f"<sheets>{entries}</sheets></workbook>",
        "xl/styles.xml": styles(formats),
    }
    if texts is not None:
        links.append(("ss", "sharedStrings", "sharedStrings.xml"))
        items = "".join(text if text.startswith("<si>") else f"<si><t>{escape(text)}</t></si>" for text in texts)
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{items}</sst>'
    parts["xl/_rels/workbook.xml.rels"] = relations(links)
    for i, name in enumerate(names):
        rows = sheets[name]
        parts[f"xl/worksheets/sheet{i + 1}.xml"] = rows if isinstance(rows, str) else sheet(rows)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
