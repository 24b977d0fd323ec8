"""Values, plans and findings of Terraform, OpenTofu and Packer code, from source alone.

>>> import groma
>>> groma.evaluate('upper(name)', {"name": "api"})
'API'
>>> root = groma.Root({"main.tf": 'output "n" { value = 6 * 7 }'})
>>> root.outputs
{'n': 42}
"""

from __future__ import annotations

from groma import fleet
from groma._files import load, loads
from groma._groma import Error, Sensitive, Unknown, evaluate
from groma._root import Resources, Root

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
