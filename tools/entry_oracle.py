#!/usr/bin/env python3
"""Random functions with pointers, strings, counted arrays, lists, records and callbacks: what `sheaf test --entry` says of them against all calls.

usage: entry_oracle.py --sheaf BINARY [--programs N] [--functions N] [--seed N] [--explore NAMES] [--bound N] [--keep DIR] [--verbose]

A function's behaviours are the lines at which a call of it fails: each access stands on a line of its own, and each outcome that its branches
can have aborts on one. Natively every call within the shape is made: each pointer NULL or an object of its own, strings and arrays up to the
bound over an alphabet in which every comparison of the program can go either way. Accesses are checked against the object that the pointer
was made for. The set of lines must be the one that Sheaf reports, as faults or as needs of callers, when it says "complete for", with
each explorer: both a lost and an invented behaviour is a failure.
"""
import argparse, json, os, random, subprocess, sys, tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))
LETTERS = 4                                   # of which every string is made, and values of numbers: below, at and above what is compared with

NATIVE = r'''
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf out;
static struct { const char *base; long size; int bad; } objects[64];
static int nobjects;
static void leave(int line) { longjmp(out, line); }
/* of the object that the pointer was made for: its place among them tells */
static const char *look(const void *from, long offset, long size, int line)
{
    if (!from) leave(line);
    for (int i = 0; i < nobjects; i++) {
        const char *p = (const char *)from;
        if (p < objects[i].base - 64 || p > objects[i].base + 128) continue;
        if (objects[i].bad) leave(100000);    /* its length is none that the shape allows */
        long at = p - objects[i].base + offset;
        if (at < 0 || at + size > objects[i].size) leave(line);
        return p + offset;
    }
    leave(200000);
    return NULL;
}
#define R(p, i) (*(__typeof__(p))look(p, (long)(i) * (long)sizeof *(p), sizeof *(p), __LINE__))
#define F(p, m) (*(__typeof__(&(p)->m))look(p, (char *)&(p)->m - (char *)(p), sizeof (p)->m, __LINE__))
#define C(p, x) ((p) ? (p)(x) : (leave(__LINE__), 0))
#define STOP leave(__LINE__)
static char arena[64][256];
static void *make(const void *bytes, long size, int bad)
{
    char *p = arena[nobjects] + 64;
    memset(arena[nobjects], 77, sizeof arena[nobjects]);
    memcpy(p, bytes, (size_t)size);
    objects[nobjects].base = p; objects[nobjects].size = size; objects[nobjects].bad = bad;
    nobjects++;
    return p;
}
'''
SHEAF = '#include <stdlib.h>\n#define R(p, i) ((p)[i])\n#define F(p, m) ((p)->m)\n#define C(p, x) ((p)(x))\n#define STOP abort()\n'
TYPES = 'struct node { int v; struct node *next; };\nstruct buf { char *data; unsigned len, cap; };\n'


