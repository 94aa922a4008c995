"""Projects: a file with kernels and launches of its own, judged by a framework, the checkers, and its rate; at the command line, in
a class, and at the prompt. usage: test_project.py GPULAB SOURCE_ROOT"""
import json
import os
import re
import shutil
import subprocess
import sys

from grading import ENV, FOLDER, GPULAB, ROOT, at, grade, holds, same, submit
from terminal import run_tests, text_of, write

SOLUTION = text_of(os.path.join(ROOT, 'kernels/solutions/13-column-sums/column_sums.cu'))
STARTER = text_of(os.path.join(ROOT, 'kernels/exercises/13-column-sums/column_sums.cu'))
LAB = text_of(os.path.join(ROOT, 'labs/13-project.lua'))

# Blocks wait for the sums of those above: how often they look depends on when others run.
ONE_PASS = """__global__ void one_pass(const int *in, int *out, unsigned long long *upto, unsigned *tickets, int rows, int columns)
{
	__shared__ unsigned ticket;
	if (threadIdx.x == 0) ticket = atomicAdd(tickets, 1u);
	__syncthreads();
	int across = (columns + blockDim.x - 1) / blockDim.x, strip = ticket / across;
	int column = ticket % across * blockDim.x + threadIdx.x, first = strip * 32, sum = 0, before = 0;
	if (column >= columns) return;
	for (int row = first; row < min(first + 32, rows); row++) sum += in[(size_t)row * columns + column];
	unsigned long long *mine = upto + (size_t)strip * columns + column, above = 0;
	while (strip && !above) above = atomicAdd(mine - columns, 0);
	before = (int)(unsigned)above;
	atomicExch(mine, 1ull << 32 | (unsigned)(before + sum));
	for (int row = first; row < min(first + 32, rows); row++)
		out[(size_t)row * columns + column] = before += in[(size_t)row * columns + column];
}

void column_sums(const int *in, int *out, int rows, int columns)
{
	int strips = (rows + 31) / 32, across = (columns + 255) / 256;
	unsigned long long *upto;
	unsigned *tickets;
	cudaMalloc(&upto, sizeof *upto * strips * columns);
	cudaMalloc(&tickets, sizeof *tickets);
	cudaMemset(upto, 0, sizeof *upto * strips * columns);
	cudaMemset(tickets, 0, sizeof *tickets);
	one_pass<<<strips * across, 256>>>(in, out, upto, tickets, rows, columns);
	cudaFree(upto);
	cudaFree(tickets);
}
"""


def small_lab():
    """The project of lab 13, scored at a size that takes no time, with tiers to fit: as an own lab."""
    lab = LAB.replace('SIDE <const> = 8192', 'SIDE <const> = 1024').replace('rate = 600', 'rate = 60').replace(
        'rate = 1300', 'rate = 100').replace('rate = 1800', 'rate = 100000')
    write(at('13-project.lua'), lab)


def run(*args, text=None):
    done = subprocess.run([GPULAB, '--device', 'emu', *args], input=text or '', capture_output=True, text=True, cwd=FOLDER.name, env=ENV)
    return done.returncode, done.stdout, done.stderr


def check():
    """gpulab check: what it says of each stage, and its exit codes"""
    small_lab()
    write(at('a.cu'), SOLUTION)
    code, out, err = run('check', '13-project.lua', 'column-sums', 'a.cu', '--json', 'a.json')
    same((code, err), (0, ''))
    holds(out, 'right', 'no issues', 'GB/s on the H200 (predicted,', 'in 3 launches)', 'tier 2 of 3; tier 3 begins', 'Passed.')
    with open(at('a.json'), encoding='utf-8') as f:
        score = json.load(f)['score']
    same((score['tier'], score['tiers'], score['share'], score['unit'], score['gpu']), (2, 3, 0.8, 'GB/s', 'H200'))
    same(100 < score['rate'] < 100000, True)
    code, out, err = run('check', '13-project.lua', 'column-sums', 'a.cu', '--measure', 'emu:H200')
    same(code, 64)
    holds(err, 'not a GPU that measures')
    cases = ((1, SOLUTION.replace('sum = 0;', 'sum = zero;', 1), 'identifier "zero" is undefined'),
             (1, STARTER.replace('(const int *in', '(const zint *in', 1), '__global__ void sum_columns(const zint'),
             (1, SOLUTION + 'void f() { exit(0); }\n', 'exit is not allowed in a project'),
             (3, SOLUTION.replace('before += sum', 'before -= sum'), 'row 128, column 0: got'),
             (6, SOLUTION.replace('if (column >= columns) return;', ''), 'with 1 x 1: invalid memory access'),
             (7, '%s' % STARTER, 'tier 0 of 3'),
             (2, SOLUTION.replace('cudaFree(sums);', 'volatile int *p = nullptr; *p = 1;'), 'ended by signal 11'))
    for want, text, said in cases:
        write(at('a.cu'), text)
        code, out, err = run('check', '13-project.lua', 'column-sums', 'a.cu')
        same((said, code), (said, want))
        holds(out + err, said)


