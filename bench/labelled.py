#!/usr/bin/env python3
"""What labels cost an exploration, and what `dependence` costs beside full exploration with labels.

usage: labelled.py --build DIRECTORY [--rounds N] [--only TEXT] [--instructions]

For each program and size of docs/results.md (tools/results.py), by bench/labelled: every path without labels, every path with
the labels of `dependence`, and `dependence` itself. CPU time, the least of N rounds of two; with --instructions what callgrind
counts, which does not depend on the load of the machine and takes fifty times as long. The means are geometric.
"""
import argparse, math, os, re, subprocess, sys, tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'tools'))
import results

SORTS = 'plain', 'labels', 'itself'
LEAST = 0.02            # seconds: below, starting up is all there is
RESOLUTION = 0.0005     # seconds that print as none


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode: sys.exit(f'{" ".join(words)}: status {done.returncode}: {done.stderr.strip()}')
    return done


def read_line(line, cost=None):
    """The cost, and of the line of a sort the share of the static analysis and of guidance, the CPU time, and the decisions."""
    fields = line.split()
    seconds, decisions = max(float(fields[1]), RESOLUTION), int(fields[10])
    static, guidance, wall = float(fields[2]), float(fields[5]), max(float(fields[11]), RESOLUTION)
    return seconds if cost is None else cost, (static + guidance) / wall, seconds, decisions


def count(words, sort):
    with tempfile.TemporaryDirectory() as scratch:
        done = run(['valgrind', '--tool=callgrind', f'--callgrind-out-file={scratch}/out', '--toggle-collect=explore_all',
                    *words, '--which', sort, '--rounds', '1'])
    return read_line(done.stdout.splitlines()[1], int(re.search(r'Collected : (\d+)', done.stderr).group(1)) / 1e6)


def measure(args, path, options):
    """For each sort. Times are taken in turns, so that a machine that slows down slows down all of them, in processes of their own:
    what one sort leaves of the heap is none of the next one's business."""
    words = [os.path.join(args.build, 'bench/labelled'), path, *options]
    if args.instructions: return [count(words, sort) for sort in SORTS]
    rounds = [[read_line(run([*words, '--which', sort, '--rounds', '2']).stdout.splitlines()[1]) for sort in SORTS] for _ in range(args.rounds)]
    return [min(lines) for lines in zip(*rounds)]


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float('nan')


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument('--build', required=True)
    ap.add_argument('--rounds', type=int, default=3)
    ap.add_argument('--only', default='')
    ap.add_argument('--instructions', action='store_true')
    args = ap.parse_args()
    unit = 'million instructions' if args.instructions else 'seconds'
    print(f'| program | bytes | decisions, without labels | with | {unit}, without | with | ratio | dependence | with labels / dependence '
          '| its static part and guidance |\n|---|---|---|---|---|---|---|---|---|---|')
    ratios, beside = [], []
    for name, _, sizes in results.DEPENDENCE:
        for size, options, *_ in sizes if args.only in name else []:
            plain, labels, itself = measure(args, os.path.join(HERE, name + '.c'), options)
            ratio, faster = labels[0] / plain[0], labels[0] / itself[0]
            if plain[2] >= LEAST: ratios.append(ratio)
            if itself[2] >= LEAST: beside.append(faster)
            print(f'| {name} | {size} | {plain[3]} | {labels[3]} | {plain[0]:.3f} | {labels[0]:.3f} | {ratio:.2f} | {itself[0]:.3f} | {faster:.2f} '
                  f'| {100 * itself[1]:.0f} % |', flush=True)
    print(f'\nMeans over explorations of {LEAST} s and more: labels cost {mean(ratios):.2f} times as much, the least that `dependence` is faster '
          f'than full with labels is {min(beside, default=float("nan")):.2f}.')


if __name__ == '__main__': main()
