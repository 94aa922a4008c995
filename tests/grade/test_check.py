"""gpulab check LAB EXERCISE [FILE.cu]: texts, documents, exit codes. usage: test_check.py GPULAB SOURCE_ROOT"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from own_lab import SCALE, write_lab  # noqa: E402
import published  # noqa: E402
from terminal import check, run_tests, text_of, write  # noqa: E402

GPULAB, ROOT = map(os.path.abspath, sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-check-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'GPULAB_HOME': FOLDER.name + '/gpulab', 'NO_COLOR': '1', 'LANG': 'C.UTF-8'}
SOLUTION = text_of(os.path.join(ROOT, 'kernels/solutions/03-row-sums/row_sums.cu'))
BARRIER = '\t__syncthreads();'


def run(*args):
    done = subprocess.run([GPULAB, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=FOLDER.name, env=ENV,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def judged(name, text, *args):
    write(os.path.join(FOLDER.name, name), text)
    return run('check', '3', 'row-sums', name, *args)


def same(got, want):
    check(got == want, ('got %r' % (got,))[:600] + (', wanted %r' % (want,))[:600])


def holds(text, *parts):
    for part in parts:
        check(part in text, '%r is not in %r' % (part, text[-1500:]))


def passes():
    """a solution passes with exit code 0, with the lines of the prompt"""
    code, out, err = judged('good.cu', SOLUTION)
    same((code, err), (0, ''))
    holds(out, '(row-sums), good.cu\n', '  compiles          yes\n  result            right\n  checkers          no issues\n',
          '  acceptance check  18 conditions met\n', '\n  Passed.\n')


def starter():
    """without a file it is the starter, which does not meet its acceptance check: 7; then it is the student's copy"""
    code, out, _ = run('check', 'bank-conflicts', 'row')
    same(code, 7)
    holds(out, 'the unchanged starter', 'not met', 'row_sums.cu:20')
    copies = FOLDER.name + '/gpulab/03-bank-conflicts'
    os.makedirs(copies)
    write(copies + '/row_sums.cu', SOLUTION)
    code, out, _ = run('check', 'bank-conflicts', 'row')
    os.unlink(copies + '/row_sums.cu')
    same(code, 0)


def causes():
    """an early return and an uninitialized read are named as the cause of a wrong result"""
    code, _, err = judged('early.cu', SOLUTION.replace(BARRIER, '\tif (threadIdx.x >= 16) return;\n' + BARRIER))
    same(code, 3)
    holds(err, 'Likely cause: barrier error at early.cu:16: 16 of the block\'s 32 threads had\nended before this')
    code, _, err = judged('top.cu', SOLUTION.replace('int first', 'if (threadIdx.x >= 16) return;\n\tint first'))
    holds(err, 'Likely cause: barrier error at top.cu:')
    code, _, err = judged('unwritten.cu', SOLUTION.replace('i < ROW;', 'i < ROW - 1;'))
    same(code, 3)
    holds(err, 'Likely cause: uninitialized read at unwritten.cu:19', 'element 31: got an uninitialized value')


