#!/usr/bin/env python3
"""Writes a C file and the parts that it includes by #include "PART" into one file.

    inline.py FILE OUT DEPFILE

DEPFILE gets what was read, as make reads it; the target is OUT without its directory, as meson's configure_file expects."""
import os
import re
import sys


def inlined(path, read):
    read.append(path)
    with open(path) as f:
        for line in f:
            part = re.fullmatch(r'#include "(.+)"\n', line)
            if part:
                yield from inlined(os.path.join(os.path.dirname(path), part[1]), read)
                yield "\n"
            else:
                yield line


def main():
    source, out, depfile = sys.argv[1:]
    read = []
    with open(out, "w") as f:
        f.writelines(inlined(source, read))
    with open(depfile, "w") as f:
        f.write(f"{os.path.basename(out)}: {' '.join(read)}\n")


if __name__ == "__main__":
    main()
