"""gpulab FILE.cu and gpulab new-lab FILE.cu. usage: test_cuda_file.py GPULAB"""
import json
import os
import re
import subprocess
import sys
import tempfile

from terminal import CTRL_C, CTRL_D, TAB, Terminal, plain, check, run_tests, text_of, write

GPULAB = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config',
       'XDG_CACHE_HOME': FOLDER.name + '/cache', 'GPULAB_HOME': FOLDER.name + '/gpulab', 'LANG': 'C.UTF-8'}

PROGRAM = '''#include <cstdio>
#include <vector>
#include "scale.h"
#define CHECK(call) do { if ((call) != cudaSuccess) exit(1); } while (0)

template <int N> __global__ void fill(int *out) { out[threadIdx.x] = N; }

__global__ void scale(float *y,
                      const float *x, float a, uint n)
{
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = times(x[i], a) + (x[i] == INFINITY);
}

static void reference(std::vector<float> &y) { for (auto &v : y) v *= 2; }

int main(int argc, char **argv)
{
    float *y, *x;
    CHECK(cudaMalloc(&y, 4096));
    scale<<<4, 256>>>(y, x, 2.0f, 1024);
    return 0;
}
'''
HEADER = '#pragma once\n#include <string>\nstruct Option { std::string name; };\n__device__ float times(float a, float b) { return a * b; }\n'


def path(name):
    return os.path.join(FOLDER.name, name)


def run(*args, text=''):
    done = subprocess.run([GPULAB, '--device', 'emu', *args], capture_output=True, cwd=FOLDER.name, env=ENV, check=False,
                          input=text if isinstance(text, bytes) else text.encode())
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def files():
    write(path('scale.cu'), PROGRAM)
    write(path('scale.h'), HEADER)


def idle_launches():
    """a launch that wrote nothing is an issue until one of the kernel has written"""
    files()
    lines = ('a = gpu.buffer("float", 64, { fill = 1 }) b = gpu.buffer("float", 64, { fill = 1 })', 'k.scale{grid = 1, block = 32}(a, b, 2, 0)',
             'k.scale{grid = 1, block = 32}(a, b, 2, 64)', 'k.scale{grid = 1, block = 32}(a, b, 2, 0)')
    code, got, said = run('--check', 'all', 'scale.cu', '-e', '\n'.join(lines))
    check(code == 6 and (got + said).count('launch without effect') == 1, got + said)


def lists_kernels():
    """without a terminal: the kernels with their lines and signatures, and exit code 0"""
    files()
    wanted = ('scale.cu: 2 kernels\n      6  fill<int N>(int *out)\n'
              '      8  scale(float *y, const float *x, float a, uint n)\n')
    got = run('scale.cu')
    check(got == (0, wanted, ''), repr(got))


def reads_text_files():
    """a byte order mark is no part of the text; a NUL byte is reported with its line, and the exit code is 1"""
    write(path('mark.cu'), '\ufeff#include "mark.h"\n__global__ void k(int *p) { p[0] = MARK; }\nint main() {}\n')
    write(path('mark.h'), '\ufeff#define MARK 1\n')
    got = run('mark.cu')
    check(got == (0, 'mark.cu: 1 kernel\n      2  k(int *p)\n', ''), repr(got))
    write(path('nul.cu'), '\n__global__ void k(int *p) { p[0] = 1; }\0\n')
    for words in (['nul.cu'], ['new-lab', 'nul.cu']):
        code, _, said = run(*words)
        check(code == 1 and 'nul.cu:2: error: a NUL byte in the source' in said and 'UTF-8' in said, '%d %s' % (code, said))
        check('internal error' not in said, said)


DECLARED = '''#include "other.cuh"
#define KERNEL(name) __global__ void name
#define MARK __global__
#define BOTH(x) x(zero, int) x(one, float)
#define MADE(name, type) __global__ void name(type *p, unsigned n) { p[n] = 0; }
#if 0
__global__ void old(int *p) { p[0] = 1; }
#endif
#ifdef USE_DOUBLE
__global__ void k(double *p) { p[0] = 1; }
#else
__global__ void k(float *p) { p[0] = 2; }
#endif
KERNEL(a)(int *p, float q) { p[0] = q; }
MARK void
b(int *p) { p[0] = 3; }
BOTH(MADE)
namespace n { extern "C" __global__ void c(int *p) { p[0] = 4; } }
__global__ void twice(int *p);
__global__ void twice(int *p) { p[0] = 5; }
__global__ void twice(float *p) { p[0] = 6; }
template <int N> __global__ void t(int *p) { p[0] = N; }
template __global__ void t<7>(int *);
#ifdef USE_DOUBLE
template <class T> MARK void u(T *p, double a) { p[0] = a; }
#else
template <class T> MARK void u(T *p, float a) { p[0] = a; }
#endif
int main() { b<<<1, 1>>>(0); }
'''
LISTED = '''declared.cu: 11 kernels
     12  k(float *p)
     14  a(int *p, float q)
     16  b(int *p)
     17  zero(int*, unsigned)
     17  one(float*, unsigned)
     18  c(int *p)
     20  twice(int *p): k["_Z5twicePi"]
     21  twice(float *p): k["_Z5twicePf"]
     22  t<int N>(int *p)
     27  u<class T>(T *p, float a)
         other(int *p) (other.cuh:2)
'''


