#!/usr/bin/env python3
"""Checks that the includes below src/ keep to the module order.

A module may include its own files and the faces of modules before it: MODULE/MODULE.h and tables MODULE/*.def. What is
shared with programs under test (runtime/, include/) has no place in the order. Only the front end may include LLVM's
headers. Some modules have folders with an order of their own: a file may include what is in its folder, in folders before
it and in the module itself, and of each later folder one header, its face. ARCHITECTURE.md draws the modules (```modules) and the way of
a command through the files (```way): its arrows must be the includes, its files and functions must exist. Each breach is one line; exit
status 1 if there is any.

    tools/layers.py [ROOT]      check ROOT/src (default: the repository this file is in)
    tools/layers.py --self-test
"""
import pathlib
import posixpath
import re
import sys
import tempfile

ORDER = ["base", "bits", "ir", "frontend", "expr", "solver", "flow", "vm", "suite", "store", "explore", "backward", "versions", "report", "cli"]
FOLDERS = {"vm": {"core": None, "prepare": None, "files": None, "symbolic": "sym.h", "labels": "label.h"}}  # and their faces
SHARED = {"runtime", "include"}
LLVM_USER = "frontend"
LLVM_DIRS = {"llvm", "llvm-c", "clang", "clang-c"}
SUFFIXES = {".c", ".h", ".def", ".inc"}

# Text first, so that comment marks inside it do not count.
TEXT_OR_COMMENT = re.compile(r'''"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/''', re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?\b[ \t]*(?:"([^"\n]*)"|<([^>\n]*)>|([^\n]*))', re.MULTILINE)


def without_comments(text):
    """The text with comments blanked; every line keeps its number."""
    def blank(match):
        found = match.group()
        return found if found[0] in "\"'" else " " + "\n" * found.count("\n")
    return TEXT_OR_COMMENT.sub(blank, text)


def folder_breach(module, directory, parts):
    """What is wrong with the inclusion of another file (parts of its path below src) of the same module, or None."""
    order, here = list(FOLDERS.get(module, {})), directory.split("/")[2:3]
    if not order or len(parts) < 3:
        return None
    if parts[1] not in order:
        return f"is in no folder of {module} that tools/layers.py knows"
    if here and order.index(parts[1]) <= order.index(here[0]):
        return None
    face = FOLDERS[module][parts[1]]
    return None if parts[2] == face else f"is private to {module}/{parts[1]}" + (f": use {face}" if face else ", a later folder")


def breach_of(module, directory, target, angled):
    """What is wrong with module's inclusion of target in a file of directory (of ROOT), or None."""
    parts = target.split("/")
    if ".." in parts or target.startswith("/"):
        parts = posixpath.normpath(posixpath.join(directory, target)).split("/")
        if parts[0] in SHARED:
            return None
        if parts[0] != "src" or len(parts) < 3:
            return "is outside src"
        target, parts = "/".join(parts[1:]), parts[1:]
    if parts[0] in LLVM_DIRS:
        return None if module == LLVM_USER else f"is LLVM's, which only {LLVM_USER} may know"
    other = parts[0]
    if other == module and len(parts) > 1:
        return folder_breach(module, directory, parts)
    if len(parts) == 1 or other not in ORDER:
        return None if angled or len(parts) == 1 else "is no module's"
    if ORDER.index(other) > ORDER.index(module):
        return f"is of the later module {other}"
    is_face = parts[1:] == [other + ".h"] or len(parts) == 2 and target.endswith(".def")
    return None if is_face else f"is private to {other}: use {other}/{other}.h"


def file_breaches(root, path, module):
    text = without_comments(path.read_text(encoding="utf-8", errors="replace"))
    for match in INCLUDE.finditer(text):
        quoted, angled, computed = match.groups()
        where = f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
        if computed is not None:
            yield f"{where}: {module} includes {computed.strip()}, which this check can not follow"
            continue
        target = angled if quoted is None else quoted
        why = breach_of(module, path.parent.relative_to(root).as_posix(), target, quoted is None)
        if why:
            yield f"{where}: {module} includes {target}, which {why}"


def breaches(root):
    src = root / "src"
    for directory in sorted(p for p in src.iterdir() if p.is_dir()):
        if directory.name not in ORDER:
            yield f"src/{directory.name}: no module of the order in tools/layers.py"
            continue
        for path in sorted(directory.rglob("*")):
            folder = path.relative_to(directory).parts[0]
            if path.is_file() and path.suffix in SUFFIXES and directory.name in FOLDERS and path.parent != directory and \
                    folder not in FOLDERS[directory.name]:
                yield f"{path.relative_to(root)}: no folder of the order in tools/layers.py"
            elif path.is_file() and path.suffix in SUFFIXES:
                yield from file_breaches(root, path, directory.name)


# ---- the drawings of ARCHITECTURE.md ---------------------------------------------------------------------------

def uses(root, module):
    """Modules that files of a module include something of."""
    found = set()
    for path in (root / "src" / module).rglob("*"):
        if path.is_file() and path.suffix in SUFFIXES:
            text = without_comments(path.read_text(encoding="utf-8", errors="replace"))
            found.update((m[0] or m[1]).split("/")[0] for m in INCLUDE.findall(text) if "/" in (m[0] or m[1]))
    return found & set(ORDER) - {module}


def block_of(text, name):
    """[(number, line)] of the first ```name block."""
    lines, inside = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if inside and line.startswith("```"):
            return lines
        if inside:
            lines.append((number, line))
        inside = inside or line.startswith("```" + name)
    return lines


