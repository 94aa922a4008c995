#!/usr/bin/env python3
"""Runs a test, and ends it if it hangs. No test has a limit of time: a slow machine is no fault of gpulab.

    guard.py TEST [arguments]      ends as the test does, and says what processor time it used

A test hangs when for five minutes none of its processes wanted a processor and all together used less than a hundredth of one. It
gets SIGTERM, on which terminal.py says what it waits for; after five more such minutes all its processes are killed. So they are
when they have used an hour of processor time.

cmocka before 2 prints "not ok 3 # SKIP" for a test that skips itself, which meson takes for a failure; here it becomes "ok"."""
import os
import re
import resource
import select
import signal
import sys
import time
from ctypes import CDLL

QUIET = float(os.environ.get('GPULAB_TEST_QUIET', '300'))  # seconds; the guard's own test has fewer
LOOKS, SHARE, MOST = 20, 0.01, 3600
TICKS = os.sysconf('SC_CLK_TCK')
SET_CHILD_SUBREAPER = 36  # of prctl: a process whose parent has ended is this one's child
SKIPPED = re.compile(rb'^not (ok\b[^\n]*# SKIP)', re.M)


def stats():
    """{process: (name, state, parent, seconds of processor time with those of children that it waited for)}"""
    found = {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/stat' % pid, encoding='utf-8', errors='replace') as file:
                before, _, after = file.read().rpartition(')')
        except OSError:
            continue  # it has ended
        fields = after.split()
        found[int(pid)] = before.partition('(')[2], fields[0], int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    return found


def descendants():
    found, mine, before = stats(), {os.getpid()}, 0
    while len(mine) > before:
        before = len(mine)
        mine |= {pid for pid, (_, _, parent, _) in found.items() if parent in mine}
    return {pid: found[pid] for pid in mine - {os.getpid()} if pid in found}


class Watch:
    """Whether the test hangs."""

    def __init__(self):
        self.since, self.used = time.monotonic(), 0.0

    def hangs(self):
        """False, or why it counts as one that does."""
        now, live = time.monotonic(), descendants().values()
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = ended.ru_utime + ended.ru_stime + sum(seconds for _, _, _, seconds in live)
        if abs(used - self.used) > SHARE * QUIET or any(state in 'RD' for _, state, _, _ in live):
            self.since, self.used = now, used
        if used > MOST:
            return 'its processes have used %d s of processor time' % used
        return now - self.since > QUIET and 'for %g s no process of it wanted a processor' % QUIET


def start(argv):
    """The test's process, and where its output can be read."""
    out, end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(end, 1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them
            signal.signal(number, signal.SIG_DFL)
        try:
            os.execvp(argv[0], argv)
        except OSError as problem:
            os.write(2, ('guard: %s: %s\n' % (argv[0], problem.strerror)).encode())
            os._exit(127)
    os.close(end)
    os.set_blocking(out, False)
    return pid, out


def send(number, pids):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def stop(pid, why, everything):
    live = descendants()
    listed = ', '.join('%s (%d, %s)' % (name, number, state) for number, (name, state, _, _) in sorted(live.items()))
    print('guard: this test hangs: %s; %s: %s' % (why, 'killing all' if everything else 'sending SIGTERM', listed), file=sys.stderr, flush=True)
    send(*(signal.SIGKILL, live) if everything else (signal.SIGTERM, [pid]))


def reap(pid):
    """The test's status once it has ended. Other children are those whose parents ended before them."""
    status = None
    while True:
        try:
            ended, how = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if ended == 0:
            return status
        if ended == pid:
            status = how


def forward(out, text, to_end):
    """What there is to read, as lines; gives back the beginning of the next one, and whether there may be more."""
    more = True
    while True:
        try:
            read = os.read(out, 1 << 16)
        except BlockingIOError:
            break
        if not read:
            more = False
            break
        text += read
    whole = len(text) if to_end or not more else text.rfind(b'\n') + 1
    sys.stdout.buffer.write(SKIPPED.sub(rb'\1', text[:whole]))
    sys.stdout.buffer.flush()
    return text[whole:], more


def attend(pid, out):
    """The test's status."""
    watch, text, warned, next_look = Watch(), b'', False, time.monotonic() + QUIET / LOOKS
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    waiting = [out, woken]
    status = reap(pid)
    while status is None:
        ready, _, _ = select.select(waiting, [], [], max(0, next_look - time.monotonic()))
        if woken in ready:
            os.read(woken, 4096)
        if out in ready:
            text, more = forward(out, text, False)
            waiting = waiting if more else [woken]
        status = reap(pid)
        if time.monotonic() >= next_look:
            next_look = time.monotonic() + QUIET / LOOKS
            why = watch.hangs()
            if why:
                stop(pid, why, warned)
                watch, warned = Watch(), True
    forward(out, text, True)
    if warned:
        send(signal.SIGKILL, descendants())
    return status


def end_as(status):
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print('guard: %.2f s of processor time' % (used.ru_utime + used.ru_stime), file=sys.stderr)
    if os.WIFSIGNALED(status):
        sys.stderr.flush()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if os.WTERMSIG(status) != signal.SIGKILL:
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    return os.WEXITSTATUS(status)


if __name__ == '__main__':
    CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    sys.exit(end_as(attend(*start(sys.argv[1:]))))
