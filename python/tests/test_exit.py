"""Python ends without a message of the binding library, whatever is still alive."""

import subprocess
import sys

ALIVE = """
import sys, threading, time
import mkc
from mkc import _assemble, _inputs

kernels = mkc.datasets.make_example(40, 0.25, 1).kernels
result = mkc.complete(kernels, "mean")
try:
    mkc.complete(kernels, "wknn", k=-1)
except mkc.InputError as error:
    sys.kept = error


def hold():
    kept = _assemble.assemble(_inputs.read_views(kernels))
    ready.set()
    time.sleep(1e6)


ready = threading.Event()
threading.Thread(target=hold, daemon=True).start()
ready.wait()
"""


def test_nothing_is_printed_at_exit():
    done = subprocess.run([sys.executable, "-c", ALIVE], text=True, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