def drawing_breaches(root):
    path = root / "ARCHITECTURE.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    modules, way = block_of(text, "modules"), block_of(text, "way")
    if not modules or not way:
        yield "ARCHITECTURE.md: no drawing of the modules, or of the way of a command"
    drawn = {}
    for number, line in modules:
        arrow = re.match(r"(\w+) +->((?: \w+)*)(?:  .*)?$", line)
        if not arrow:
            yield f"ARCHITECTURE.md:{number}: no line `MODULE -> MODULES  what it holds`"
            continue
        drawn[arrow[1]] = set(arrow[2].split())
        real = uses(root, arrow[1]) if (root / "src" / arrow[1]).is_dir() else None
        if real != drawn[arrow[1]]:
            yield f"ARCHITECTURE.md:{number}: {arrow[1]} includes {' '.join(m for m in ORDER if real and m in real) or 'nothing'}"
    if modules and list(drawn) != ORDER[::-1]:
        yield f"ARCHITECTURE.md: modules are drawn as {' '.join(drawn)}, their order is {' '.join(ORDER[::-1])}"
    for number, line in way:
        step = re.match(r" *(src/[\w/.]+) +(\w+) ", line)
        file = root / step[1] if step else None
        if not step or not file.exists() or not re.search(rf"\b{step[2]}", file.read_text(encoding="utf-8")):
            yield f"ARCHITECTURE.md:{number}: no such file, or no such function in it"


def check(root):
    if not (root / "src").is_dir():
        sys.exit(f"layers: no directory {root / 'src'}")
    found = list(breaches(root)) + list(drawing_breaches(root))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


# ---- self test ---------------------------------------------------------------------------------------------------

# A file, its text, and what of each expected breach must be in its line.
SAMPLES = [
    ("src/base/base.h", '#include <stdio.h>\n', []),
    ("src/base/low.c", '#include "base/base.h"\n#include "low_int.h"\n#include "base/utf8.h"\n', []),
    ("src/base/up.c", '\n#include "ir/ir.h"\n', ["src/base/up.c:2", "later module ir"]),
    ("src/base/up_table.h", '#include "vm/fault.def"\n', ["later module vm"]),
    ("src/base/spaced.c", '  #  include\t<expr/expr.h>\n', ["later module expr"]),
    ("src/ir/ir.c", '#include "base/base.h"\n#include "bits/bits.def"\n#include "ir/ir_int.h"\n', []),
    ("src/ir/peek.c", '#include "base/utf8.h"\n', ["private to base"]),
    ("src/ir/deep/peek.c", '#include "bits/sub/bits.h"\n', ["private to bits"]),
    ("src/ir/climb.c", '#include "../base/utf8.h"\n', ["private to base"]),
    ("src/ir/climb_well.c", '#include "../base/base.h"\n#include "../../runtime/table.def"\n', []),
    ("src/ir/climb_far.c", '#include "../../tests/x.h"\n', ["outside src"]),
    ("src/ir/macro.c", '#define FACE "vm/vm.h"\n#include FACE\n', ["src/ir/macro.c:2", "can not follow"]),
    ("src/ir/typo.c", '#include "basse/base.h"\n', ["no module's"]),
    ("src/ir/quiet.c", '/* #include "vm/vm.h"\n#include "vm/vm.h"\n*/ // #include "vm/vm.h"\n', []),
    ("src/ir/text.c", 'char *s = "/*", c = \'"\';\n#include "vm/vm.h"\nchar *t = "*/";\n', ["text.c:2", "later"]),
    ("src/frontend/load.c", '#include <llvm-c/Core.h>\n#include "ir/ir.h"\n', []),
    ("src/vm/llvm.c", '#include "base/base.h"\n#include <llvm-c/Core.h>\n', ["vm/llvm.c:2", "LLVM"]),
    ("src/vm/vm.h", '#include "vm/ledger.h"\n', []),
    ("src/vm/core/step.c", '#include "vm/vm.h"\n#include "vm/core/mem.h"\n#include "vm/labels/label.h"\n', []),
    ("src/vm/core/peek.c", '#include "vm/labels/label_int.h"\n', ["private to vm/labels: use label.h"]),
    ("src/vm/files/up.c", '#include "../symbolic/sym_int.h"\n', ["private to vm/symbolic"]),
    ("src/vm/labels/down.c", '#include "vm/symbolic/sym_int.h"\n#include "vm/prepare/prepare.h"\n', []),
    ("src/vm/core/later.c", '#include "vm/files/files.h"\n', ["a later folder"]),
    ("src/cli/main.c", '#include "report/report.h"\n#include <sys/stat.h>\n', []),
    ("src/extra/extra.c", '#include "base/base.h"\n', ["src/extra", "no module"]),
    ("src/base/meson.build", '#include "vm/vm.h"\n', []),
]


def self_test():
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, text, _ in SAMPLES:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        found = list(breaches(root))
    failures = []
    for name, _, wanted in SAMPLES:
        module = "/".join(name.split("/")[:2])                 # a breach of the module as a whole counts for its file
        mine = [line for line in found if line.startswith((name + ":", module + ":"))]
        if len(mine) != bool(wanted) or not all(part in mine[0] for part in wanted):
            failures.append(f"{name}: expected {wanted or 'no breach'}, found {mine}")
    if len(found) != sum(bool(wanted) for _, _, wanted in SAMPLES):
        failures.append(f"{len(found)} breaches in all: {found}")
    print("\n".join(failures) if failures else f"layers: self-test passed ({len(SAMPLES)} files)")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 1 or any(a.startswith("-") for a in arguments):
        sys.stderr.write(__doc__)
        return 2
    return check(pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
