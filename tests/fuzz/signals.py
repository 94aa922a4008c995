#!/usr/bin/env python3
"""Signals at random moments against the whole program, at a real pseudo-terminal: after SIGINT the prompt is back, whatever ran, and
it is never gone; a batch run is 130; kill -9 of a worker costs what it did. Prints how long the prompt took.
usage: signals.py GPULAB ROOT SECONDS [SEED] [compiling] [only KIND...]      SECONDS 0: a fixed slice, in which times are printed and not judged"""
import fcntl
import os
import random
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from terminal import CTRL_C, Lost, Terminal, plain  # pylint: disable=wrong-import-position

GPULAB, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SECONDS, SEED = float(sys.argv[3]), int((sys.argv + ['1'])[4])
SLICE, SOON = 40, 0.2

SLOW = '__global__ void slow(int *p, long long n) { for (long long i = 0; i < n; i++) p[i % 32] += i; }'
SETUP = ['k = gpu.compile_text("%s"):kernel("slow")' % SLOW, 'b = gpu.buffer("int", 64, { fill = 0 })', 's = ("x"):rep(3e7)',
         't = {} for i = 1, 1e6 do t[i] = -i % 10007 end']
# What runs, by kind; each for longer than the wait for a signal.
BUSY = {
    'lua': ['while true do end', 'while true do pcall(error) end', 'coroutine.wrap(function() while true do end end)()',
            'while true do table.sort({ table.unpack(t, 1, 200) }) end', 'while true do table.concat(t) end',
            'while true do local u = table.move(t, 1, #t, 1, {}) table.sort(u) end', 'for i = 1, 1e9 do tostring(i) end'],
    'strings': ['while true do s:rep(2) end', 'while true do s:upper() end', 'while true do s:gsub("x", "y", 1e5) end',
                'while true do ("%s%s"):format(s, s) end', 'while true do s:reverse() end'],
    'waiting': ['io.read()', 'while true do io.read() end', 'os.execute("exec sleep 60")', 'io.popen("sleep 60"):read("a")'],
    'arrays': ['while true do gpu.array("float", 3e7, "random") end', 'local a = gpu.array("float", 1e7, 1) while true do a:sum() a:copy() end'],
    'emulator': ['k{grid = 1, block = 32, timeout = 600000}(b, 1 << 40)', 'while true do k{grid = 1, block = 32}(b, 64) end',
                 'gpu.check(k, {grid = 1, block = 32, timeout = 600000}, {b, 1 << 40}, "all")',
                 'gpu.count(k, {grid = 1, block = 32, timeout = 600000}, {b, 1 << 40})'],
    'compiling': ['for i = 1, 1e9 do gpu.compile_text("#include <cooperative_groups.h>\\n__global__ void f(int *p) { *p = " .. i + %d .. "; }") end'],
    'typing': [None],
}


