#!/bin/sh
# The main job on an example. usage: demo.sh SHEAF
set -u
sheaf=$1
show() {
    printf '\n$ %s\n' "$*"
    "$@"
    printf '(exit status %d)\n' $?
}
alias_dir=$(dirname "$sheaf")
PATH=$(cd "$alias_dir" && pwd):$PATH
echo 'A queue with an off-by-one, first used as intended, then with one item too many:'
show sheaf run examples/queue.c -- 10 20 30
show sheaf run examples/queue.c -- 1 2 3 4 5
exit 0
