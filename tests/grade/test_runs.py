"""gpulab grade: two graders in one folder, checks that cannot finish, labs in any order, odd values of options.
usage: test_runs.py GPULAB SOURCE_ROOT"""
import ctypes.util
import fcntl
import glob
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time

from grading import ENV, FOLDER, GPULAB, SOLUTION, STARTER, TURN, at, grade, holds, outcomes, same, scheme, start, submit
import own_lab
from terminal import check, run_tests, text_of, write

BUSY = 75
OK = {'03-row-sums': 'ok', '03-swizzle': 'missing'}


def run(*words, env=None):
    done = subprocess.run([GPULAB, *words], cwd=FOLDER.name, env={**ENV, **(env or {})}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def until(condition):
    while not condition():
        time.sleep(0.01)


def locks():
    """The second grader of a folder names the first and ends with 75; a lock that a dead process left is taken"""
    scheme()
    submit('locks/ann/row_sums.cu')
    words = 'locks', '--scheme', 'scheme.csv', '--out', 'locks-out'
    first = start(*words)
    until(lambda: os.path.exists(at('locks-out/.state/lock')) and text_of(at('locks-out/.state/lock')))
    first.send_signal(signal.SIGSTOP)
    said = ' '.join(grade(*words, code=BUSY).split())
    check(re.search(r'locks-out is in use by process %d of \S+ on %s, since 2\d{3}-' % (first.pid, platform.node()), said), said)
    holds(said, 'Wait until that run has ended, or use another folder with --out.')
    first.send_signal(signal.SIGCONT)
    out, err = first.communicate()
    same((first.returncode, err, outcomes('locks-out')), (0, '', {'ann': OK}))
    first = start(*words[:-1], 'killed-out')
    until(lambda: os.path.exists(at('killed-out/.state/lock')) and text_of(at('killed-out/.state/lock')))
    first.send_signal(signal.SIGKILL)
    first.communicate()
    grade(*words[:-1], 'killed-out')
    same(outcomes('killed-out'), {'ann': OK})
    write(at('locks-out/.state/lock'), 'process 1 of eve\x1b[2J on node7, since 2026-01-02 03:04:05')
    grade(*words)  # a lock file alone is no lock
    write(at('locks-out/.state/lock'), 'process 1 of eve\x1b[2J on node7, since 2026-01-02 03:04:05')
    with open(at('locks-out/.state/lock'), 'r+', encoding='utf-8') as other:
        fcntl.lockf(other, fcntl.LOCK_EX)
        said = grade(*words, code=BUSY)
    holds(said, 'process 1 of eve\\x1B[2J on node7')


WITHOUT_LOCKS = r'''
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
int fcntl64(int fd, int command, ...) {
	int (*next)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, "fcntl64");
	va_list more;
	va_start(more, command);
	void *argument = va_arg(more, void *);
	va_end(more);
	if (command != F_OFD_SETLK) return next(fd, command, argument);
	errno = ENOLCK;
	return -1;
}
int fcntl(int fd, int command, ...) __attribute__((alias("fcntl64")));
'''


def library(name, source):
    """Builds a library that takes the place of functions of libc in a process."""
    write(at(name + '.c'), source)
    subprocess.run(['cc', '-shared', '-fPIC', '-w', '-o', at(name + '.so'), at(name + '.c'), '-ldl'], check=True)


def without_locks():
    """Where the file system has no locks, the process that is named decides; one on another host may still be at work"""
    if not shutil.which('cc'):
        return 'skip: no C compiler'
    scheme()
    submit('nolock/ann/row_sums.cu')
    library('nolock', WITHOUT_LOCKS)
    words = 'grade', 'nolock', '--scheme', 'scheme.csv', '--out', 'nolock-out'
    env = {'LD_PRELOAD': at('nolock.so')}
    same(run(*words, env=env)[0], 0)
    dead = subprocess.Popen(['true'])
    dead.wait()
    for pid, host, code in (dead.pid, platform.node(), 0), (os.getpid(), platform.node(), BUSY), (dead.pid, 'node7', BUSY):
        write(at('nolock-out/.state/lock'), 'process %d of ann on %s, since 2026-01-02 03:04:05' % (pid, host))
        got, said = run(*words, env=env)
        same((pid, host, got), (pid, host, code))
        same('remove nolock-out/.state/lock' in ' '.join(said.split()).replace(FOLDER.name + '/', ''), host == 'node7')
    same(run(*words)[0], 0)
    return None


def remembered():
    """A verdict of a check that could not finish is not believed in a later run, nor one that is damaged"""
    scheme()
    submit('again/ann/row_sums.cu')
    words = 'again', '--scheme', 'scheme.csv', '--out', 'again-out'
    grade(*words)
    state, = glob.glob(at('again-out/.state/*.json'))
    good = json.loads(text_of(state))
    (key, verdict), = good.items()
    fake = {**verdict, 'title': 'kept'}
    for changed, kept in ((fake, True), ({**fake, 'outcome': 'setup', 'passed': False}, False), ({**fake, 'outcome': 'stopped'}, False),
                          ({**fake, 'outcome': 'usage'}, False), ({**fake, 'outcome': None}, False), ({**fake, 'text': 3}, False),
                          ({**fake, 'conditions': 7}, False), (7, False), ([], False)):
        write(state, json.dumps({key: changed}))
        said = grade(*words)
        check('so far' not in said, said)
        same((changed, outcomes('again-out')), (changed, {'ann': OK}))
        same((changed, '"kept"' in text_of(at('again-out/grades.json'))), (changed, kept))
    write(state, '[' * 100000)
    marked = json.loads(text_of(at('again-out/grades.json')))['nvrtc']
    same(text_of(at('again-out/.state/nvrtc')), marked)
    write(at('again-out/.state/nvrtc'), '9.9')
    holds(grade(*words), 'The results so far are from NVRTC 9.9. This is NVRTC %s: every submission is checked again.' % marked)
    same(outcomes('again-out'), {'ann': OK})
    write(at('again-out/.state/nvrtc'), '9.9\x1b[2J')
    check('so far' not in grade(*words), 'a file with more in it than a version')


DIES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
ssize_t recv(int fd, void *data, size_t size, int flags) {
	static int left = -1;
	if (left < 0) left = atoi(getenv("DIES_AT"));
	ssize_t (*next)(int, void *, size_t, int) = (ssize_t (*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv");
	const ssize_t n = next(fd, data, size, flags);
	if (n > 0 && --left == 0) raise(SIGKILL);
	return n;
}
"""


def killed():
    """A worker that is killed, whenever and whichever, gives no verdict: the next run checks again"""
    if not shutil.which('cc'):
        return 'skip: no C compiler'
    scheme()
    submit('ends/ann/row_sums.cu', text='// not in the cache of the compiler\n' + SOLUTION)
    words = 'grade', 'ends', '--scheme', 'scheme.csv', '--out', 'ends-out'
    library('dies', DIES)
    seen = set()
    for service, moments in ('compile', ((1, 1), (1, 3), (4, 3), (5, 3), (6, 3))), ('emu', ((1, 1), (1, 12), (1, 70), (2, 12), (2, 70))):
        write(at('worker'), '#!/bin/sh\ncase "$*" in *--worker*%s*) echo >>%s; [ $(wc -l <%s) -ge $DIES_IN ] && export LD_PRELOAD=%s;; esac\n'
              'exec %s "$@"\n' % (service, at('started'), at('started'), at('dies.so'), GPULAB))
        os.chmod(at('worker'), 0o755)
        for process, moment in moments:
            for old in 'ends-out', 'gpulab', 'started':
                subprocess.run(['rm', '-rf', at(old)], check=True)
            env = {'GPULAB_WORKER': at('worker'), 'DIES_IN': str(process), 'DIES_AT': str(moment), 'XDG_CACHE_HOME': at('gpulab')}
            code, said = run(*words, env=env)
            check(code == 0, said)
            verdict = json.loads(text_of(at('ends-out/grades.json')))['submissions'][0]['verdicts'][0]
            seen.add(verdict['outcome'])
            check(verdict['outcome'] in ('setup', 'stopped', 'ok'), verdict)
            same((service, moment, text_of(at('ends-out/grades.xml')).count('errors="1"') > 0), (service, moment, verdict['outcome'] != 'ok'))
            known = json.loads(text_of(glob.glob(at('ends-out/.state/*.json'))[0]))
            same((service, moment, len(known)), (service, moment, verdict['outcome'] == 'ok' and 1 or 0))
    check('stopped' in seen, seen)
    same(run(*words)[0], 0)
    same(outcomes('ends-out'), {'ann': OK})
    return None


def labs():
    """Own and built-in labs in any order, with modules of one name, and exercises of one name"""
    rows = {'a': 'own/30-course.lua,scale,1', 'b': '3,row-sums,1', 'c': 'other/31-other.lua,row-sums,1', 'd': '3,swizzle,1'}
    own_lab.write_lab(at('own'), 30, 'scale', module='return 0.5')
    own_lab.write_lab(at('other'), 31, 'row-sums', module='return { n = 2 }')
    submit('labs/ann/30-scale/scale.cu', text=own_lab.SCALE)
    submit('labs/ann/03-row-sums/row_sums.cu')
    submit('labs/ann/31-row-sums/scale.cu', text=own_lab.SCALE)
    submit('labs/ann/swizzle.cu', text=TURN)
    submit('labs/bob/row-sums.cu')
    submit('labs/cem/03-bank-conflicts/row_sums.cu')
    submit('labs/cem/31-other/row-sums.cu', text=own_lab.SCALE)
    submit('labs/dan/row_sums.cu')
    for order in 'abcd', 'bacd', 'dcba', 'cadb':
        write(at('labs.csv'), 'lab,exercise,points\n' + ''.join(rows[i] + '\n' for i in order))
        out = grade('labs', '--scheme', 'labs.csv', '--out', 'labs-out')
        seen = outcomes('labs-out')
        same(seen['ann'], {'30-scale': 'ok', '03-row-sums': 'ok', '31-row-sums': 'ok', '03-swizzle': 'ok'})
        same(seen['bob'], {'30-scale': 'missing', '03-row-sums': 'refused', '31-row-sums': 'refused', '03-swizzle': 'missing'})
        same(seen['cem'], {'30-scale': 'missing', '03-row-sums': 'ok', '31-row-sums': 'ok', '03-swizzle': 'missing'})
        same(seen['dan'], {'30-scale': 'missing', '03-row-sums': 'ok', '31-row-sums': 'missing', '03-swizzle': 'missing'})
        names = '03-row-sums or 31-row-sums' if order.index('b') < order.index('c') else '31-row-sums or 03-row-sums'
        holds(text_of(at('labs-out/grades.json')), 'row-sums.cu may be for %s: put it into a folder of that name' % names)
    own_lab.write_lab(at('third'), 3, 'row-sums', module='return 1')
    write(at('labs.csv'), 'lab,exercise,points\nthird/03-course.lua,row-sums,1\n3,row-sums,1\n')
    holds(' '.join(grade('labs', '--scheme', 'labs.csv', code=64).split()), 'labs.csv:3: two entries for 03-row-sums', 'have the same number')


def options():
    """Odd values of options end with a sentence and 64 or 5"""
    scheme()
    submit('odd/ann/row_sums.cu')
    submit('odd/bob/row_sums.cu', text=STARTER)
    submit('odd.cu')
    write(at('file'), 'x')
    write(at('odd.csv'), 'id,grade\nann,\n')
    os.mkfifo(at('odd-pipe'))
    os.symlink('nowhere', at('dangling'))
    usual = {'SUBMISSIONS': 'odd', 'scheme': 'scheme.csv', 'out': 'odd-out'}
    cases = (('SUBMISSIONS', '', 64), ('SUBMISSIONS', 'nowhere', 5), ('SUBMISSIONS', 'file', 5), ('SUBMISSIONS', 'odd-pipe', 5),
             ('SUBMISSIONS', 'dangling', 5), ('SUBMISSIONS', '/dev/null', 5), ('out', '', 64), ('out', 'file', 5), ('out', 'file/x', 5),
             ('out', '/proc/nowhere', 5), ('out', '/dev/null', 5), ('out', 'dangling', 5), ('out', 'odd', 64), ('out', 'odd/', 64),
             ('out', 'odd/../odd', 64), ('out', 'odd/ann', 64), ('out', '/sys', 5), ('scheme', '', 64), ('scheme', 'nowhere', 5),
             ('scheme', 'odd', 5), ('scheme', 'file', 64), ('lab', '', 64), ('lab', '99', 5), ('lab', 'odd', 64), ('lab', 'nowhere', 5),
             ('lab', 'scheme.csv', 1), ('lab', 'file', 1), ('jobs', '', 64), ('jobs', '0', 64), ('jobs', '-1', 64), ('jobs', '1.5', 64),
             ('jobs', '257', 64), ('jobs', 'many', 64), ('time', '', 64), ('time', '0', 64), ('time', 'nan', 64), ('time', '1e99', 64),
             ('name', '', 64), ('roster', '', 64), ('roster', 'nowhere', 64), ('points', '', 64), ('points', '%s', 64),
             ('points', '%d%d', 64), ('gradescope', '', 64), ('gradescope', 'odd', 64), ('gradescope', 'nowhere/x', 5),
             ('gradescope', '/dev/null', 64), ('gradescope', 'odd-pipe', 64), ('classroom', '', 64), ('classroom', 'odd', 64),
             ('classroom', 'nowhere/x', 5), ('about', '', 64), ('about', 'x', 64), ('about', '=x', 64), ('about', 'names=x', 64),
             ('id', '', 64), ('column', '', 64), ('one', '', 64), ('nothing', '1', 64))
    for name, value, code in cases:
        given = {**usual, name: value}
        if name == 'lab':
            del given['scheme']
        if name in ('gradescope', 'classroom', 'about'):
            given['SUBMISSIONS'] = 'odd/ann'
        words = [given.pop('SUBMISSIONS')] + [part for option, each in given.items() for part in ('--' + option, each)]
        got, said = run('grade', *words)
        same((name, value, got, said.strip() != '' and 'internal error' not in said and 'traceback' not in said), (name, value, code, True))
    roster = '--roster', 'odd.csv', '--id'
    for words, code in ((*roster, 'id'), 64), ((*roster, 'x', '--column', 'grade'), 64), ((*roster, 'id', '--column', 'id'), 64), (
            ('--roster', 'odd', '--id', '1', '--column', '2'), 5), (('--roster', 'nowhere', '--id', '1', '--column', '2'), 5), (
                ('--out',), 64), (('--quiet=1',), 64), (('odd',), 64):
        got, said = run('grade', 'odd', '--scheme', 'scheme.csv', '--out', 'odd-out', *words)
        same((words, got, 'internal error' in said), (words, code, False))
    for words, code in ((('', 'row-sums', 'odd.cu'), 64), (('3', '', 'odd.cu'), 64), (('3', 'row-sums', ''), 64), (('3', 'row-sums', 'odd'), 5),
                        (('3', 'row-sums', 'dangling'), 5), (('99', 'row-sums', 'odd.cu'), 5), (('odd', 'row-sums', 'odd.cu'), 64),
                        (('3', 'row-sums', 'odd.cu', '--seed', ''), 64), (('3', 'row-sums', 'odd.cu', '--seed', '-1'), 64),
                        (('3', 'row-sums', 'odd.cu', '--json', ''), 64), (('3', 'row-sums', 'odd.cu', '--json', 'odd'), 5),
                        (('3', 'row-sums', 'odd.cu', '--junit', 'nowhere/x'), 5), (('3', 'row-sums', 'odd.cu', '--junit', ''), 64),
                        (('3', 'row-sums', 'odd.cu', '--junit', '-', '--json', '-'), 64)):
        got, said = run('check', *words)
        same((words, got, 'internal error' in said), (words, code, False))
    same(os.listdir(at('odd/ann')), ['row_sums.cu'])


def links():
    """A link out of the folder of a kernel is not followed, for a check or for the list of kernels; one within it is"""
    submit('elsewhere/secret.txt', text='root:x:0:0\n')
    os.makedirs(at('links/sub'))
    submit('links/sub/real.cu')
    for name, target in ('out.cu', '../elsewhere/secret.txt'), ('far.cu', '/etc/passwd'), ('in.cu', 'sub/real.cu'):
        os.symlink(target, at('links', name))
    os.symlink('out.cu', at('links/twice.cu'))
    os.symlink('links', at('way'))
    for name in 'links/out.cu', 'links/far.cu', 'links/twice.cu', 'way/out.cu':
        for words in ('check', '3', 'row-sums', name), (name,), ('new-lab', name):
            code, said = run(*words)
            same((words, code), (words, 5))
            holds(' '.join(said.split()), name + ' is a link that leads out of its folder', 'copy the file there')
            check('root' not in said, said)
    for name in 'links/in.cu', 'way/in.cu', 'way/sub/real.cu':
        same((name, run('check', '3', 'row-sums', name)[0], run(name)[0]), (name, 0, 0))


if not ctypes.util.find_library('archive'):
    print('1..0 # SKIP libarchive is not installed')
    sys.exit(0)
run_tests([locks, without_locks, remembered, killed, labs, options, links])
