"""Tests of the documentation: no page is lost, no link is dead, no public name is left out."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
