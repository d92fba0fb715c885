#!/usr/bin/env python3
"""Seeded defects in the functions of tests/entries: does `sheaf test --entry` find them under its default shape?

usage: entry_mutants.py --sheaf BINARY [--mutants N] [--functions NAME,...] [--seconds N] [--sample N] [--list]

Of each function up to N mutants are made (10), by operators that make memory errors: a bound that is off by one, a check left out, an index or a size that is one
too large, a terminator left out, a free too many. Whether a mutant is a defect is decided natively: the function and the mutant are called with the same
small arguments that a valid call may have (strings and arrays up to 3, lists and trees up to 3 nodes, NULL), under AddressSanitizer; it is one if
it fails in a call in which the function does not. A defect is found if Sheaf reports a fault or a need at a place, or of a kind, that it does not report for the
function itself. Where it fails natively at a line at which the function itself fails in other calls, with the same kind, it is masked: the report would be the same. Lines that have a
fault of their own (//!) are not changed. What is not found is listed; status 1 if there is any.
"""
import argparse, collections, glob, json, os, re, shutil, subprocess, sys, tempfile
import entries

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..'))

OPERATORS = [                                 # name, pattern, replacement: the match is changed, the rest of the line stays
    ('bound', r'(?<![<-])<(?![<=])(?= ?[\w(])', '<='), ('bound', r'(?<![->])>=', '>'), ('bound', r'<=', '<'), ('bound', r'(?<![->])>(?![>=])', '>='),
    ('check', r'\bif \((?!1\))(.*)\)$', r'if (1)'), ('check', r'\bif \(.*\)$', r'if (0)'),
    ('check', r'(\w[^&|()]*) && ', ''), ('check', r' && [^&|;()]+(?=[;)&])', ''), ('check', r'![\w>-]+ \|\| ', ''), ('check', r' \|\| [^&|;()]+(?=\))', ''),
    ('index', r'\[([^\]\[]+)\](?! ?[={])', r'[\1 + 1]'), ('index', r'\[([^\]\[]+)\]', r'[\1 + 1]'), ('index', r'\[([^\]\[]+)\]', r'[\1 - 1]'),
    ('size', r'malloc\((.*)\);', r'malloc(\1 - 1);'), ('size', r' ([-+]) 1\b', ''), ('size', r'\b(\d+)(?=[;)])', lambda m: str(int(m.group(1)) + 1)),
    ('terminator', r'^(\s+)[^;=]*\] = 0;', r'\1;'), ('free', r'(free\([^;]*\);)', r'\1 \1'),
    ('pointer', r'\b([a-z]+)\+\+(?=\))', r'\1 += 2'), ('pointer', r'(\w+)->next\b(?!->)', r'\1->next->next'), ('pointer', r'return (\w+)->', r'return \1[1].'),
    ('pointer', r'\breturn \*?([a-z]+)(?=;)', r'return \1 + 1'), ('pointer', r'(?<![\w)] )(?<!\w)\*([a-z]+)\b', r'\1[1]'), ('pointer', r'(\w+)->(left|right)\b', r'\1->\2->\2'),
    ('start', r'(\w+) = 0(?=[;,)])', r'\1 = -1'), ('start', r'(\w+) = 0(?=[;,)])', r'\1 = 1'),
]


def function_lines(lines, name):
    """First and last line (from 0) of the function's definition."""
    for i, line in enumerate(lines):
        if re.match(rf'[a-z].*\b{name}\(.*\)$', line, re.I) and lines[i + 1] == '{':
            return i, next(k for k in range(i, len(lines)) if lines[k] == '}')
    raise SystemExit(f'{name}: no definition')


