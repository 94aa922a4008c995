"""--device ssh:HOST with a real sshd on loopback: results, a cut connection, a far side without gpulab.
usage: test_ssh.py GPULAB"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from servers import Missing, Sshd, lua_list, write
from terminal import CTRL_C, Terminal, check, run_tests

GPULAB = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-ssh-')
SITE = os.path.join(FOLDER.name, 'site.lua')
ENV = {**os.environ, 'HOME': FOLDER.name, 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null', 'GPULAB_SITE': SITE,
       'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config', 'GPULAB_HOME': FOLDER.name + '/own'}
KERNEL = os.path.join(FOLDER.name, 'k.cu')
SERVER = []


def server():
    if not SERVER:
        try:
            SERVER.append(Sshd(os.path.join(FOLDER.name, 'sshd')))
        except Missing as e:
            SERVER.append(str(e))
        if isinstance(SERVER[0], Sshd):
            site()
            write(KERNEL, 'extern "C" __global__ void triple(int *data, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n'
                          '    if (i < n) data[i] *= 3;\n}\nextern "C" __global__ void forever(int *data) { while (true) data[0]++; }\n')
    return SERVER[0]


def site(program=GPULAB, extra=''):
    write(SITE, 'return { ssh = { gpulab = "%s", options = %s%s } }\n' % (program, lua_list(SERVER[0].options()), extra))


def name():
    return 'ssh:%s/emu:GTX 280' % SERVER[0].host()


def needs_sshd(test):
    def run():
        there = server()
        return 'skip: ' + there if isinstance(there, str) else test()
    run.__doc__ = test.__doc__
    return run


def gpulab(*args, **more):
    return subprocess.run([GPULAB, *args], env=ENV, cwd=FOLDER.name, capture_output=True, text=True, **more)


@needs_sshd
def results():
    """a step of a lab gives the same table there and here, but for the device's name"""
    tables = []
    for device in ('emu:GTX 280', name()):
        done = gpulab('--device', device, '--batch', '--step', 'tile', '3', '--csv', '-')
        check(done.returncode in (0, 5), done.stderr)
        tables.append((done.returncode, done.stdout.replace(name(), 'emu:GTX 280')))
    check(tables[0] == tables[1], tables)


RUN = 'b = gpu.buffer("int", 100000, { fill = 7 }); k = gpu.kernel("k.cu", "triple"); k{ grid = 400, block = 256 }(b, #b); print("sum", b:download():sum())'


# Launches on what fill() left there.
ON_FILLED = 'k{ grid = 400, block = 256 }(b, #b); print("sum", b:download():sum())'


def prompt():
    terminal = Terminal([GPULAB, '-q', '-n', '--device', name()], ENV, cwd=FOLDER.name)
    terminal.expect('> $')
    return terminal


def runs(terminal):
    terminal.line(RUN)
    terminal.expect(r'sum\s+2100000')
    terminal.expect('> $')


def fill(terminal):
    terminal.line('b:fill(5); print("fil" .. "led")')
    terminal.expect('filled')
    terminal.expect('> $')


def is_not_lost(terminal):
    said = terminal.expect(r'([^\n]*\n)*?sum\s+1500000').group(0)
    check('lost' not in said, said)
    terminal.expect('> $')


@needs_sshd
def cut():
    """a connection that is cut is named, and the next command connects again"""
    terminal = prompt()
    try:
        runs(terminal)
        server().cut()
        terminal.line('print(pcall(b.download, b))')
        terminal.expect('stale|was lost')
        terminal.expect('> $')
        terminal.line(RUN)
        terminal.expect(r'sum\s+2100000')
    finally:
        terminal.kill()


