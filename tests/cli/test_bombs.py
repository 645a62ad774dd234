"""Small files that stand for large tables are refused before the memory is taken."""

import gzip
import os
import re
import struct
import subprocess
import zipfile
import zlib

import numpy as np
import pytest
from conftest import BINARY, psd
from xlsx_files import shared, write_xlsx

MIB = 1 << 20


def run(folder, *arguments, addresses=None):
    """Exit code, messages and peak memory in MiB, which includes that of this process when it forks."""
    command = [BINARY, *map(str, arguments)]
    if addresses:
        command = ["sh", "-c", f'ulimit -v {addresses // 1024}; exec "$@"', "sh", *command]
    with open(folder / "messages", "w+") as messages:
        process = subprocess.Popen(command, cwd=folder, stdout=messages, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        messages.seek(0)
        return process.returncode, messages.read(), usage.ru_maxrss / 1024


@pytest.fixture
def zeros(tmp_path):
    """zeros.npz: 7000 x 7000 zeros, 374 MiB in a file of 2 MB."""
    with (
        zipfile.ZipFile(tmp_path / "zeros.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("a.npy", "w") as array,
    ):
        header = np.lib.format.header_data_from_array_1_0(np.zeros((1, 1)))
        np.lib.format.write_array_header_1_0(array, {**header, "shape": (7000, 7000)})
        for _ in range(7):
            array.write(bytes(8 * 7_000_000))
    return "zeros.npz"


def test_npz_above_the_limit_is_not_read(tmp_path, zeros):
    np.savez(tmp_path / "k.npz", b=psd(6), c=psd(6))
    code, messages, peak = run(tmp_path, "complete", zeros, "k.npz", "--memory", "200M", "-o", "out")
    assert code == 5 and "zeros.npz:a: 49000000 x 1 values need 374 MiB" in messages, messages
    assert "200 MiB are allowed" in messages
    assert peak < 200


def test_limit_is_on_the_whole_process(tmp_path):
    np.savez(tmp_path / "k.npz", b=psd(6), c=psd(6))
    code, messages, _ = run(tmp_path, "complete", "k.npz", "--memory", "5M", "-o", "out", "-m", "mean")
    assert code == 5 and "--memory allows 5 MiB" in messages, messages
    code, messages, _ = run(tmp_path, "complete", "k.npz", "--memory", "60M", "-o", "out", "-m", "mean", "-t", "1")
    assert code == 0, messages


@pytest.fixture
def gzip_table(tmp_path):
    """zeros.csv.gz: 25,000 rows of 4,000 zeros; 200 MB of text in 200 KB, which take 800 MB as numbers."""
    row = ",0" * 4000 + "\n"
    with gzip.open(tmp_path / "zeros.csv.gz", "wt", compresslevel=9) as file:
        file.write("id" + "".join(f",f{j}" for j in range(4000)) + "\n")
        for i in range(25_000):
            file.write(f"s{i}" + row)
    return "zeros.csv.gz"


def test_text_above_the_limit_is_not_read(tmp_path, views, gzip_table):
    code, messages, peak = run(tmp_path, "complete", gzip_table, *views, "--memory", "200M", "-o", "out")
    assert code == 5 and "zeros.csv.gz: the lines after line" in messages, messages
    assert peak < 200
    # without --memory the limits of the process count
    code, messages, peak = run(tmp_path, "convert", gzip_table, "-o", "o.npz", addresses=600 * MIB)
    assert code == 3 and "zeros.csv.gz: the lines after line" in messages, messages
    assert "for this process" in messages and peak < 600


@pytest.mark.parametrize("start", ["id,a\ns1,", 'id,a\n"s1,'])
def test_longest_line(tmp_path, start):
    with gzip.open(tmp_path / "long.csv.gz", "wb", compresslevel=1) as file:
        file.write(start.encode())
        for _ in range(200):
            file.write(b"0" * MIB)
    for command in (["convert", "long.csv.gz", "-o", "o.npz"], ["complete", "long.csv.gz", "-o", "out"]):
        code, messages, peak = run(tmp_path, *command)
        assert code == 3 and "long.csv.gz, line 2: longer than 128 MiB" in messages, messages
        assert peak < 600


def mat_file(compressed):
    header = b"MATLAB 5.0 MAT-file".ljust(116) + bytes(8) + b"\x00\x01IM"
    return header + struct.pack("<II", 15, len(compressed)) + compressed


def test_mat_that_claims_more_than_it_holds(tmp_path):
    """A compressed variable of 1 MB that claims a gigabyte, which deflate could reach."""
    content = struct.pack("<II", 14, 1000 * MIB) + np.random.default_rng(0).bytes(MIB)
    (tmp_path / "false.mat").write_bytes(mat_file(zlib.compress(content)))
    code, messages, peak = run(tmp_path, "convert", "false.mat", "-o", "o.npz")
    assert code == 3 and re.search(r"compressed at byte 136 is damaged: cut off", messages), messages
    assert peak < 200


def test_mat_above_the_limit_is_not_read(tmp_path, kernels):
    """Where the claim is true: 200 MiB of zeros."""
    packer = zlib.compressobj(1)
    parts = [packer.compress(struct.pack("<II", 14, 200 * MIB))]
    parts += [packer.compress(bytes(MIB)) for _ in range(200)] + [packer.flush()]
    (tmp_path / "zeros.mat").write_bytes(mat_file(b"".join(parts)))
    code, messages, peak = run(tmp_path, "complete", "zeros.mat", "kernels.npz", "--memory", "150M", "-o", "out")
    assert code == 5 and "zeros.mat: 26214400 x 1 values need 200 MiB" in messages, messages
    assert peak < 150


def test_workbook_above_the_limit_is_not_read(tmp_path, kernels):
    """A text of 32,000 letters that 10,000 cells share: 320 MB of text in 110 KB."""
    rows = [["id", "a"]] + [[f"s{i}", shared(0)] for i in range(10_000)]
    write_xlsx(tmp_path / "x.xlsx", {"a": rows}, texts=["x" * 32_000])
    assert (tmp_path / "x.xlsx").stat().st_size < 200_000
    code, messages, peak = run(tmp_path, "complete", "x.xlsx", "kernels.npz", "--memory", "150M", "-o", "out")
    assert code == 5 and "x.xlsx, sheet 'a': the text of its cells need" in messages, messages
    assert peak < 150


def test_workbook_of_empty_cells(tmp_path, kernels):
    """Every row has the width of the header: 2000 names and 10,000 rows are 20 million missing values."""
    rows = [["id", *(f"f{j}" for j in range(2000))]] + [[f"s{i}"] for i in range(10_000)]
    write_xlsx(tmp_path / "x.xlsx", {"a": rows})
    code, messages, peak = run(tmp_path, "complete", "x.xlsx", "kernels.npz", "--memory", "200M", "-o", "out")
    assert code == 5 and "x.xlsx, sheet 'a': 10001 x 2001 cells need" in messages, messages
    assert peak < 200


def test_workbook_that_claims_more_than_it_holds(tmp_path):
    write_xlsx(tmp_path / "x.xlsx", {"a": [["id", "a"], ["s1", 2]]})
    data = bytearray((tmp_path / "x.xlsx").read_bytes())
    place = data.rindex(b"PK\x01\x02")
    data[place + 24 : place + 28] = struct.pack("<I", 1 << 31)  # the size of the last entry
    (tmp_path / "x.xlsx").write_bytes(data)
    code, messages, _ = run(tmp_path, "convert", "x.xlsx", "-o", "o.npz")
    assert code == 3 and "sheet1.xml: claims 2147483648 bytes" in messages, messages


def r_file(*items):
    return b"X\n" + struct.pack(">3i", 2, 0x40202, 0x20300) + b"".join(items)


def test_r_list_above_the_limit_is_not_read(tmp_path, kernels):
    """10 million times NULL: 40 MB in 40 KB, which take many gigabytes as objects."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(r_file(struct.pack(">2i", 19, 10_000_000)))]
    parts += [packer.compress(struct.pack(">i", 254) * 1_000_000) for _ in range(10)] + [packer.flush()]
    (tmp_path / "x.rds").write_bytes(b"".join(parts))
    code, messages, peak = run(tmp_path, "complete", "x.rds", "kernels.npz", "--memory", "150M", "-o", "out")
    assert code == 5 and "x.rds: its lists and texts need" in messages, messages
    assert peak < 150


def test_r_sequence_costs_nothing_in_the_file(tmp_path, kernels):
    """1:2000000000 as R stores it."""
    name = struct.pack(">3i", 1, 9, 14) + b"compact_intseq"
    base = struct.pack(">3i", 1, 9, 4) + b"base"
    info = struct.pack(">i", 2) + name + struct.pack(">i", 2) + base
    info += struct.pack(">4i", 2, 13, 1, 13) + struct.pack(">i", 254)
    state = struct.pack(">2i3d", 14, 3, 2e9, 1, 1)
    (tmp_path / "x.rds").write_bytes(r_file(struct.pack(">i", 238), info, state, struct.pack(">i", 254)))
    code, messages, peak = run(tmp_path, "complete", "x.rds", "kernels.npz", "--memory", "150M", "-o", "out")
    assert code == 5 and "x.rds: 4000000000 x 1 values need" in messages, messages
    assert peak < 150
