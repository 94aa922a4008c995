"""A folder and kernel files with letters beyond ASCII and blanks: source lines in every view. The compilers write such
paths as escapes. usage: test_letters.py GPULAB SOURCE_ROOT [CUDA_HOME]"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from terminal import Terminal, check, run_tests, text_of, write

GPULAB, ROOT = map(os.path.abspath, sys.argv[1:3])
TEMPORARY = tempfile.TemporaryDirectory(prefix='gpulab-letters-')
FOLDER = os.path.join(TEMPORARY.name, 'Můj kurz', 'gpu lab')
shutil.copytree(ROOT + '/kernels', FOLDER, ignore=shutil.ignore_patterns('exercises', 'solutions'))
shutil.copy(ROOT + '/labs/03-bank-conflicts.lua', FOLDER)
ENV = {**os.environ, 'HOME': TEMPORARY.name, 'GPULAB_HOME': FOLDER + '/vlastní', 'TERM': 'xterm', 'LANG': 'C.UTF-8', 'INPUTRC': '/dev/null',
       'NO_COLOR': '1', 'XDG_CONFIG_HOME': TEMPORARY.name}
LAB, SIZE = './03-bank-conflicts.lua', ['--set', 'n=256']
TILE = 'odata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];'
FAR = '__global__ void far(float *a)\n{\n\tint i = threadIdx.x;\n\ta[i + 100000] = i;\n}\n'
write(FOLDER + '/dálka.cu', FAR)


def gpulab(*words, **more):
    return subprocess.run([GPULAB, '-n', '--device', 'emu', *words], env=ENV, cwd=FOLDER, capture_output=True, text=True, check=False, **more)


def holds(text, *parts):
    for part in parts:
        check(part in text, '%r is not in %r' % (part, text[-2500:]))


def prompt(*words):
    t = Terminal([GPULAB, '-q', '-n', '--device', 'emu', *words], ENV, cwd=FOLDER, columns=120, rows=400)
    t.expect('> $')
    return t


def answers(t, line):
    """What a command prints."""
    t.line(line)
    return t.expect('(.*)\n[^\n]*> $')[1]


def lab():
    """at the prompt of a lab: why, lines, disassemble, the stepper and its variables"""
    t = prompt(*SIZE, LAB)
    try:
        answers(t, 'run tile')
        for line in ('why tile', 'lines tile', 'disassemble tile'):
            holds(answers(t, line), TILE)
        t.line('debug tile')
        t.expect('debug> $')
        for _ in range(60):
            t.line('s')
            if TILE in t.expect('(.*)debug> $')[1]:
                break
        else:
            raise AssertionError('the stepper shows no source line')
        t.line('print x')
        holds(t.expect('(.*)debug> $')[1], '0:   0  1  2  3')
    finally:
        t.kill()


def documents():
    """in the JSON and HTML documents"""
    done = gpulab('--batch', *SIZE, '--step', 'tile', '--json', 'a.json', '--html', 'a.html', LAB)
    check(done.returncode == 0, done)
    lines = json.loads(text_of(FOLDER + '/a.json'))['steps'][0]['lines']
    check([line['file'] for line in lines if line.get('text', '').strip() == TILE] == [FOLDER + '/transpose.cu'], lines)
    holds(html.unescape(re.sub('<[^>]+>', '', text_of(FOLDER + '/a.html'))), TILE)


def listed():
    """a list of a .cu file has the lines of its kernels"""
    done = gpulab('dálka.cu')
    check(done.returncode == 0 and re.search(r'^ +1  far\(float \*a\)', done.stdout, re.M), done)


def faults():
    """a fault and a checker's issue name the line"""
    chunk = 'local k = gpu.kernel("dálka.cu", "far") k{grid = 1, block = 32}(gpu.buffer("float", 32))'
    done = gpulab('-e', chunk)
    check(done.returncode != 0 and 'dálka.cu:4' in done.stderr, done)
    done = gpulab('--check', 'all', '-e', chunk)
    holds(done.stdout + done.stderr, 'dálka.cu:4')


def programs():
    """under exec: the program and its kernel are in such a folder"""
    cuda = sys.argv[3] if len(sys.argv) > 3 else ''
    nvcc = os.path.join(cuda, 'bin/nvcc') if os.path.exists(cuda + '/bin/nvcc') else shutil.which('nvcc')
    if not nvcc:
        return 'skip: there is no nvcc'
    write(FOLDER + '/celý.cu', FAR + 'int main()\n{\n\tfloat *a;\n\tcudaMalloc(&a, 128);\n\tfar<<<1, 32>>>(a);\n\treturn cudaDeviceSynchronize() != 0;\n}\n')
    done = gpulab('exec', 'celý.cu')
    check(done.returncode != 0, done)
    holds(done.stdout + done.stderr, 'celý.cu:4')
    return None


def grades():
    """grade: submissions in such a folder, and the line in the feedback"""
    submission = os.path.join(FOLDER, 'odevzdáno', 'Žofie', '03-bank-conflicts')
    os.makedirs(submission)
    solution = text_of(ROOT + '/kernels/solutions/03-row-sums/row_sums.cu')
    write(submission + '/row_sums.cu', solution.replace('\t__syncthreads();', '\t__syncthreads(); sums[1 << 28] = 1;'))
    done = gpulab('grade', 'odevzdáno', '--lab', '3', '--out', 'známky')
    check(done.returncode == 0, done)
    verdict = json.loads(text_of(FOLDER + '/známky/grades.json'))['submissions'][0]['verdicts'][0]
    holds(verdict['message'] + '\n', 'source    row_sums.cu:15\n')


if __name__ == '__main__':
    sys.exit(run_tests([lab, documents, listed, faults, programs, grades]))