@needs_sshd
def killed():
    """kill -9 of an idle worker or gateway there: the next command works; what only a kernel had written is named as lost"""
    terminal = prompt()
    try:
        for service in ('emu', 'gateway'):
            terminal.line(RUN)
            terminal.expect(r'sum\s+2100000')
            for again in (lambda: terminal.line('k{ grid = 400, block = 256 }(b, #b)'), lambda: terminal.line('b:download()')):
                terminal.expect('> $')
                check(server().kill_workers(service), 'there is no ' + service)
                again()
                terminal.expect("'?b'? .*stale|stale.*lost")
                terminal.expect('> $')
                terminal.line(RUN)
                terminal.expect(r'sum\s+2100000')
            terminal.expect('> $')
            fill(terminal)
            check(server().kill_workers(service), 'there is no ' + service)
            terminal.line(ON_FILLED)
            is_not_lost(terminal)
    finally:
        terminal.kill()


@needs_sshd
def killed_unseen():
    """a launch that is sent before the end of a killed gateway's connection is seen here runs again"""
    terminal = prompt()
    try:
        runs(terminal)
        fill(terminal)
        ssh = int(subprocess.run(['pgrep', '-P', str(terminal.pid), '-x', 'ssh'], capture_output=True, text=True, check=True).stdout)
        os.kill(ssh, signal.SIGSTOP)
        check(server().kill_workers('gateway'), 'there is no gateway')
        terminal.line(ON_FILLED)
        time.sleep(1)  # the launch lies in ssh's pipe
        os.kill(ssh, signal.SIGCONT)
        is_not_lost(terminal)
    finally:
        terminal.kill()


@needs_sshd
def interrupted():
    """Ctrl-C ends a kernel there, and the next one runs"""
    terminal = prompt()
    try:
        terminal.line(RUN)
        terminal.expect(r'sum\s+2100000')
        terminal.line('f = gpu.kernel("k.cu", "forever"); print("go" .. 1); f{ grid = 1, block = 1 }(b)')
        terminal.expect(r'go1')
        terminal.send(CTRL_C)
        terminal.expect('nterrupted')
        terminal.expect('> $')
        terminal.line(RUN)
        terminal.expect(r'sum\s+2100000')
    finally:
        terminal.kill()


@needs_sshd
def nothing_there():
    """a far side without gpulab, and a host that does not answer, are named"""
    site('/nowhere/gpulab')
    done = gpulab('--device', name(), '-e', 'gpu.buffer("int", 1)')
    site()
    check(done.returncode == 5 and '/nowhere/gpulab' in done.stderr, done)
    done = gpulab('--device', 'ssh:root@127.0.0.1:1/emu', '-e', 'gpu.buffer("int", 1)')
    check(done.returncode == 5, done)


@needs_sshd
def noise():
    """what a login script there prints before the worker's first line is passed over"""
    loud = Sshd(os.path.join(FOLDER.name, 'loud'), "ForceCommand echo Welcome; seq 2000; echo to node 4 >&2; eval \"$SSH_ORIGINAL_COMMAND\"")
    try:
        write(SITE, 'return { ssh = { gpulab = "%s", options = %s } }' % (GPULAB, lua_list(loud.options())))
        done = gpulab('-n', '--device', 'ssh:%s/emu' % loud.host(), '-e', 'print("sum", gpu.buffer("int", 1000, { fill = 3 }):download():sum())')
        check(done.stdout == 'sum\t3000\n', done)
    finally:
        loud.close()
        site()


@needs_sshd
def questions():
    """an unknown host, a missing key and a program for another system say what to do; nothing asks a question"""
    def asked(options, program=GPULAB):
        write(SITE, 'return { ssh = { gpulab = "%s", options = %s } }' % (program, lua_list(options)))
        done = gpulab('-n', '--device', name(), '-e', 'gpu.buffer("int", 1)', stdin=subprocess.DEVNULL)
        check(done.returncode == 5, done)
        return ' '.join(done.stderr.split())
    ours = server().options()
    try:
        unknown = [word.replace('known_hosts', 'no_hosts').replace('Checking=no', 'Checking=ask') for word in ours]
        said = asked(unknown)
        check('Host key verification failed' in said and 'log in there once with ssh alone' in said, said)
        said = asked([word for word in ours if not word.startswith('-i')] + ['-oIdentityFile=/dev/null', '-oIdentityAgent=none'])
        check('Permission denied' in said and 'log in there once with ssh alone' in said, said)
        other = os.path.join(FOLDER.name, 'other')
        write(other, '#!/bin/sh\necho "gpulab: /lib/libc.so.6: version \\`GLIBC_2.36\' not found (required by gpulab)" >&2\nexit 1\n')
        os.chmod(other, 0o755)
        said = asked(ours, other)
        check('GLIBC_2.36' in said and 'unpack the bundle there' in said, said)
    finally:
        site()


