#!/usr/bin/env bash
# Builds the package, installs it in an environment of its own and tests it there. `--wheel` builds the wheel that is given away (slower);
# without it the package is built as the tests of the workspace are. The tools for agents are tried by the official client. What is not at
# hand and cannot be fetched is left out by name: GROMA_RAY=0 leaves out Ray; GROMA_FREE_THREADED names an interpreter without the global
# lock (3.14 or later), if it is not `python3.15t` or `python3.14t`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
top=$(cd ../.. && pwd)
target=${CARGO_TARGET_DIR:-$top/target}
room=$target/python

python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null || { echo "left out: Python 3.10 or later is not at hand"; exit 0; }
[ -x "$room/bin/python" ] || python3 -m venv "$room" || { echo "left out: an environment of Python cannot be made here"; exit 0; }
# The environment in which is looked and installed, and what pip is given beside the package.
env=$room
flags=
has() { "$env/bin/python" -c "import $1" 2> /dev/null; }
fetch() {
  for package in "$@"; do
    # shellcheck disable=SC2086
    has "${package//-/_}" || "$env/bin/pip" install --quiet --disable-pip-version-check $flags "$package" 2> /dev/null || echo "left out: $package cannot be fetched"
  done
}
fetch pytest mypy pyright mcp pyarrow pandas polars nbclient ipykernel
[ "${GROMA_RAY:-1}" = 0 ] || fetch ray
has pytest || { echo "left out: without pytest nothing is tested"; exit 0; }

rm -rf "$room/package" && mkdir -p "$room/package" && cp -r python/groma "$room/package/"
if [ "${1:-}" = --wheel ]; then
  fetch maturin
  rm -rf "$target/wheels"
  "$room/bin/python" -m maturin build --quiet --compression-level 9 --out "$target/wheels"
  rm -rf "$room/package/groma"
  "$room/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$room/package" "$target"/wheels/groma-*.whl
  [ "$(stat -c %s "$target"/wheels/groma-*.whl)" -le 12000000 ] || { echo "the wheel is larger than 12 MB: $(ls -l "$target"/wheels)"; exit 1; }
  # The command is in it, for whoever installs nothing else.
  rm -rf "$room/fresh" && python3 -m venv "$room/fresh"
  "$room/fresh/bin/pip" install --quiet --disable-pip-version-check --no-deps "$target"/wheels/groma-*.whl
  "$room/fresh/bin/groma" --version
else
  (cd "$top" && cargo build --quiet --package groma-python --target-dir "$target")
  cp "$target/debug/lib_groma.so" "$room/package/groma/_groma.abi3.so" 2> /dev/null \
    || cp "$target/debug/lib_groma.dylib" "$room/package/groma/_groma.abi3.so"
fi
has mcp || echo "left out: without mcp the tools for agents are not tried by its client"
export PYTHONPATH=$room/package
"$room/bin/python" -m pytest --quiet -p no:cacheprovider tests
if has mypy; then "$room/bin/python" -m mypy --strict --python-executable "$room/bin/python" --cache-dir "$room/mypy" python/groma; fi
if has pyright; then PYRIGHT_PYTHON_IGNORE_WARNINGS=1 "$room/bin/python" -m pyright --pythonpath "$room/bin/python" python/groma || { [ $? = 3 ] && echo "left out: pyright cannot be fetched"; }; fi

free=${GROMA_FREE_THREADED:-$(command -v python3.15t || command -v python3.14t || true)}
if [ -n "$free" ] && "$free" -c 'import sys, sysconfig; sys.exit(not sysconfig.get_config_var("Py_GIL_DISABLED"))'; then
  # The stable interface is not for these interpreters: the package is built for the one, with an environment of its own.
  (cd "$top" && PYO3_PYTHON=$free cargo build --quiet --package groma-python --target-dir "$target")
  rm -rf "$room/free" && mkdir -p "$room/free" && cp -r python/groma "$room/free/"
  cp "$target"/debug/lib_groma.so "$room/free/groma/_groma.so" 2> /dev/null \
    || cp "$target"/debug/lib_groma.dylib "$room/free/groma/_groma.so"
  env=$room/free-env
  # To compile what has no wheel for it would take longer than all tests.
  flags="--only-binary :all:"
  [ -x "$env/bin/python" ] || "$free" -m venv "$env"
  fetch pytest pyarrow pandas polars
  PYTHONPATH=$room/free "$env/bin/python" -m pytest --quiet -p no:cacheprovider \
    tests/test_values.py tests/test_root.py tests/test_facts.py tests/test_fleet.py
else
  echo "left out: no free-threaded interpreter is at hand"
fi