def lists_what_was_compiled():
    """no kernel that #if leaves out; those of macros, headers and extern "C" under the names that launch them; new-lab agrees"""
    write(path('declared.cu'), DECLARED)
    write(path('other.cuh'), '#pragma once\n__global__ void other(int *p) { p[0] = 8; }\n')
    got = run('declared.cu')
    check(got == (0, LISTED, ''), repr(got))
    for name, wanted in (('twice', '2 kernels are named twice\n  launch one by its linked name: k["_Z5twicePi"] or k["_Z5twicePf"]\n'),
                         ('zreo', 'the module has no kernel "zreo"\n  did you mean "zero"?\n'),
                         ('what', 'the module has no kernel "what"\n  `kernels` lists the kernels\n'),
                         ('t', 't<int N> is a template\n  launch an instance of it: k["t<...>"]\n')):
        got = run('declared.cu', '-e', 'k.%s{ grid = 1, block = 1 }()' % name)
        check(got == (64, '', wanted), repr(got))
    got = run('declared.cu', '-e', 'k[{}]{ grid = 1, block = 1 }()')
    check(got == (64, '', 'k takes the name of a kernel, got a table\n'), repr(got))
    names = ('k', 'a', 'b', 'zero', 'one', 'c', '_Z5twicePi', '_Z5twicePf', 't<9>', 'other')
    write(path('launch.lua'), 'local m = gpu.compile("declared.cu", { names = { "t<9>" } })\n' +
          ''.join('m:kernel(%r) gpu.kernel("declared.cu", %r)\n' % (name, name) for name in names) + 'print(#m.kernels)\n')
    got = run('launch.lua')
    check(got == (0, '11\n', ''), repr(got))
    code, got, said = run('new-lab', 'declared.cu')
    check(code == 0 and re.search('a lab with [0-9]+ steps', got), got + said)
    text = text_of(path('declared.lua'))
    for part in ('name = "_Z5twicePi"', 'id = "twice-2"', 'argument1 = { type = "int"', 'one_argument1 = { type = "float"', 'name = "other"'):
        check(part in text, text)
    code, got, said = run('--batch', '--step', 'a', './declared.lua')
    check(code == 0 and 'not checked' in got, '%d %s %s' % (code, got, said))


def reports_mistakes():
    """a host function called from a kernel, a header that is nowhere: the message says what to do, and the exit code is 1"""
    write(path('bad.cu'), 'int twice(int a) { return 2 * a; }\n__global__ void k(int *o) { *o = twice(3); }\nint main() { k<<<1, 1>>>(0); }\n')
    code, _, said = run('bad.cu')
    check(code == 1 and 'bad.cu:2:' in said and 'host function (line 1)' in said, said)
    write(path('lost.cu'), '#include <stdio.h>\n#include "lost.h"\n__global__ void k(Lost *o) {}\n')
    code, _, said = run('lost.cu')
    check(code == 1 and 'gpulab -I DIR' in said, said)
    os.makedirs(path('found'), exist_ok=True)
    write(path('found/lost.h'), 'struct Lost { int a; };\n')
    code, got, said = run('-I', 'found', 'lost.cu')
    check(code == 0 and 'k(Lost *o)' in got, got + said)


def includes_from_parent_folders():
    """#include "../x.h" is found for a file that is named, for its lab and at the prompt; what else may not be read stays closed"""
    for folder in ('course/src', 'course/inc', 'course/.git', 'other'):
        os.makedirs(path(folder), exist_ok=True)
    write(path('course/inc/kern.cuh'), '__global__ void k(int *x) { x[0] = 7; }\n')
    write(path('course/.git/x.cuh'), 'SECRET\n')
    main = '#include <cstdio>\n#include "%s"\nint main() { int *x; cudaMalloc(&x, 4); k<<<1, 1>>>(x); }\n'
    write(path('course/src/main.cu'), main % '../inc/kern.cuh')
    for words in (['course/src/main.cu'], ['./course/src/main.cu']):
        code, got, said = run(*words)
        check(code == 0 and '1 kernel' in got and 'k(int *x) (kern.cuh:1)' in got, got + said)
    code, got, said = run('new-lab', 'course/src/main.cu')
    check(code == 0 and 'a lab with 1 step: ' in got, got + said)
    code, got, said = run('--batch', 'course/src/main.lua')
    check('outside' not in got + said, got + said)
    for bad in ('../.git/x.cuh', '/etc/passwd', '../../../../../../../etc/passwd'):
        write(path('course/src/bad.cu'), main % bad)
        code, got, said = run('course/src/bad.cu')
        check(code == 1 and 'outside the folders' in said and 'SECRET' not in said and 'root:' not in said, got + said)
    # Nor is a file shown that a line says it is from.
    write(path('course/.git/key'), 'SECRET\n' * 9)
    write(path('course/src/line.cu'), '__global__ void f(float *x) {\n#line 3 "%s"\n  x[threadIdx.x * 8] = 1;\n}\n' % path('course/.git/key'))
    for words in (['--html', path('line.html'), '--json', path('line.json')], ['-e', 'command.lines() command.why() command.disassemble("1")']):
        code, got, said = run('course/src/line.cu', '-e', 'k.f{grid = 1, block = 32}(gpu.buffer("float", 256))', *words)
        check(code == 0 and 'SECRET' not in got + said, got + said)
        check(';\n  predicted H200' in got and max(map(len, got.split('\n'))) <= 80, got)
    page = text_of(path('line.html'))
    check('SECRET' not in page + text_of(path('line.json')) and 'key' in page, page)
    write(path('by_name.lua'), 'print(pcall(gpu.compile, "course/src/main.cu"))')
    code, got, said = run('by_name.lua')
    check('false' in got and 'outside the folders' in got, got + said)
    write(path('course/src/two.cu'), '#include <cstdio>\n#include "helper.h"\n__global__ void k(int *p) { p[0] = 1; }\nint main() {}\n')
    code, got, said = run('course/src/two.cu')
    check(code == 0 and '1 kernel' in got, got + said)
    write(path('course/src/gone.cu'), main % '../inc/gone.cuh')
    code, got, said = run('course/src/gone.cu')
    check(code == 1 and 'gone.cu has no kernel' in said and '"../inc/gone.cuh" (line 2) was left out' in said, got + said)


