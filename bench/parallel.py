#!/usr/bin/env python3
"""What several processes gain: `sheaf test --explore full -j N` on this machine, and many workers by simulation.

usage: parallel.py [--build DIR] [--jobs N] [--only TEXT] [--rounds N] [--simulate | --simulate-fleet [--database N]] [--times K]

For each program: seconds with -j 1 and with -j N (the shortest of so many rounds), the speed-up, processor seconds of both, which part of the runs other
processes made, and whether the answers are the same: paths, faults and how many runs show each, branch outcomes, verdict. Exit status 1 if one differs, or
if -j N forked no process: that takes a tenth of a second of work, and programs that take little more measure little. Times mean something on a quiet machine
only; processor seconds and the part of the runs do on any.

--simulate replays the scheduler of src/explore/parallel.c on what each task costs (regions.c) for 8, 64 and 512 workers: a worker takes the deepest of
its tasks; one that has none is given every second of the tasks, by depth, of the one that has most. --times K: as if each task cost K times as much, for
explorations that are larger than those of the table.

--simulate-fleet replays workers on a database (src/explore/remote.c) in the same way: claims, check-ins after 0.25 s, twice that, up to 4 s, or with half of the
tasks given away when a worker waits, idle workers that all wake up, and the process that asks and reads. What each transaction costs is measured first, as processor time of
a server of PostgreSQL (fleet_costs.c) that has as many connections, with regions and messages as large as those of a real job; the database does --database of them
at a time, 4 by default, each as fast as this machine, and writes to no disk. Printed is the speed-up, and which part of its time the database is busy."""
import argparse, collections, heapq, json, os, resource, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, 'tools'))
import postgres

# program, bytes of standard input, further options: two to ten seconds of processor time each with -j 1
PROGRAMS = [('bench/explore/tokenizer.c', 4), ('bench/search/json.c', 5), ('bench/search/settings.c', 7), ('examples/stackvm.c', 10), ('examples/wordcount.c', 16),
            ('bench/dependence/flags.c', 0, '-DWORDS=3'), ('bench/dependence/queues.c', 0, '-DCOMMANDS=4'), ('tests/scale/many.c', 0, '-DN=17')]
SIMULATED = [*PROGRAMS, ('bench/output/set.c', 0)]                          # short ones as well: --times makes them longer
LATENCY, PAUSE, GIVE, BEGIN = 0.001, 0.02, 20e-6, 0.1                       # seconds: of a message; between two gifts of a worker; to write and read a task; before workers are forked


def run(args, program, bytes_, flags, jobs):
    with tempfile.TemporaryDirectory() as scratch:
        command = [os.path.join(args.build, 'sheaf'), 'test', os.path.join(ROOT, program), '--explore', 'full', *flags, '-j', str(jobs), '-q', '--no-replay', '--format', 'json', '-o', os.path.join(scratch, 'out')]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(command + (['--sym-stdin', str(bytes_)] if bytes_ else []), capture_output=True, text=True)
        seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1, 3): sys.exit(f'{program}: {done.stderr}')
        r = json.loads(done.stdout)
        with open(os.path.join(scratch, 'out', 'stats.json'), encoding='utf-8') as f: sent = json.load(f)['sent']
        same = (r['paths'], r['complete'], r['coverage']['branches_covered'], sorted((f['kind'], f.get('line'), f['runs']) for f in r['faults']))
        return same, seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, sent


def measure(args):
    wrong = 0
    print(f'| program | paths | -j 1, s | -j {args.jobs}, s | speed-up | processor time, s | with -j {args.jobs} | runs by other processes |\n|---|---|---|---|---|---|---|---|')
    for program, bytes_, *flags in PROGRAMS:
        if args.only not in program: continue
        one = min((run(args, program, bytes_, flags, 1) for _ in range(args.rounds)), key=lambda r: r[1])
        many = min((run(args, program, bytes_, flags, args.jobs) for _ in range(args.rounds)), key=lambda r: r[1])
        print(f'| {" ".join([program, *flags])}, {bytes_} | {one[0][0]} | {one[1]:.1f} | {many[1]:.1f} | {one[1] / many[1]:.2f} | {one[2]:.1f} | {many[2]:.1f} | {100 * many[3] / one[0][0]:.0f} % |', flush=True)
        if one[0] != many[0] or (args.jobs > 1 and not many[3]):
            wrong += 1
            print(f'FAIL {program}: {one[0]} and {many[0]}; {many[3]} runs by other processes', file=sys.stderr)
    return wrong