TOOLS = 'sh uname tar gzip sha256sum mktemp head find mkdir chmod touch rm mv readlink dirname sleep'.split()


def inodes(folder):
    return sorted((os.lstat(path).st_ino, os.path.basename(path)) for path in (os.path.join(folder, name) for name in os.listdir(folder)))


@needs_sshd
def sent():
    """this program goes once to a side that has none, is compared at each start, and is refused where it cannot run"""
    home, tools = os.path.join(FOLDER.name, 'home'), os.path.join(FOLDER.name, 'tools')
    for folder in (home, tools):
        os.mkdir(folder)
    for tool in TOOLS:
        os.symlink(shutil.which(tool), os.path.join(tools, tool))
    bare = Sshd(os.path.join(FOLDER.name, 'bare'), 'SetEnv HOME=%s PATH=%s' % (home, tools))
    write(SITE, 'return { ssh = { options = %s } }' % lua_list(bare.options()))
    env = {key: value for key, value in ENV.items() if key != 'XDG_CACHE_HOME'}
    cache = os.path.join(home, '.cache/gpulab/program')

    def there():
        return subprocess.run([GPULAB, '-n', '--device', 'ssh:%s/emu' % bare.host(), '-e', 'print("sum", gpu.buffer("int", 1000, { fill = 3 }):download():sum())'],
                              env=env, cwd=FOLDER.name, capture_output=True, text=True)
    try:
        check('sum\t3000' in (done := there()).stdout, done)
        names = os.listdir(cache)
        check(len(names) == 1 and len(names[0]) == 64 and os.stat(cache).st_mode & 0o777 == 0o700, names)
        first, folder = inodes(cache), os.path.join(cache, names[0])
        check('sum\t3000' in (done := there()).stdout, done)
        check(inodes(cache) == first, 'it was sent twice')
        with open(os.path.join(folder, 'gpulab'), 'a', encoding='utf-8') as f:
            f.write('touch %s/harm\n' % home)
        check('sum\t3000' in (done := there()).stdout, done)
        check(os.listdir(cache) == names and inodes(cache) != first and not os.path.exists(home + '/harm'), 'what was changed is used')
        os.remove(os.path.join(tools, 'tar'))
        done = there()
        check(done.returncode == 5 and 'none can be sent: tar is missing there' in done.stderr, done)
        os.remove(os.path.join(tools, 'uname'))
        write(os.path.join(tools, 'uname'), '#!/bin/sh\n[ "$1" = -m ] && echo sparc64 || echo Linux\n')
        os.chmod(os.path.join(tools, 'uname'), 0o755)
        done = there()
        check(done.returncode == 5 and 'this one cannot be sent: it is for Linux' in done.stderr and 'not Linux sparc64' in done.stderr, done)
    finally:
        bare.close()
        site()


@needs_sshd
def remote():
    """`run --remote STEP` runs there, says so, and the session's device stays"""
    site(extra=', }, remote = "%s", places = { none = { start = { "true" } }' % name())
    terminal = Terminal([GPULAB, '-q', '-n', '--device', 'emu:GTX 480', '3'], ENV, cwd=FOLDER.name, columns=120)
    try:
        terminal.expect('> $')
        terminal.line('run --remote tile')
        terminal.expect(r'GTX 280(.|\n)*tile.*yes')
        terminal.expect(r'Taken on emulator, by the rules of the GTX 280 \(ssh:.*, on \S+\)\.')
        terminal.expect('> $')
        terminal.line('device')
        terminal.expect('GTX 480')
    finally:
        terminal.kill()
        site()


tests = [results, remote, sent, noise, questions, cut, killed, killed_unseen, interrupted, nothing_there]
try:
    run_tests(tests)
finally:
    if SERVER and isinstance(SERVER[0], Sshd):
        SERVER[0].close()
