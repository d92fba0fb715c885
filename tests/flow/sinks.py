#!/usr/bin/env python3
"""Every kind of fault is a sink: one that needs two decisions together must be found.

usage: sinks.py SHEAF

Each row is a kind of src/vm/fault.def and a program in three parts: what x == 5 does, what y == 7 does, and what then fails only if
both did. The machine must end with that very fault (so the row shows what it says), and the explorer `dependence` must find it. Every kind must have a row, and several ways to fail in libc have one of their own."""
import os, re, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))

# kind, declarations before main, locals, done if x == 5, done if y == 7, what fails then; then options
ROWS = [
    ('OOB_READ', '', 'char a[4] = {0}; volatile int i = 0;', 'i += 2;', 'i += 2;', 'return a[i];'),
    ('OOB_WRITE', '', 'char a[4]; int i = 0;', 'i += 2;', 'i += 2;', 'a[i] = 1;'),
    ('OOB_WRITE', '', 'char a[4]; char b[8] = "a";', 'b[1] = 98;', 'strcat(b, "cde");', 'strcpy(a, b);'),
    ('OOB_WRITE', '', 'char a[4]; int n = 1;', 'n += 2;', 'n += 2;', 'memset(a, 0, (size_t)n);'),
    ('OOB_WRITE', '', 'char a[2];', 'getchar();', 'getchar();', 'if (x == 5 && y == 7) ungetc(65, stdin), ungetc(66, stdin); scanf("%9s", a);'),
    ('OOB_READ', '', 'char a[4] = "abc"; int i = 3;', 'a[3] = 100;', 'i = 0;', 'if (i == 0) return (int)strlen(a);'),
    ('NULL_DEREF', 'static int g; static int *p = &g, *q = &g;', '', 'q = 0;', 'p = q;', 'return *p;'),
    ('NULL_DEREF', 'static int g; static int *p = &g;', '', 'p = 0;', 'g = 1;', 'if (g) memcpy(p, &y, 4);'),
    ('WILD', 'static long p; static int g;', 'p = (long)&g;', 'p = 12345678;', 'g = 1;', 'if (g) return *(int *)p;'),
    ('READ_ONLY', 'static const char c[4] = "abc"; static char v[4];', 'char *p = v;', 'p = (char *)c;', 'v[1] = 1;', 'if (v[1]) *p = 1;'),
    ('USE_AFTER_FREE', '', 'int *p = calloc(1, 4); int n = 0;', 'free(p);', 'n = 1;', 'if (n) return *p;'),
    ('USE_AFTER_RETURN', 'static int *keep(int n) { int l = n; int *volatile p = &l; return p; }', 'int v = 0; int *p = &v; int n = 0;', 'p = keep(1);', 'n = 1;', 'if (n) return *p;'),
    ('USE_AFTER_SCOPE', '', 'volatile int two = 2; int v = 0, *p = &v, n = 0;', '{ int inner[two]; inner[0] = 1; p = inner; }', 'n = 1;', 'if (n) return *p;'),
    ('DOUBLE_FREE', '', 'int *p = malloc(4), *q = malloc(4);', 'q = p;', 'free(p);', 'free(q);'),
    ('INVALID_FREE', '', 'char *p = malloc(4); int n = 0;', 'p++;', 'n = 1;', 'if (n) free(p);'),
    ('OVERLAP', '', 'char a[16] = {0}; int i = 8;', 'i -= 3;', 'i -= 3;', 'memcpy(a, a + i, 4);', 'overlap'),
    ('OVERLAP', 'struct s { char c[12]; }; static char a[16]; static int g;', '', 'g++;', 'g++;', 'if (g == 2) __builtin_memcpy(a, a + 2, 4);', 'overlap'),
    ('DIV_ZERO', '', 'int a = 3, b = 2;', 'a = 1;', 'b = 1;', 'return 8 / (a - b);'),
    ('DIV_ZERO', '', 'int b = 2;', 'b--;', 'b--;', 'return div(8, b).quot;'),
    ('DIV_OVERFLOW', '', 'int a = 1, b = 1;', 'a = -2147483647 - 1;', 'b = -1;', 'return a / b;'),
    ('UNREACHABLE', '', 'int n = 0;', 'n++;', 'n++;', 'if (n == 2) __builtin_unreachable();'),
    ('TRAP', '', 'int n = 0;', 'n++;', 'n++;', 'if (n == 2) __builtin_trap();'),
    ('ABORT', '', 'int n = 0;', 'n++;', 'n++;', 'if (n == 2) abort();'),
    ('ABORT', 'static int n; static void h(void) { if (n == 2) abort(); }', 'atexit(h);', 'n++;', 'n++;', 'return 0;'),
    ('ABORT', 'static int n; static void h(void) { if (n == 2) abort(); } static void quit(void) { exit(3); }', 'atexit(h);', 'n++;', 'n++;', 'quit();'),
    ('ABORT', '', 'int n = 0;', 'n++;', 'n++;', 'if (n == 2) raise(SIGABRT);'),
    ('ABORT', 'static int n; static void h(int s) { if (n == 2) abort(); }', 'signal(SIGUSR1, h);', 'n++;', 'n++;', 'raise(SIGUSR1);'),
    ('ABORT', 'static int n; static int cmp(const void *a, const void *b) { if (n == 2) abort(); return 0; }', 'int v[2] = {1, 2};', 'n++;', 'n++;', 'qsort(v, 2, sizeof v[0], cmp);'),
    ('ASSERT', '', 'int a = 1, b = 1;', 'a = 2;', 'b = 3;', 'assert(a + b != 5);'),
    ('STACK_OVERFLOW', 'static int down(int n) { char a[1000]; a[n & 7] = 1; return n ? down(n - 1) + a[n & 7] : 0; }', 'int n = 1;', 'n += 50000;', 'n += 50000;', 'return down(n - 50000 < 0 ? 0 : n - 50000 > 100 ? 100000 : 0);'),
    ('STACK_OVERFLOW', '', 'int n = 1;', 'n += 5000000;', 'n += 5000000;', 'char v[n]; v[0] = 1; return v[0];'),
    ('STACK_OVERFLOW', 'static int big(void) { volatile char v[9000000]; v[5] = 1; return v[5]; }', 'int n = 0;', 'n++;', 'n++;', 'if (n == 2) return big();'),
    ('BAD_CALL', 'static int one(void) { return 1; } static int (*f)(void) = one; static int (*h)(void) = one;', '', 'f = 0;', 'h = f;', 'return h();'),
    ('BAD_CALL', '', 'static void *const labels[2] = {&&here, &&there}; void *p = labels[1]; long d = 0;', 'd = 1;', 'd += 2;', 'if (d == 3) p = (char *)p + 99; goto *p; here: return 1; there: return 0;'),
    ('BAD_JUMP', 'static jmp_buf b; static int mark(void) { return setjmp(b); }', 'int m = 0, n = 0;', 'mark(), m = 1;', 'n = 1;', 'if (n && m) longjmp(b, 1);'),
    ('OVERFLOW', '', 'int a = 1, b = 1;', 'a = 2147483647;', 'b = 2;', 'return a + b > 7;', 'overflow'),
    ('SHIFT', '', 'unsigned a = 1, b = 1;', 'b += 20;', 'b += 20;', 'return a << b > 7;', 'shift'),
    ('UNINIT', '', 'int v[2]; int i = 0; v[0] = 1;', 'i++;', 'i = i * 2; v[0] = 2;', 'if (i == 2) i = 1; else i = 0; return v[i] > 3;', 'uninit'),
    ('UNINIT', '', 'char *p = malloc(8); p[0] = 0; int n = 0;', 'n++;', 'n++;', 'write(1, p, n == 2 ? 2 : 1);', 'uninit'),
    ('UNINIT', '', 'char *p = malloc(8); p[0] = 0; int n = 0;', 'n++;', 'n++;', 'fwrite(p, 1, n == 2 ? 2 : 1, stdout);', 'uninit'),
    ('UNINIT', '', 'int v[2]; v[0] = 1; int n = 0;', 'n++;', 'n++;', 'return v[n == 2];', 'uninit'),
    ('LEAK', 'static char *g;', 'g = malloc(4);', 'g = 0;', 'free(g), g = 0; g = malloc(2);', 'if (x == 5 && y == 7) g = 0;', 'leak'),
    ('LEAK', 'static char *g;', 'char *p = malloc(4); g = p;', 'g = 0;', 'p = 0;', 'if (!p) return 0; free(p);', 'leak'),
    ('LEAK', 'static char *g; static void quit(void) { exit(0); }', 'char *p = malloc(4); g = p;', 'g = 0;', 'p = 0;', 'if (!p) quit(); free(p);', 'leak'),
    ('REPORTED', '', 'int n = 0;', 'n++;', 'n++;', 'if (n == 2) klee_report_error("f.c", 1, "no", "x.err");'),
    ('ABORT', 'static void h(int s) { abort(); }', 'int p[2]; pipe(p); signal(SIGPIPE, h);', 'close(p[0]);', 'dup2(p[1], 1);', 'puts("a"); fflush(stdout);'),
]
HEAD = '#include <assert.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n' \
       '#include <unistd.h>\n#include <sheaf.h>\nvoid klee_report_error(const char *, int, const char *, const char *);\n'