class Function:
    """Parameters and statements, one access a line."""
    def __init__(self, rng, name, bound):
        self.rng, self.name, self.bound, self.lines, self.ids, self.depth = rng, name, bound, [], 1, 0
        kinds = rng.sample(['string', 'pair', 'list', 'one', 'buf', 'int', 'call'], rng.randint(1, 2))
        if 'int' not in kinds and rng.random() < .5: kinds.append('int')
        self.params = [(kind, f'p{i}') for i, kind in enumerate(kinds)]
        for kind, p in self.params:
            if rng.random() < .6 and kind != 'int': self.add(f'if (!{p}) STOP;')
        for _ in range(rng.randint(2, 4)): self.statement()
        self.add('switch (id & 15) {')
        for i in range(16): self.add(f'case {i}: STOP;')
        self.add('}')

    def add(self, text): self.lines.append('    ' + text)

    def declaration(self):
        text = {'string': 'const char *{0}', 'pair': 'int *{0}, int {0}_len', 'list': 'struct node *{0}', 'one': 'int *{0}', 'buf': 'struct buf *{0}', 'int': 'int {0}', 'call': 'int (*{0})(int)'}
        return ', '.join(text[k].format(p) for k, p in self.params)

    def index(self): return str(self.rng.choice([0, 0, 1, 1, 2]))

    def condition(self, value, kind):
        r = self.rng
        return f"{value} {r.choice(['==', '!=', '<'])} '{r.choice('ab')}'" if kind == 'string' else f"{value} {r.choice(['==', '<', '>='])} {r.choice([0, 1])}"

    def mark(self):
        self.ids = self.ids * 2 % 16 or 1
        return f'id += {self.ids};'

    def statement(self):
        r, (kind, p) = self.rng, self.rng.choice(self.params)
        k = r.random()
        if kind == 'int': self.add(f'if ({self.condition(p, "int")}) {self.mark()}')
        elif kind == 'call': self.add(f'if ({self.condition(f"C({p}, {self.index()})", "int")}) {self.mark()}')
        elif kind == 'string' and k < .5:
            self.add(f'for (int i = 0; ; i++) {{'); self.add(f'if (!R({p}, i)) break;')
            self.add(f'if (i == {self.bound} - 1) id += {r.choice([1, 2, 4])};'); self.add('}')
        elif kind == 'pair' and k < .5:
            self.add(f'for (int i = 0; i {r.choice(["<", "<", "<="])} {p}_len; i++) {{')
            self.add(f'if ({self.condition(f"R({p}, i)", "int")}) {self.mark()}'); self.add('}')
        elif kind == 'pair' and k < .7:
            self.add(f'if ({p}_len > {r.choice([0, 1])}) {{'); self.add(f'if ({self.condition(f"R({p}, {p}_len - 1)", "int")}) {self.mark()}'); self.add('}')
        elif kind in ('string', 'pair'): self.add(f'if ({self.condition(f"R({p}, {self.index()})", kind)}) {self.mark()}')
        elif kind == 'one' and k < .4: self.add(f'R({p}, 0) = {r.choice([0, 1])};')
        elif kind == 'one': self.add(f'if ({self.condition(f"R({p}, 0)", "int")}) {self.mark()}')
        elif kind == 'list' and k < .6:
            self.add(f'for (struct node *l = {p}; l; ) {{'); self.add(f'if ({self.condition("F(l, v)", "int")}) {self.mark()}'); self.add('l = F(l, next);'); self.add('}')
        elif kind == 'list' and k < .8: self.add(f'{p} = F({p}, next);')
        elif kind == 'list': self.add(f'if ({self.condition(f"F({p}, v)", "int")}) {self.mark()}')
        elif kind == 'buf' and k < .5:
            self.add(f'if (F({p}, len) {r.choice(["<", "<", "<="])} F({p}, cap)) {{'); self.add(f'R(F({p}, data), F({p}, len)) = \'a\';'); self.add('}')
        else: self.add(f'if (F({p}, cap) > 0) {{'); self.add(f"if ({self.condition(f'R(F({p}, data), 0)', 'string')}) {self.mark()}"); self.add('}')

    def text(self): return [f'int {self.name}({self.declaration()})', '{', '    int id = 0;', *self.lines, '    return 0;', '}']

    def calls(self):
        """C that makes every call."""
        n, loops, arguments = self.bound, [], []
        for kind, p in self.params:
            if kind == 'int': loops.append(f'for (int {p} = -1; {p} <= 2; {p}++)'); arguments.append(p)
            elif kind == 'call':  # one digit for each of at most four calls
                loops.append(f'for (long {p}_c = -1; {p}_c < 256; {p}_c++)'); arguments.append(f'callback({p}_c)')
            elif kind == 'string': loops.append(f'for (long {p}_c = -1; {p}_c < {sum(LETTERS ** i for i in range(n + 1))}; {p}_c++)'); arguments.append(f'string({p}_c)')
            elif kind == 'pair':
                loops += [f'for (int {p}_len = -1; {p}_len <= {n + 1}; {p}_len++)', f'for (long {p}_c = -1; {p}_c < ({p}_len > 0 && {p}_len <= {n} ? power(4, {p}_len) : 1); {p}_c++)']
                arguments += [f'array({p}_c, {p}_len)', f'{p}_len']
            elif kind == 'one': loops.append(f'for (long {p}_c = -1; {p}_c < 4; {p}_c++)'); arguments.append(f'array({p}_c, 1)')
            elif kind == 'list': loops.append(f'for (long {p}_c = -1; {p}_c < {sum(4 ** i for i in range(1, n + 1))}; {p}_c++)'); arguments.append(f'list({p}_c)')
            else:
                loops += [f'for (int {p}_cap = 0; {p}_cap <= {n + 1}; {p}_cap++)', f'for (int {p}_n = 0; {p}_n <= {n + 2}; {p}_n++)',
                          f'for (long {p}_c = -1; {p}_c < ({p}_cap <= {n} ? power(4, {p}_cap) : 1); {p}_c++)', f'for (int {p}_z = 0; {p}_z < 2; {p}_z++)']
                arguments.append(f'buffer({p}_c, {p}_n, {p}_cap, {p}_z)')
        return '\n'.join(loops) + f' {{ nobjects = 0; int line = setjmp(out); if (!line) {self.name}({", ".join(arguments)}); else if (line < 100000) seen[line] = 1; else if (line == 200000) return 9; }}'


