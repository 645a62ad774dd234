"""The SHA-256 in meta_info.json is that of the bytes that were read, also while a file changes."""

import hashlib
import json
import os
import shutil
import threading
import time

import numpy as np
import pytest
from conftest import expect, psd


@pytest.fixture
def two_versions(tmp_path):
    """1.npz and 2.npz, the same kernels times 1 and times 2; the hash of each file, and its number."""
    kernel = psd(300)
    hashes = {}
    for factor in (1, 2):
        path = tmp_path / f"{factor}.npz"
        np.savez(path, a=factor * kernel, b=factor * kernel)
        hashes[hashlib.sha256(path.read_bytes()).hexdigest()] = factor
    return kernel, hashes


@pytest.fixture
def changing(tmp_path, two_versions):
    """k.npz, which becomes 1.npz and 2.npz in turn, by a rename or in place, until stop() is called."""
    ended = threading.Event()

    def change():
        for turn in range(10**9):
            if ended.is_set():
                return
            source = tmp_path / f"{1 + turn % 2}.npz"
            if turn % 4 < 2:
                shutil.copyfile(source, tmp_path / "new.npz")
                os.replace(tmp_path / "new.npz", tmp_path / "k.npz")
            else:
                shutil.copyfile(source, tmp_path / "k.npz")
            time.sleep(0.004)

    shutil.copyfile(tmp_path / "1.npz", tmp_path / "k.npz")
    thread = threading.Thread(target=change)
    thread.start()

    def stop():
        ended.set()
        thread.join()

    yield stop
    stop()


def version_read(tmp_path, kernel):
    with np.load(tmp_path / "out" / "kernels.npz") as stored:
        return round(float(stored["a"][0, 0] / kernel[0, 0]))


def test_recorded_hash_is_of_the_data_that_were_read(mkc, tmp_path, two_versions, changing):
    kernel, hashes = two_versions
    run = ["complete", "k.npz", "-m", "mean", "--report", "none", "-o", "out", "-f"]
    stopped = 0
    for _ in range(12):
        result = mkc(*run)
        if result.code != 0:  # a file half written is no NPZ file
            expect(result, 3, "k.npz")
            stopped += "changed while it was read" in result.err
            continue
        recorded = json.loads((tmp_path / "out" / "meta_info.json").read_text())["inputs"][0]["sha256"]
        assert hashes[recorded] == version_read(tmp_path, kernel)
    assert stopped > 0
    changing()
    shutil.copyfile(tmp_path / "2.npz", tmp_path / "k.npz")
    assert mkc(*run).code == 0
    assert version_read(tmp_path, kernel) == 2
