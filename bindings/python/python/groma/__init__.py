"""Values, plans and findings of Terraform, OpenTofu and Packer code, from source alone.

>>> import groma
>>> groma.evaluate('upper(name)', {"name": "api"})
'API'
>>> root = groma.Root({"main.tf": 'output "n" { value = 6 * 7 }'})
>>> root.outputs
{'n': 42}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from groma._files import load, loads
from groma._groma import Error, Sensitive, Unknown, evaluate
from groma._root import Resources, Root

if TYPE_CHECKING:
    from groma import fleet

__all__ = [
    "Error",
    "Resources",
    "Root",
    "Sensitive",
    "Unknown",
    "evaluate",
    "fleet",
    "load",
    "loads",
]


def __getattr__(name: str) -> object:
    # Starting processes takes several times as long to import as all else here.
    if name == "fleet":
        import importlib

        return importlib.import_module("groma.fleet")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