TUNED = """#if __cplusplus >= 202002L
template <class T> concept Small = sizeof(T) < 8;
template <Small T> __device__ T two() { return 2; }
#else
__device__ int two() { return 2; }
#endif
__global__ void tuned(int *p) { p[0] = two() * TILE;
#ifdef MORE
p[1] = MORE;
#endif
}
int main() { int *p; cudaMallocManaged(&p, 8); tuned<<<1, 1>>>(p); cudaDeviceSynchronize(); printf("%d %d\\n", p[0], p[1]); }
"""


def takes_options_of_a_build():
    """-D, -I and -std before or after FILE.cu, for new-lab and exec; nonsense, and what they say nothing to, is refused in words"""
    write(path('tuned.cu'), '#include <cstdio>\n' + TUNED)
    code, _, said = run('tuned.cu')
    check(code == 1 and 'gpulab -D TILE=VALUE FILE.cu' in said, said)
    for options in (['-D', 'TILE=4', 'tuned.cu'], ['tuned.cu', '-DTILE=4', '-DMORE'], ['-D', 'TILE=threadIdx.x + 1', 'tuned.cu'],
                    ['-DTILE=2', '-std=c++14', 'tuned.cu']):
        code, got, said = run(*options)
        check(code == 0 and 'tuned(int *p)' in got, got + said)
    write(path('twenty.cu'), TUNED.replace('two()', 'two<int>()').replace('int two<int>()', 'int two()').replace('T two<int>()', 'T two()'))
    code, got, said = run('-std', 'c++20', '-DTILE=4', 'twenty.cu')
    check(code == 0 and 'tuned(int *p)' in got, got + said)
    for bad in ('', '9=1', 'A-B=1', '=3', 'TILE=1\n#error', 'F(x)=x', '-I'):
        code, _, said = run('-D', bad, 'tuned.cu')
        check(code == 64 and '-D expects NAME or NAME=VALUE' in said, '%r: %s' % (bad, said))
    code, _, said = run('-DTILE=)', 'tuned.cu')
    check(code == 1 and 'internal' not in said, said)
    for bad in ('-std=c++99', '-std=', '--std=gnu++17'):
        code, _, said = run(bad, 'tuned.cu')
        check(code == 64 and 'c++20' in said, said)
    write(path('none.lua'), 'print "ran"')
    for words in (['none.lua'], ['check', '3', 'swizzle'], ['grade', '.']):
        code, _, said = run('-D', 'X=1', *words)
        check(code == 64 and '-D says nothing to' in said, said)
    code, got, said = run('-D', 'TILE=4', 'new-lab', 'tuned.cu')
    check(code == 0 and 'a lab with 1 step: ' in got, got + said)


def launches_at_the_prompt():
    """at a prompt, k launches kernels and instances of templates; `kernels` reads the file again"""
    files()
    terminal = Terminal([GPULAB, '--device', 'emu', '-q', 'scale.cu'], ENV, FOLDER.name)
    try:
        terminal.expect(r'scale\.cu: 2 kernels')
        terminal.expect(r'k\.scale\{')
        terminal.expect('> ')
        terminal.line('x, y = gpu.buffer("float", 8, { fill = 3 }), gpu.buffer("float", 8)')
        terminal.expect('> ')
        terminal.line('k.scale{ grid = 1, block = 8 }(y, x, 2, 8)')
        terminal.expect('> ')
        terminal.line('y[7]')
        terminal.expect(r'6\.0')
        terminal.expect('> ')
        terminal.line('i = gpu.buffer("int", 4) k["fill<7>"]{ grid = 1, block = 4 }(i) print(i[3] * 6)')
        terminal.expect('42')
        terminal.expect('> ')
        write(path('scale.cu'), PROGRAM.replace('fill(', 'set('))
        terminal.line('kernels')
        terminal.expect(r'set<int N>')
        terminal.expect('> ')
        terminal.send('\x04')
        check(terminal.close() == 0, 'the prompt ends with 0')
    finally:
        terminal.kill()


LAUNCH = '''i = gpu.buffer("int", 4, { fill = 0 })
k["fill<7>"]{ grid = 1, block = 4 }(i)
i[3]
for n = 0, 1 do
  print(n * i[n])
end
'''


def takes_lines_of_a_pipe():
    """a pipe is read like the prompt, with k set: commands, Lua over several lines, values shown; no banner, prompt or echo"""
    files()
    code, got, said = run('scale.cu', text=LAUNCH + 'kernels\n')
    check(code == 0 and re.sub(r'ok, emulated in .*;\s+predicted H200 .*', 'ok', got) == 'ok\n7\n0\n7\n' + run('scale.cu')[1] and said == '', '%r %r' % (got, said))
    code, got, said = run('scale.cu', text=LAUNCH + 'why\nlaunches\n')
    check(code == 0 and 'Limiter on the H200' in got and 'fill<7>' in got and said == '', got + said)
    check(run('scale.cu', text='')[1].startswith('scale.cu: 2 kernels\n'), 'an empty pipe')
    code, got, said = run('scale.cu', text='nosuch\nprint(1)\nquit\nprint(2)')
    check(code == 64 and got == '1\n' and 'no command or variable nosuch' in said, '%d %r %r' % (code, got, said))
    code, got, said = run('scale.cu', text='for n = 1, 2 do\nprint(n)')
    check(code == 1 and got == '' and "'end' expected" in said, '%d %r %r' % (code, got, said))
    code, got, said = run('scale.cu', text=b'print(1)\0\xff\x1b[2J\n' + b'x' * 100000 + b'\nprint(2)')
    check(code != 0 and got == '2\n' and '\x1b' not in said and 'internal' not in said, '%d %r %r' % (code, got, said[:300]))
    write(path('broken.cu'), '__global__ void k(int *p) { p[0] = nothing; }\n')
    code, got, said = run('broken.cu', text='print(1)')
    check(code == 1 and got == '' and 'broken.cu:1:' in said, '%d %r %r' % (code, got, said))
    code, got, said = run('scale.cu', text='i = gpu.buffer("int", 4, { fill = 0 })\nfill = k["fill<7>"]\ndebug fill{ grid = 1, block = 4 }(i)\nstep\nkill\nprint("after")')
    check(code == 0 and 'fill<7>' in got and got.endswith('after\n'), got + said)


