#!/usr/bin/env bash
# The editors' side of the language server: usage: editors/test.sh [PROGRAM] [PART…], where PROGRAM is target/debug/groma unless another is
# named, and PART is one of protocol, neovim, extension, browser; all of them if none is named.
#
#   protocol   an independent client (pytest-lsp), in editors/tests
#   neovim     Neovim's own client, headless, in editors/tests/nvim; from 0.11 on with the configuration in editors/nvim, too
#   extension  the types, lints, bundles and tests of the extension for Visual Studio Code
#   browser    the engine as WebAssembly, and the extension in a real Visual Studio Code in a headless Chromium; pictures of it are written
#              to target/editor-pictures. It compiles the engine once more, which takes minutes from nothing.
#
# A part that needs what is not at hand (Python, nvim, node, chromium, a registry, a compiler for browsers) is left out and says so, unless
# it was named. GROMA_BROWSER=0 leaves the browser out; CHROMIUM names the program.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=target/debug/groma
if [ $# -gt 0 ] && [ -x "$1" ]; then
  program=$1
  shift
fi
program=$(realpath "$program")
named=$*
failed=()

# Says that a part is not tried; where it was asked for by name that is a failure.
left_out() {
  echo "$1: not tried, as $2"
  case " $named " in *" $1 "*) failed+=("$1") ;; esac
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# Fetches what a folder's lock file names, unless it is there.
fetched() {
  [ -d "$1/node_modules" ] && [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] ||
    (cd "$1" && timeout 300 npm ci --no-audit --no-fund --prefer-offline --fetch-retries 1 --fetch-timeout 30000 >/dev/null 2>&1)
}

protocol() {
  if ! has python3 || ! python3 -c 'import venv' 2>/dev/null || ! timeout 300 editors/tests/run --prepare >/dev/null 2>&1; then
    left_out protocol "Python or the packages of the client are not at hand"
    return
  fi
  editors/tests/run "$program" || failed+=(protocol)
}

neovim() {
  has nvim || { left_out neovim "nvim is not at hand"; return; }
  local folder client
  client=$(realpath editors/tests/nvim/client.lua)
  folder=$(mktemp -d)
  cp -r editors/tests/module/. "$folder"
  (cd "$folder" && GROMA=$program timeout 120 nvim --headless -u NONE -n -i NONE +"luafile $client") || failed+=(neovim)
  if [ "$(nvim --headless -u NONE -n -i NONE +'lua io.stdout:write(tostring(vim.lsp.enable ~= nil))' +qall 2>/dev/null)" = true ]; then
    rm -rf "$folder" && mkdir "$folder" && cp -r editors/tests/module/. "$folder"
    client=$(realpath editors/tests/nvim/enabled.lua)
    (cd "$folder" && GROMA=$program EDITORS=$(realpath "$OLDPWD/editors") timeout 120 nvim --headless -u NONE -n -i NONE +"luafile $client") || failed+=(neovim)
  else
    echo "neovim: lsp/groma.lua is not tried, as this Neovim is older than 0.11"
  fi
  rm -rf "$folder"
}

# The versions of node that run tests by themselves and know `import.meta.dirname`.
has_node() {
  has npm && has node && node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 11) ? 0 : 1)'
}

extension() {
  has_node || { left_out extension "node 20.11 or later is not at hand"; return; }
  fetched editors/vscode || { left_out extension "its packages are not at hand and cannot be fetched"; return; }
  (cd editors/vscode && npm run --silent check && node build.mjs &&
    # What is left out is the engine's, which may be of an older build.
    node --test tests/{beside,files,grammar,package,worker}.test.mjs) >target/extension.log 2>&1 &&
    echo "extension: $(grep -E '^(#|ℹ) pass' target/extension.log)" ||
    { cat target/extension.log; failed+=(extension); }
}

browser() {
  local chromium=${CHROMIUM:-}
  [ "${GROMA_BROWSER:-}" != 0 ] || { left_out browser "GROMA_BROWSER is 0"; return; }
  has_node || { left_out browser "node 20.11 or later is not at hand"; return; }
  [ -n "$chromium" ] || chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
  [ -n "$chromium" ] || { left_out browser "chromium is not at hand"; return; }
  fetched editors/vscode && fetched editors/vscode/browser || { left_out browser "its packages are not at hand and cannot be fetched"; return; }
  local made=0
  node editors/vscode/engine.mjs || made=$?
  [ "$made" != 2 ] || { left_out browser "no compiler for browsers is at hand"; return; }
  [ "$made" = 0 ] && (cd editors/vscode && node build.mjs && node --test tests/engine.test.mjs >../../target/engine.log 2>&1) ||
    { cat target/engine.log; failed+=(browser); return; }
  CHROMIUM=$chromium timeout 600 node editors/vscode/browser/run.mjs || failed+=(browser)
}

for part in ${named:-protocol neovim extension browser}; do
  case $part in
    protocol | neovim | extension | browser) "$part" ;;
    *) echo "there is no part $part" >&2; exit 2 ;;
  esac
done
[ ${#failed[@]} = 0 ] || { echo "failed: ${failed[*]}" >&2; exit 1; }
