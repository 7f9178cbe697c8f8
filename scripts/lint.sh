#!/usr/bin/env bash
# Checks the format and the habits of Sublet's own C++ files, with clang-format and clang-tidy (Debian packages of those names).
#   scripts/lint.sh [--fix] [FILE...]      FILE: those to check, else all; --fix: rewrite the format first
# clang-tidy reads how each file is compiled from build/lint, which is configured for it, or from $SUBLET_LINT_BUILD.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fix=
if [ "${1:-}" = --fix ]; then
    fix=1
    shift
fi
for tool in clang-format clang-tidy; do
    command -v "$tool" >/dev/null || {
        echo "error: $tool is not installed" >&2
        exit 1
    }
done
database=${SUBLET_LINT_BUILD:-build/lint}
[ -e "$database/compile_commands.json" ] || cmake --preset release -B "$database" >/dev/null

if [ $# -gt 0 ]; then
    files=("$@")
else
    # Those of the working tree, whether git knows them yet or not.
    mapfile -t files < <(git ls-files --cached --others --exclude-standard 'src/*.h' 'src/*.cpp' 'tests/*.h' 'tests/*.cpp' \
        'shaders/shared/*.h' | sort -u)
fi
[ -z "$fix" ] || clang-format -i "${files[@]}"

status=0
clang-format --dry-run -Werror "${files[@]}" || status=1

# Headers are checked through the sources that include them.
sources=()
for file in "${files[@]}"; do
    case $file in
        *.cpp) grep -qF "/$file\"" "$database/compile_commands.json" && sources+=("$file") ;;
    esac
done
if [ ${#sources[@]} -gt 0 ]; then
    # clang does not know gcc's warning flags. What it counts on stderr is of headers that are not ours.
    printf '%s\0' "${sources[@]}" |
        xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$database" --quiet --extra-arg=-Wno-unknown-warning-option 2>/dev/null ||
        status=1
fi
[ "$status" = 0 ] && echo "lint: ${#files[@]} files, all clean"
exit "$status"
