#!/usr/bin/env python3
"""A server of PostgreSQL for tests: Debian's package, in a directory and on a socket of its own, gone afterwards. It can be killed and started again.

usage: postgres.py COMMAND...    runs the command with SHEAF_POSTGRES set to the server's address
"""
import glob, os, pwd, shutil, subprocess, sys, tempfile


def programs():
    found = sorted(glob.glob('/usr/lib/postgresql/*/bin/pg_ctl'))
    if not found: sys.exit('postgres.py: there is no PostgreSQL: install the package postgresql')
    return os.path.dirname(found[-1])


class Server:
    """server = Server(); with server as address: ..."""
    def __init__(self, connections=60): self.connections = connections

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix='sheaf-postgres-')
        self.bin = programs()
        # the server refuses to be root; Debian's package has a user for it
        self.user = pwd.getpwnam('postgres') if os.geteuid() == 0 else None
        if self.user: os.chown(self.directory, self.user.pw_uid, self.user.pw_gid)
        try:
            self.call('initdb', '--no-sync', '-A', 'trust', '-U', 'sheaf', '-D', self.data())
            self.lock_out()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return f'postgresql:///postgres?host={self.directory}&user=sheaf'

    def start(self):
        self.call('pg_ctl', '-w', '-D', self.data(), '-l', os.path.join(self.directory, 'log'), '-o',
                  f"-k {self.directory} -c listen_addresses='' -c fsync=off -c max_connections={self.connections}", 'start')

    def kill(self):
        """As a crash: connections are cut off, and the next start recovers."""
        subprocess.run(self.command('pg_ctl', '-w', '-m', 'immediate', '-D', self.data(), 'stop'), cwd='/', stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def lock_out(self):
        """The user `locked` needs a password, which it has not; all others need none."""
        path = os.path.join(self.data(), 'pg_hba.conf')
        with open(path, encoding='utf-8') as file: rules = file.read()
        with open(path, 'w', encoding='utf-8') as file: file.write('local all locked scram-sha-256\n' + rules)

    def data(self): return os.path.join(self.directory, 'data')

    def command(self, name, *args):
        lower = ['setpriv', f'--reuid={self.user.pw_uid}', f'--regid={self.user.pw_gid}', '--clear-groups'] if self.user else []
        return [*lower, os.path.join(self.bin, name), *args]

    def call(self, name, *args):
        done = subprocess.run(self.command(name, *args), cwd='/', stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode: raise RuntimeError(f'{name}: {done.stdout[-2000:]}')


if __name__ == '__main__':
    if len(sys.argv) < 2: sys.exit(__doc__.strip())
    with Server() as address:
        sys.exit(subprocess.run(sys.argv[1:], env={**os.environ, 'SHEAF_POSTGRES': address}).returncode)