def kinds():
    with open(os.path.join(ROOT, 'src/vm/fault.def')) as f:
        return {name: message for name, message in re.findall(r'^FAULT\((\w+),\s*"[^"]*",\s*"([^"]*)"', f.read(), re.M)}


def program(row):
    _, before, locals_, first, second, last = row[:6]
    head = HEAD + before + '\nint main(void)\n{\nint x, y;\nsheaf_symbolic(&x, sizeof x, "x");\nsheaf_symbolic(&y, sizeof y, "y");\n' + locals_ + '\n'
    return head + f'if (x == 5) {{ {first} }}\nif (y == 7) {{ {second} }}\n{last}\nreturn 0;\n}}\n'


def check(sheaf, row, message, directory):
    """None, or what is wrong."""
    text = program(row)
    path = os.path.join(directory, 'p.c')
    with open(path, 'w') as f: f.write(text)
    options = ['--check', row[6]] if len(row) > 6 else []
    run = lambda *args: subprocess.run([sheaf, 'dump', path, *args, *options, '-w'], capture_output=True, text=True, timeout=300)
    labels = run('--what', 'labels', '--input', 'x=5', '--input', 'y=7')
    end = [l for l in labels.stdout.splitlines() if re.match(rf'{re.escape(message)}  ', l)]
    if labels.returncode or not end:
        return f'the run does not end by "{message}": {(labels.stdout + labels.stderr)[-300:]}'
    test = subprocess.run([sheaf, 'test', path, '--explore', 'dependence', '--sym-stdin', '3', '-o', os.path.join(directory, 'out'), '--force',
                           *options, '-w'], capture_output=True, text=True, timeout=300)
    if message not in test.stdout + test.stderr:
        return f'--explore dependence does not find it: {(test.stdout + test.stderr)[-300:]}'
    return None


def main():
    sheaf, messages, bad = os.path.abspath(sys.argv[1]), kinds(), 0
    for kind in sorted(set(messages) - {row[0] for row in ROWS}):
        print(f'{kind}: no row')
        bad += 1
    with tempfile.TemporaryDirectory() as directory:
        for number, row in enumerate(ROWS):
            wrong = check(sheaf, row, messages[row[0]], directory)
            if wrong:
                print(f'{row[0]}, row {number} ({row[5]}): {wrong}')
                bad += 1
    print(f'{len(ROWS)} ways to fail, {bad} failed')
    return 1 if bad else 0


if __name__ == '__main__': sys.exit(main())
