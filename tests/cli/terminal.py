#!/usr/bin/env python3
"""Runs a command on a terminal and says what its progress lines were. usage: terminal.py COLUMNS[xROWS] [--interrupt] COMMAND...

--interrupt: ends it as Ctrl-C does, when its progress was shown three times."""
import fcntl, os, pty, re, signal, struct, sys, termios

size, command = sys.argv[1], sys.argv[2:]
interrupts = command[0] == '--interrupt'
if interrupts: command = command[1:]
columns, rows = (int(n) for n in (size if 'x' in size else size + 'x24').split('x'))
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
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
    if interrupts and text.count(b'\x1b[J') >= 3:
        os.kill(child, signal.SIGINT)
        interrupts = False
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

# What was on the screen at any time, and is at the end. A line that is too wide would wrap.
screen, at, widest, shown, percents = [''], 0, 0, 0, []
for part in re.split(r'(\x1b\[\d*[A-Z]|\r|\n)', text.decode()):
    if part == '\n':
        at += 1
        screen += [''] * (at == len(screen))
    elif part.endswith('A') and part[0] == '\x1b': at -= int(part[2:-1])
    elif part == '\x1b[J': screen[at:] = ['']
    elif part and part != '\r':
        screen[at] = part                   # each part begins its line
        widest = max(widest, len(part))
        percents += map(int, re.findall(r'^(\d+) % explored', part))
    shown = max(shown, sum(line != '' for line in screen))
if not shown: print('no progress line')
else: print(f'{shown} line{"s" if shown > 1 else ""}, ' + ('narrower than the terminal' if widest < columns else f'{widest} columns of {columns}'))
if status not in (0, 1, 3): print(f'status {status}')
if any(screen): print('left behind:', *screen, sep='\n')
if percents != sorted(percents): print('less and less is explored:', percents)
