#!/usr/bin/env bash
# Runs the tests that the suite leaves out: the same cases for every backend and way to expand, and long work in the window.
# An hour or so on two cores with a software driver. See scripts/exactness.sh for the contract of exactness in full.
#   scripts/sweep.sh [ARGUMENT FOR CTEST...]      e.g. scripts/sweep.sh -R window
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_build_tools
need_test_tools
configure release
build release
cd "$root" && exec ctest --preset sweep -j "$(nproc)" "$@" </dev/null