def mutants(lines, first, last, most):
    """Up to `most` (operator, line, text): each operator in turn."""
    by_operator = collections.OrderedDict()
    for name, pattern, replacement in OPERATORS:
        for at in range(first + 1, last):
            if '//!' in lines[at]: continue
            code = lines[at].split(' //')[0]
            for m in re.finditer(pattern, code):
                text = code[:m.start()] + m.expand(replacement if isinstance(replacement, str) else replacement(m)) + code[m.end():]
                if text != code: by_operator.setdefault(name, []).append((name, at, text))
    start = next((k for k in range(first + 2, last) if not re.match(r'\s+(static|[\w ]+ \**\w+(\[.*\])? = |[\w ]+ \*\w)', lines[k]) and '//!' not in lines[k]), None)
    for p in re.findall(r'\*(\w+)(?=[,)])', lines[first]) if start else []:
        code = lines[start].split(' //')[0]
        by_operator.setdefault('freed', []).append(('freed', start, f'    free((void *){p}); {code.strip()}'))
    seen, out = set(), []
    while len(out) < most and any(by_operator.values()):
        for queue in by_operator.values():
            while queue and queue[0][1:] in seen: queue.pop(0)
            if queue and len(out) < most: seen.add(queue[0][1:]); out.append(queue.pop(0))
    return out


# ---- natively ---------------------------------------------------------------------------------------------------------------------------------

DRIVER = r'''
#include <limits.h>
#include <setjmp.h>
#include <ucontext.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static int digit[256], radix[256], depth, known;
static int pick(int n) { if (depth == known) digit[known++] = 0; radix[depth] = n; return digit[depth++]; }
static int next_call(void)
{
    int i = known - 1;
    while (i >= 0 && digit[i] + 1 >= radix[i]) i--;
    if (i < 0) return 0;
    digit[i]++; known = i + 1;
    return 1;
}
static volatile int failed;
static sigjmp_buf out;
void __asan_set_error_report_callback(void (*)(const char *));
static volatile unsigned long where;
unsigned long __asan_get_report_pc(void);
static void report(const char *text) { (void)text; if (!failed) where = __asan_get_report_pc(); failed = 1; }
static void signalled(int s, siginfo_t *info, void *context)
{
    (void)info;
    if (!failed) where = (unsigned long)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    failed = s == SIGALRM ? 2 : 1;
    siglongjmp(out, 1);
}
static const char alphabet[] = ALPHABET;
static const long long numbers[] = { NUMBERS };
static long long number(void) { return numbers[pick(sizeof numbers / sizeof *numbers)]; }
static char *string(int room)
{
    int n = pick(5) - 1;
    if (n < 0) return NULL;
    char *s = malloc((size_t)(n + 1 + room));
    memset(s, 0, (size_t)(n + 1 + room));
    for (int i = 0; i < n; i++) s[i] = alphabet[pick(sizeof alphabet - 1)];
    return s;
}
static void *array(int n, int size, int width)
{
    if (pick(4) == 3) return NULL;
    if (n < 0 || n > 3) n = 0;
    char *a = malloc((size_t)(n * size));
    memset(a, 0, (size_t)(n * size));
    for (int i = 0; i < n; i++) memcpy(a + i * size, (long long[]){ numbers[pick(3)] }, (size_t)width);
    return a;
}
static void *ample(void) { if (!pick(2)) return NULL; void *p = calloc(1, 4096); return p; }
#define EXACT(T) ((T *)calloc(1, sizeof(T)))
'''