MAKERS = r'''
static long power(long b, int n) { long r = 1; while (n-- > 0) r *= b; return r; }
static long results;
static int next_result(int x) { int v = (int)(results % 4) - 1; (void)x; results /= 4; return v; }
static int (*callback(long c))(int) { results = c; return c < 0 ? NULL : next_result; }
static char *string(long c)
{
    char text[16] = "";
    int n = 0;
    if (c < 0) return NULL;
    for (long count = 1; c >= count; count *= 4) c -= count, n++;
    for (int i = 0; i < n; i++, c /= 4) text[i] = "!abc"[c % 4];
    return make(text, n + 1, 0);
}
static int *array(long c, int n)
{
    int v[16];
    if (c < 0) return NULL;
    if (n < 0 || n > BOUND) return make("", 0, 1);
    for (int i = 0; i < n; i++, c /= 4) v[i] = (int)(c % 4) - 1;
    return make(v, n * (long)sizeof *v, 0);
}
static struct node *list(long c)
{
    struct node *first = NULL;
    int n = 1;
    if (c < 0) return NULL;
    for (long count = 4; c >= count; count *= 4) c -= count, n++;
    for (int i = 0; i < n; i++, c /= 4) { struct node x = { (int)(c % 4) - 1, first }; first = make(&x, sizeof x, 0); }
    return first;
}
static struct buf *buffer(long c, int n, int cap, int none)
{
    char text[16];
    struct buf b = { NULL, (unsigned)n, (unsigned)cap };
    if (c < 0) return NULL;
    int bad = cap > BOUND || n > cap;         /* no caller makes such a one */
    if (none) return make(&b, sizeof b, bad || cap);
    for (int i = 0; i < cap && cap <= BOUND; i++, c /= 4) text[i] = "!abc"[c % 4];
    b.data = make(text, cap <= BOUND ? cap : 0, bad);
    return make(&b, sizeof b, bad);
}
'''


