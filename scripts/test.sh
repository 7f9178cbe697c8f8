#!/usr/bin/env bash
# Sets up a bare Debian machine, builds Sublet with all its tests, and runs them. Ends with ctest's summaries.
#   scripts/test.sh                  everything: the release build's tests, the window's, unit tests with sanitizers and
#                                    fuzz targets, and last what other programs have a part in: wine, packages, absent
#                                    GPUs
#   scripts/test.sh --quick          what needs no second build: unit tests without sanitizers
#   scripts/test.sh ARGUMENT...      those tests of the release build that ctest chooses, e.g. scripts/test.sh -L image
# (scripts/sweep.sh runs what takes too long for it.)
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

quick=
if [ "${1:-}" = --quick ]; then
    quick=1
    shift
fi
logs=$root/build/test-logs
rm -rf "$logs"
mkdir -p "$logs"

# finish STATUS: says what took how long, which tests needed a second try, and what ctest counted.
finish() {
    local retried
    cpu_minutes_report
    # A test that failed and was tried again has a line for each try. Those that failed twice end the run with an error.
    retried=$(sed -n 's/^.*Test *#[0-9]*: \([^ ]*\) \.*.*\*\*\*.*$/\1/p' "$logs"/*.log | sort -u | tr '\n' ' ')
    say "failed at least once: ${retried:-none}"
    cat "$logs"/*.log | grep -E 'tests passed|tests failed|Total Test time' || true
    exit "$1"
}

# tests NAME BUILD [ARGUMENT FOR CTEST...]: runs them; ends the script where some fail.
tests() {
    local name=$1 build=$2 status=0
    shift 2
    say "tests: $name"
    ctest --test-dir "$root/build/$build" --output-on-failure -j "$(nproc)" "$@" </dev/null | tee "$logs/$((++tiers))-$name.log" || status=$?
    cpu_minutes "tests: $name"
    [ "$status" = 0 ] || finish "$status"
}
tiers=0

need_build_tools
need_test_tools
cpu_minutes "installing"

# Unit tests are compiled once: with sanitizers, or where no second build follows, as the program is.
unit=ON left_out='window|sweep'
if [ -z "$quick" ] && [ $# = 0 ]; then unit=OFF left_out='window|sweep|unit'; fi
configure release -DSUBLET_WERROR=ON -DSUBLET_UNIT_TESTS=$unit
build release
cpu_minutes "release build"
if [ $# -gt 0 ]; then
    tests chosen release -LE '^sweep$' "$@"
    finish 0
fi
elsewhere='^(windows|install|absent-gpus)$'
tests release release -LE "^($left_out)$|$elsewhere"
# What waits for windows and other programs may be late on a busy machine.
tests window release -L '^window$' --repeat until-pass:2
[ -z "$quick" ] || finish 0

need_fuzzer
configure sanitize -DSUBLET_WERROR=ON
build sanitize --target sublet_unit_tests --target sublet_fuzz_targets
cpu_minutes "sanitized build"
tests sanitized sanitize -L '^(unit|fuzz)$'

# The suite tries the zip for Windows under wine. Where it can't be made, those tests say so.
if can_build_for_windows; then
    # Less optimised than what is released: compilers take a third less time.
    "$root/scripts/build_windows.sh" -DSUBLET_BUILD_TESTS=ON -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" >/dev/null
    if command -v wine >/dev/null 2>&1; then build windows-cross --target test_base --target cli_tests; fi
    cpu_minutes "Windows build"
    if command -v wine >/dev/null 2>&1; then
        tests wine windows-cross -R '^(test_base|cli_brief)$' --repeat until-pass:2
    fi
fi
tests elsewhere release -L "$elsewhere" --repeat until-pass:2
finish 0