MAKERS = {                                    # C for a value of that type; a value that needs several statements is a function
    'Node': 'static Node *make_Node(void) { Node *l = NULL; for (int n = pick(4); n > 0; n--) { Node *x = EXACT(Node); x->value = pick(2); x->next = l; l = x; } return l; }',
    'Tree': 'static Tree *tree(int d) { if (d == 0 || !pick(2)) return NULL; Tree *t = EXACT(Tree); t->key = pick(3); t->left = tree(d - 1); t->right = tree(d - 1); return t; }\n'
            'static Tree *make_Tree(void) { return tree(2); }',
    'Buffer': 'static Buffer *make_Buffer(void) { if (!pick(2)) return NULL; Buffer *b = EXACT(Buffer); b->cap = (size_t)pick(4); b->len = (size_t)pick((int)b->cap + 1); '
              'b->data = b->cap ? malloc(b->cap) : NULL; if (b->data) memset(b->data, \'a\', b->cap); return b; }',
    'Packet': 'static Packet *make_Packet(void) { int n = pick(5); if (!n) return NULL; Packet *p = calloc(1, sizeof(Packet) + 4 * (size_t)(n - 1)); p->type = (unsigned char)(pick(2) * 3); p->n = (unsigned short)(n - 1); return p; }',
    'Table': 'static Table *make_Table(void) { if (!pick(2)) return NULL; Table *t = EXACT(Table); t->name = string(0); t->nslots = (unsigned)pick(4); t->slots = t->nslots ? calloc(t->nslots, sizeof(int)) : NULL; return t; }',
    'Stack': 'static Stack *make_Stack(void) { if (!pick(2)) return NULL; Stack *s = EXACT(Stack); s->top = (unsigned)number(); return s; }',
    'Scanner': 'static Scanner *make_Scanner(void) { if (!pick(2)) return NULL; Scanner *s = EXACT(Scanner); s->size = (size_t)pick(4); s->at = (size_t)pick((int)s->size + 1); '
               'char *t = s->size ? malloc(s->size) : NULL; if (t) memset(t, \'a\', s->size); s->text = t; return s; }',
    'Matrix': 'static Matrix *make_Matrix(void) { if (!pick(2)) return NULL; Matrix *m = EXACT(Matrix); for (int i = 0; i < 9; i++) m->cell[i / 3][i % 3] = i; m->rows = (int)number(); m->cols = (int)number(); return m; }',
    'Map': 'static Map *make_Map(void) { if (!pick(2)) return NULL; Map *m = EXACT(Map); m->nslots = (unsigned)pick(4); m->slots = m->nslots ? calloc(m->nslots, sizeof *m->slots) : NULL; m->used = (unsigned)pick((int)m->nslots + 1); '
           'for (unsigned i = 0; i < m->nslots; i++) { m->slots[i].key = string(0); m->slots[i].value = pick(2); } return m; }',
    'Chain': 'static Chain *make_Chain(void) { if (!pick(2)) return NULL; Chain *c = EXACT(Chain); for (int i = 0; i < 4; i++) for (int n = i < 2 ? pick(3) : 0; n > 0; n--) '
             '{ Link *l = EXACT(Link); l->key = (unsigned)pick(2); l->next = c->heads[i]; c->heads[i] = l; } return c; }',
}
HANDLES = {                                   # made and changed by the library's own functions, up to twice; beside them the function under test may be a mutant
    'stack': 'static stack *make_stack(void) { if (!pick(2)) return NULL; stack *s = stack_new((unsigned)pick(3)); for (int n = pick(3); n > 0; n--) if (pick(2)) stack_push(s, pick(2)); else stack_pop(s); return s; }',
    'ring': 'static ring *make_ring(void) { ring *r = NULL; if (!pick(2)) return NULL; ring_open((unsigned)pick(3), &r); for (int n = pick(3); n > 0; n--) if (pick(2)) ring_put(r, 1); else ring_get(r); return r; }',
    'reader': 'static reader *make_reader(void) { if (!pick(2)) return NULL; reader *r = reader_open(pick(2) ? "ab" : ""); for (int n = pick(3); n > 0; n--) if (pick(2)) reader_next(r); else reader_back(r); return r; }',
    'parser': 'static parser *make_parser(void) { if (!pick(2)) return NULL; parser *p = parser_new(); for (int n = pick(3); n > 0; n--) parser_feed(p, "([)]"[pick(4)]); return p; }',
    'text': 'static char *make_text(void) { if (!pick(2)) return NULL; char *t = text_new(pick(2) ? "a" : ""); for (int n = pick(2); n > 0; n--) t = text_add(t, \'b\'); return t; }',
}
LENGTH = re.compile(r'(n|len|size|count|cap|n[a-z]+s|\w+_len)$')
ROOMY = {('str_append', 's')}                 # its contract is room behind the string


