#!/usr/bin/env bash
# Builds Sublet for Windows with all tests that run there, and runs them under wine: unit tests and the command line as
# Windows programs, then the zip's program beside that of this machine, over more scenes than scripts/test.sh takes.
#   scripts/test_windows.sh [ARGUMENT FOR CTEST...]
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_build_tools
need_test_tools

"$root/scripts/build_windows.sh" -DSUBLET_BUILD_TESTS=ON
build windows-cross
configure release -DSUBLET_WERROR=ON
build release --target windows_tests

status=0
say "unit tests and the command line, under wine"
# One after the other: each would bring a display of its own into the one server of wine.
(cd "$root" && ctest --preset windows-cross "$@") </dev/null || status=1
say "the zip's program"
(cd "$root" && ctest --test-dir build/release -R '^windows_tests' --output-on-failure) </dev/null || status=1
retries=0
log=$root/build/windows-cross/wine-retries.log
[ ! -e "$log" ] || retries=$(wc -l <"$log")
say "wine lost $retries programs, which were run again"
exit $status