def repeated():
    """A rate is the same each time, also where blocks wait for others"""
    small_lab()
    write(at('a.cu'), ONE_PASS)
    rates = []
    for _ in range(4):
        code, out, err = run('check', '13-project.lua', 'column-sums', 'a.cu', '--json', 'a.json')
        same((code, err, 'right' in out), (0, '', True))
        with open(at('a.json'), encoding='utf-8') as f:
            rates.append(json.load(f)['score']['rate'])
    same(rates[1:], rates[:-1])


def a_class():
    """gpulab grade: a tier's share of the points, and views of a submission"""
    small_lab()
    submit('class/ann/column_sums.cu', text=SOLUTION)
    submit('class/bob/13-column-sums/mine.cu', text=STARTER)
    out = grade('class', '--lab', '13-project.lua', '--out', 'out')
    holds(out, 'ann: 1 of 1', '0.8 of 1', 'not accepted')
    with open(at('out/grades.json'), encoding='utf-8') as f:
        students = json.load(f)['submissions']
    same([s['points'] for s in students], [0.8, 0])
    done = subprocess.run([GPULAB, 'grade', 'class', '--lab', '13-project.lua', '--out', 'out', '--prompt'], capture_output=True, text=True,
                          input='why ann\nlines 2\ndebug ann\nfinish\n', cwd=FOLDER.name, env=ENV)
    holds(done.stdout, '0.8', 'Limiter on the H200', 'add_rows', '__global__ void sum_columns', 'At the beginning of the block')


def prompt():
    """At the prompt: check, views of its costliest launch, and a save"""
    small_lab()
    _, out, err = run('-q', '13-project.lua', text='exercises\ncheck\nwhy column-sums\nlines column-sums\ncounters column-sums\nresources '
                      'column-sums\nroofline column-sums\ngenerations column-sums\ndebug column-sums\nfinish\nhint\nsolution\n')
    holds(out, 'column-sums', 'tier 0 of 3', 'sum_columns<<<', 'Limiter on the H200', 'global_load_requests', 'registers',
          'Roofline of the H200', 'every GPU', 'At the beginning of the block', 'column_sums.cu:')
    holds(err, 'is not passed yet')


def several():
    """At the prompt: a project of three launches: each of them, all of them, and the costliest"""
    small_lab()
    _, out, _ = run('-q', '13-project.lua', text='edit column-sums\n')
    write(re.search(r'(~/\S+\.cu) is your copy', out)[1].replace('~', ENV['HOME']), SOLUTION)
    _, out, err = run('-q', '13-project.lua', text='check\nlaunches\nwhy #1\nwhy column-sums\n'
                      'generations column-sums\ncheck\nwhy #1\nwhy #4\n')
    rate = re.search(r'(\d+) GB/s on the H200 \(predicted, [\d.]+ µs in 3 launches\)', ' '.join(out.split()))[1]
    first, whole, every, again = re.search(
        r'#1 +sum_strips<<<.*#2 +sums_before<<<.*#3 +add_rows<<<.*?(\nsum_strips<<<.*)(\nadd_rows<<<.*)'
        r'(\n  Prefix sums of columns, 3 launches, on every GPU.*)(\nsum_strips<<<[^\n]* \(#4\).*)', out, re.S).groups()
    holds(whole, 'in 3 launches', 'Limiter on the H200, longest launch')
    same(('in 3 launches' in first + again, re.search(r'H200 +(\d+) ', every)[1]), (False, rate))
    holds(every, '`limited by` is about the longest launch')
    holds(err, 'launch 1 is not known any more')


if not (shutil.which('nvcc') or os.path.exists('/usr/local/cuda/bin/nvcc')):
    print('1..0 # SKIP there is no nvcc')
    sys.exit(0)
run_tests([check, repeated, a_class, prompt, several])
