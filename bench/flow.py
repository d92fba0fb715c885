#!/usr/bin/env python3
"""Static analysis: time and memory against program size.

usage: bench/flow.py --build DIR [--sizes 10000,50000,...] [--kinds parts,objects,...] [FILE.ir...]

Generates C, loads it with DIR/sheaf and measures points-to, control and mod/ref of all functions, and the graph of
dependences, with DIR/tests/flow/flow_witness, in processor seconds. Two kinds of programs: `parts` share helpers, lists
and wrappers of malloc, but the data of each part is its own; `objects` are all in lists of one kind and are worked on
through tables of functions, so that everything may be everything: there budgets decide. Seven more, on demand, are hostile:
`circle`, functions that all call each other; `one`, a single function; `table`, functions called through one table from
many places; `chain`, calls as deep as the program is long; `globals`, whose addresses lie in one table; `endless`, a function
that never returns; `jumps`, one function of cycles within cycles that are entered anywhere. Further programs may be given as IR (`sheaf dump --what ir --runtime`). The last column should stay flat: near-linear."""
import argparse, os, random, subprocess, tempfile

PER_PART = 145                                # instructions of one generated part, about

HEAD = '''#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; char *name; int key; int (*weigh)(struct node *); };
static void *get(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }
static char *copy(const char *s) { char *p = get(strlen(s) + 1); strcpy(p, s); return p; }
static int length(struct node *n) { int k = 0; while (n) { k++; n = n->next; } return k; }
'''

PART = '''
struct part%(i)d { struct node *head; char buffer[32]; int counts[8]; struct part%(j)d *peer; } state%(i)d;
static int weigh%(i)d(struct node *n) { return n->key * %(a)d + (n->name ? (int)strlen(n->name) : 0); }
static int other%(i)d(struct node *n) { return n->next ? n->next->key : %(b)d; }
static struct node *add%(i)d(struct part%(i)d *p, int key, const char *name)
{
    struct node *n = get(sizeof *n);
    n->key = key;
    n->name = name ? copy(name) : 0;
    n->weigh = key & 1 ? weigh%(i)d : other%(i)d;
    n->next = p->head;
    p->head = n;
    p->counts[key & 7]++;
    return n;
}
static int run%(i)d(int x)
{
    struct part%(i)d *p = &state%(i)d;
    int sum = 0, local[4] = {x, 1, 2, 3};
    for (int k = 0; k < 4; k++)
        add%(i)d(p, local[k] + k, k & 1 ? "name%(i)d" : p->buffer);
    for (struct node *n = p->head; n; n = n->next) {
        if (n->key > %(b)d)
            sum += n->weigh(n);
        else if (n->name)
            sum -= n->name[0];
    }
    sprintf(p->buffer, "%%d", sum);
    switch (sum & 3) {
    case 0: memcpy(p->counts, local, sizeof local); break;
    case 1: memset(p->counts, 0, sizeof p->counts); break;
    case 2: p->counts[x & 7] = length(p->head); break;
    default: while (p->head) { struct node *n = p->head; p->head = n->next; free(n->name); free(n); }
    }
    if (x > %(a)d)
        printf("%%s %%d\\n", p->buffer, p->counts[sum & 7]);
    return sum;
}
'''


def program(parts, rng):
    text = [HEAD]
    for i in range(parts):
        text.append(PART % {'i': i, 'j': max(0, i - 1), 'a': rng.randrange(2, 90), 'b': rng.randrange(100)})
    text.append('static int (*const table[])(int) = {' + ', '.join(f'run{i}' for i in range(parts)) + '};\n')
    text.append('int main(int argc, char **argv)\n{\n    int sum = 0;\n')
    text.append('    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)\n        sum += table[i](argc + (int)i);\n')
    text.append('\n'.join(f'    sum += run{i}(sum);' for i in range(0, parts, 3)) + '\n    return sum & 127;\n}\n')
    return ''.join(text)


OBJECTS_HEAD = '''#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <stdarg.h>
struct list { struct list *next, *prev; };
static void list_add(struct list *h, struct list *n) { n->next = h->next; n->prev = h; h->next->prev = n; h->next = n; }
static void list_del(struct list *n) { n->prev->next = n->next; n->next->prev = n->prev; n->next = n->prev = n; }
static int list_size(const struct list *h) { int k = 0; for (const struct list *n = h->next; n != h; n = n->next) k++; return k; }
struct obj; struct ops { int (*init)(struct obj *, int); int (*run)(struct obj *, void *); void (*drop)(struct obj *); };
struct obj { struct list link; const struct ops *ops; union { int i; void *p; char text[16]; } u; struct obj *parent; };
static void logf_(const char *f, ...) { char b[64]; va_list l; va_start(l, f); vsnprintf(b, sizeof b, f, l); va_end(l); fputs(b, stderr); }
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static struct obj *pool;
static struct obj *obj_new(const struct ops *o, struct obj *parent) { struct obj *x = calloc(1, sizeof *x); if (!x) abort(); x->ops = o; x->parent = parent; x->link.next = x->link.prev = &x->link; return x; }
'''

