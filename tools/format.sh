#!/bin/sh
# Formats what we wrote to be read, by .clang-format. usage: format.sh [--check]
# Programs under test keep their layout, since line numbers of theirs stand in expected results. Another version of
# clang-format would break lines elsewhere, so one version decides: 14, whichever LLVM Sheaf is built with.
set -eu
cd "$(dirname "$0")/.."
files=$(git ls-files 'src/*.[ch]' 'runtime/*.[ch]' 'include/*.h' 'bench/*.[ch]' 'tests/unit/*.[ch]' 'tests/oracle/*.[ch]' \
    'tests/flow/*.[ch]' 'tests/fuzz/*.[ch]' | grep -v '^bench/.*/')
case ${1-} in
--check) mode='--dry-run --Werror' ;;
'') mode=-i ;;
*) echo "usage: format.sh [--check]" >&2; exit 2 ;;
esac
# shellcheck disable=SC2086 # file names and options are meant to be split
exec clang-format-14 $mode $files