class Prompt(Terminal):
    def __init__(self, folder):
        env = {**os.environ, 'HOME': folder, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'XDG_STATE_HOME': folder + '/state',
               'XDG_CONFIG_HOME': folder + '/config', 'XDG_CACHE_HOME': folder + '/cache', 'GPULAB_HOME': folder + '/own'}
        super().__init__([GPULAB, '-q', '-n', '--device', 'emu'], env, cwd=folder)
        for line in SETUP:
            self.expect(r'> $')
            self.line(line)
        self.expect(r'> $')

    def forget(self):
        self.seen, self.mark = self.seen[-4000:], 0
        self.mark = len(plain(self.seen))

    def drain(self, seconds):
        """Reads what comes for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                self._read()


def others(t, rng):
    """Signals that must not matter."""
    for _ in range(rng.randrange(3)):
        which = rng.choice(['stop', 'window', 'continue'])
        if which == 'stop':
            os.kill(t.pid, signal.SIGSTOP if rng.random() < 0.5 else signal.SIGTSTP)
            time.sleep(rng.random() * 0.02)
            os.kill(t.pid, signal.SIGCONT)
        elif which == 'continue':
            os.kill(t.pid, signal.SIGCONT)
        else:
            fcntl.ioctl(t.fd, termios.TIOCSWINSZ, struct.pack('HHHH', rng.randrange(5, 60), rng.randrange(30, 200), 0, 0))


def interrupt(t, kind, rng):
    """One Ctrl-C at a random moment; the seconds until the prompt was back."""
    busy = rng.choice(BUSY[kind])
    t.forget()
    if busy is None:
        t.send(rng.choice(['abc', '"', 'x = {', '\x12abc', '\x1b', 'gpu.de\t', 'f(', 'a' * 300]))
    else:
        t.line('print("go"); ' + (busy % rng.randrange(1 << 40) if '%d' in busy else busy))
        t.expect(r'\ngo\n')
    t.drain(rng.random() * rng.choice([0.001, 0.05, 0.5]))
    others(t, rng)
    t.forget()
    begun = time.monotonic()
    t.send(CTRL_C)
    t.expect(r'> $')
    took = time.monotonic() - begun
    t.answers()
    return took


def workers(pid):
    with open('/proc/%d/task/%d/children' % (pid, pid), encoding='ascii') as f:
        return [int(child) for child in f.read().split()]


def killed(t, rng):
    """kill -9 of a worker at a random moment: what was lost is named, and the next launch is right; what is wrong, or None."""
    busy = rng.choice([line for line in BUSY['emulator'] + BUSY['compiling'] if 'while' not in line])
    t.forget()
    t.line('print("go"); ' + (busy % rng.randrange(1 << 40) if '%d' in busy else busy))
    t.expect(r'\ngo\n')
    t.drain(rng.random() * rng.choice([0.001, 0.05, 0.5]))
    victims = workers(t.pid)
    t.forget()
    for victim in victims if rng.random() < 0.5 else victims[:1]:
        os.kill(victim, signal.SIGKILL)
    t.drain(0.3)
    said = plain(t.seen)[t.mark:]
    t.send(CTRL_C)
    t.expect(r'> $')
    if '> ' in said and not re.search(r'process|worker|operating system', said):
        return 'kill: what was lost is not named: %r' % said[-300:]
    t.answers()
    t.line('b:fill(0) k{grid = 1, block = 32}(b, 3) print("sum", b:download():sum())')
    t.expect(r'\nsum\t3\n')
    return None


def batch(place, rng):
    """SIGINT to a batch run at a random moment; what is wrong, or None."""
    lab = rng.choice(['3', '4', '6', '10'])
    with subprocess.Popen([GPULAB, '--device', 'emu', '--batch', lab], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, 'HOME': place, 'GPULAB_HOME': place + '/own'}, cwd=place) as p:
        time.sleep(rng.random() * rng.choice([0.03, 0.3, 3]))
        p.send_signal(signal.SIGINT)
        begun = time.monotonic()
        out, _ = p.communicate()
        took = time.monotonic() - begun
        # Before main is reached nothing of the program can hear it; a shell says 130 of that, too.
        if p.returncode in (130, -signal.SIGINT):
            return None, took
        if p.returncode == 0 and re.search(rb'Lab %s ' % lab.encode(), out):
            return None, took  # it was done before
        return 'batch of lab %s: ended with %d: %r' % (lab, p.returncode, out[-300:]), took


def ended(place, rng):
    """SIGTERM or SIGHUP at a random moment ends the program by that signal."""
    t = Prompt(place)
    number = rng.choice([signal.SIGTERM, signal.SIGHUP])
    busy = rng.choice(BUSY[rng.choice(['lua', 'strings', 'waiting', 'emulator', 'typing'])])
    if busy:
        t.line(busy)
    t.drain(rng.random() * 0.3)
    os.kill(t.pid, number)
    status = t.close()
    return None if status == -number else 'signal %d: status %d' % (number, status)


def spread(times):
    times = sorted(times)
    return 'median %.3f, 95 %% %.3f, 99 %% %.3f, most %.3f s' % tuple(times[min(len(times) - 1, int(len(times) * q))] for q in (0.5, 0.95, 0.99, 1))


def main():
    rng, folder = random.Random(SEED), tempfile.TemporaryDirectory(prefix='gpulab-fuzz-')
    kinds = [k for k in BUSY if k != 'compiling'] + ['batch', 'ended', 'killed'] + (['compiling'] if 'compiling' in sys.argv else [])
    if 'only' in sys.argv:
        kinds = sys.argv[sys.argv.index('only') + 1:]
    times, failures, late, number, t = {}, [], {}, 0, None
    begun = time.monotonic()
    while number < SLICE if SECONDS == 0 else time.monotonic() - begun < SECONDS:
        number += 1
        kind, wrong, took = rng.choice(kinds), None, None
        try:
            if kind == 'batch':
                wrong, took = batch(folder.name, rng)
            elif kind == 'ended':
                wrong = ended(folder.name, rng)
            elif kind == 'killed':
                t = t or Prompt(folder.name)
                wrong = killed(t, rng)
            else:
                t = t or Prompt(folder.name)
                took = interrupt(t, kind, rng)
        except (Lost, OSError, ValueError) as problem:
            wrong = '%s: %s' % (kind, str(problem)[-600:])
            if t:
                t.kill()
            t = None
        if took is not None:
            times.setdefault(kind, []).append(took)
            late[kind] = late.get(kind, 0) + (took > SOON)
        if wrong:
            failures.append(wrong)
            print('# %d %s' % (number, wrong.replace('\n', '\n# ')), flush=True)
    if t:
        t.kill()
    for kind, values in sorted(times.items()):
        print('# %-9s %4d times: %s; later than %.1f s: %d' % (kind, len(values), spread(values), SOON, late[kind]))
    print('# seed %d: %d signals in %.0f s' % (SEED, number, time.monotonic() - begun))
    print('1..1\n%s 1 - signals at random moments: %d findings' % ('not ok' if failures else 'ok', len(failures)))
    folder.cleanup()
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