OBJECTS_PART = '''
struct ctx%(i)d { struct list items; struct obj *current; int stats[4]; struct ctx%(j)d *outer; };
static struct ctx%(i)d ctx%(i)d_;
static int init%(i)d(struct obj *o, int n) { o->u.i = n + %(a)d; return n > %(b)d; }
static int run%(i)d(struct obj *o, void *data) { struct ctx%(i)d *c = data; if (o->u.i > c->stats[%(a)d & 3]) c->stats[1] += o->u.i; else list_del(&o->link); return c->stats[1]; }
static void drop%(i)d(struct obj *o) { if (o->parent) o->parent->u.p = 0; free(o); }
static const struct ops ops%(i)d = { init%(i)d, run%(i)d, drop%(i)d };
static int work%(i)d(int n)
{
    struct ctx%(i)d *c = &ctx%(i)d_;
    if (!c->items.next) c->items.next = c->items.prev = &c->items;
    struct obj *o = obj_new(&ops%(i)d, c->current);
    if (o->ops->init(o, n)) { list_add(&c->items, &o->link); c->current = o; }
    else o->ops->drop(o);
    int total = 0;
    for (struct list *l = c->items.next; l != &c->items; l = l->next) {
        struct obj *x = (struct obj *)((char *)l - offsetof(struct obj, link));
        total += x->ops->run(x, c);
        if (total > %(b)d) { memcpy(x->u.text, "t%(i)d", 4); break; }
    }
    qsort(c->stats, 4, sizeof *c->stats, cmp);
    if (total & 1) logf_("part %%d %%s", total, c->current ? c->current->u.text : "none");
    return total + list_size(&c->items);
}
'''


def objects(parts, rng):
    text = [OBJECTS_HEAD]
    for i in range(parts):
        text.append(OBJECTS_PART % {'i': i, 'j': max(0, i - 1), 'a': rng.randrange(2, 90), 'b': rng.randrange(100)})
    text.append('typedef int (*worker)(int);\nstatic const worker table[] = {' + ', '.join(f'work{i}' for i in range(parts)) + '};\n')
    text.append('int main(int argc, char **argv)\n{\n    int s = 0;\n    for (int i = 0; i < argc * 100; i++)\n')
    text.append(f'        s += table[i % {parts}](i);\n    return s & 1;\n}}\n')
    return ''.join(text)


def circle(n, rng):
    text = ['#include <stdlib.h>\nstruct s { struct s *n; int v, *p; };\nstatic struct s *root;\nstatic int g[8];\n']
    text += [f'static int f{i}(struct s *p, int x);\n' for i in range(n)]
    for i in range(n):
        text.append(f'static int f{i}(struct s *p, int x)\n{{\n    struct s l = {{p, x, &g[{i % 8}]}};\n'
                    f'    if (x > {rng.randrange(50)}) return p ? p->v : 0;\n    if (p) p->p = &l.v, *p->p = x;\n    root = p;\n'
                    f'    return f{(i + 1) % n}(x & 1 ? &l : root, x + 1) + l.v;\n}}\n')
    text.append('int main(int c, char **v) { struct s *s = malloc(sizeof *s); if (!s) return 1; s->n = 0; return f0(s, c); }\n')
    return ''.join(text)


def one(n, rng):
    text = ['#include <stdlib.h>\nstruct s { struct s *n; int v, w; };\nstatic struct s *h;\nstatic int g[64];\n'
            'int main(int c, char **v)\n{\n    int a = c, b = 0;\n    struct s *p = 0;\n']
    for i in range(n):
        text.append(f'    if (a > {rng.randrange(97)}) {{ p = malloc(sizeof *p); if (!p) exit(1); p->n = h; p->v = a; h = p; g[{i % 64}] += a; }}\n'
                    f'    else {{ b += g[(a + {i}) & 63]; if (h) h->w = b; }}\n'
                    f'    while (p && b < {i}) {{ b += p->v; p = p->n; }}\n    a = a * 3 + b;\n')
    return ''.join(text) + '    return a;\n}\n'


