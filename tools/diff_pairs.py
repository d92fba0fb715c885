#!/usr/bin/env python3
"""Pairs of versions in tests/diff: is the verdict that each states true, and does `sheaf diff` never contradict it?

A pair is one file: what stands under `#ifdef NEW` is the new version, what stands in its `#else` (or under `#ifndef NEW`) the old one. VERDICT in
its first comment is `same` or `different`, as an observer outside sees it: a static function that differs where no caller shows it is the same. Natively both versions run on all inputs that
main names under BRUTE, with sanitizers. Then, with --sheaf, `sheaf diff OLD NEW` must not say otherwise, and its exit status must be that in
tests/diff/expected: 0 same, 1 different, 3 open.

    tools/diff_pairs.py --native                 check the stated verdicts
    tools/diff_pairs.py --sheaf build/sheaf      check what diff says; --write records it
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAIRS = ROOT / "tests" / "diff"


def version(text, new):
    """The text of one version; `#if`s about NEW do not nest."""
    out, keep, inside = [], True, False
    for line in text.split("\n"):
        if re.match(r"#ifn?def NEW$", line):
            inside, keep = True, (line == "#ifdef NEW") == new
        elif inside and line == "#else":
            keep = not keep
        elif inside and line == "#endif":
            inside, keep = False, True
        elif keep:
            out.append(line)
    return "\n".join(out)


def write_versions(path, directory):
    text = path.read_text()
    for word in ("old", "new"):
        (directory / f"{word}.c").write_text(version(text, word == "new"))
    return re.search(r"VERDICT (\w+)", text).group(1)


def native(directory, word, clang):
    """What a version prints on all inputs, and how it ends."""
    binary = directory / word
    subprocess.run([clang, "-w", "-g", "-DBRUTE", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-sanitize=signed-integer-overflow",
                    directory / f"{word}.c", "-o", binary], check=True)
    done = subprocess.run([binary], cwd=directory, capture_output=True, timeout=60)
    return done.stdout, done.returncode


def check(path, clang, sheaf, expected, said):
    """What is wrong with a pair, or None. clang, sheaf: None leaves that part out; expected: None takes what diff says."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        verdict = write_versions(path, directory)
        if clang:
            differs = native(directory, "old", clang) != native(directory, "new", clang)
            if differs != (verdict == "different"):
                return f"states {verdict}, natively it is {'different' if differs else 'the same'}"
        if not sheaf:
            return None
        done = subprocess.run([str(pathlib.Path(sheaf).resolve()), "diff", "old.c", "new.c"], cwd=directory, capture_output=True, text=True, timeout=300)
        said[path.stem] = str(done.returncode)
        wrong = {"same": (1,), "different": (0,)}[verdict]
        if done.returncode in wrong or done.returncode not in (0, 1, 3):
            return f"states {verdict}, diff says {done.returncode}: {done.stdout.splitlines()[-1:]} {done.stderr.splitlines()[-1:]}"
        if expected is not None and expected.get(path.stem) != str(done.returncode):
            return f"diff says {done.returncode}, expected {expected.get(path.stem)}: --write records it"
        return None


def check_all(names, clang, sheaf, write):
    expected_file = PAIRS / "expected"
    expected = dict(line.split() for line in expected_file.read_text().splitlines()) if expected_file.exists() else {}
    failed, said = 0, {}
    paths = [p for p in sorted(PAIRS.glob("*.c")) if not names or p.stem in names]
    for path in paths:
        problem = check(path, clang, sheaf, None if write else expected, said)
        if problem:
            print(f"FAIL {path.stem}: {problem}")
            failed += 1
    if write:
        expected.update(said)
        expected_file.write_text("".join(f"{k} {v}\n" for k, v in sorted(expected.items())))
    return len(paths) - failed, failed


def run(sheaf, llvm, names):
    return check_all(names, f"clang-{llvm}", sheaf, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--llvm", default="14")
    parser.add_argument("--sheaf")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    passed, failed = check_all(args.names, f"clang-{args.llvm}" if args.native else None, args.sheaf, args.write)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