def a_log():
    """in a log of both streams the cause is before the verdict, and no command of the prompt is suggested without the prompt"""
    write(FOLDER.name + '/wrong.cu', SOLUTION.replace('= sum;', '= sum + 1;'))
    done = subprocess.run([GPULAB, 'check', '3', 'row-sums', 'wrong.cu'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, cwd=FOLDER.name, env=ENV, check=False)
    same(done.returncode, 3)
    places = [done.stdout.find(part) for part in ('wrong.cu', '2 048 of 2 048 elements', 'result            WRONG', 'the differences are listed')]
    check(places == sorted(places) and places[0] >= 0, done.stdout)
    check('`diff' not in done.stdout, done.stdout)
    _, out, _ = run('check', '3', 'row-sums')
    check('`hint row-sums` of `gpulab 3`' in ' '.join(out.split()) or '`hint' not in out, out)


def parameters():
    """a kernel with other parameters or another name than the starter's is the student's mistake: 1, with what to do"""
    code, out, err = judged('more.cu', re.sub(r'(__global__ void row_sums\([^)]*)', r'\1, int more = 0', SOLUTION))
    same(code, 1)
    holds(err, 'takes 3 arguments, got 2')
    holds(out, 'Give the kernel the parameters of the starter: the exercise passes\n  those.')
    code, out, err = judged('more.cu', SOLUTION.replace('row_sums(', 'row_sum('))
    same(code, 1)
    holds(err, 'there is no kernel "row_sums"')
    holds(' '.join(out.split()), 'Next: Give the kernel the name that the starter has')


def devices():
    """the emulator may be named before and after `check`; a GPU gives no verdict"""
    path = os.path.join(FOLDER.name, 'again.cu')
    write(path, SOLUTION)
    same(run('check', '--device', 'emu', '3', 'row-sums', path)[0], 0)
    same(run('check', '3', 'row-sums', path, '--device=emu:H200')[0], 0)
    code, _, err = run('check', '--device', 'cuda:0', '3', 'row-sums', path)
    same(code, 64)
    holds(err, 'a verdict does not come from cuda:0')


def faults():
    """what is said fits the fault: a barrier is no access, and a buffer has the name of the parameter"""
    _, out, _ = judged('bar.cu', '__global__ void row_sums(float *to, const float *from)\n{\n'
                       '\tif (threadIdx.x == 0) __syncthreads();\n\tasm volatile("bar.sync 1, 64;");\n\tto[0] = 1;\n}\n')
    holds(out, 'Next: The kernel stops early: let all threads of the block reach the same\n  barrier.')
    _, out, err = judged('past.cu', '__global__ void row_sums(float *to, const float *from)\n{\n'
                         '\tto[blockIdx.x * 32 + threadIdx.x] = from[(blockIdx.x * 32 + threadIdx.x) * 33];\n}\n')
    holds(out, 'fix the access reported above')
    holds(' '.join(err.split()), 'past the end of from (', 'element from[')
    _, out, _ = judged('wait.cu', '__device__ volatile int flag;\n__global__ void row_sums(float *to, const float *from)\n{\n'
                       '\twhile (!flag) ;\n\tto[0] = from[0];\n}\n')
    holds(out, 'DOES NOT END', 'The kernel never ends')
    _, out, _ = judged('loop.cu', '__global__ void row_sums(float *to, const float *from)\n{\n'
                       '\tvolatile int k = 0;\n\twhile (k >= 0) k = k + 1 & 1023;\n\tto[0] = from[0];\n}\n')
    holds(out, 'STOPPED, after too much work')


def warnings():
    """a warning of the compiler is shown once, whatever the verdict"""
    code, _, err = judged('warns.cu', SOLUTION.replace(BARRIER, '\tint unused;\n' + BARRIER))
    same(code, 0)
    same(err.count('warning #177-D: variable "unused" was declared but never referenced'), 1)


def kinds():
    """each kind of failure has its exit code; a kernel that never ends is stopped by the work it does, not by the time"""
    code, out, err = judged('syntax.cu', SOLUTION.replace(BARRIER, 'foo'))
    same(code, 1)
    holds(err, 'syntax.cu:15:1: error: identifier "foo" is undefined')
    code, _, err = judged('far.cu', SOLUTION.replace(BARRIER, BARRIER + 'sums[1 << 28] = 1;'))
    same(code, 2)
    holds(err, 'out of bounds')
    code, out, err = judged('loop.cu', SOLUTION.replace(BARRIER, 'for (;;);'))
    same(code, 4)
    holds(err, 'The kernel did not end within ', 'basic blocks')
    same(judged('loop.cu', SOLUTION.replace(BARRIER, 'for (;;);')), (code, out, err))
    code, out, err = judged('race.cu', SOLUTION.replace(BARRIER, ''))
    same(code, 6)
    holds(err, 'race at race.cu:')
    code, _, err = judged('other.cu', SOLUTION.replace(BARRIER, '#include "/etc/passwd"'))
    same(code, 1)
    check('root:' not in err, err)


def memory():
    """what a kernel keeps in __device__ memory is gone at its next launch: it cannot tell a counted launch from another"""
    code, _, err = judged('state.cu', SOLUTION.replace('__global__', '__device__ int launches;\n__global__').replace(
        BARRIER, BARRIER + 'if (threadIdx.x == 0 && atomicAdd(&launches, 1) >= gridDim.x) tile[0][0]++;' + BARRIER))
    same((code, err), (0, ''))


def hidden():
    """a race that only a size has that is not shown is found there"""
    solution = text_of(os.path.join(ROOT, 'kernels/solutions/06-any-size/any_size.cu'))
    write(os.path.join(FOLDER.name, 'any.cu'), solution)
    same(run('check', '6', 'any-size', 'any.cu')[0], 0)
    last = solution.rindex(BARRIER)
    write(os.path.join(FOLDER.name, 'any.cu'), solution[:last] + '\tif (n % 2 == 0) __syncthreads();' + solution[last + len(BARRIER):])
    code, out, err = run('check', '6', 'any-size', 'any.cu')
    same(code, 3)
    holds(err, 'Likely cause: race at any.cu:', 'with other inputs, n = ')


EDGES = ('x < columns && y + i < rows', 'x < rows && y + i < columns')


def other_shapes():
    """a kernel for the shape that is shown alone is refused with another one, larger in both directions, by the student's names"""
    solution = text_of(os.path.join(ROOT, 'kernels/solutions/04-rectangle/rectangle.cu'))
    path = os.path.join(FOLDER.name, 'shape.cu')
    write(path, solution.replace(EDGES[1], EDGES[1] + ' && x < 120 && y + i < 200'))
    code, out, err = run('check', '4', 'rectangle', 'shape.cu')
    same(code, 3)
    holds(err, 'with other inputs, rows = 159, columns = 265:\n')
    holds(' '.join(out.split()), 'Next: The result is right with the inputs of the task. It has to be right with those named above, too.')
    write(path, solution.replace(EDGES[0], 'x < max(columns, 200) && y + i < max(rows, 120)'))
    code, out, err = run('check', '4', 'rectangle', 'shape.cu')
    same(code, 2)
    holds(err, 'with other inputs, rows = 19, columns = 33:\nfault: out of bounds', 'idata[0] to idata[626]')
    holds(' '.join(out.split()), 'result FAULT', 'Next: The kernel has to handle the inputs named above, too: fix the access reported above.')


def a_larger_size():
    """a kernel that works up to the size that is shown is refused with a larger one, though the lab lists none"""
    solution = text_of(os.path.join(ROOT, 'kernels/solutions/06-any-size/any_size.cu'))
    write(os.path.join(FOLDER.name, 'any.cu'), solution.replace('if (x < n && y < n)', 'if (x < min(n, 100) && y < min(n, 100))'))
    code, _, err = run('check', '6', 'any-size', 'any.cu')
    same(code, 3)
    holds(err, 'with other inputs, n = 105:\n')
    code, _, err = judged('few.cu', SOLUTION.replace('\tint first =', '\tif (blockIdx.x >= 64) return;\n\tint first ='))
    same(code, 3)
    holds(err, 'with other inputs, a grid of 65 blocks:\n')


def own_solution():
    """a solution of an own lab that is wrong for a size is named with the size and what differs"""
    write_lab(FOLDER.name + '/own', 90, 'scale')
    write(FOLDER.name + '/own/solutions/90-scale/scale.cu', SCALE.replace('2 *', '(n == 12801 ? 3 : 2) *'))
    code, _, err = run('check', 'own/90-course.lua', 'scale', 'own/exercises/90-scale/scale.cu')
    same(code, 5)
    holds(' '.join(err.split()), 'exercise scale: the reference solution fails with size = 12801: ', 'of 12 801 elements of `y` differ')


def usage():
    """what cannot be checked is refused with a sentence"""
    same(run('check', '3')[0], 64)
    code, _, err = run('check', '3', 'row-sums', 'a.cu', 'b.cu')
    same(code, 64)
    holds(err, 'unexpected argument "b.cu"')
    code, _, err = run('check', '3', 'row-sums', 'nowhere.cu')
    same(code, 5)
    holds(err, 'there is no file nowhere.cu')
    code, _, err = run('check', '3', 'row-sum', '--jason', '-')
    same(code, 64)
    holds(err, 'did you mean --json?')
    code, _, err = run('check', '3', 'columns')
    same(code, 64)
    holds(err, 'its exercises: ')
    code, _, err = run('--device', 'cuda:0', 'check', '3', 'row-sums')
    same(code, 64)
    holds(err, 'the same on every machine')
    code, out, _ = run('check', '--help')
    same(code, 0)
    holds(out, 'usage: gpulab [options] check LAB EXERCISE [FILE.cu]', '--junit FILE')


def documents():
    """--json and --junit on standard output hold nothing else; escape sequences that a kernel prints are text"""
    code, out, _ = judged('print.cu', SOLUTION.replace(BARRIER, BARRIER + 'if (threadIdx.x == 0) printf("\\033[2Jx\\n");'),
                          '--json', '-')
    same(code, 0)
    document = json.loads(out)
    same([document[name] for name in ('schema', 'id', 'passed', 'outcome', 'file')],
         ['gpulab/verdict/1', '03-row-sums', True, 'ok', 'print.cu'])
    holds(document['printed'], '\\x1B[2Jx\n')
    check('\x1b' not in out, 'an escape sequence')
    code, out, _ = judged('race.cu', SOLUTION.replace(BARRIER, ''), '--junit', '-')
    same(code, 6)
    suites = published.junit(out)
    same((suites.tag, suites.get('tests'), suites.get('failures'), suites.get('errors')), ('testsuites', '1', '1', '0'))
    failure = suites.find('testsuite/testcase/failure')
    same(failure.get('type'), 'finding')
    holds(failure.get('message'), 'race at race.cu:')


def seeds():
    """other inputs: what has the shown input's result built in does not pass"""
    code, _, _ = judged('good.cu', SOLUTION, '--seed', '12345')
    same(code, 0)
    same(run('check', '3', 'row-sums', 'good.cu', '--seed', 'x')[0], 64)


run_tests([passes, starter, causes, a_log, parameters, devices, faults, warnings, kinds, memory, hidden, other_shapes, a_larger_size, own_solution, usage, documents, seeds])