def options_of_a_lab():
    """--check, --model, --json and --html hold for the launches of a file, too; what only steps have is refused"""
    files()
    lines = 'a, b = gpu.buffer("float", 64, { fill = 1 }), gpu.buffer("float", 64)\nk.scale{ grid = 1, block = 64 }(a, a, 2, 64)\n'
    for words, text in (['--json', 'out.json', '--html', 'out.html', '--model', 'A100', 'scale.cu'], lines), (['scale.cu', '--json', 'out.json', '-e', lines], ''):
        code, got, said = run(*words, text=text)
        check(code == 0 and not said and ('A100' in got) == ('A100' in words), got + said)
        with open(path('out.json'), encoding='utf-8') as file:
            (launch,) = json.load(file)['launches']
        check(launch['title'] == 'scale<<<1, 64>>>' and launch['outcome'] == 'ok', launch)
    code, _, said = run('scale.cu', '--json', 'failed.json', '-e', lines + 'k.scale{ grid = 1, block = 64 }(nil, a, 2, 64)')
    check(code and said and len(json.loads(text_of(path('failed.json')))['launches']) >= 1, 'what was launched before an error: ' + said)
    check('scale&lt;&lt;&lt;1, 64&gt;&gt;&gt;' in text_of(path('out.html')), 'the page')
    code, got, said = run('--json', '-', 'scale.cu', text=lines + 'why 1\nlaunches\nprint(5)\n')
    check(code == 0 and len(json.loads(got)['launches']) == 1 and 'Limiter on the H200' in said and '\n5\n' in said, got + said)
    code, got, said = run('--check', 'all', 'scale.cu', text=lines + 'k.scale{ grid = 1, block = 32 }(a, b, 2, 64)\n')
    check(code == 6 and got.startswith('  no issues\nok,') and re.search(r'uninitialized read at scale.cu:12, 32 times: .* of b,', ' '.join(got.split())), got + said)
    code, got, said = run('scale.cu', '--check', 'memory', text=lines)
    check(code == 0 and got.startswith('  no issues\nok,'), got + said)
    code, got, said = run('scale.cu', text='a, b = gpu.buffer("float", 4), 2\nlocal c = gpu.buffer("float", 2) d = gpu.buffer("float", 2)\nprint(a, d)\n'
                          'k.scale{ grid = 1, block = 32 }(a, a, 2, 64)\n')
    check(got.startswith('buffer "a" float[4]\tbuffer float[2]\n') and 'just past the end of a (16 bytes)' in ' '.join(said.split()), got + said)
    for option in (['--batch'], ['--csv', 'out.csv']):
        code, got, said = run(*option, 'scale.cu', text=lines)
        check(code == 64 and 'is for the steps of a lab' in said and got == '', got + said)


def takes_chunks():
    """-e before or after FILE.cu runs with its kernels, and lists nothing; an error ends it"""
    files()
    text = LAUNCH.replace('i[3]', 'print(i[3])')
    for words in (['-e', text, 'scale.cu'], ['scale.cu', '-e', text], ['-e', text.split('\n', 1)[0], 'scale.cu', '-e', text.split('\n', 1)[1]]):
        code, got, said = run(*words, text='print("not read")')
        check(code == 0 and got == '7\n0\n7\n' and 'kernels' not in got and said == '', '%s: %r %r' % (words, got, said))
    check(run('scale.cu', '-e', '6 * 7') == (0, '42\n', ''), 'a value is shown')
    code, got, said = run('scale.cu', '-e', 'k.nosuch', '-e', 'print(1)')
    check(code == 64 and got == '' and 'nosuch' in said, '%d %r %r' % (code, got, said))


def writes_a_lab():
    """new-lab writes a lab that runs; its step says that nothing is checked, and is explained; an existing file is kept"""
    write(path('saxpy.cu'), PROGRAM.replace('scale(', 'saxpy('))
    files()
    code, got, said = run('new-lab', 'saxpy.cu')
    check(code == 0 and 'saxpy.lua: a lab with 1 step: gpulab ./saxpy.lua\n  Each step runs as it is.' in got, got + said)
    text = text_of(path('saxpy.lua'))
    for part in ('args = { "y", "x", 1.0, "size" }', 'x = { type = "float", count = "size", fill = "random" }',
                 'fill<int N>(int *out) is a template'):
        check(part in text, text)
    code, got, said = run('--batch', './saxpy.lua')
    check(code == 0 and re.search(r'saxpy +\d+ +not checked', got) and said == '', '%d %s %s' % (code, got, said))
    code, got, said = run('./saxpy.lua', text='why saxpy\nlines saxpy\nresources saxpy\n')
    check(code == 0 and said == '' and all(re.search(part, got) for part in (r'Limiter on the H200: \w', r'y\[i\] = times', r'registers +\d+ per thread')), got + said)
    write(path('filled.lua'), text.replace('"random"', '"zero"'))
    for view in ('resources', 'debug', 'schedules'):
        code, got, said = run('./filled.lua', text=view + ' saxpy\n')
        check(code == 64 and re.search(r'filled\.lua:\d+: step "saxpy": .* unknown fill .zero.: use a number, iota', ' '.join(said.split())) and 'internal' not in got + said, got + said)
    code, _, said = run('new-lab', 'saxpy.cu')
    check(code == 64 and 'exists already' in said, said)
    code, _, said = run('new-lab')
    check(code == 64 and 'gpulab [options] new-lab FILE.cu' in said, said)


