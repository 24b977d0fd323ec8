"""The command `groma`, as the package brings it."""

from __future__ import annotations

import os
import sys

from groma._groma import main as run


def main() -> None:
    """Runs the command with the process' arguments and ends the process with its exit code."""
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.stdout.flush()
    # Threads of a run that was left would be waited for.
    os._exit(code)


if __name__ == "__main__":
    main()