def native(functions, prelude, bound, directory):
    """{function: lines that a call fails at}"""
    body = '\n'.join(line for f in functions for line in f.text())
    mains = '\n'.join(f'static int all_{f.name}(void) {{ {f.calls()}\n return 0; }}' for f in functions)
    runs = '\n'.join(f'memset(seen, 0, sizeof seen); if (all_{f.name}()) return 9; printf("{f.name}"); for (int i = 0; i < 99999; i++) if (seen[i]) printf(" %d", i); puts("");' for f in functions)
    source = f'{NATIVE}\n#define BOUND {bound}\n#line 1\n{prelude}{body}\nstatic char seen[100000];\n{MAKERS}\n{mains}\nint main(void) {{ {runs} return 0; }}\n'
    path = os.path.join(directory, 'native.c')
    with open(path, 'w') as f: f.write(source)
    subprocess.run(['cc', '-w', '-O1', path, '-o', path[:-2]], check=True)
    r = subprocess.run([path[:-2]], capture_output=True, text=True, timeout=120)
    if r.returncode: raise SystemExit(f'{path}: the oracle itself fails: {r.returncode}')
    return {words[0]: {int(w) for w in words[1:]} for words in (line.split() for line in r.stdout.splitlines())}


def reported(sheaf, path, name, explorer, bound, directory):
    command = [sheaf, 'test', path, '--entry', name, '--explore', explorer, '--no-replay', '-q', '--format', 'json', '--force', '-o', os.path.join(directory, 'out'),
               '--string', str(bound), '--elements', str(bound), '--depth', str(bound)]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if r.returncode not in (0, 1, 3): raise SystemExit(f'{" ".join(command)}: status {r.returncode}: {r.stderr[-500:]}')
    return json.loads(r.stdout)


def check(sheaf, functions, bound, explorers, directory, verbose):
    prelude, wrong, complete = TYPES, 0, 0
    path = os.path.join(directory, 'functions.c')
    with open(path, 'w') as f: f.write(SHEAF.strip() + '\n#line 1\n' + prelude + '\n'.join(line for f in functions for line in f.text()) + '\n')
    expected = native(functions, prelude, bound, directory)
    for f in functions:
        for explorer in explorers:
            result = reported(sheaf, path, f.name, explorer, bound, directory)
            got = {x['line'] for x in result['faults']} | {x['line'] for x in result.get('needs', [])}
            lost, invented = expected[f.name] - got, got - expected[f.name]
            complete += result['complete']
            if invented or (result['complete'] and lost):
                wrong += 1
                print(f'{f.name} ({explorer}): lost lines {sorted(lost)}, invented {sorted(invented)}')
                print('\n'.join(f.text()))
            elif verbose: print(f.name, explorer, 'complete' if result['complete'] else 'incomplete', len(got))
    return wrong, complete


def run(sheaf, programs=4, functions=6, seed=1, bound=2, explorers=('full', 'dependence'), keep=None, verbose=False):
    """How many answers are wrong; 1 more if so few are complete that they show nothing."""
    wrong = complete = 0
    for i in range(programs):
        rng = random.Random(seed * 1000 + i)
        with tempfile.TemporaryDirectory() as directory:
            made = [Function(rng, f'f{k}', bound) for k in range(functions)]
            w, c = check(os.path.abspath(sheaf), made, bound, explorers, keep or directory, verbose)
            if w: print(f'seed {seed}, program {i}, bound {bound}')
            wrong, complete = wrong + w, complete + c
    total = programs * functions * len(explorers)
    print(f'{total} answers, {complete} complete, {wrong} wrong')
    return wrong + (complete * 10 < total * 9)


def main():
    ap = argparse.ArgumentParser(description='random functions against all calls of them')
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--programs', type=int, default=4)
    ap.add_argument('--functions', type=int, default=6, help='of a program')
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--bound', type=int, default=2)
    ap.add_argument('--explore', default='full,dependence')
    ap.add_argument('--keep', help='leave the program here')
    ap.add_argument('--verbose', action='store_true')
    args = ap.parse_args()
    return 1 if run(args.sheaf, args.programs, args.functions, args.seed, args.bound, args.explore.split(','), args.keep, args.verbose) else 0


if __name__ == '__main__': sys.exit(main())
