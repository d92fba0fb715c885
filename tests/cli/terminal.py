#!/usr/bin/env python3
"""Runs a command on a terminal of some width and prints how wide its progress line was. usage: terminal.py COLUMNS COMMAND..."""
import fcntl, os, pty, re, struct, sys, termios

columns, command = int(sys.argv[1]), sys.argv[2:]
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
child = os.fork()
if child == 0:
    os.close(master)
    os.dup2(slave, 2)
    os.dup2(os.open('/dev/null', os.O_WRONLY), 1)
    os.execvp(command[0], command)
os.close(slave)
text = b''
while True:
    try: more = os.read(master, 65536)
    except OSError: break                   # the other end is closed
    if not more: break
    text += more
os.waitpid(child, 0)
lines = [line for line in re.split(r'\r\x1b\[K|[\r\n]+', text.decode()) if ' runs, ' in line]
widest = max(map(len, lines), default=0)
print('no progress line' if not lines else 'the progress line fits' if widest < columns else f'{widest} columns of {columns}')
