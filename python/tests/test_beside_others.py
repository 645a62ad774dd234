"""Other packages bring libraries of the same names (HDF5, OpenBLAS): the order of imports must not matter."""

import itertools
import os
import subprocess
import sys
import textwrap

import pytest

WORK = {
    "h5py": """
        import h5py
        with h5py.File("x", "w", driver="core", backing_store=False) as file:
            file["x"] = [1.0, 2.0]
            assert file["x"][1] == 2.0
        """,
    "tables": """
        import tables
        with tables.open_file("x", "w", driver="H5FD_CORE", driver_core_backing_store=0) as file:
            assert file.create_array("/", "x", [1.0, 2.0])[1] == 2.0
        """,
    "netCDF4": """
        import netCDF4
        with netCDF4.Dataset("x", "w", diskless=True) as file:
            file.createDimension("n", 2)
            file.createVariable("x", "f8", ("n",))[:] = [1.0, 2.0]
            assert file["x"][1] == 2.0
        """,
    "rasterio": """
        import numpy as np, rasterio.io
        with rasterio.io.MemoryFile() as memory:
            with memory.open(driver="GTiff", width=2, height=2, count=1, dtype="float64") as file:
                file.write(np.ones((1, 2, 2)))
            with memory.open() as file:
                assert file.read(1).sum() == 4.0
        """,
    "scipy": """
        import numpy as np, scipy.linalg
        A = np.eye(200) + 0.1
        assert abs(scipy.linalg.eigh(A, eigvals_only=True)[-1] - 21.0) < 1e-9
        """,
    "torch": """
        import torch
        assert (torch.ones(99, 99) @ torch.ones(99, 1))[0, 0] == 99.0
        """,
    "jax": """
        import jax.numpy
        assert (jax.numpy.ones((99, 99)) @ jax.numpy.ones(99))[0] == 99.0
        """,
    "mkc": """
        import mkc, numpy as np
        K = np.exp(-0.1 * np.subtract.outer(np.arange(40.0), np.arange(40.0)) ** 2)
        L = K.copy()
        L[3] = L[:, 3] = np.nan
        result = mkc.complete([K, L], method="transfer")
        print(np.asarray(result.arrays[1])[3].tobytes().hex())
        """,
}


def run(names):
    code = "".join(textwrap.dedent(WORK[name]) for name in names)
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("other", ["h5py", "tables", "netCDF4", "rasterio", "scipy", "jax", "torch"])
def test_the_order_of_imports_changes_nothing(other):
    pytest.importorskip(other)
    alone = run(["mkc"])
    for names in itertools.permutations(["mkc", other]):
        assert run(names) == alone, names


def test_blas_of_others_keeps_its_threads():
    """One thread is for the library's own BLAS; a copy of NumPy or SciPy is another library."""
    threadpoolctl = pytest.importorskip("threadpoolctl")
    code = """
        import numpy, scipy.linalg, threadpoolctl
        before = {x["filepath"]: x["num_threads"] for x in threadpoolctl.threadpool_info()}
        import mkc
        after = {x["filepath"]: x["num_threads"] for x in threadpoolctl.threadpool_info()}
        assert all(after[path] == count for path, count in before.items()), (before, after)
        """
    if "dist-packages" in threadpoolctl.__file__ or (os.cpu_count() or 1) < 2:
        pytest.skip("NumPy of the system shares its BLAS with mkc")
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
