#!/usr/bin/env bash
# Builds Sublet for Windows, 64 bits, on Debian, by mingw-w64: a zip with sublet.exe, which needs nothing but Windows.
#   scripts/build_windows.sh [ARGUMENT FOR CMAKE...]      prints the zip's path
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_windows_build_tools
configure windows-cross -DSUBLET_WERROR=ON "$@"
build windows-cross --target sublet
cd "$root/build/windows-cross"
run_quietly "cpack" cpack
printf '%s\n' "$PWD"/sublet-*-windows-x64.zip
