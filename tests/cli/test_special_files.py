"""Pipes, sockets and devices are refused wherever a file is opened, and none of them is waited for."""

import os
import socket

import numpy as np
import pytest
from conftest import expect


@pytest.fixture
def pipe(tmp_path):
    """pipe("x.csv") puts a pipe that nobody writes to under this name, instead of what is there."""

    def make(name):
        path = tmp_path / name
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        return name

    return make


def refused(result, name):
    expect(result, 3, name, "is a pipe, not a regular file")


@pytest.mark.parametrize("name", ["x.csv", "x.npy", "x.npz", "x.mat", "x.mtx", "x.h5", "x.xlsx", "x.rds", "x.toml"])
def test_views(mkc, views, pipe, name):
    refused(mkc("complete", *views, pipe(name), "-o", "out", timeout=20), name)
    refused(mkc("convert", name, "-o", "out.npz", timeout=20), name)


@pytest.mark.parametrize("name", ["x.npy", "x.mtx"])
def test_ids_beside_a_table(mkc, views, pipe, tmp_path, name):
    """They are not left out, or rows would be counted instead."""
    if name == "x.npy":
        np.save(tmp_path / name, np.arange(12.0).reshape(6, 2))
    else:
        (tmp_path / name).write_text("%%MatrixMarket matrix array real general\n2 1\n1\n2\n")
    pipe("x.samples")
    refused(mkc("complete", *views, name, "-o", "out", timeout=20), "x.samples")
    (tmp_path / "x.samples").unlink()
    (tmp_path / "x.samples").symlink_to("nothing")
    expect(mkc("complete", *views, name, "-o", "out"), 3, "'x.samples' is a link to a file that is not there")


@pytest.mark.parametrize("option", ["--mask", "--sample-map", "--samples", "--labels", "--config"])
def test_files_beside_the_views(mkc, views, pipe, option):
    name = pipe("x.toml" if option == "--config" else "x.tsv")
    refused(mkc("complete", *views, option, name, "-o", "out", timeout=20), name)


@pytest.mark.parametrize("name", ["y.tsv", "y.xlsx", "y.mat", "y.h5ad", "y.rds"])
def test_labels_of_an_evaluation(mkc, views, pipe, name):
    refused(mkc("evaluate", *views, "--labels", pipe(name), "-o", "out", timeout=20), name)


def test_experiments_and_models(mkc, views, pipe):
    refused(mkc("experiment", pipe("mine.toml"), "-o", "out", timeout=20), "mine.toml")
    refused(mkc("predict", pipe("model.npz"), "--view", "a=a.csv", "-o", "out", timeout=20), "model.npz")


@pytest.mark.parametrize("name", ["meta_info.json", "kernels.npz"])
def test_result_folders(mkc, views, pipe, name):
    assert mkc("complete", *views, "-m", "mean", "-o", "out").code == 0
    pipe(f"out/{name}")
    refused(mkc("combine", "out", "-o", "one.npz", timeout=20), name)
    refused(mkc("report", "out", "-o", "page.html", timeout=20), name)


def test_cells_of_an_evaluation(mkc, views, pipe, tmp_path):
    run = ["evaluate", *views, "-m", "mean", "--repeats", "1", "-o", "out"]
    assert mkc(*run).code == 0
    cell = next((tmp_path / "out" / "cells").iterdir()).name
    pipe(f"out/cells/{cell}")
    refused(mkc(*run, timeout=20), cell)
    pipe("out/meta_info.json")  # so that the folder is no result
    expect(mkc(*run, timeout=20), 2, "exists")


def test_sockets_and_devices(mkc, views, tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)  # because the path of a socket must be short
        server.bind("x.csv")
        expect(mkc("complete", *views, "x.csv", "-o", "out", timeout=20), 3, "x.csv", "is a socket")
    for option in ("--samples", "--labels", "--mask"):
        result = mkc("complete", *views, option, "/dev/zero", "-o", "out", timeout=20)
        expect(result, 3, "/dev/zero", "is a device", "save it to a file first")


def test_regular_files_through_a_link_are_read(mkc, tmp_path):
    np.savez(tmp_path / "real.npz", a=np.eye(4), b=np.eye(4))
    (tmp_path / "link.npz").symlink_to("real.npz")
    assert mkc("complete", "link.npz", "-m", "mean", "-o", "out").code == 0
