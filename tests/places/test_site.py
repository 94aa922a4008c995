"""Site files: mistakes are named, words are filled in; the script for PBS, with stand-ins for qsub, qstat, qdel and ssh.
usage: test_site.py GPULAB SOURCE"""
import os
import re
import subprocess
import sys
import tempfile

from servers import until, write
from terminal import check, run_tests

GPULAB, SOURCE = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-site-')
SITE = os.path.join(FOLDER.name, 'site.lua')
BIN = os.path.join(FOLDER.name, 'bin')
ENV = {**os.environ, 'HOME': FOLDER.name, 'GPULAB_SITE': SITE, 'XDG_CONFIG_HOME': FOLDER.name + '/config', 'XDG_CACHE_HOME': FOLDER.name + '/cache',
       'PATH': BIN + ':' + os.environ['PATH']}
USE = 'local b = gpu.buffer("int", 1000, { fill = 3 }) print("sum", b:download():sum(), gpu.device.place ~= nil)'


def gpulab(device, chunk=USE):
    return subprocess.run([GPULAB, '-n', '--device', device, '-e', chunk], env=ENV, cwd=FOLDER.name, capture_output=True, text=True)


def mistakes():
    """what is wrong in a site file is named, with the file"""
    for text, said in [('return 3', 'returns a table'), ('return { slrm = {} }', 'slrm: a site file has remote'), ('return {', 'expected'),
                       ('return { slurm = { wait = "long" } }', 'slurm.wait: a number expected, got a string'),
                       ('return { slurm = { options = { 1 } } }', 'slurm.options: a list of texts'),
                       ('return { slurm = { opptions = {} } }', 'slurm.opptions: places have no such field'),
                       ('return { slurm = { warm = 0 } }', 'slurm.warm: 1 to 1000000 seconds'), ('return { places = { a = {} } }', 'places.a: start is missing'),
                       ('return { places = { a = { start = {} } } }', 'places.a.start: at least one word expected'),
                       ('return { places = 1 }', 'places: a table'), ('return { remote = 1 }', 'remote: the name'), ('error("no")', 'no'),
                       ('io.open("x")', 'io'), ('os.execute("true")', 'execute')]:
        write(SITE, text)
        done = gpulab('slurm')
        check(done.returncode == 64 and said in done.stderr and SITE in done.stderr, (text, done))


def names():
    """what is no place, and a host that reads as an option, are refused"""
    write(SITE, 'return {}')
    for device, status, said in [('job:none', 5, 'no site file describes the place "none"'), ('ssh', 64, 'a host is missing'),
                                 ('ssh:-oProxyCommand=true', 64, 'is not a name'), ('ssh:a;b', 64, 'is not a name'), ('slurm:$(id)', 64, 'is not a name')]:
        done = gpulab(device)
        check(done.returncode == status and said in done.stderr, (device, done))


def words():
    """words are filled in, and what names something unset is left out"""
    write(SITE, 'return { places = { a = { start = { "sh", "-c", "echo $0 $@ >&2", "{job}", "{partition}", "{options}", "-x{name}" }, '
          'options = { "one two" } } } }')
    done = gpulab('job:a')
    check(done.returncode == 5 and '-1 one two -xa' in done.stderr, done)


def asked_once():
    """a worker that does not come is asked for once by a command, not twice: each may wait in a queue"""
    log = os.path.join(FOLDER.name, 'asked')
    write(SITE, 'return { places = { a = { start = { "sh", "-c", "echo asked >>%s; exit 3" }, gpu = "GTX 280", device = "emu" } } }' % log)
    write(os.path.join(FOLDER.name, 'k.cu'), 'extern "C" __global__ void k(int *a) { a[0] = 1; }\n')
    for chunk in ('gpu.buffer("int", 8)', 'gpu.kernel("k.cu", "k")'):
        write(log, '')
        done = gpulab('job:a', chunk)
        with open(log, encoding='utf-8') as f:
            check(done.returncode == 5 and f.read() == 'asked\n', (chunk, done))


def shipped():
    """the site files that are shipped load"""
    for name in os.listdir(os.path.join(SOURCE, 'contrib/site')):
        with open(os.path.join(SOURCE, 'contrib/site', name), encoding='utf-8') as f:
            write(SITE, f.read())
        done = gpulab('job:none')
        check(done.returncode == 5 and 'no site file describes' in done.stderr, (name, done))


def pbs():
    """for PBS: the job's node and GPUs are used, and the job is deleted at the end and on failure"""
    os.makedirs(BIN, exist_ok=True)
    log = os.path.join(FOLDER.name, 'log')
    # The job of this stand-in is a process here; `ssh` runs its command here.
    write(BIN + '/qsub', '#!/bin/sh\necho "qsub $*" >>%s\nwhile [ "$1" != -- ]; do\n  [ "$1" = -v ] && export "$2"\n  shift\ndone\nshift\n'
          'CUDA_VISIBLE_DEVICES=GPU-7 "$@" >/dev/null 2>&1 &\necho $!.server\n' % log)
    write(BIN + '/qstat', '#!/bin/sh\nkill -0 "${1%.server}"\n')
    write(BIN + '/qdel', '#!/bin/sh\necho "qdel $1" >>%s\npkill -P "${1%%.server}"\nkill "${1%%.server}"\n' % log)
    write(BIN + '/ssh', '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\necho "ssh $2: $3" >>%s\nexec sh -c "$3"\n' % log)
    for name in os.listdir(BIN):
        os.chmod(os.path.join(BIN, name), 0o755)
    os.symlink(os.path.dirname(GPULAB), FOLDER.name + '/it\'s "here" now')
    write(SITE, 'return { pbs = { gpulab = [[$HOME/it\'s "here" now/%s]], options = { "-lselect=1:ngpus=1" } } }' % os.path.basename(GPULAB))
    done = gpulab('pbs:short/emu')
    check('sum\t3000\ttrue' in done.stdout, done)
    until(lambda: 'qdel' in open(log, encoding='utf-8').read(), lambda: open(log, encoding='utf-8').read())
    with open(log, encoding='utf-8') as f:
        said = f.read()
    check('-qshort -lselect=1:ngpus=1' in said and re.search(r"'\d+' '\d+\.server' 'GPU-7'", said), said)
    write(BIN + '/qsub', '#!/bin/sh\necho "qsub: no such queue" >&2\nexit 1\n')
    done = gpulab('pbs:wrong/emu')
    check(done.returncode == 5 and 'no such queue' in done.stderr, done)


def digests():
    """a right content is known by its digest at the other end of a pipe, where nothing is shared"""
    write(SITE, 'return { places = { pipe = { start = { "%s", "--worker", "gateway" }, device = "emu" } } }' % GPULAB)
    done = subprocess.run([GPULAB, '-n', '--device', 'job:pipe', SOURCE + '/tests/lua/bind/bind_buffer.lua', 'test_digests'], env=ENV, capture_output=True,
                          text=True)
    if "module 'luaunit' not found" in done.stderr or 'luaunit is not installed' in done.stdout:
        return 'skip: LuaUnit is not installed'
    point = [line for line in done.stdout.splitlines() if 'test_digests' in line]
    check(point and point[0].startswith('ok') and 'SKIP' not in point[0].upper(), done)
    return None


run_tests([mistakes, names, words, asked_once, shipped, pbs, digests])
