"""What is read by a name that comes from outside may be anything: a device, a pipe, a file that never ends. Each is refused by what it
is, and where much is read Ctrl-C and the limit of a compilation end it. usage: test_sources.py GPULAB"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from terminal import Terminal, check, run_tests, write

GPULAB = os.path.abspath(sys.argv[1])
NVCC = next((n for n in ('/usr/local/cuda/bin/nvcc', shutil.which('nvcc')) if n and os.path.exists(n)), None)
NOT_REGULAR, TOO_LARGE, FOLDER = 'it is not a regular file', 'it is too large, at most 16 MB are read', 'it is a folder'
LINK = 'is a link that leads out of its folder'
HUGE = 1 << 40


class Place:
    """A folder with files of every kind, as NAME.ENDING."""

    def __init__(self, ending='cu'):
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-sources-')
        self.path = self.folder.name
        self.env = {**os.environ, 'HOME': self.path, 'XDG_CACHE_HOME': self.path + '/cache', 'XDG_STATE_HOME': self.path + '/state',
                    'XDG_CONFIG_HOME': self.path + '/config', 'GPULAB_HOME': self.path + '/own', 'LANG': 'C.UTF-8', 'NO_COLOR': '1'}
        self.odd = {'zero.' + ending: NOT_REGULAR, 'random.' + ending: NOT_REGULAR, 'pipe.' + ending: NOT_REGULAR,
                    'socket.' + ending: NOT_REGULAR, 'huge.' + ending: TOO_LARGE}
        os.symlink('/dev/zero', self.at('zero.' + ending))
        os.symlink('/dev/urandom', self.at('random.' + ending))
        os.mkfifo(self.at('pipe.' + ending))
        socket.socket(socket.AF_UNIX).bind(self.at('socket.' + ending))
        with open(self.at('huge.' + ending), 'wb') as f:
            f.truncate(HUGE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def at(self, name):
        return os.path.join(self.path, name)

    def run(self, *args, env=None):
        done = subprocess.run([GPULAB, '-n', '--device', 'emu', *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              cwd=self.path, env={**self.env, **(env or {})}, timeout=300)
        return done.returncode, ' '.join(done.stdout.split()), ' '.join(done.stderr.split())

    def refused(self, name, why, *args, status=5, env=None):
        code, out, err = self.run(*args, env=env)
        link = why == NOT_REGULAR and LINK in out + err
        check((link or why in out + err) and name in out + err and code == status, '%s: %d %s %s' % (args, code, out[-300:], err[-300:]))


def kernels():
    """a .cu on the command line, of gpu.compile, check, new-lab, exec"""
    with Place() as p:
        for name, why in p.odd.items():
            p.refused(name, why, name)
            p.refused(name, why, '-e', 'gpu.compile("%s")' % name)
            p.refused(name, why, 'new-lab', name)
            if why != NOT_REGULAR or name.startswith(('pipe', 'socket')):
                p.refused(name, why, 'check', '3', 'row-sums', name)
            if NVCC:
                p.refused(name, why, 'exec', name)


def headers():
    """#include of a file that never ends, also by another header and by an option"""
    with Place('h') as p:
        for name in p.odd:
            why = 'at most 16 MB' if name == 'huge.h' else 'is not a regular file'
            write(p.at('outer.h'), '#include "%s"\n' % name)
            for header in (name, 'outer.h'):
                write(p.at('k.cu'), '#include "%s"\n__global__ void k(int *a) { *a = 1; }\n' % header)
                p.refused(name, why, '-e', 'gpu.compile("k.cu")', status=1)
            p.refused(name, why, '-e', 'gpu.compile_text("__global__ void k() {}", { options = { "-include", "%s" } })' % name, status=1)


def lua():
    """a lab, a script, what they load, a site file, a scheme"""
    with Place('lua') as p:
        for name, why in p.odd.items():
            p.refused(name, why, name)
            p.refused(name, why, '-e', 'dofile "%s"' % name, status=1)
            p.refused(name, why, '-e', 'error(select(2, loadfile "%s"), 0)' % name, status=1)
            p.refused(name, why, '-e', 'package.path = "./?.lua" require "%s"' % name[:-4], status=1)
            p.refused(name, why, '--device', 'job:x', '-e', 'print(gpu.device.gpu)', env={'GPULAB_SITE': p.at(name)})
            p.refused(name, why, 'grade', '.', '--scheme', name, status=64)


def paths():
    """package.searchpath answers as Lua's, without opening what it finds"""
    with Place('lua') as p:
        os.mkdir(p.at('a'))
        write(p.at('a/b.lua'), '')
        code, out, err = p.run('-e', 'print(package.searchpath("a.b", "./?.x;;./?.lua")) print(package.searchpath("a-b", "?.lua", "-"))'
                               ' print(package.searchpath("c%1", "?.lua;d/?")) print(package.searchpath("", "")) print(package.searchpath("pipe", "?.lua"))')
        check(code == 0 and out == "./a/b.lua a/b.lua nil no file 'c%1.lua' no file 'd/c%1' nil pipe.lua", (out, err))