def lengths(kind): return 'pick(4)' if 'unsigned' in kind or kind == 'size_t' else '(pick(5) - 1)'


def arguments(name, signature):
    """C expressions for the arguments, in the order in which they are made, and the call."""
    params = [re.match(r'(.*?)(\w+)((?:\[[\w ]*\])*)$', p.strip()).groups() for p in signature.split(',')] if signature.strip() != 'void' else []
    made, i = [], 0
    for i, (kind, p, dims) in enumerate(params):
        tag, base = 'struct ' if 'struct' in kind else '', kind.replace('const', '').replace('struct', '').strip()
        after = params[i + 1] if i + 1 < len(params) else None
        two = params[i + 2] if i + 2 < len(params) else None
        length = next((q[1] for q in (after, two) if q and '*' not in q[0] and LENGTH.match(q[1])), None) if '*' in base else None
        if two and length == two[1] and '*' not in (after[0] if after else '*'): length = None
        record = base.rstrip('* ')
        if record in HANDLES: made.append((p, f'{record} *{p} = make_{record}();', 2))
        elif name.startswith('text_') and p == 't': made.append((p, f'char *{p} = make_text();', 2))
        elif '*' in base and record in MAKERS and base.count('*') == 1 and not length: made.append((p, f'__typeof__({record} *) {p} = make_{record}();', 2))
        elif dims: made.append((p, f'void *{p} = ample();', 2))
        elif '*' in base and length:
            element = 'char' if record == 'void' else tag + record
            width = 4 if element not in ('char', 'uint8_t', 'unsigned char', 'short') else 2 if element == 'short' else 1
            made.append((p, f'{element} *{p} = array((int){length}, sizeof({element}), {width});', 2))
        elif base in ('char *', 'char*') and (name, p) in ROOMY: made.append((p, f'char *{p} = string(8);', 2))
        elif base in ('char *', 'char*') and p not in ('out', 'to', 'dest'): made.append((p, f'char *{p} = string(0);', 2))
        elif '*' in base: made.append((p, f'void *{p} = ample();', 2))
        else: made.append((p, f'{base} {p} = ({base}){lengths(base) if LENGTH.match(p) else "number()"};', 0))
    order = sorted(made, key=lambda m: m[2])  # lengths before the arrays that have them
    return '\n'.join('    ' + m[1] for m in order), f'{{}}({", ".join(m[0] for m in made)});'