LIBRARIES = '''#include <cub/cub.cuh>
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/sort.h>
using namespace cub;
__global__ void sum(int *p)
{
    typedef BlockReduce<int, 32> Reduce;
    __shared__ Reduce::TempStorage room;
    int s = Reduce(room).Sum((int)threadIdx.x);
    if (threadIdx.x == 0) p[0] = thrust::plus<int>()(s, 4);
}
__global__ void square(float *p)
{
    thrust::complex<float> c(1, 2);
    p[0] = (c * c).imag() + thrust::norm(c);
}
int main() { thrust::device_vector<int> v(4); thrust::sort(v.begin(), v.end()); }
'''


def takes_cub_and_thrust():
    """what NVRTC compiles of CUB and Thrust runs; for the rest the message says what to use"""
    write(path('libraries.cu'), LIBRARIES)
    write(path('libraries.lua'), 'local m = gpu.compile "libraries.cu"\nlocal i, f = gpu.buffer("int", 1), gpu.buffer("float", 1)\n'
          'm:kernel("sum"){ grid = 1, block = 32 }(i)\nm:kernel("square"){ grid = 1, block = 1 }(f)\nprint(i[0], f[0])\n')
    got = run('libraries.lua')
    check(got == (0, '500\t9.0\n', ''), repr(got))
    write(path('sorts.cu'), '#include <thrust/sort.h>\n__global__ void k(int *p) { thrust::sort(thrust::seq, p, p + 4); }\nint main() {}\n')
    code, _, said = run('sorts.cu')
    check(code == 1 and 'sorts.cu:2:' in said and 'cub::BlockReduce' in said, said)


BROKEN = """#include <cstdio>
__device__ int helper(int a) { return a + missing; }
template <int N> __global__ void fill(int *o) { o[threadIdx.x] = N; }
__global__ void child(int *o) { o[0] = 1; }
__global__ void parent(int *o) {
#ifdef TWICE
  child<<<1, 2>>>(o);
#else
  child<<<1, 1>>>(o);
#endif
  cudaDeviceSynchronize();
}
__global__ void uses(int *o) { o[0] = helper(3); }
template <class T> __global__ void never(T *o) { o[0] = nothing_here; }
__global__ void good(int *o) { o[threadIdx.x] = __LINE__; }
int main() { good<<<1, 1>>>(0); }
"""
WORKS = """b = gpu.buffer("int", 4, { fill = 0 })
k.good{ grid = 1, block = 4 }(b) print(b[3])
k["fill<7>"]{ grid = 1, block = 4 }(b) print(b[3])
"""


def leaves_out_what_is_broken():
    """a kernel that does not compile costs no other one: it is listed, and naming it says why; what all need is an error"""
    write(path('broken.cu'), BROKEN)
    code, got, said = run('broken.cu')
    listed = ('broken.cu: 6 kernels\n      3  fill<int N>(int *o)\n      4  child(int *o)\n      5  parent(int *o): does not compile\n'
              '     13  uses(int *o): does not compile\n     14  never<class T>(T *o)\n     15  good(int *o)\n')
    check(code == 1 and got == listed, got + said)
    check('broken.cu:2:43: error: identifier "missing" is undefined' in said and "NVIDIA's device runtime" in said and 'identifier "helper"' not in said, said)
    code, got, said = run('broken.cu', '-e', WORKS)
    check(code == 0 and got == '15\n7\n', got + said)
    for name, reason in (('parent', 'cudaDeviceSynchronize'), ('uses', 'missing'), ('never<int>', 'nothing_here')):
        code, got, said = run('broken.cu', '-e', 'k[%s]' % repr(name))
        check(code == 1 and 'identifier "%s" is undefined' % reason in said, said)
    code, got, said = run('new-lab', 'broken.cu')
    check(code == 0 and 'TODO: parent(int *o) does not compile' in text_of(path('broken.lua')), got + said)
    code, got, said = run('--batch', './broken.lua')
    check(code == 0 and got.count('not checked') == 2, got + said)
    write(path('strict.lua'), 'print(pcall(gpu.compile, "broken.cu"))')
    check('"missing" is undefined' in run('strict.lua')[1], 'without being asked')
    for text in ('__global__ void k(int *o) { *o = x; }', '__global__ void k(int *o) { *o = 1;', '#error no\n__global__ void k(int *o) { *o = 1; }',
                 '}}}\n__global__ void k(int *o) { *o = 1; }', '#include "nowhere.h"\n__global__ void k(int *o) { *o = 1; }',
                 '\n'.join('__global__ void k%d(int *o) { *o = x%d; }' % (i, i) for i in range(40)) + '\n__global__ void k(int *o) { *o = 1; }'):
        write(path('worse.cu'), text + '\n')
        code, got, said = run('worse.cu')
        check(code == 1 and 'worse.cu' in said and 'error:' in said and 'internal' not in said, got + said)


