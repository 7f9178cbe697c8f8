#!/usr/bin/env bash
# Runs the tests that the suite leaves out: the same cases for every backend and way to expand, long work in the window,
# unit tests without sanitizers, of which some then count further, and formulas with them. Two hours or so on two cores
# with a software driver. See scripts/exactness.sh for the contract of exactness in full.
#   scripts/sweep.sh [ARGUMENT FOR CTEST...]      e.g. scripts/sweep.sh -R window
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_build_tools
need_test_tools
configure release -DSUBLET_UNIT_TESTS=ON
build release
status=0
ctest --test-dir "$root/build/release" -L '^(sweep|unit)$' --output-on-failure -j "$(nproc)" "$@" </dev/null || status=1

need_fuzzer
configure sanitize
build sanitize --target sublet_arithmetic_tests
(cd "$root" && ctest --test-dir build/sanitize -L '^arithmetic$' --output-on-failure -j "$(nproc)" "$@" </dev/null) ||
    status=1
exit $status
