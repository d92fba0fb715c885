#!/usr/bin/env python3
"""Static analysis: time and memory against program size.

usage: bench/flow.py --build DIR [--sizes 10000,50000,...] [FILE.ir...]

Generates C (structures with function pointers, lists, tables, wrappers of malloc, helpers that all parts share, strings),
loads it with DIR/sheaf and measures points-to, control and mod/ref of all functions with DIR/tests/flow/flow_witness.
Further programs may be given as IR (`sheaf dump --what ir --runtime`). The last column should stay flat: near-linear."""
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


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', required=True)
    ap.add_argument('--sizes', default='10000,25000,50000,100000,200000')
    ap.add_argument('files', nargs='*')
    args = ap.parse_args()
    print(f"{'program':>24} {'insns':>8} {'points s':>9} {'rest s':>8} {'MB':>6} {'objects':>8} {'unified':>8} {'us/insn':>8}")
    with tempfile.TemporaryDirectory() as directory:
        files = list(args.files)
        for size in (int(s) for s in args.sizes.split(',') if s):
            source, ir = (os.path.join(directory, f'generated-{size}{end}') for end in ('.c', '.ir'))
            with open(source, 'w') as f:
                f.write(program(max(1, size // PER_PART), random.Random(size)))
            with open(ir, 'w') as f:
                subprocess.run([os.path.join(args.build, 'sheaf'), 'dump', '--what', 'ir', '--runtime', source], stdout=f, check=True)
            files.append(ir)
        for ir in files:
            done = subprocess.run([os.path.join(args.build, 'tests/flow/flow_witness'), '--measure', ir], capture_output=True, text=True, check=True)
            insns, points, rest, mega, _, objects, unified = done.stdout.split()
            each = (float(points) + float(rest)) / int(insns) * 1e6
            print(f"{os.path.basename(ir):>24} {insns:>8} {points:>9} {rest:>8} {mega:>6} {objects:>8} {unified:>8} {each:>8.1f}", flush=True)


if __name__ == '__main__':
    main()
