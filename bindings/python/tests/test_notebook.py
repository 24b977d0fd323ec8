"""The notebook of the guide: its cells show what stands in it, with a table and the picture of a graph."""

import os
import pathlib

import pytest

import notebooks

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "guide" / "python.ipynb"


def test_the_notebook_shows_what_it_says():
    pytest.importorskip("pandas")
    notebook = notebooks.check(PAGE)
    kinds = {kind for cell in notebook["cells"] for one in cell.get("outputs", []) for kind in one.get("data", {})}
    assert {"text/html", "image/svg+xml"} <= kinds
    assert PAGE.stat().st_size < 60_000


def test_the_notebook_runs_in_a_kernel():
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("pandas")
    # The kernel finds the package where this process does.
    os.environ.setdefault("PYTHONPATH", str(pathlib.Path(notebooks.__file__).parent))
    nbclient.NotebookClient(nbformat.read(PAGE, as_version=4), resources={"metadata": {"path": str(PAGE.parent)}}).execute()