HOST_LIBRARIES = """#include <cufft.h>
#include <cublas_v2.h>
#include <cusparse.h>
#include <cstdio>
struct Net { cublasHandle_t blas; cusparseHandle_t sparse; cufftHandle plan; float *weights; };
__global__ void conjugate(cufftComplex *c, cufftDoubleComplex *d, int n) { if (threadIdx.x < n) { c[threadIdx.x].y *= -1; d[0].x = 1; } }
__global__ void decay(Net net) { net.weights[threadIdx.x] *= 0.5f; }
int main() { cublasHandle_t h; cublasCreate(&h); }
"""


def takes_types_of_host_libraries():
    """complex numbers of cuFFT, handles of cuBLAS and others in what a kernel takes; for other types a sentence"""
    write(path('libs.cu'), HOST_LIBRARIES)
    code, got, said = run('libs.cu')
    check(code == 0 and 'conjugate(cufftComplex *c, cufftDoubleComplex *d, int n)' in got and 'decay(Net net)' in got, got + said)
    write(path('libs.lua'), 'local k = gpu.compile "libs.cu"\nlocal c, d = gpu.buffer("float2", 4, { fill = 0 }), gpu.buffer("double2", 4, { fill = 0 })\n'
          'c:upload { 1, 2, 3, 4, 5, 6, 7, 8 }\nk:kernel("conjugate"){ grid = 1, block = 4 }(c, d, 4)\nprint(c:download()[5])\n'
          'local w = gpu.buffer("float", 4, { fill = 8 })\nk:kernel("decay"){ grid = 1, block = 4 }({ string.pack("<i8i8i4xxxx", 0, 0, 0), w })\nprint(w[3])')
    code, got, said = run('libs.lua')
    check((code, got) == (0, '-6.0\n4.0\n'), got + said)
    for header, type_name, hint in (('cublasLt.h', 'cublasLtMatmulAlgo_t', 'gpulab exec FILE.cu'), ('curand.h', 'curandState', '#include <curand_kernel.h>')):
        write(path('other.cu'), '#include <%s>\n__global__ void k(%s *s) { }\nint main() {}\n' % (header, type_name))
        code, _, said = run('other.cu')
        check(code == 1 and '"%s"' % type_name in said and hint in said, said)


TYPES = '''#include <cuda_fp16.h>
struct View { float *data; int n; };
enum Mode { FAST, EXACT };
__global__ void set(float *y, int n, bool whole) { if (whole) y[n - 1] = 1; }
__global__ void scale(float *y, long long n, __half a) { y[0] = __half2float(a); }
__global__ void sum(float *y, const float *const *rows, unsigned short n) { y[0] = rows[0][0]; }
__global__ void read(float *y, View v, const Mode m) { y[0] = v.data[m]; }
__global__ void pairs(half2 *h, const uchar4 *c, int n) { if (threadIdx.x < n) h[threadIdx.x].x = c[threadIdx.x].w; }
int main() {}
'''


def writes_labs_that_load():
    """new-lab's labs load whatever the parameters are; a step passes true and false; what is no number is marked"""
    write(path('types.cu'), TYPES)
    code, got, said = run('new-lab', 'types.cu')
    check(code == 0 and re.search(r'a lab with 5 steps: .* read: cannot run: \S+: TODO: v, a View .*2 of 5 steps do not run yet', ' '.join(got.split())), got + said)
    name = 'a_kernel_whose_name_is_longer_than_any_title'
    write(path('needs.cu'), f'__global__ void __launch_bounds__(128) {name}(float *p) {{ extern __shared__ float s[]; s[threadIdx.x] = 1; __syncthreads(); '
          'p[threadIdx.x] = s[127 - threadIdx.x]; }\n__global__ void matrix(float *p, int n) { p[threadIdx.x * n] = 1; }\n')
    code, got, said = run('new-lab', 'needs.cu')
    check(code == 0 and re.search(r'2 steps: gpulab \./needs\.lua matrix: fault: out of bounds: p\[65536\], needs\.cu:2 1 of 2 steps does not', ' '.join(got.split())), got + said)
    text = text_of(path('types.lua'))
    for part in ('h = { type = "half2", count = "size" }', 'c = { type = "uchar4", count = "size", fill = "iota" }', 'args = { "y", "size", true }', 'args = { "y", "size", 1.0 }', 'args = { "y", "rows", "size" }',
                 'rows = { type = "unsigned long long", count = "size" }', 'error("TODO: v, a View")', 'error("TODO: m, a Mode")'):
        check(part in text, text)
    code, got, said = run('--batch', '--step', 'read', './types.lua')
    check('TODO: v, a View' in got + said and code != 0, '%d %s %s' % (code, got, said))
    code, got, said = run('--batch', '--step', 'set,scale,pairs', './types.lua')
    check(code == 0 and got.count('not checked') == 3, '%d %s %s' % (code, got, said))


SUMS = '''__global__ void copy(float *out, const float *in, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) out[i] = in[i] * TIMES; }
__global__ void turned(float *out, const float *in, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) out[i] = in[n - 1 - i]; }
__global__ void scale(float *out, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) out[i] *= 2; }
__global__ void hist(unsigned *end, const unsigned *in, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) atomicAdd(&end[in[i] % 64], 1); }
int main() {}
'''


