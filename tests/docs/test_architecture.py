"""The #include lines of the sources against the table of docs/architecture.md."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = ROOT / "include" / "mkc"
GENERATED = {"mkc/version.hpp"}
INCLUDE = re.compile(r'^\s*#include [<"]([\w/.]+\.hpp)[>"]', re.MULTILINE)
SOURCES = (".hpp", ".cpp")


def allowed_edges():
    """{room: rooms it may include} from the table, in the order of the table."""
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
    return {room: set(re.findall(r"\w+", includes)) for room, includes in rows}


def room_of(path):
    """The room of a source file; headers directly in include/mkc are the room api."""
    for top in (ROOT / "src", PUBLIC):
        if path.is_relative_to(top):
            parts = path.relative_to(top).parts
            return parts[0] if len(parts) > 1 else "api"
    return path.relative_to(ROOT).parts[0]


def room_of_include(name, includer):
    """The room that an included name belongs to; None for other libraries."""
    if name in GENERATED:
        return None
    for found in (ROOT / "include" / name, ROOT / "src" / name, includer.parent / name):
        if found.is_file():
            return room_of(found)
    return None


def sources(*tops):
    return [p for top in tops for p in sorted((ROOT / top).rglob("*")) if p.suffix in SOURCES]


def edges(paths):
    """(file, room, included name, included room) for every include between rooms."""
    for path in paths:
        for name in INCLUDE.findall(path.read_text()):
            target = room_of_include(name, path)
            if target is not None and target != room_of(path):
                yield path.relative_to(ROOT), room_of(path), name, target


def forbidden(paths, allowed):
    return [
        f"{path} ({room}) includes {name} ({target})"
        for path, room, name, target in edges(paths)
        if target not in allowed[room]
    ]


def outside_the_package(paths):
    """Includes of the project's own headers that are not installed."""
    return [
        f"{path.relative_to(ROOT)} includes {name}"
        for path in paths
        for name in INCLUDE.findall(path.read_text())
        if (ROOT / "src" / name).is_file() and name not in GENERATED
    ]


def test_every_room_is_in_the_table():
    rooms = {room_of(path) for path in sources("src", "include", "apps")}
    assert rooms == set(allowed_edges())


def test_rooms_include_only_what_the_table_allows():
    assert forbidden(sources("src", "include", "apps"), allowed_edges()) == []


def test_the_table_lists_no_edge_that_is_not_used():
    used = {(room, target) for _, room, _, target in edges(sources("src", "include", "apps"))}
    listed = {(room, target) for room, targets in allowed_edges().items() for target in targets}
    assert listed - used == set()


def test_rooms_form_no_cycle():
    order = list(allowed_edges())
    backwards = [
        (room, target)
        for room, targets in allowed_edges().items()
        for target in targets
        if order.index(target) >= order.index(room)
    ]
    assert backwards == []


@pytest.mark.parametrize("top", ["include", "examples", "python/bindings", "tests/install"])
def test_what_users_build_includes_installed_headers_only(top):
    assert outside_the_package(sources(top)) == []


def test_a_forbidden_include_is_found(tmp_path, monkeypatch):
    """The check itself: base including problem is refused."""
    path = ROOT / "src" / "base" / "text.cpp"
    monkeypatch.setattr(Path, "read_text", lambda self: '#include "mkc/problem/problem.hpp"\n')
    assert forbidden([path], {"base": set()}) == ["src/base/text.cpp (base) includes mkc/problem/problem.hpp (problem)"]
