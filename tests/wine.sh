#!/bin/sh
# Runs a Windows program under wine: PROGRAM.exe [ARGUMENT...]. CMake's CMAKE_CROSSCOMPILING_EMULATOR, so ctest runs
# tests by it. What may be set:
#   WINEPREFIX           wine's folder; else one of this build, made when it is missing
#   WINE_RETRIES         the file that counts retries, a line each; else wine-retries.log beside that folder
#   DISPLAY              else a virtual display is started, and ended again (Vulkan needs one under wine)
set -u

# The build folder is that of the program: its own, or the one of CMake's cache above.
build=$(dirname -- "$(realpath -- "$1")")
while [ "$build" != / ] && [ ! -e "$build/CMakeCache.txt" ]; do build=$(dirname -- "$build"); done
[ "$build" != / ] || build=${TMPDIR:-/tmp}
export WINEPREFIX="${WINEPREFIX:-$build/wine}"
retries=${WINE_RETRIES:-$(dirname -- "$WINEPREFIX")/wine-retries.log}

export HOME="${HOME:-${TMPDIR:-/tmp}}" # without one, wine ends
export WINEARCH=win64
export WINEDEBUG="${WINEDEBUG:--all}"
# No questions about .NET and HTML, and no menus of the desktop.
export WINEDLLOVERRIDES="mscoree=;mshtml=;winemenubuilder.exe="

display=
texts=$(mktemp -d)
trap 'rm -rf "$texts"; [ -z "$display" ] || kill "$display"' EXIT
if [ -z "${DISPLAY:-}" ] && command -v Xvfb >/dev/null; then
    number=$texts/display
    Xvfb -displayfd 3 -screen 0 1280x1024x24 3>"$number" 2>/dev/null &
    display=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$number" ] || sleep 0.3; done
    DISPLAY=:$(cat "$number")
    export DISPLAY
fi

# One process makes the folder; the others wait.
if [ ! -e "$WINEPREFIX/.ready" ]; then
    mkdir -p "$WINEPREFIX"
    (
        flock 9
        [ -e "$WINEPREFIX/.ready" ] || { wineboot --init && wineserver -w && : >"$WINEPREFIX/.ready"; }
    ) 9>"$WINEPREFIX/.lock" >/dev/null 2>&1
fi

# Through files: helpers of wine's that outlive the program would hold a pipe open. stderr has, beside the program's
# lines, the complaints of wine itself.
run() {
    wine "$@" >"$texts/out" 2>"$texts/err" </dev/null
    status=$?
    cat "$texts/out"
    cat "$texts/err" >&2
}
was_lost() {
    grep -q '^wine client error' "$texts/err" || { [ "$status" -ne 0 ] && [ ! -s "$texts/out" ] && [ ! -s "$texts/err" ]; }
}
run "$@"
# The server of wine may lose a client: then wine says so, or the program ends without a word. That is no failure of the
# program's: it is run once more, and counted. What fails by itself, with a word, is never run again.
if was_lost; then
    line="status $status: $*: $(grep '^wine client error' "$texts/err" | head -n 1)"
    echo "$(date '+%F %T') $line" >>"$retries"
    echo "wine.sh: wine lost the program, it runs again (counted in $retries): $line" >&2
    run "$@"
fi
exit $status
