"""mkc: complete the kernels of samples that lack whole views.

>>> import mkc
>>> example = mkc.datasets.make_example(40)
>>> tables = {view: table[example.observed[view]] for view, table in example.features.items()}
>>> kernels = mkc.compute_kernels(tables)  # DataFrames, samples in rows
>>> completed = mkc.KernelCompleter("transfer").fit_transform(kernels)  # kernels of all samples
"""

from importlib import import_module
from typing import TYPE_CHECKING

from . import _limits, datasets  # noqa: F401 (_limits comes first: it loads the library)
from ._advise import Advice, advise
from ._analyse import Clustering, Drivers, Embedding, cluster, drivers, embed
from ._combine import combine
from ._complete import Completion, complete
from ._core import version as __version__
from ._errors import InputError, OptionError, WorkingMemoryError
from ._evaluate import ampute, evaluate
from ._factor_completion import FactorCompletion
from ._factor_folder import read_factors
from ._factor_model import FactorModel, load_factors
from ._inspect import Inspection, inspect
from ._kernels import compute_kernels
from ._methods import methods
from ._model import Model, load, save
from ._mudata import from_mudata
from ._read import read_views
from ._to_anndata import to_anndata
from ._to_mudata import to_mudata

__all__ = [
    "Advice",
    "Clustering",
    "Completion",
    "Drivers",
    "Embedding",
    "FactorCompletion",
    "FactorModel",
    "InputError",
    "Inspection",
    "KernelCombiner",
    "KernelCompleter",
    "Model",
    "MultiViewKernel",
    "OptionError",
    "StackedViews",
    "WorkingMemoryError",
    "__version__",
    "advise",
    "ampute",
    "cluster",
    "combine",
    "complete",
    "compute_kernels",
    "datasets",
    "distributed",
    "drivers",
    "embed",
    "evaluate",
    "from_mudata",
    "inspect",
    "load",
    "load_factors",
    "methods",
    "plot",
    "read_factors",
    "read_views",
    "save",
    "stack_views",
    "to_anndata",
    "to_mudata",
]

# What is imported when it is first used (PEP 562): the estimators, since scikit-learn takes a second, and the plots.
_HOMES = {
    "KernelCombiner": "combiner",
    "KernelCompleter": "completer",
    "MultiViewKernel": "kernel_transformer",
    "StackedViews": "views",
    "distributed": "",
    "plot": "",
    "stack_views": "views",
}

if TYPE_CHECKING:
    from . import distributed, plot
    from .combiner import KernelCombiner
    from .completer import KernelCompleter
    from .kernel_transformer import MultiViewKernel
    from .views import StackedViews, stack_views
else:  # hidden from checkers of types, which would take every name for one of the package

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module 'mkc' has no attribute '{name}'")
        home = _HOMES[name]
        found = getattr(import_module(f"mkc.{home}"), name) if home else import_module(f"mkc.{name}")
        globals()[name] = found
        return found

    def __dir__():
        return sorted({*globals(), *_HOMES})
