#!/bin/sh
# The main job on an example. usage: demo.sh BUILD-DIRECTORY
set -u
PATH=$(cd "$1" && pwd):$PATH
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
show() {
    printf '\n$ %s\n' "$*"
    "$@"
    printf '(exit status %d)\n' $?
}
echo 'A stack machine that never checks whether its stack is full, on all inputs of four bytes:'
show sheaf test examples/stackvm.c --sym-stdin 4 -o "$results/out"
echo
echo 'The machine by itself: a queue with an off-by-one, given one item too many:'
show sheaf run examples/queue.c -- 1 2 3 4 5
exit 0