def native(lines, name, first, last, made, seconds, directory):
    """{number of a mutant that compiles: the line at which it fails where the function does not, 0: one that is not known, None: it does not}."""
    signature = re.search(r'\((.*)\)$', lines[first]).group(1)
    build, call = arguments(name, signature)
    source = '\n'.join(lines)
    letters = sorted({c for c in re.findall(r"'([^'\\])'", '\n'.join(lines[first:last]))} | {'a'})[:5]
    constants = {int(n) for n in re.findall(r'(?<![\w.\'])(\d{1,4})(?![\w.\'])', '\n'.join(l.split(' //')[0] for l in lines[first:last]))}
    numbers = [0, 1, 2, -1, 3, 4] + sorted({c + d for c in constants for d in (-1, 0, 1)} - {0, 1, 2, -1, 3, 4})[:12] + ['INT_MAX', 'INT_MIN']
    makers = '\n'.join([text for kind, text in MAKERS.items() if re.search(rf'}} {kind};', source)] + [text for kind, text in HANDLES.items() if f'{kind}_' in source and '#include "handles.h"' in source])
    driver = DRIVER.replace('ALPHABET', json.dumps(''.join(letters))).replace('NUMBERS', ', '.join(map(str, numbers)))

    def text(chosen):
        out = ['#define main program_main', source, '#undef main', driver, makers]
        for k in chosen:
            body = list(lines[first:last + 1])
            body[made[k][1] - first] = made[k][2]
            out.append(f'#line {first + 1} "entry"\n' + re.sub(rf'\b{name}\b', f'{name}_{k}', '\n'.join(body)) + '\n#line 1 "driver"')
        for k, suffix in [(0, '')] + [(k + 1, f'_{k}') for k in chosen]:
            out.append(f'static void call_{k}(void) {{\n{build}\n    {call.format(name + suffix)}\n}}')
        out.append('static int fails(void (*f)(void)) { struct itimerval t = { .it_value.tv_usec = 200000 }, none = { 0 }; setitimer(ITIMER_REAL, &t, 0); failed = 0; depth = 0; '
                   'if (!sigsetjmp(out, 1)) f(); setitimer(ITIMER_REAL, &none, 0); return failed; }')
        out.append('static void judge(void (*f)(void)) { known = depth = 0; long n = 0, late = 0; time_t end = time(NULL) + SECONDS; '
                   'do { int own = fails(call_0), its = own ? 0 : fails(f); late += own == 2 || its == 2; if (late > 10 || time(NULL) > end) break; '
                   'if (its == 1) { printf("%lx\\n", where); fflush(stdout); _exit(0); } } while (next_call() && n++ < 200000); _exit(0); }'.replace('SECONDS', str(seconds)))
        cases = ' '.join(f'case {k}: judge(call_{k + 1}); break;' for k in chosen)
        out.append('#undef main\nint main(int argc, char **argv) { (void)argc; __asan_set_error_report_callback(report); struct sigaction a = { .sa_sigaction = signalled, .sa_flags = SA_NODEFER | SA_SIGINFO }; '
                   'sigaction(SIGSEGV, &a, 0); sigaction(SIGBUS, &a, 0); sigaction(SIGFPE, &a, 0); sigaction(SIGABRT, &a, 0); sigaction(SIGALRM, &a, 0); '
                   f'switch (atoi(argv[1])) {{ {cases} }} return 0; }}')
        return '#define _GNU_SOURCE\n#include <stdlib.h>\n#include <string.h>\n#define main program_main\n' + '\n'.join(out) + '\n'

    path, binary = os.path.join(directory, 'native.c'), os.path.join(directory, 'native')
    compile_command = ['clang-14', '-w', '-gline-tables-only', '-O0', '-no-pie', '-fsanitize=address', '-fsanitize-recover=address', path, '-o', binary]
    chosen, verdicts = list(range(len(made))), {}

    def compiles(subset, only):
        with open(path, 'w') as f: f.write(text(subset))
        return subprocess.run(compile_command[:1] + ['-fsyntax-only'] + compile_command[1:-2] if only else compile_command, capture_output=True, text=True)

    r = compiles(chosen, False)
    if r.returncode:
        chosen = [k for k in chosen if not compiles([k], True).returncode]
        r = compiles(chosen, False)
        if r.returncode: raise SystemExit(f'{name}: the oracle does not compile: {r.stderr[:800]}')
    environment = dict(os.environ, ASAN_OPTIONS='halt_on_error=0:suppress_equal_pcs=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0:detect_leaks=0:log_path=/dev/null:'
                                                'allocator_may_return_null=1:symbolize=0:print_summary=0:quarantine_size_mb=16')
    for k in chosen:
        try: r = subprocess.run([binary, str(k)], capture_output=True, env=environment, timeout=seconds * 3 + 20)
        except subprocess.TimeoutExpired: continue
        place = r.stdout.decode().strip()
        verdicts[k] = line_of(binary, place) if place else None  # also where the oracle itself ends before its time
    return verdicts


def line_of(binary, address):
    """0: not known. Some instructions have no line: then that of the next before them."""
    at = int(address, 16)
    r = subprocess.run(['addr2line', '-e', binary, *(hex(at - back) for back in range(0, 24))], capture_output=True, text=True)
    m = re.search(r'entry:([1-9]\d*)', r.stdout)
    return int(m.group(1)) if m else 0


# ---- by Sheaf ---------------------------------------------------------------------------------------------------------------------------------