def data():
    """what a buffer loads, a roster, a recorded run, the history"""
    with Place('csv') as p:
        os.makedirs(p.at('state/gpulab'))
        for name, why in p.odd.items():
            why = 'it is too large, at most 2 MB are read' if why == TOO_LARGE else why
            p.refused(name, why, '-e', 'gpu.buffer("int", 10):load("%s")' % name)
        for name, why in p.odd.items():
            p.refused(name, why, 'grade', '.', '--lab', '3', '--roster', name, '--id', 'a', '--column', 'b')
        os.symlink(p.at('zero.csv'), p.at('state/gpulab/history'))
        t = Terminal([GPULAB, '-n', '-q', '--device', 'emu'], {**p.env, 'TERM': 'dumb', 'INPUTRC': '/dev/null'}, cwd=p.path)
        try:
            t.expect('> $')
            t.line('print(6 * 7)')
            t.expect('\n42')
        finally:
            t.kill()


def endless_input():
    """a script on standard input that never ends"""
    with Place() as p:
        with subprocess.Popen(['yes', '--'], stdout=subprocess.PIPE) as yes:
            done = subprocess.run([GPULAB, '-n', '-'], stdin=yes.stdout, capture_output=True, text=True, check=False, env=p.env, timeout=300)
            yes.kill()
        check('too large' in done.stderr and done.returncode == 5, done.stderr)


FAULT = """#line 1 "%s"
__global__ void k(int *o) { __shared__ int s[32]; s[threadIdx.x + 100000] = 1; o[threadIdx.x] = s[threadIdx.x ^ 1]; }
"""
RACE = FAULT.replace(' + 100000', '')


def named_by_the_kernel():
    """what #line names as the source of a fault or a race may be anything: the message is there without its element"""
    with Place() as p:
        for name in ('zero.cu', 'pipe.cu'):
            write(p.at('named.cu'), FAULT % p.at(name))
            run = 'local k, b = gpu.compile("named.cu"):kernel("k"), gpu.buffer("int", 64, { fill = 0 }) print(%s)'
            _, out, err = p.run('-e', run % 'k{ grid = 1, block = 64 }(b)')
            check("of 's', which has 128" in out + err, out + err)
            write(p.at('named.cu'), RACE % p.at(name))
            _, out, err = p.run('-e', run % 'gpu.check(k, { grid = 1, block = 64 }, { b })')
            check('race at %s:1' % name in out + err, out + err)


def files_of_the_kernel():
    """a file that reports no size is read up to the bound"""
    with Place() as p:
        code, _, err = p.run('-e', 'gpu.compile("/proc/self/status")')
        check(code == 1 and '/proc/self/status:1' in err, err)


def links_that_lead_out():
    """check takes a link that stays in its folder, and no other"""
    with Place() as p:
        write(p.at('secret'), 'TOPSECRET\n')
        os.makedirs(p.at('repository'))
        write(p.at('repository/own.cu'), '#error own\n')
        os.symlink('../secret', p.at('repository/out.cu'))
        os.symlink('own.cu', p.at('repository/in.cu'))
        code, out, err = p.run('check', '3', 'row-sums', 'repository/out.cu')
        check(code == 5 and 'is a link that leads out of its folder' in err and 'TOPSECRET' not in out + err, out + err)
        code, out, err = p.run('check', '3', 'row-sums', 'repository/in.cu')
        check(code == 1 and 'own' in err, out + err)


def processor_seconds(pid):
    with open('/proc/%d/stat' % pid, encoding='ascii') as f:
        words = f.read().rsplit(')', 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK')


# Minutes of looking for headers; macros of which each is a mark because the next is.
FLOODS = {'includes': ''.join('#include "x%d.h"\n' % i for i in range(500000)),
          'macros': ''.join('#define m%d m%d\n' % (i, i + 1) for i in range(400000)) + '#define m400000 __global__\nint main() {}\n'}


def ctrl_c_while_a_source_is_read():
    """one press ends the reading of a source that takes long in the prompt's own process"""
    with Place() as p:
        for name, text in FLOODS.items():
            write(p.at(name + '.cu'), text)
            with subprocess.Popen([GPULAB, '-n', '--device', 'emu', name + '.cu'], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, cwd=p.path, env=p.env) as process:
                while process.poll() is None and processor_seconds(process.pid) < 1:
                    time.sleep(0.01)
                process.send_signal(signal.SIGINT)
                err = process.stderr.read()
                check(process.wait(timeout=300) == 130 and 'interrupted' in err, '%s: %s %s' % (name, process.returncode, err))


def reading_counts_for_the_limit():
    """the limit of a compilation bounds the reading of its source, too"""
    with Place() as p:
        for name, text in FLOODS.items():
            write(p.at(name + '.cu'), text)
            code, _, err = p.run('--limit', 'compile_time=0.5', '-e', 'gpu.compile("%s.cu")' % name)
            check(code == 4 and 'took more than 0.5 s of processor time' in err, '%s: %d %s' % (name, code, err))


sys.exit(run_tests([kernels, headers, lua, paths, data, endless_input, named_by_the_kernel, files_of_the_kernel, links_that_lead_out, ctrl_c_while_a_source_is_read,
                    reading_counts_for_the_limit]))