def writes_groups_and_an_exercise():
    """kernels of one signature share buffers and a table with a baseline; what is read has contents; the exercise is a comment that works"""
    os.makedirs(path('course/sums'), exist_ok=True)
    write(path('course/sums/sums.cu'), SUMS)
    code, got, said = run('-D', 'TIMES=2', 'new-lab', 'course/sums/sums.cu')
    check(code == 0 and 'Each step runs as it is' in got, got + said)
    text = text_of(path('course/sums/sums.lua'))
    for part in ('out = { type = "float", count = "size" }', 'in_ = { type = "float", count = "size", fill = "random" }', 'baseline = "copy"',
                 'scale_out = { type = "float", count = "size", fill = "random" }', 'end_ = { type = "unsigned", count = "size", fill = 0 }',
                 'hist_in = { type = "unsigned", count = "size", fill = "iota" }', 'options = { "-DTIMES=2" }'):
        check(part in text, part + ' is not in ' + text)
    check(text.count('args = { "out", "in_", "size" }') == 3 and text.count('baseline') == 1, text)
    for words in (['--batch', 'course/sums/sums.lua'], ['--batch', '--check', 'all', path('course/sums/sums.lua')]):
        code, got, said = run(*words)
        check(code == 0 and got.count('not checked') == 4 and re.search(r'vs\..*\n.*copy', got) and 'nan' not in got, got + said)
    code, got, said = run('--verify-labs', 'course/sums/sums.lua')
    check(code == 7 and got.count('problem: step') == got.count('problem') == 4, got + said)
    head, exercise = text.split('  -- exercises = { {', 1)
    exercise = re.sub(r'(?m)^  -- ', '  ', '  -- exercises = { {' + exercise).replace(
        'return gpu.array("float", p.size)', 'local want = gpu.array("float", p.size) for i = 0, p.size - 1 do want[i] = host.in_[i] * 2 end return want')
    write(path('course/sums/sums.lua'), head + exercise)
    for kind, body in (('exercises', '// Task: copy.\n' + SUMS.replace('TIMES', '1')), ('solutions', SUMS.replace('TIMES', '2'))):
        os.makedirs(path('course/sums/%s/90-copy' % kind), exist_ok=True)
        write(path('course/sums/%s/90-copy/sums.cu' % kind), body)
    code, got, said = run('check', 'course/sums/sums.lua', 'fix-copy', 'course/sums/solutions/90-copy/sums.cu')
    check(code == 0 and 'Passed' in got, got + said)
    code, got, said = run('check', 'course/sums/sums.lua', 'fix-copy', 'course/sums/exercises/90-copy/sums.cu')
    check(code == 3, got + said)
    write(path('course/sums/careless.cu'), SUMS.replace('TIMES', '2').replace('if (i < n) ', '', 1))
    code, got, said = run('check', 'course/sums/sums.lua', 'fix-copy', 'course/sums/careless.cu')
    check(code != 0 and 'out of bounds' in got + said, '%d %s' % (code, got + said))


def writes_labs_of_templates():
    """an explicit instance is a step; a template without one is named; a file of those alone is refused with the next step"""
    instance = ('template <int N, class T> __global__ void half(T *out, const T *in, int n) { int i = blockIdx.x * N + threadIdx.x; if (i < n) out[i] = in[i] / 2; }\n'
                'template __global__ void half<256, double>(double *, const double *, int);\n/* template __global__ void half<1>(int); */\n')
    other = 'template <int N> __global__ void other(float *p) { p[threadIdx.x] = N; }\n'
    write(path('half.cu'), instance + other)
    code, got, said = run('new-lab', 'half.cu')
    check(code == 0 and 'a lab with 1 step' in got and 'Each step runs as it is' in got and 'Left out: other is a template.' in got and '"other<...>"' in got, got + said)
    text = text_of(path('half.lua'))
    for part in ('name = "half<256, double>"', 'id = "half-256--double"', 'in_ = { type = "double", count = "size", fill = "random" }', 'args = { "out", "in_", "size" }'):
        check(part in text, text)
    write(path('alone.cu'), other)
    code, got, said = run('new-lab', 'alone.cu')
    check(code == 64 and 'only templates' in said and 'template __global__ void other<...>(...);' in ' '.join(said.split()) and not os.path.exists(path('alone.lua')), got + said)


NEWCOMER = '''template <int N> __global__ void reduce(float *p, int n) { if (threadIdx.x < N) p[threadIdx.x] += n; }
template __global__ void reduce<64>(float *, int);
template <typename T, bool B, int N> __global__ void scale(T *p) { p[threadIdx.x] *= N; }
__global__ void hist_plain(int *b, const float *in, int n) { if (threadIdx.x < n) b[threadIdx.x] = (int)in[threadIdx.x]; }
__global__ void hist_shared(int *b) { __shared__ int x[32]; x[threadIdx.x] = 1; __syncthreads(); b[threadIdx.x] = x[threadIdx.x]; }
'''


