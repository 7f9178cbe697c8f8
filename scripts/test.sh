#!/usr/bin/env bash
# Sets up a bare Debian machine, builds Sublet with all its tests, and runs them: the unit tests under the address and
# undefined-behaviour sanitizers first, then the whole suite. Ends with ctest's summary, and its exit status.
# (scripts/sweep.sh runs what takes too long for it.)
#   scripts/test.sh [ARGUMENT FOR THE LAST CTEST...]      e.g. scripts/test.sh -L image
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_build_tools
need_test_tools

jobs=$(nproc)

configure sanitize -DSUBLET_WERROR=ON
build sanitize --target sublet_unit_tests
say "unit tests, under sanitizers"
(cd "$root" && ctest --preset sanitize -j "$jobs") </dev/null

configure release -DSUBLET_WERROR=ON
build release
# The suite tries the zip for Windows under wine. Where it can't be made, those tests say so.
if can_build_for_windows; then
    "$root/scripts/build_windows.sh" >/dev/null
    if command -v wine >/dev/null 2>&1; then
        configure windows-cross -DSUBLET_WERROR=ON -DSUBLET_BUILD_TESTS=ON
        build windows-cross --target test_base --target cli_tests
        say "some tests as Windows programs, under wine (scripts/test_windows.sh runs them all)"
        (cd "$root/build/windows-cross" && ctest --output-on-failure -R '^(test_base|cli_brief)$') </dev/null
    fi
fi
say "all tests"
cd "$root" && exec ctest --preset release -j "$jobs" "$@" </dev/null
