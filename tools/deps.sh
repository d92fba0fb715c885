#!/bin/sh
# Installs the Debian packages that are missing. usage: deps.sh base|check|all LLVM-MAJOR
#   base  what building needs      check  also what `make check` needs      all  also what torture, csmith and fuzz need
set -eu
set_name=$1
llvm=$2

packages="gcc libc6-dev make meson ninja-build pkg-config python3 git clang-format-14
    clang-$llvm llvm-$llvm llvm-$llvm-dev libclang-rt-$llvm-dev zlib1g-dev libzstd-dev
    libz3-dev libcadical-dev libffi-dev libcmocka-dev libmimalloc-dev libsqlite3-dev libpq-dev cvc5"
if [ "$set_name" != base ]; then
    packages="$packages postgresql"
fi
if [ "$set_name" = all ]; then
    packages="$packages csmith libcsmith-dev gcc-12-source xz-utils"
fi

missing=
for package in $packages; do
    state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [ "$state" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "deps: not root and no sudo; install:$missing" >&2; exit 1; }
    as_root=sudo
fi
echo "installing:$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # the list is meant to be split
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
