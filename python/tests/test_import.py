"""What `import mkc` loads: NumPy, pandas and the package itself. Everything else is loaded where it is used."""

import subprocess
import sys
import textwrap

# Of the packages installed for the tests.
LATER = ["sklearn", "scipy", "matplotlib", "h5py", "tqdm", "polars", "pyarrow", "mudata", "anndata", "IPython"]


def run(code):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def loaded_beside_pandas(code):
    """Top-level packages that the code loads and NumPy and pandas do not."""
    return set(
        run(
            f"""
            import sys, numpy, pandas
            before = set(sys.modules)
            {code}
            print(*{{name.partition(".")[0] for name in set(sys.modules) - before}})
            """
        ).split()
    )


def test_import_loads_no_other_package():
    found = loaded_beside_pandas("import mkc")
    assert "mkc" in found and found.isdisjoint(LATER)


def test_functions_need_no_estimators():
    found = loaded_beside_pandas(
        "import mkc; mkc.complete(mkc.datasets.make_example(40).kernels, 'mean'); mkc.save, mkc.to_mudata"
    )
    assert found.isdisjoint(LATER)


def test_later_names_are_found_in_every_way():
    run(
        """
        import mkc
        for name in ["KernelCompleter", "KernelCombiner", "MultiViewKernel", "StackedViews", "plot"]:
            assert name in dir(mkc) and name in mkc.__all__ and name not in vars(mkc), name
            first, found = getattr(mkc, name), {}
            exec(f"from mkc import {name}", found)
            assert found[name] is first is vars(mkc)[name], name
        """
    )


def test_star_and_pickle_find_the_estimators():
    run(
        """
        import pickle
        from mkc import *
        made = KernelCompleter("wknn", k=7)
        assert pickle.loads(pickle.dumps(made)).get_params() == made.get_params() and plot.missingness
        """
    )


def test_a_name_that_does_not_exist_is_named():
    run(
        """
        import mkc
        try:
            mkc.KernelCompletor
        except AttributeError as error:
            assert "KernelCompletor" in str(error)
        else:
            raise SystemExit("found")
        assert not hasattr(mkc, "completed")
        """
    )