def reported(sheaf, path, name, options, seconds, directory):
    command = [sheaf, 'test', path, '--entry', name, '--no-replay', '-q', '--format', 'json', '--force', '-o', os.path.join(directory, 'out'), '--max-time', f'{seconds}s', *options]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if r.returncode not in (0, 1, 3): raise SystemExit(f'{" ".join(command)}: status {r.returncode}: {r.stderr[-500:]}')
    result = json.loads(r.stdout)
    return {(f['kind'], f['line']) for f in result['faults']} | {(f['kind'], f['line'], f.get('caller_passes')) for f in result.get('needs', [])}


def judge(sheaf, entry, most, seconds, directory, listed):
    """[made, defects, found, masked], and lines about those that are not found."""
    with open(entry.path, encoding='utf-8') as f: lines = f.read().splitlines()
    first, last = function_lines(lines, entry.name)
    pointers_to_pointers = re.search(r'\*( *const)? *\*', lines[first])
    if pointers_to_pointers or '(*' in lines[first] or 'FILE' in lines[first] or '--callers' in entry.options or 'initial value' in (entry.shape or ''): return [0, 0, 0, 0], []  # calls of which the oracle makes none
    for header in glob.glob(os.path.join(os.path.dirname(entry.path), '*.h')): shutil.copy(header, directory)
    made = mutants(lines, first, last, most)
    places = native(lines, entry.name, first, last, made, seconds, directory)
    defects = {k: line for k, line in places.items() if line is not None}
    path, missed, found, masked = os.path.join(directory, os.path.basename(entry.path)), [], 0, 0
    own = reported(sheaf, entry.path, entry.name, entry.options, seconds, directory)
    for k in sorted(defects):
        operator, at, text = made[k]
        with open(path, 'w') as f: f.write('\n'.join(lines[:at] + [text] + lines[at + 1:]) + '\n')
        new = reported(sheaf, path, entry.name, entry.options, seconds, directory) - own
        found += bool(new)
        hidden = not new and any(mark[1] == defects[k] for mark in own)
        masked += hidden
        if not new and not hidden: missed.append(f'  {entry.name}:{at + 1}: {operator}: {text.strip()}   (was {lines[at].strip()})')
        if listed: print(f'  {entry.name}:{at + 1}: {operator}: {text.strip()}: {sorted(map(str, new))[0] if new else "masked" if hidden else "NOT FOUND"}')
    return [len(places), len(defects), found, masked], missed


def run(sheaf, most=10, names=None, seconds=2, sample=0, listed=False):
    """[mutants, defects, found, masked], lines about those that are not found."""
    total, missed = [0] * 4, []
    every = [e for path in sorted(glob.glob(os.path.join(ROOT, 'tests/entries/*.c'))) for e in entries.read(path)]
    chosen = [e for e in every if not names or e.name in names]
    for entry in chosen[::max(1, len(chosen) // sample)] if sample else chosen:
        with tempfile.TemporaryDirectory() as directory: counts, lines = judge(os.path.abspath(sheaf), entry, most, seconds, directory, listed)
        total = [a + b for a, b in zip(total, counts)]
        missed += lines
        if listed: print(f'{entry.name}: {counts[0]} mutants, {counts[1]} defects, {counts[2]} found', flush=True)
    return total, missed


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--sheaf', required=True)
    ap.add_argument('--mutants', type=int, default=10)
    ap.add_argument('--functions', default='')
    ap.add_argument('--seconds', type=int, default=2)
    ap.add_argument('--sample', type=int, default=0)
    ap.add_argument('--list', action='store_true')
    args = ap.parse_args()
    (made, defects, found, masked), missed = run(args.sheaf, args.mutants, set(filter(None, args.functions.split(','))), args.seconds, args.sample, args.list)
    print(f'{made} mutants, {defects} of them defects, {found} found, {masked} masked, {len(missed)} not found')
    if missed: print('not found:\n' + '\n'.join(missed))
    return 1 if missed or not defects else 0


if __name__ == '__main__': sys.exit(main())