def table(n, rng):
    text = ['struct ctx { int a, b; struct ctx *n; };\n']
    for i in range(n):
        text.append(f'static int data{i};\nstatic int h{i}(struct ctx *c, int x)\n{{\n    c->a += x;\n    data{i} = c->b;\n'
                    f'    if (x == {rng.randrange(n)}) c->n = c;\n    return data{i} + {i};\n}}\n')
    text.append('static int (*const table[])(struct ctx *, int) = {' + ', '.join(f'h{i}' for i in range(n)) + '};\n')
    callers = range(max(1, n // 10))
    text += [f'static int call{i}(struct ctx *c, int x) {{ return table[x % {n}](c, x) + table[(x + {i}) % {n}](c->n, x); }}\n' for i in callers]
    text.append('int main(int argc, char **v)\n{\n    struct ctx c = {0, argc, &c};\n    int s = 0;\n')
    return ''.join(text) + ''.join(f'    s += call{i}(&c, argc + {i});\n' for i in callers) + '    return s;\n}\n'


def chain(n, rng):
    text = ['struct s { struct s *n; int v; };\n'] + [f'static int g{i};\nstatic struct s s{i};\n' for i in range(n)]
    text.append(f'static int f{n}(struct s *p, int *q) {{ return *q + (p ? p->v : 0); }}\n')
    for i in reversed(range(n)):
        text.append(f'static int f{i}(struct s *p, int *q)\n{{\n    g{i} += *q;\n    s{i}.n = p;\n    if (g{i} > {rng.randrange(n)}) *q = g{i};\n'
                    f'    return f{i + 1}(g{i} & 1 ? &s{i} : p, q) + g{i};\n}}\n')
    return ''.join(text) + 'int main(int c, char **v) { struct s s = {0, c}; return f0(&s, &c); }\n'


def many_globals(n, rng):
    text = ['struct s { struct s *n; int v; };\n'] + [f'static struct s g{i} = {{0, {i}}};\n' for i in range(n)]
    text.append('static struct s *table[] = {' + ', '.join(f'&g{i}' for i in range(n)) + '};\n')
    for i in range(0, n, 10):
        text.append(f'static int f{i}(int x)\n{{\n    struct s *p = table[x];\n    p->n = table[x + {i}];\n'
                    f'    if (p->v > {rng.randrange(n)}) g{i}.v = p->n->v;\n    return g{i}.n->v;\n}}\n')
    return ''.join(text) + 'int main(int c, char **v)\n{\n    int s = 0;\n' + ''.join(f'    s += f{i}(s);\n' for i in range(0, n, 10)) + '    return s;\n}\n'


def endless(n, rng):
    text = ''.join(f'        if (c == {rng.randrange(251)}) s += {i + 1};\n' for i in range(n))
    return ('#include <stdio.h>\nint main(void)\n{\n    int c, s = 0;\n    for (;;) {\n        c = getchar();\n' + text +
            '        printf("%d\\n", s);\n    }\n}\n')


def jumps(n, rng):
    text = ''.join(f'L{i}: r += {i}; if ((x ^= r) % 7 == {i % 7}) goto L{rng.randrange(n)}; if (r > 1000000) return r;\n' for i in range(n))
    return f'int main(int c, char **v)\n{{\n    int x = c, r = 0;\n    if (c > 3) goto L{n // 2};\n{text}    return r;\n}}\n'


# A maker and about how many instructions a part of it has.
KINDS = {'parts': (program, PER_PART), 'objects': (objects, 105), 'circle': (circle, 41), 'one': (one, 49), 'table': (table, 16),
         'chain': (chain, 22), 'globals': (many_globals, 2), 'endless': (endless, 5), 'jumps': (jumps, 12)}


def generate(args, directory, kind, size):
    make, each = KINDS[kind]
    source, ir = (os.path.join(directory, f'{kind}-{size}{end}') for end in ('.c', '.ir'))
    with open(source, 'w') as f:
        f.write(make(max(1, size // each), random.Random(size)))
    with open(ir, 'w') as f:
        subprocess.run([os.path.join(args.build, 'sheaf'), 'dump', '--what', 'ir', '--runtime', source], stdout=f, check=True)
    return ir


def measure(args, ir, last):
    done = subprocess.run([os.path.join(args.build, 'tests/flow/flow_witness'), '--measure', ir], capture_output=True, text=True, check=True)
    v = done.stdout.split()
    insns, points, modref, graph, mega = int(v[0]), float(v[1]), float(v[3]), float(v[5]), int(v[2]) + int(v[4]) + int(v[6])
    total = points + modref + graph
    growth = f'{total / last[1] / (insns / last[0]):.2f}' if last else ''
    print(f"{os.path.basename(ir):>22} {insns:>8} {points:>8.2f} {modref:>8.2f} {graph:>8.2f} {mega:>6} {v[8]:>8} {v[9]:>8} {v[10]:>5} "
          f"{total / insns * 1e6:>8.1f} {growth:>7}", flush=True)
    return insns, total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', required=True)
    ap.add_argument('--sizes', default='25000,50000,100000,200000')
    ap.add_argument('--kinds', default='parts,objects')
    ap.add_argument('files', nargs='*')
    args = ap.parse_args()
    print(f"{'program':>22} {'insns':>8} {'points s':>8} {'modref s':>8} {'graph s':>8} {'MB':>6} {'objects':>8} {'unified':>8} {'cut':>5} "
          f"{'us/insn':>8} {'growth':>7}")
    with tempfile.TemporaryDirectory() as directory:
        for ir in args.files:
            measure(args, ir, None)
        for kind in filter(None, args.kinds.split(',')):
            last = None
            for size in (int(s) for s in args.sizes.split(',') if s):
                last = measure(args, generate(args, directory, kind, size), last)


if __name__ == '__main__':
    main()
