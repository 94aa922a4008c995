#!/usr/bin/env python3
"""What tests/guard.py does with tests that end, and with one that hangs: as TAP."""
import os
import re
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUSY = 'import time; end = time.process_time() + 2\nwhile time.process_time() < end: pass'
ASKED = 'trap "echo asked; exit 3" TERM; sleep 1000 & echo $!; wait'
DEAF = 'trap "" TERM; (sleep 1000 & echo $!) ; sleep 1000'
count = 0


def guarded(*argv):
    env = {**os.environ, 'GPULAB_TEST_QUIET': '1'}
    done = subprocess.run([sys.executable, '-IS', HERE + '/guard.py', *argv], capture_output=True, text=True, check=False, env=env)
    return done.returncode, done.stdout, re.sub(r'guard: [\d.]+ s of processor time\n$', '', done.stderr)


def shell(text):
    return guarded('bash', '-c', text)


def point(name, good, shown=''):
    global count
    count += 1
    print('%s %d - %s' % ('ok' if good else 'not ok', count, name))
    if not good:
        print('# %r' % (shown,))


def alive(pid):
    try:
        with open('/proc/%d/stat' % pid, encoding='utf-8') as stat:
            return stat.read().rpartition(')')[2].split()[0] != 'Z'
    except FileNotFoundError:
        return False


got = shell('echo out; echo err >&2; exit 3')
point('output and exit status are the test\'s', got == (3, 'out\n', 'err\n'), got)
got = shell('printf half; kill -SEGV $$')
point('so is the signal that ended it', got[:2] == (-signal.SIGSEGV, 'half'), got)
got = shell('echo "ok 1 - a"; echo "not ok 2 # SKIP b"; echo "not ok 3 - c"')
point('a skipped point is no failure', got[1] == 'ok 1 - a\nok 2 # SKIP b\nnot ok 3 - c\n', got)
got = shell('sleep 1000 >/dev/null 2>&1 & echo $!')
point('what a test leaves in the background is not waited for', got[0] == 0 and alive(int(got[1])), got)
os.kill(int(got[1]), signal.SIGKILL)
got = guarded(sys.executable, '-c', BUSY)
point('a test that computes is left alone', got == (0, '', ''), got)
got = shell(ASKED)
pid, _, said = got[1].partition('\n')
point('one that hangs is asked to end', (got[0], said) == (3, 'asked\n') and not alive(int(pid)) and 'hangs' in got[2] and 'sleep (' in got[2], got)
got = shell(DEAF)
point('and is killed with all its processes', got[0] == -signal.SIGKILL and not alive(int(got[1])) and 'killing all' in got[2], got)
got = guarded('/no/such/test')
point('a test that cannot start is named', got[0] == 127 and '/no/such/test' in got[2], got)
print('1..%d' % count)
