"""Launches at a prompt are records: every view takes them. usage: test_records.py GPULAB"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from terminal import CTRL_D, Terminal, check, run_tests, write

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config',
       'XDG_CACHE_HOME': FOLDER.name + '/cache', 'GPULAB_HOME': FOLDER.name + '/gpulab', 'LANG': 'C.UTF-8', 'NO_COLOR': '1'}

KERNELS = '''#include <cstdio>
__global__ void hist(unsigned *bins, const unsigned char *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1);
}
__global__ void hist_shared(unsigned *bins, const unsigned char *data, int n)
{
    __shared__ unsigned local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
template <typename T> __global__ void scale(T *x, T a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= a;
}
template <int N, typename T> __global__ void fill(T *x) { x[threadIdx.x] = N; }
__device__ int calls;
__global__ void call(int *out) { out[threadIdx.x] = calls; if (threadIdx.x == 0) calls++; }
__global__ void racy(int *x) { x[0] = x[0] + threadIdx.x + blockIdx.x; }
__global__ void oops(int *p) { p[threadIdx.x + 1000000] = 1; }
__global__ void shared_name(int *p) { p[threadIdx.x] = 1; }
__global__ void shared_name(float *p) { p[threadIdx.x] = 1; }
__global__ void forever(volatile int *p) { while (p[0] == 0) p[1]++; }
__global__ void says(int *p) { printf("hello %d\\n", threadIdx.x); p[threadIdx.x] = 1; }
int main() { return 0; }
'''
BUFFERS = ('b, d = gpu.buffer("uint", 256, { fill = 0 }), gpu.buffer("unsigned char", 65536, { fill = "random", name = "data" }) '
           'x = gpu.buffer("float", 4096, { fill = 2 })')
HIST = 'k.hist{grid=64, block=256}(b, d, 65536)'
SHARED = 'k.hist_shared{grid=64, block=256}(b, d, 65536)'
SCALE = 'k["scale<float>"]{grid=16, block=256}(x, 2.0, 4096)'
PREDICTED = r'predicted H200 [\d.]+ µs \(± \d+ %, [a-z0-9 ]+\)'


class Prompt(Terminal):
    """A prompt whose lines are answered one by one; tall enough for every answer."""

    def __init__(self, *args, env=None):
        super().__init__([GPULAB, '--device', 'emu', '-q', *args], {**ENV, **(env or {})}, FOLDER.name, columns=100, rows=400)
        self.expect('> $')

    def says(self, line):
        """What the line prints."""
        self.line(line)
        self.expect(re.escape(line[-40:]).replace(r'\ ', r'\s+'))
        return self.expect(r'(.*?)\n(?:gpulab|\d+)?(?: debug)?> $')[1]

    def ends(self):
        self.send(CTRL_D)
        check(self.close() == 0, 'the prompt ends with 0')


def opened(*args, env=None):
    write(os.path.join(FOLDER.name, 'hist.cu'), KERNELS)
    return Prompt(*(args or ['hist.cu']), env=env)


def has(text, *parts):
    for part in parts:
        check(re.search(part, text, re.S), '%r is not in %r' % (part, text))


def lacks(text, *parts):
    for part in parts:
        check(not re.search(part, text, re.S), '%r is in %r' % (part, text))


def every_view_takes_a_launch():
    """after a launch each view shows it; the emulator's own time is called that, and the GPU's is predicted"""
    with opened() as p:
        p.says(BUFFERS)
        has(p.says(HIST), r'ok, emulated in [\d.]+ [mµ]s; ' + PREDICTED)
        has(p.says('why'), r'hist<<<64, 256>>> \(#1\)', r'Limiter on the H200: \w', r'µs', 'Atomics: 2 048', '1 byte per lane')
        has(p.says('lines'), r'12 288', r'atomicAdd\(&bins\[data\[i\]\], 1\)')
        has(p.says('counters'), 'global_load_sectors +2 048 +1 per request', 'Zero: divergent_branches')
        has(p.says('counters divergent_branches'), 'divergent_branches +0 +0 per branch')
        has(p.says('resources'), 'block +256 threads', r'blocks per SM')
        has(p.says('roofline'), 'Roofline of the H200', r'#1 ')
        has(p.says('generations'), 'GTX 280', r'RTX 4090 +[\d.]+ µs')
        has(p.says('partitions'), r'#1 on the GTX 280', 'partition')
        has(p.says('disassemble ptx'), 'PTX for sm_90: hist', 'atom|red')
        has(p.says('schedules'), r'launch 1 \(hist\) gives bit-identical results')
        has(p.says('debug'), 'hist: grid 64 x 1 x 1')
        has(p.says('kill'), 'the buffers are as they were')
        p.ends()


def other_gpus():
    """model adds GPUs that launches are predicted for"""
    with opened() as p:
        p.says(BUFFERS)
        has(p.says('model A100'), r'Predicted in addition, from the next run on: A100')
        has(p.says(HIST), PREDICTED + r', A100 [\d.]+ µs')
        has(p.says('why'), 'Limiter on other GPUs, by model: A100: ')
        has(p.says('why ' + SHARED), 'Limiter on other GPUs, by model: A100: ')
        has(p.says('model'), 'Predicted in addition: A100')
        has(p.says('model GTX 999'), 'unknown model')
        p.says('model none')
        lacks(p.says(HIST), 'A100')
        p.says('model RTX 4090')
        has(p.says('why hist'), 'Limiter on other GPUs, by model: RTX 4090: ')
        p.says('model none')
        lacks(p.says('why hist'), '4090')
        p.ends()


def names_and_numbers():
    """a launch is named by its number or kernel, the latest of a kernel is meant; two are compared"""
    with opened() as p:
        p.says(BUFFERS)
        for line in (HIST, SHARED, SCALE, 'k.hist{grid=8, block=32}(b, d, 1000)'):
            p.says(line)
        has(p.says('launches'), r'#1 +hist<<<64, 256>>>', r'#2 +hist_shared', r'#3 +scale<float><<<16, 256>>>', r'#4 +hist<<<8, 32>>>')
        has(p.says('why hist_sh'), r'\(#2\)')
        has(p.says('why hist'), r'hist<<<8, 32>>> \(#4\)')
        has(p.says('why 1'), r'hist<<<64, 256>>> \(#1\)')
        has(p.says('lines #3'), r'x\[i\] \*= a')
        has(p.says('why scale'), r'\(#3\)')
        has(p.says('compare 1 2'), r'launch 2 \(hist_shared\) is faster than launch 1 \(hist\)', r'Predicted for the H200\s+\([\d.]+ µs')
        has(p.says('diff 1 2'), r'--- hist', r'\+\+\+ hist_shared', 'inner loop')
        has(p.says('roofline 1 scale'), '#1', '#3')
        for line, said in (('why hsit', 'did you mean hist?'), ('why 99', 'launches 1 to 4 are known'), ('why #0', 'there is no launch 0'),
                           ('lines 1 2', 'usage: lines'), ('compare 1', 'compare takes two'), ('compare 1 x', 'there is no launch of "x"'),
                           ('counters 1 nonsense', 'no counter nonsense'), ('schedules 1 x', 'not a seed'), ('debug 1 2', 'is one launch'),
                           ('partitions 1 H200', 'no partition camping'), ('why ""', 'there is no launch')):
            has(p.says(line), re.escape(said))
        p.says('k["fill<3, float>"]{grid=1, block=32}(x)')
        for line in ('why fill<3, float>', 'why fill<3,float>', 'counters fill<3, float> barriers', 'why fill< 3 , float><<<1, 32>>>'):
            has(p.says(line), r'fill<3, float><<<1, 32>>>')
        has(p.says('compare fill<3, float> fill<3, float>'), 'launch 5')
        has(p.says('debug fill<3, float>'), 'fill<3, float>: grid 1')
        p.says('kill')
        has(p.says('why fil<3, float>'), 'did you mean fill<3, float>')
        has(p.says('why a<' + 'b<' * 3000 + ', c>'), 'there is no launch|not expected')
        p.ends()


def a_launch_that_is_written_out():
    """each command takes a launch as text, counts it, and leaves the buffers as they are"""
    with opened() as p:
        p.says(BUFFERS)
        has(p.says('why ' + HIST), r'hist<<<64, 256>>> \(#1\)', 'Limiter on the H200')
        has(p.says('b[0]'), r'\b0\b')
        has(p.says('lines ' + SCALE), 'x.i. ')
        has(p.says('debug ' + SHARED), 'hist_shared: grid 64 x 1 x 1')
        has(p.says('n'), r'local\[threadIdx.x\] = 0')
        p.says('kill')
        has(p.says('debug ' + SCALE), r'scale<float>: grid 16')
        p.says('kill')
        has(p.says('x[0] + b[0]'), r'\b2\.0')
        for line, said in (('why k.hist{grid=64}', 'not a launch: block'), ('why k.hist{grid=1,block=1}(1)', 'takes 3 arguments, got 1'),
                           ('why k.nothing{grid=1,block=1}()', 'no kernel "nothing"'), ('debug print{1}', 'no kernel is launched there'),
                           ('why k.hist{', 'not a launch'), ('lines {}', 'there is no launch'), ('why x{', 'not a launch')):
            has(p.says(line), re.escape(said))
        p.ends()


def launches_that_fail():
    """a fault and a launch that times out are records, too: why says what happened, debug finds it"""
    with opened(env={'GPULAB_EMULATOR_TIME': '1'}) as p:
        p.says('p = gpu.buffer("int", 4, { fill = 0 })')
        has(p.says('k.oops{grid=1, block=32}(p)'), 'out of bounds', r'hist\.cu:\d+')
        has(p.says('why'), r'oops<<<1, 32>>> \(#1\)', 'did not complete', 'out of bounds')
        has(p.says('lines'), r'launch 1 \(oops\) did not complete .fault., so nothing was counted')
        has(p.says('counters oops'), 'did not complete')
        p.says('k.says{grid=1, block=4096}(p)')
        has(p.says('launches'), r'says<<<1, 4096>>> +limit', '4096 threads per block asked')
        has(p.says('why says'), 'did not complete', 'use smaller blocks')
        has(p.says('roofline oops'), 'did not complete .fault., so there is nothing to draw', 'why #1')
        has(p.says('compare 1 1'), 'cannot be compared')
        has(p.says('k["_Z11shared_namePi"]{grid=1, block=32}(p)'), r'\n  kernel    shared_name\n')
        has(p.says('why shared_name'), r'_Z11shared_namePi<<<1, 32>>> \(#\d+\)')
        p.resize(80, 400)
        has(p.says('why'), r'at 0x1[0-9a-f]{10}: just past the\s+end\s+of p')
        p.says('debug oops')
        has(p.says('continue'), 'Fault: .*past the end')
        p.says('kill')
        has(p.says('k.forever{grid=1, block=1, timeout=300}(p)'), 'timeout')
        has(p.says('why'), r'forever<<<1, 1>>> \(#4\)', 'did not complete')
        has(p.says('launches'), r'#1 +oops<<<1, 32>>> +fault', r'#4 +forever<<<1, 1>>> +timeout', '`why #4`, `lines #4`')
        has(p.says('k.says{grid=1, block=2}(p)'), 'hello 0\nhello 1\nok, emulated in')
        p.ends()


def inputs_as_they_were():
    """a view that runs a launch again does so with the inputs of then, and puts back what is there now"""
    with opened() as p:
        p.says('racy = k.racy p, out = gpu.buffer("int", 4, { fill = 5 }), gpu.buffer("int", 32)')
        p.says('racy{grid=1, block=1}(p)')
        p.says('p:fill(7)')
        p.says('debug 1')
        has(p.says('print x[0]'), r'\b5\b')
        p.says('kill')
        has(p.says('p[0]'), r'\b7\b')
        p.says('racy{grid=2, block=32}(p)')
        p.says('p:fill(-3)')
        has(p.says('schedules 2'), 'depends on the order', 'buffer|p')
        has(p.says('p[0]'), '-3')
        for _ in range(3):
            p.says('k.call{grid=1, block=32}(out)')
        has(p.says('print(out[0])'), r'\b2\b')
        has(p.says('generations 3'), 'GTX 280')  # calls was 0 then
        p.says('k.call{grid=1, block=32}(out)')
        has(p.says('print(out[0])'), r'\b3\b')
        p.says('q = gpu.buffer("int", 2 << 20) racy{grid=1, block=1}(q)')
        p.says('racy{grid=1, block=1}(q)')
        p.says('q:fill(1)')
        has(p.says('debug #8'), 'has changed since the launch', 'buffers up to 4 MiB are kept')
        has(p.says('why #8'), 'Limiter on the H200')
        p.says('p:free()')
        has(p.says('debug 1'), 'this buffer was freed')
        has(p.says('why 1'), 'Limiter on the H200')
        p.ends()


def many_launches():
    """of 200 launches of a line the first are counted at once, the others when a view asks; the oldest keep no inputs"""
    with opened() as p:
        p.says(BUFFERS)
        p.says('for i = 1, 200 do k["scale<float>"]{grid=1, block=32}(x, 2.0, i) end')
        text = p.says('launches')
        has(text, '#161 ', '#200 ', '160 launches came before')
        has(p.says('why 8'), r'scale<float><<<1, 32>>> \(#8\), counted')
        has(p.says('why 9'), 'the inputs of launch 9 .* are no longer kept', 'launch it again')
        has(p.says('why'), r'\(#200\), counted')
        has(p.says('lines 190'), r'x\[i\]')
        p.ends()


def scripts_before_a_prompt():
    """what -e and a script launch is listed at the prompt after them, and counted when a view asks"""
    write(os.path.join(FOLDER.name, 'script.lua'), 'local m = gpu.compile "hist.cu"\nlocal p = gpu.buffer("int", 32, { fill = 0 })\n'
          'm:kernel "racy" { grid = 1, block = 1 }(p)\nprint(m:kernel "racy" { grid = 1, block = 2 }(p))\n')
    with opened('-i', 'script.lua') as p:
        has(p.says('launches'), r'#1 +racy<<<1, 1>>>\s', r'#2 +racy<<<1, 2>>>')
        has(p.says('why 1'), r'racy<<<1, 1>>> \(#1\), counted by the rules of the H200')
        p.ends()
    with opened('-i', '-e', 'k = gpu.kernel("hist.cu", "racy") k{grid=1, block=1}(gpu.buffer("int", 1, { fill = 1 }))') as p:
        has(p.says('counters'), 'warp_instructions')
        p.ends()
    done = subprocess.run([GPULAB, '--device', 'emu', 'script.lua'], capture_output=True, cwd=FOLDER.name, env=ENV, check=False)
    has(done.stdout.decode(), r'^ok, emulated in [\d.]+ [mµ]s\n$')


def a_lab_has_launches_too():
    """in a lab a number is a step's, #1 a launch's; a launch is current until a step is shown"""
    with opened('3') as p:
        p.says('p = gpu.buffer("int", 32, { fill = 0 }) k = gpu.kernel("hist.cu", "racy")')
        has(p.says('k{grid=1, block=1}(p)'), PREDICTED)
        has(p.says('why'), r'racy<<<1, 1>>> \(#1\)')
        lacks(p.says('show 1'), 'racy')
        lacks(p.says('resources'), 'racy')
        has(p.says('resources #1'), 'racy')
        has(p.says('resources racy'), 'racy')
        lacks(p.says('resources 1'), 'racy')
        has(p.says('why nothing_like_it'), 'no step|no exercise|there is no launch')
        p.ends()


def a_plot_over_a_parameter():
    """plot draws the predicted time of the launch that a function writes, and leaves the buffers as they are"""
    with opened() as p:
        p.says(BUFFERS)
        text = p.says('plot(function(n) k.hist{grid=n//256, block=256}(b, d, n) end, {65536, 256, 4096})')
        has(text, 'hist on the H200, predicted', r'256 +[\d.]+ µs.*4 096 +[\d.]+ µs.*65 536 +[\d.]+ µs')
        has(p.says('b[0]'), r'\b0\b')
        has(p.says('launches'), r'#3 +hist<<<256, 256>>>')
        p.says('plot(function(g) k.hist{grid=g, block=256}(b, d, 65536) end, {1, 2}, "hist.svg")')
        check(os.path.getsize(os.path.join(FOLDER.name, 'hist.svg')) > 1000, 'the chart is a file')
        for line, said in (('plot', 'takes a function'), ('plot(1)', 'takes a function'), ('plot(print, {})', 'takes a function'),
                           ('plot(print, {"x"})', 'value 1 of the list is not a number'), ('plot(function() end, {1, 2})', 'launches nothing for 1\n'),
                           ('plot(function() k.hist{grid=1, block=1}(b, d, 1) end, {1})', 'at least two values'),
                           ('plot(function() error("no") end, {1, 2})', 'no'), ('why', r'#\d+')):
            has(p.says(line), said)
        p.ends()


LAB = '''local lab = require "gpulab.lab"
return lab.define { number = 91, id = "free", title = "Free", intro = "No reference.",
  buffers = { x = { type = "int", count = 64, fill = 1 } },
  steps = { { id = "racy", title = "racy", text = "Adds.", kernel = { file = "hist.cu", name = "racy" }, grid = 2, block = 32,
    args = { "x" } } } }
'''


def a_step_without_a_reference():
    """a step without a reference runs, is shown as not checked, and every view explains it; --verify-labs reports it"""
    write(os.path.join(FOLDER.name, 'hist.cu'), KERNELS)
    write(os.path.join(FOLDER.name, 'free.lua'), LAB)
    with Prompt('./free.lua') as p:
        has(p.says('run'), r'racy +[\d.]+ µs +not checked')
        has(p.says('why'), r'racy \(racy\), counted')
        has(p.says('lines'), r'x\[0\] = x\[0\]')
        has(p.says('counters racy'), 'warp_instructions')
        has(p.says('schedules'), 'depends on the order')
        has(p.says('generations'), r'GTX 280 +[\d.]+ µs')
        has(p.says('compare racy racy'), 'Cannot tell')
        p.says('debug')
        p.says('kill')
        p.ends()
    done = subprocess.run([GPULAB, '--device', 'emu', '--verify-labs', './free.lua'], capture_output=True, cwd=FOLDER.name, env=ENV,
                          check=False)
    has((done.stdout + done.stderr).decode(), 'its result is not checked: it has no reference')


VIEWS = ('why', 'lines', 'counters', 'resources', 'roofline', 'generations', 'partitions', 'disassemble', 'schedules', 'compare', 'diff', 'debug')
HOSTILE = ('%s%n', 'x' * 3000, '#99999999999999999999', '-1', '1e308', '\u202e\u00df', '{}', '}{', 'k{', ';os.exit(3)', '1 2 3', '"', "'#1",
           'os.exit{3}', 'error{1}', 'k.hist{grid=1, block=1e9}(b, d, 1)', 'k.hist{grid=-1, block=0}(b, d, 1)', 'setmetatable{1}')


def hostile_words():
    """whatever follows a command, the answer is a sentence, and the prompt goes on"""
    with opened() as p:
        p.says(BUFFERS)
        p.says('k.hist{grid=1, block=32}(b, d, 32) os.exit = function() error("left") end')
        for view in VIEWS:
            for words in HOSTILE:
                p.line('%s %s' % (view, words))
                p.line('print("still", 40 + 2)')
                text = p.expect(r'(.*?)still\t42\n')[1]
                lacks(text, 'internal error', r'lua/gpulab/\w+', 'stack traceback')
                p.expect(r'> $')
        p.ends()


WITH_NOTES = """local list, noted = require("gpulab.record.list").new(), require "gpulab.record.noted"
local k = gpu.kernel("hist.cu", "hist")
local b, d = gpu.buffer("unsigned", 256, { fill = 0 }), gpu.buffer("unsigned char", 65536, { fill = "random" })
for i, n in ipairs { 1000, 65536 } do
  list.launches[i] = noted.new(i, "run-of-" .. n, k, { grid = { 8, 1, 1 }, block = { 256, 1, 1 } }, { b, d, n })