def answers_a_newcomer():
    """Tab and pairs know the kernels of k; mistakes in a launch name the kernel and fit the screen; two files are one too many"""
    write(path('new.cu'), NEWCOMER)
    write(path('other.cu'), NEWCOMER)
    code, got, said = run('new.cu', text='for name, kernel in pairs(k) do print(name, kernel.name) end')
    check(code == 0 and [line.split('\t') for line in got.splitlines() if 'hist' in line] == [[n, n] for n in ('hist_plain', 'hist_shared')], got + said)
    for name, hint in (('reduce<nosuch>', 'did you mean "reduce<64>"?'), ('reduse<64>', 'did you mean "reduce<64>"?'),
                       ('scale<nosuch>', 'name an instance, such as "scale<float, true, 32>"'), ('scael<int>', 'such as "scale<float, true, 32>"')):
        code, got, said = run('new.cu', text='f = k["%s"]' % name)
        check(code in (1, 64) and hint in ' '.join(said.split()), said)
    code, got, said = run('new.cu', 'other.cu')
    check(code == 64 and 'one CUDA file at a time, not new.cu and other.cu' in said and '#include "new.cu"' in said, said)
    for line, said_of_it in (('k.hist_plain<<<4, 256>>>(b, x, 64)', 'k.hist_plain{ grid = 4, block = 256 }(...)'), ('hist_plain{grid=1, block=32}(1)', 'k.hist_plain{'),
                             ('k = setmetatable({}, { __metatable = 5 }) hist_plain()', 'a nil value'),
                             ('int n = 1000;', 'n = ...'), ('dim3 block(16, 16);', 'no type dim3'), ('k.hist_plain{4, 256}(1)', '{ grid = ... }'),
                             ('edit', 'then type `kernels`'), ('next', 'next is a command of labs'), ('back', 'works only while a launch is stepped'), ('kill', '`debug STEP` begins stepping'), ('check', 'check is a command of labs'), ('run', 'a command of labs')):
        code, got, said = run('new.cu', text=line)
        check(code and not got and said_of_it in said and 'internal' not in said, line + ': ' + got + said)
    check(run('new.cu', text='next = 3\nnext')[1] == '3\n', 'a variable of that name')
    buffers, shape = 'b, x = gpu.buffer("int", 64), gpu.buffer("float", 64)\n', 'k.hist_plain{grid=1, block=threads}(b, x, threads) end'
    code, got, said = run('new.cu', text=f'{buffers}plot(function(threads) {shape}, {{32, 64, 1024}})\nlaunches\n')
    check(re.search(r'\n +threads +time', got) and re.search(r'1 024 +none .*fault', got) and re.search(r'#3 [^#]* fault', got), got + said)
    said = run('new.cu', text=f'{buffers}plot(function(threads) {shape}, {{512, 1024}})')[2]
    check('no predicted time for threads = 512: fault' in said, said)
    for text, code in (('x = nil + 1\nprint(1)', 1), ('nosuch\nx = nil + 1', 64), ('print(1)', 0)):
        check(run('new.cu', text=text)[0] == code, text)
    terminal = Terminal([GPULAB, '--device', 'emu', '-q', 'new.cu'], ENV, FOLDER.name, columns=80)
    try:
        terminal.expect('> $')
        terminal.send('k.hist_' + TAB + TAB)
        terminal.expect(r'k\.hist_plain +k\.hist_shared')
        terminal.send('s' + TAB)
        terminal.expect(r'k\.hist_shared\{$')
        terminal.send(CTRL_C)
        terminal.expect('> $')
        terminal.line('b, x = gpu.buffer("int", 64), gpu.buffer("float", 64)')
        terminal.expect('> $')
        for launch, wanted in (('k.hist_plain{grid=1, block=32}(x, x, 64)', 'parameter 1 of hist_plain is int*: a buffer of int expected, got the buffer "x" of'),
                               ('k.hist_plain{grid=1, block=32}(b, x, "a")', 'parameter 3 of hist_plain is int, got string'),
                               ('k["scale<a_type_of_that_name, true, 32>"]{grid=1, block=32}(x)', 'is no instance of the kernel template'),
                               ('k.hist_plain(b, x, 1)', 'hist_plain needs a grid and a block before its arguments'),
                               ('k.hist_plain{grid=1}(b, x, 1)', 'launch of hist_plain: block: a number or a table of 1 to 3 numbers expected, got nil')):
            terminal.line(launch)
            said = terminal.expect('.*> $').group(0)
            check(wanted in ' '.join(said.split()) and 'bad argument' not in said, said)
            check(all(len(plain(line)) <= 80 for line in re.split('[\r\n]', said)), said)
        terminal.send(CTRL_D)
        terminal.close()
    finally:
        terminal.kill()


def says_what_it_waits_for():
    """a launch that takes longer than a moment has a line with a clock; what it prints, and the prompt, follow an erased line"""
    write(path('slow.cu'), """__global__ void spin(int *p) { unsigned x = *p; while (x != 2) x = x * 5 + 3 | 1; *p = x; }
__global__ void says(int n) { if (threadIdx.x < n) printf("lane %d\\n", threadIdx.x); }
""")
    terminal = Terminal([GPULAB, '-n', '--device', 'emu', 'slow.cu'], {**ENV, 'TERM': 'xterm', 'NO_COLOR': '1'}, FOLDER.name)
    try:
        terminal.expect('> $')
        terminal.line('p = gpu.buffer("int", 1, { fill = 0 })')
        terminal.expect('> $')
        terminal.line('k.spin{ grid = 64, block = 256 }(p)')
        terminal.expect(r'k\.spin\{ grid = 64.*\.\.\. Ctrl-C stops it 1 s')
        terminal.send(CTRL_C)
        said = terminal.expect('interrupted.*> $').group(0)
        check('...' not in said, said)
        terminal.line('k.says{ grid = 1, block = 32 }(2)')
        said = terminal.expect('lane 0.*> $').group(0)
        check(re.search('lane 0\\s+lane 1\\s+ok', said), said)
        terminal.send(CTRL_D)
        terminal.close()
    finally:
        terminal.kill()


# Under sanitizers: what reads sources and their types, and a launch; messages, new-lab's texts and the prompt are Lua.
sys.exit(run_tests([reads_text_files, lists_what_was_compiled, writes_labs_that_load, leaves_out_what_is_broken, takes_types_of_host_libraries,
                    launches_at_the_prompt] if 'sanitized' in sys.argv else
                   [lists_kernels, idle_launches, reads_text_files, lists_what_was_compiled, reports_mistakes, includes_from_parent_folders, takes_options_of_a_build, launches_at_the_prompt, takes_lines_of_a_pipe, options_of_a_lab, takes_chunks, writes_a_lab,
                    writes_labs_that_load, writes_groups_and_an_exercise, writes_labs_of_templates, leaves_out_what_is_broken, takes_cub_and_thrust,
                    takes_types_of_host_libraries, answers_a_newcomer, says_what_it_waits_for]))