def tasks_of(args, program, bytes_, flags):
    """Cost and children of each task; of runs their depth."""
    command = [os.path.join(args.build, 'bench', 'regions'), args.clang, os.path.join(args.build, 'runtime', 'runtime.bc'), os.path.join(ROOT, program), str(bytes_), '-I' + os.path.join(ROOT, 'include'), *flags]
    cost, depth, children, of_run = [], [], collections.defaultdict(list), {0: None}
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        parent, made, micro = line.split()
        task = len(cost)
        cost.append(float(micro) / 1e6 * args.times)
        depth.append(depth[of_run[int(parent)]] + 1 if int(parent) else 0)
        if int(parent): children[of_run[int(parent)]].append(task)
        if int(made): of_run[int(made)] = task
    return cost, depth, children


def simulate(cost, depth, children, workers):
    """Seconds until all is done."""
    pending, now = [0], 0.0
    while pending and (now < BEGIN or len(pending) < 2):          # alone
        task = pending.pop()
        now += cost[task]
        pending += children[task]
    pending.sort(key=lambda t: depth[t])
    queues = [pending[i::workers] for i in range(workers)]
    given, idle, end = [now] * workers, [], now
    events = [(now + LATENCY + GIVE * len(q), i) for i, q in enumerate(queues)]
    heapq.heapify(events)
    while events:
        now, i = heapq.heappop(events)
        queue = queues[i]
        if idle and len(queue) > 1 and now >= given[i] + PAUSE:             # asked
            queue.sort(key=lambda t: depth[t])
            part, queues[i] = queue[::2], queue[1::2]
            given[i] = now
            other = idle.pop()
            queues[other] = part
            heapq.heappush(events, (now + 2 * LATENCY + GIVE * len(part), other))
            heapq.heappush(events, (now + GIVE * (len(queue)), i))
        elif queue:
            task = queue.pop()
            queue += children[task]
            end = max(end, now + cost[task])
            heapq.heappush(events, (now + cost[task], i))
        else:
            idle.append(i)
    return end


# ---- many machines ---------------------------------------------------------------------------------------------------------------------

FIRST, MOST, LISTEN, LATELY, BEAT, POLL = 0.25, 4, 1, 3, 5, 0.5            # seconds: remote.c, cmd_worker.c, fleet.c, fleet_board.c
MEASURED = [('keep', 200), ('give', 200), ('ask', 400), ('prolong', 400), ('none', 200), ('wait', 400), ('read', 200), ('listen', 1), ('give', 50)]


def server_seconds(server):
    """Processor time of all its processes, ended ones included."""
    with open(os.path.join(server.data(), 'postmaster.pid'), encoding='utf-8') as f: pid = int(f.readline())
    with open(f'/proc/{pid}/task/{pid}/children', encoding='utf-8') as f: pids = [pid, *map(int, f.read().split())]
    total = 0
    for one in pids:
        try:
            with open(f'/proc/{one}/stat', encoding='utf-8') as f: total += sum(map(int, f.read().rsplit(')', 1)[1].split()[11:15]))
        except FileNotFoundError: pass
    return total / os.sysconf('SC_CLK_TCK')


