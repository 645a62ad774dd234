"""Completion on a Dask cluster: the bits of the tool, whatever the workers do."""

import filecmp
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest

import mkc
from mkc import _dask_run

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'mkc[dask]'")
dask_array = pytest.importorskip("dask.array")

SIZES = {"rank": 8, "landmarks": 20, "anchors": 20, "plan_sample": 100, "block": 200}
ARGUMENTS = [word for name, value in SIZES.items() for word in (f"--{name.replace('_', '-')}", str(value))]
RESULT = ("factors/a.npy", "factors/b.npy", "factors/c.npy", "extra.npy", "variance.npy", "observed.tsv",
          "quality.tsv", "samples.txt")  # fmt: skip
N = 1500


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Three tables in files of NPY and CSV, orders of their own, and their completion by the tool."""
    folder = tmp_path_factory.mktemp("made")
    drawn = np.random.default_rng(5)
    state, ids = drawn.normal(size=(N, 3)), np.array([f"s{i}" for i in range(N)])
    for place, name in enumerate("abc"):
        x = np.tanh(state @ drawn.normal(size=(3, 5))) + 0.1 * drawn.normal(size=(N, 5))
        rows = drawn.permutation(N)[: N if place == 0 else 3 * N // 4]
        table = pd.DataFrame(x[rows], pd.Index(ids[rows], name="id"), [f"f{j}" for j in range(5)])
        if name == "a":
            table.to_csv(folder / "a.csv")
        else:
            np.save(folder / f"{name}.npy", table.to_numpy())
            (folder / f"{name}.samples").write_text("".join(f"{sample}\n" for sample in table.index))
        if name == "c":
            table.to_parquet(folder / "c.parquet", row_group_size=300)
    command = ["complete", "a.csv", "b.npy", "c.npy", "--form", "factor", *ARGUMENTS, "-o", "plain", "--quiet"]
    subprocess.run([pathlib.Path(sys.prefix) / "bin/mkc", *command], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def clients():
    """Clusters of one worker, in this process, and of four processes; each of one thread."""
    started = {}
    for count in (1, 4):
        cluster = distributed.LocalCluster(
            n_workers=count, threads_per_worker=1, processes=count > 1, dashboard_address=":0"
        )
        started[count] = distributed.Client(cluster)
    yield started
    for client in started.values():
        client.close()
        client.cluster.close()


def paths(folder):
    return {"a": folder / "a.csv", "b": folder / "b.npy", "c": folder / "c.npy"}


def same_bits(one, other):
    return filecmp.cmpfiles(one, other, RESULT, shallow=False)[0] == list(RESULT)


def test_one_worker_gives_the_bits_of_the_tool(made, clients, tmp_path):
    found = mkc.distributed.complete(paths(made), tmp_path / "result", client=clients[1], shards=3, **SIZES)
    assert same_bits(made / "plain", tmp_path / "result")
    assert found.views == ["a", "b", "c"] and len(found.samples) == N
    assert isinstance(found.factors["a"], np.memmap)
    assert [path.name for path in tmp_path.iterdir()] == ["result"]  # nothing is left beside it
    assert (tmp_path / "result/report.html").exists()


class Sizes(distributed.SchedulerPlugin):
    """Bytes of the results of all tasks."""

    def __init__(self, scheduler):
        self.scheduler, self.of = scheduler, {}

    def transition(self, key, start, finish, *arguments, **details):
        if finish == "memory":
            self.of[key] = self.scheduler.tasks[key].nbytes


def test_four_workers_give_the_bits_of_the_tool_by_named_tasks_of_texts(made, clients, tmp_path):
    """Nothing that workers hold could be spilled: names of files, a few numbers."""
    client = clients[4]
    scheduler = client.cluster.scheduler
    sizes = Sizes(scheduler)
    scheduler.add_plugin(sizes, name="sizes")
    try:
        mkc.distributed.complete(paths(made), tmp_path / "result", client=client, **SIZES)
    finally:
        scheduler.remove_plugin(name="sizes")
    assert same_bits(made / "plain", tmp_path / "result")
    rounds = [f"mkc_{step}_{number}" for step in ("moments", "merge") for number in (1, 2, 3)]
    names = {distributed.utils.key_split(key) for key in sizes.of}
    assert names == {"mkc_plan", *rounds, "mkc_apply", "mkc_gather"}
    assert max(sizes.of.values()) < 2000


def test_a_killed_worker_is_no_matter(made, clients, tmp_path):
    """SIGKILL to workers while tasks run: others take over, the bits stay."""
    client, done, killed = clients[4], threading.Event(), []

    def kill():
        drawn = np.random.default_rng(1)
        while not done.wait(0.3) and len(killed) < 2:
            found = client.run(os.getpid)
            killed.append(found[drawn.choice(sorted(found))])
            os.kill(killed[-1], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        mkc.distributed.complete(paths(made), tmp_path / "result", client=client, **SIZES)
    finally:
        done.set()
        killer.join()
    assert killed
    assert same_bits(made / "plain", tmp_path / "result")


def test_a_worker_that_is_away_for_long_comes_back(made, tmp_path):
    """A LocalCluster gives workers up that are not back in time, here 0.1 s; its only one is killed."""
    import dask

    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "100ms"}),
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        work, killed, needed = tmp_path / ".result.shards", [], []

        def kill():
            while not list(work.glob("round-1-*")):
                time.sleep(0.02)
            killed.extend(client.run(os.getpid, on_error="ignore").values())
            os.kill(killed[0], signal.SIGKILL)

        def rescue():  # so that the test ends where the worker does not come back
            needed.append(True)
            cluster.scale(1)

        killer, rescuer = threading.Thread(target=kill), threading.Timer(60, rescue)
        killer.start()
        rescuer.start()
        try:
            mkc.distributed.complete(paths(made), tmp_path / "result", client=client, **SIZES)
        finally:
            rescuer.cancel()
            killer.join()
    assert killed and not needed
    assert same_bits(made / "plain", tmp_path / "result")


def test_a_cluster_that_has_lost_its_workers_is_named_and_waited_for(monkeypatch):
    monkeypatch.setattr(_dask_run, "PATIENCE", 0.2)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        timer = threading.Timer(1, lambda: cluster.scale(1))
        timer.start()
        with pytest.warns(UserWarning, match="no worker for 0 s or more; work goes on when one comes back") as told:
            assert _dask_run.Run(client)("mkc_test", [(abs, -1)]) == [1]
        assert len(told) == 1
        timer.join()


def test_files_that_appear_late_are_waited_for(made, tmp_path):
    """As on network file systems, between a task and the next one on another machine."""
    from mkc import _steps

    tables = [f"{name}={path}" for name, path in paths(made).items()]
    rounds, blocks, samples = _steps.plan([*tables, *ARGUMENTS], str(tmp_path), str(tmp_path / "plan"))
    assert (rounds, blocks, samples) == (3, -(-N // SIZES["block"]), N)
    part = _steps.moments(str(tmp_path / "plan"), 1, "", "1/1", str(tmp_path / "part.npz"))
    pathlib.Path(part).rename(tmp_path / "late.npz")
    timer = threading.Timer(0.3, lambda: (tmp_path / "late.npz").rename(part))
    timer.start()
    _steps.merge(str(tmp_path / "plan"), "", [part], str(tmp_path / "fit.npz"))
    assert (tmp_path / "fit.npz").exists()


def test_a_client_that_dies_goes_on_where_it_was(made, clients, tmp_path, monkeypatch):
    from mkc import _steps

    def fail(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(mkc.distributed, "_fitted_rows", fail_after_rows(mkc.distributed._fitted_rows))
        with pytest.raises(KeyboardInterrupt):
            mkc.distributed.complete(paths(made), tmp_path / "result", client=clients[1], **SIZES)
    folder = tmp_path / ".result.shards"
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert "plan" in before and "rows-1-of-8" in before
    mkc.distributed.complete(paths(made), tmp_path / "result", client=clients[1], **SIZES)
    assert same_bits(made / "plain", tmp_path / "result") and not folder.exists()
    assert _steps.tool()


def fail_after_rows(original):
    def failing(*arguments):
        original(*arguments)
        raise KeyboardInterrupt

    return failing


def test_arrays_of_dask_zarr_and_parquet(made, clients, tmp_path):
    """Collections give what the same tables as files give."""
    zarr = pytest.importorskip("zarr")
    pytest.importorskip("pyarrow")
    whole = {}
    table = pd.read_csv(made / "a.csv", index_col=0, float_precision="round_trip")
    order = list(table.index)
    for name in "bc":
        rows = (made / f"{name}.samples").read_text().split()
        whole[name] = pd.DataFrame(np.load(made / f"{name}.npy"), rows).reindex(order).to_numpy()
    whole["a"] = table.to_numpy()
    stored = zarr.open_array(str(tmp_path / "b.zarr"), mode="w", shape=whole["b"].shape, chunks=(130, 2), dtype="f8")
    stored[:] = whole["b"]
    views = {"a": dask_array.from_array(whole["a"], chunks=(200, 3)), "b": tmp_path / "b.zarr", "c": made / "c.parquet"}
    mkc.distributed.complete(views, tmp_path / "result", client=clients[4], samples=order, **SIZES)
    assert same_bits(made / "plain", tmp_path / "result")
    for name in "abc":
        np.save(tmp_path / f"{name}.npy", whole[name])
    unnamed = {name: dask_array.from_array(whole[name], chunks=(100, -1)) for name in "abc"}
    one = mkc.distributed.complete(unnamed, tmp_path / "one", client=clients[1], **SIZES)
    assert list(one.samples[:2]) == ["0", "1"] and one.observed["c"].sum() == 3 * N // 4


def test_wrong_input_is_named(made, clients, tmp_path):
    def expect(error, *parts, views=None, **options):
        with pytest.raises(error) as found:
            mkc.distributed.complete(
                paths(made) if views is None else views, tmp_path / "x", client=clients[1], **{**SIZES, **options}
            )
        for part in parts:
            assert part in str(found.value), str(found.value)

    expect(mkc.InputError, "there is no view", views={})
    expect(mkc.InputError, "view 'a': a DataFrame is in the memory", views={"a": pd.DataFrame([[1.0]])})
    expect(mkc.InputError, "nothing.npy", views={"a": made / "nothing.npy", "b": made / "b.npy"})
    expect(mkc.OptionError, "shards", shards=0)
    expect(mkc.InputError, "1 dimensions", views={"a": dask_array.zeros(5, chunks=2)})
    words = dask_array.from_array(np.array([["x"]]), chunks=1)
    expect(mkc.InputError, "not numbers", views={"a": words})
    with pytest.raises(mkc.OptionError, match="not a distributed.Client"):
        mkc.distributed.complete(paths(made), tmp_path / "x", client="scheduler:8786")
    (tmp_path / "x").mkdir()
    expect(mkc.OptionError, "exists")


WITHOUT = """
import sys
sys.modules["mkc"] = None  # as where it is not installed
from distributed.cli.dask_worker import main
main([sys.argv[1], "--no-nanny", "--no-dashboard", "--nthreads", "1", "--memory-limit", "0"])
"""


def test_a_worker_without_the_package_is_named(made, tmp_path):
    with distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0", protocol="tcp") as cluster:
        worker = subprocess.Popen([sys.executable, "-c", WITHOUT, cluster.scheduler_address], stderr=subprocess.DEVNULL)
        try:
            with distributed.Client(cluster) as client:
                client.wait_for_workers(1)
                with pytest.raises(mkc.InputError, match="(?s)no mkc.*install the same version of mkc on every worker"):
                    mkc.distributed.complete(paths(made), tmp_path / "x", client=client, **SIZES)
        finally:
            worker.kill()
            worker.wait()


def test_without_dask_the_message_says_what_to_install(made, tmp_path):
    code = (
        "import sys; sys.modules['distributed'] = None; import mkc\n"
        "try: mkc.distributed.complete({'a': 'a.npy'}, 'x')\n"
        "except mkc.InputError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, text=True, capture_output=True, check=True)
    assert "mkc.distributed needs Dask" in run.stdout and "pip install 'mkc[dask]'" in run.stdout