end
list.made, list.latest = 2, list.launches[2]
require("gpulab.prompt.on_records").open(list, { quiet = true }, "gpulab", {})
"""


def recipes():
    """the recipes for a view and for a source of records are one file each: the view takes a step, a launch, and the source's records"""
    with open(os.path.join(ROOT, 'docs', 'development', 'recipes.md'), encoding='utf-8') as f:
        atomics, noted = re.findall(r'^```lua\n(.*?)^```', f.read(), re.M | re.S)
    lua = os.path.join(FOLDER.name, 'lua')
    shutil.copytree(os.path.join(ROOT, 'lua'), lua)
    write(os.path.join(lua, 'gpulab/prompt/command/record/atomics.lua'), atomics)
    write(os.path.join(lua, 'gpulab/record/noted.lua'), noted)
    write(os.path.join(FOLDER.name, 'notes.lua'), WITH_NOTES)
    with opened(env={'GPULAB_LUA': lua}) as p:
        p.says(BUFFERS)
        p.says(HIST)
        has(p.says('atomics'), r'line \d+: 2048$')
        has(p.says('atomics k.hist{grid=1, block=32}(b, d, 32)'), r'line \d+: 1$')
        has(p.says('?atomics'), 'warp instructions of each line')
        p.ends()
    with opened('5', env={'GPULAB_LUA': lua}) as p:
        has(p.says('atomics lastblock'), r'line \d+: \d')
        p.ends()
    with opened('notes.lua', env={'GPULAB_LUA': lua}) as p:
        has(p.says('atomics run-of-1000'), r'line \d+: 32$')
        for view in VIEWS:
            has(p.says(view + (' 1 2' if view in ('compare', 'diff') else ' run-of-65536')), 'hist|identical|slower|#2')
        p.says('kill')
        p.ends()


# Under sanitizers: outcomes of launches, their inputs, many of them, and hostile words; the other views are Lua.
sys.exit(run_tests([launches_that_fail, inputs_as_they_were, many_launches, hostile_words] if 'sanitized' in sys.argv else [every_view_takes_a_launch, other_gpus, names_and_numbers, a_launch_that_is_written_out, launches_that_fail, inputs_as_they_were,
                    many_launches, scripts_before_a_prompt, a_lab_has_launches_too, a_plot_over_a_parameter,
                    a_step_without_a_reference, recipes, hostile_words]))