def sizes(args, address):
    """Bytes of a region and of a message, of a job that was cut off in the middle."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [os.path.join(args.build, 'sheaf'), 'test', os.path.join(ROOT, 'tests/scale/many.c'), '-DN=20', '--store', address, '-j', '2', '--max-time', '6', '-q', '--no-replay', '-o', os.path.join(scratch, 'out')]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    query = 'SELECT (SELECT avg(octet_length(bytes))::bigint FROM sheaf_region), (SELECT avg(octet_length(bytes))::bigint FROM sheaf_message)'
    return [int(n) for n in subprocess.run(['psql', '-q', '-At', '-F', ' ', address, '-c', query], capture_output=True, text=True, check=True).stdout.split()]


def costs_of(args, workers):
    """Seconds of the server's processor time for each thing that is asked of it, so many workers being connected."""
    server = postgres.Server(workers + 30)
    with server as address:
        region, message = sizes(args, address)
        done = subprocess.Popen([os.path.join(args.build, 'bench', 'fleet_costs'), address, str(workers), str(region), str(message)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if done.stdout.readline() != 'done\n': sys.exit('fleet_costs has failed')
        costs = {}
        for word, times in MEASURED:
            if word == 'listen': costs['deaf'] = costs['give']
            before = server_seconds(server)
            done.stdin.write(f'{word} {times}\n')
            done.stdin.flush()
            done.stdout.readline()
            time.sleep(0.5)                                                  # backends that were notified
            costs[word] = max(server_seconds(server) - before, 0.005) / times  # half a tick of the clock, at least
        done.stdin.close()
        done.wait()
    costs['wake'] = max(costs['give'] - costs['deaf'], 0) / (workers - 1)     # for each that listens
    costs['give'] = costs.pop('deaf')
    del costs['listen']
    costs['read'] = max(costs['read'] - costs['keep'], 1e-6)
    return costs, region, message


class Database:
    """Serves so many at a time, in their order."""
    def __init__(self, servers): self.free, self.busy = [0.0] * servers, 0.0

    def serve(self, now, seconds):
        """When it is done."""
        end = max(now, heapq.heappop(self.free)) + seconds
        heapq.heappush(self.free, end)
        self.busy += seconds
        return end


class FleetRun:
    """A worker is at one of its steps: claim (the database has answered), begin or go on with a region, checked (its check-in is durable), listen."""
    def __init__(self, cost, depth, children, workers, costs, servers):
        self.cost, self.depth, self.children, self.costs, self.servers, self.database = cost, depth, children, costs, servers, Database(servers)
        self.regions, self.queues, self.spans, self.begun = collections.deque([[0]]), [[] for _ in range(workers)], [FIRST] * workers, [0.0] * workers
        self.idle, self.lately, self.open, self.events, self.order, self.unread = set(), -LATELY, 1, [], 0, 0
        for i in range(workers): self.claim(0.0, i)
        self.at(POLL, self.poll, None)

    def at(self, when, step, who, *more):
        self.order += 1
        heapq.heappush(self.events, (when, self.order, step, who, more))

    def ask(self, now, what, step, who, *more): self.at(self.database.serve(now, self.costs[what]) + LATENCY, step, who, *more)

    def claim(self, now, i): self.ask(now, 'claim' if self.regions else 'none', self.claimed, i)

    def claimed(self, now, i):
        if self.regions:
            self.queues[i], self.spans[i], self.begun[i] = self.regions.popleft(), FIRST, now
            self.at(now + GIVE * len(self.queues[i]), self.work, i)
        else:
            self.lately = now
            self.idle.add(i)
            self.ask(now, 'wait', self.listen, i)

    def listen(self, now, i):
        if i in self.idle: self.at(now + LISTEN, self.wake, i)

    def wake(self, now, i):
        if i in self.idle:
            self.idle.remove(i)
            self.claim(now, i)

    def work(self, now, i):
        """Tasks for a while, then it asks whether others wait."""
        queue, begun, end = self.queues[i], now, now + FIRST
        while queue and now < end:
            task = queue.pop()
            queue += self.children[task]
            now += self.cost[task]
        for _ in range(int((now - begun) / BEAT)): self.database.busy += self.costs['prolong']
        if len(queue) > 1: self.ask(now, 'ask', self.asked, i)
        else: self.at(now, self.asked, i)

    def asked(self, now, i):
        gives = len(self.queues[i]) > 1 and now - self.lately < LATELY
        if self.queues[i] and not gives and now - self.begun[i] < self.spans[i]: self.work(now, i)
        else: self.check_in(now, i, gives)

    def check_in(self, now, i, gives):
        queue, given = self.queues[i], []
        if gives:
            queue.sort(key=lambda t: self.depth[t])
            given, self.queues[i] = queue[::2], queue[1::2]
        if given or not queue: self.database.serve(now, len(self.idle) * self.costs['wake'])
        self.ask(now + GIVE * len(queue), 'give' if given or not queue else 'keep', self.checked, i, given)

    def checked(self, now, i, given):
        self.unread += 1
        self.begun[i] = now
        if given:
            self.regions.append(given)
            self.open += 1
        self.open -= not self.queues[i]
        if given or not self.queues[i]:                                       # NOTIFY: all that wait wake up, and the one that asks
            for j in sorted(self.idle): self.at(now + LATENCY, self.wake, j)
            self.at(now + LATENCY, self.read, None)
        self.spans[i] = self.spans[i] * 2 if self.spans[i] < MOST else MOST
        if self.queues[i]: self.at(now, self.work, i)
        else: self.claim(now, i)

    def poll(self, now, _):
        self.read(now, None)
        self.at(now + POLL, self.poll, None)

    def read(self, now, _):
        self.database.serve(now, self.costs['none'] + self.unread * self.costs['read'])  # is it done? has it failed? and the messages
        self.unread = 0

    def run(self):
        """(seconds until all is done, part of the time that the database is busy)"""
        now = 0.0
        while self.open:
            now, _, step, who, more = heapq.heappop(self.events)
            step(now, who, *more)
        return now, self.database.busy / (now * self.servers)


def simulated_fleet(args):
    numbers, costs = (8, 64, 512), {}
    for n in numbers:
        costs[n], region, message = costs_of(args, n)
        costs[n]['claim'] = max(costs[n]['give'] - costs[n]['keep'], costs[n]['none'])  # `give` ends a region, adds one and claims that
        print(f'{n} workers connected, regions of {region} bytes, messages of {message}: processor time of the server, ms: ' + ', '.join(f'{what} {1e3 * s:.2f}' for what, s in costs[n].items()), flush=True)
    print('\n| program | tasks | processor time, s | ' + ' | '.join(f'{n} workers: speed-up, database busy' for n in numbers) + ' |\n|---|---|---' + '|---' * len(numbers) + '|')
    for program, bytes_, *flags in SIMULATED:
        if args.only not in program: continue
        cost, depth, children = tasks_of(args, program, bytes_, flags)
        cells = []
        for n in numbers:
            seconds, load = FleetRun(cost, depth, children, n, costs[n], args.database).run()
            cells.append(f'{sum(cost) / seconds:.1f}, {100 * load:.1f} %')
        print(f'| {" ".join([program, *flags])}, {bytes_} | {len(cost)} | {sum(cost):.1f} | ' + ' | '.join(cells) + ' |', flush=True)


def simulated(args):
    print(f'| program | tasks | processor time, s | 2 | 8 | 64 | 512 workers |\n|---|---|---|---|---|---|---|')
    for program, bytes_, *flags in SIMULATED:
        if args.only not in program: continue
        cost, depth, children = tasks_of(args, program, bytes_, flags)
        total = sum(cost)
        print(f'| {" ".join([program, *flags])}, {bytes_} | {len(cost)} | {total:.1f} | ' + ' | '.join(f'{total / simulate(cost, depth, children, n):.1f}' for n in (2, 8, 64, 512)) + ' |', flush=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('--build', default=os.path.join(ROOT, 'build'))
    ap.add_argument('--clang', default='clang-14')
    ap.add_argument('--jobs', type=int, default=os.cpu_count())
    ap.add_argument('--only', default='')
    ap.add_argument('--rounds', type=int, default=1)
    ap.add_argument('--simulate', action='store_true')
    ap.add_argument('--simulate-fleet', action='store_true')
    ap.add_argument('--database', type=int, default=4)
    ap.add_argument('--times', type=float, default=1)
    args = ap.parse_args()
    if args.simulate: simulated(args)
    elif args.simulate_fleet: simulated_fleet(args)
    else: sys.exit(measure(args) != 0)


if __name__ == '__main__': main()
