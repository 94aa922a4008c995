"""A lab of a lecturer's own, and what its kernels print. usage: test_own_lab.py GPULAB SOURCE_ROOT"""
import html
import json
import os
import re
import subprocess
import sys
import tempfile

from terminal import Terminal, check, run_tests, text_of, write

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
ENV = {**os.environ, 'HOME': FOLDER.name, 'XDG_STATE_HOME': FOLDER.name + '/state', 'XDG_CONFIG_HOME': FOLDER.name + '/config',
       'XDG_CACHE_HOME': FOLDER.name + '/cache', 'GPULAB_HOME': FOLDER.name + '/gpulab', 'LANG': 'C.UTF-8', 'TERM': 'xterm',
       'PAGER': 'cat', 'NO_COLOR': '1'}

LAB = '''return lab.define {
  number = 90, id = "saxpy", title = "A scaled vector", intro = "Each thread scales one element.",
  params = { n = { default = 4096, min = 1, help = "elements" } },
  buffers = { x = { type = "float", count = "n", fill = "iota" }, y = { type = "float", count = "n" } },
  steps = {
    { id = "scale", title = "y = 2 x", text = "Each warp reads 128 consecutive bytes.",
      kernel = { file = "saxpy.cu", name = "saxpy" },
      grid = function(p) return (p.n + 255) // 256 end, block = 256, args = { "y", "x", 2, "n" }, output = "y",
      reference = function(p, host)
        local want = gpu.array("float", p.n)
        for i = 0, p.n - 1 do want[i] = 2 * host.x[i] end
        return want
      end,
      useful_bytes = function(p) return 2 * 4 * p.n end%s } } }
'''
KERNEL = '''__global__ void saxpy(float *y, const float *x, float a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	%s
	if (i < n) y[i] = a * x[i];
}
'''


def path(name):
    return os.path.join(FOLDER.name, name)


def own_lab(name='saxpy.lua', more='', code=''):
    write(path(name), LAB % more)
    write(path('saxpy.cu'), KERNEL % code)
    return './' + name


def run(*args, text=''):
    done = subprocess.run([GPULAB, '-n', '--device', 'emu', *args], capture_output=True, cwd=FOLDER.name, env=ENV, check=False,
                          input=text.encode())
    return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')


def holds(text, *parts):
    for part in parts:
        check(part in text, '%r is not in %r' % (part, text))


def shows_what_a_step_prints():
    """--batch shows the first lines of what the kernel printed, as the kernel's, and how many more there are; JSON and HTML too"""
    lab = own_lab(code='if (i < 100) printf("hello from %d\\n", i);')
    code, got, said = run('--batch', '--json', 'out.json', '--html', 'out.html', lab)
    check(code == 0, said)
    holds(got, 'scale: the kernel printed\n  | hello from 0\n  | hello from 1\n', '| hello from 7\n  ... and 92 more lines\n')
    check('hello from 8' not in got and 'hello' not in said, got)
    output = json.loads(text_of(path('out.json')))['steps'][0]['output']
    check(output == {'lines': ['hello from %d' % i for i in range(40)], 'more': 60}, repr(output))
    page = html.unescape(re.sub(r'<script.*', '', text_of(path('out.html')), flags=re.S))
    holds(page, 'The kernel printed:', 'hello from 0\nhello from 1\n', '... and 60 more lines')
    code, got, said = run('--batch', '--json', '-', own_lab())
    check(code == 0 and 'output' not in json.loads(got)['steps'][0], 'a kernel that prints nothing: ' + got)


def shows_output_of_failures():
    """what a kernel printed before it went wrong is shown, too"""
    code, got, _ = run('--batch', own_lab(code='if (i == 3) { printf("before\\n"); y[n + 9] = 1; }'))
    check(code == 2, got)
    holds(got, '| before\n')
    code, got, _ = run('--batch', own_lab(code='if (i == 3) { printf("x is %g\\n", x[3]); n = 3; }'))
    check(code == 3, got)
    holds(got, '| x is 3\n')


def printf_is_text():
    """control characters, endless lines and a flood are shown as text, cut, and counted"""
    code, got, _ = run('--batch', own_lab(code='if (i == 0) printf("\\033[2J<b>\\r|\\n\\nlast"); if (i == 1) for (int k = 0; k < 500; k++) printf("0123456789");'))
    check(code == 0 and '\x1b' not in got and '\r' not in got, repr(got))
    holds(got, '| \\x1B[2J<b>', '  | \n')
    check(max(len(line) for line in got.split('\n')) <= 80, got)
    code, got, _ = run('--batch', '--json', 'flood.json', '--html', 'flood.html',
                       own_lab(code='if (i == 0) for (int k = 0; k < 100000; k++) printf("<script>%d and some more\\n", k);'))
    check(code == 0, got)
    holds(got, '| <script>0 and some more\n', '... and more than ')
    check(json.loads(text_of(path('flood.json')))['steps'][0]['output']['cut'] is True, 'not said to be cut')
    page = text_of(path('flood.html'))
    check(len(page) < 1 << 20 and '<script>0' not in page, 'the page has %d characters' % len(page))


def shows_it_at_the_prompt():
    """at the prompt `run` and a check of an exercise show it, marked, and nothing is printed elsewhere"""
    lab = own_lab(code='if (i == 5) printf("five\\n");')
    with Terminal([GPULAB, '-n', '-q', '--device', 'emu', lab], ENV, FOLDER.name) as t:
        t.expect('90> $')
        t.line('run scale')
        got = t.expect('(.*)90> $')[1]
        holds(got, 'scale: the kernel printed', '  | five')
        check(got.count('five') == 1, got)
    copy = path('gpulab/03-bank-conflicts')
    os.makedirs(copy, exist_ok=True)
    solution = text_of(ROOT + '/kernels/solutions/03-swizzle/swizzle.cu')
    write(copy + '/swizzle.cu', re.sub(r'(\n\t__syncthreads\(\);)', r'\1\n\tif (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y == 0) printf("one block\\n");', solution, count=1))
    with Terminal([GPULAB, '-n', '-q', '--device', 'emu', ROOT + '/labs/03-bank-conflicts.lua'], ENV, FOLDER.name) as t:
        t.expect('03> $')
        t.line('check swizzle')
        got = t.expect('(.*)03> $')[1]
        holds(got, 'swizzle: the kernel printed', '  | one block')
        check(got.count('one block') == 1, got)
    code, got, said = run('check', '3', 'swizzle', copy + '/swizzle.cu')
    holds(got, 'swizzle: the kernel printed\n  | one block\n')
    check(code == 0 and got.count('one block') == 1, got + said)


OWN = 'claim = { value = 12.5, unit = "GB/s", gpu = "%s", source = "my <slides>" }'


def claims_of_its_own():
    """a number of the lecturer's own slides is shown as the lectures' are: table, steps, JSON, CSV, HTML; mistakes are named"""
    lab = own_lab(more=', ' + OWN % 'GTX 280')
    code, got, said = run('--batch', '--json', 'own.json', '--csv', 'own.csv', '--html', 'own.html', lab)
    check(code == 0, said)
    holds(got, 'lecture', 'GTX 280')
    check(re.search(r'y = 2 x +12\.5 ', got) and re.search(r'model +predicted', got), got)
    claim = json.loads(text_of(path('own.json')))['steps'][0]['lecture']
    check(claim == {'value': 12.5, 'unit': 'GB/s', 'gpu': 'GTX 280', 'source': 'my <slides>'}, repr(claim))
    check(',12.5,GB/s,GTX 280,' in text_of(path('own.csv')), text_of(path('own.csv')))
    page = re.sub(r'<script.*', '', text_of(path('own.html')), flags=re.S)
    holds(page, '12.5 GB/s, GTX 280; my &lt;slides&gt;')
    check('my <slides>' not in page, 'not escaped')
    code, got, said = run(lab, text='steps\n')
    check(code == 0 and re.search(r'scale +y = 2 x +12\.5 GB/s', got), got + said)
    code, got, said = run('--batch', own_lab(more=', ' + OWN % 'Voodoo 2'))
    check(code == 0 and 'Voodoo 2' in got and '12.5' in got and 'No prediction' not in got, got + said)
    for wrong, reason in (('value = 0', 'value must be from'), ('value = 0/0', 'value must be from'), ('value = 1e308', 'value must be from'),
                          ('n = 0/0', 'n must be from 1'), ('unit = "furlongs"', 'unit must be one of'), ('gpu = "=cmd|calc"', 'must begin with a letter'),
                          ('value = "12"', 'value must be a number'), ('value = 12.5, gpus = 1', 'did you mean gpu?'), ('unit = 7', 'unit must be a string'),
                          ('source = ""', 'source must be a text'), ('gpu = "a\\nb"', 'gpu must be a text'), ('gpu = ("x"):rep(99)', 'at most 80 bytes'),
                          ('n = "many"', 'n must be a number')):
        claim = 'setmetatable({}, nil)' if not wrong else '(function() local c = { value = 1, unit = "GB/s", gpu = "H200", source = "s" } ' \
            'for k, v in pairs { %s } do c[k] = v end return c end)()' % wrong
        code, got, said = run('--batch', own_lab(more=', claim = ' + claim))
        check(code == 64 and reason in said and 'step "scale"' in said, '%s: %s' % (wrong, said))
    code, _, said = run('--batch', own_lab(more=', claim = { value = 3, unit = "ms", gpu = "H200" }'))
    check(code == 64 and 'source is missing' in said, said)
    code, _, said = run('--verify-labs', own_lab(more=', ' + OWN % 'GTX 280'))
    check('claim' not in said and 'internal' not in said, said)


def takes_macros():
    """-D is for a lab's steps, not for exercises: a verdict is about the file"""
    lab = own_lab(code='#ifdef SAY\nif (i == 0) printf("SAY is %d\\n", SAY);\n#endif')
    check('SAY is' not in run('--batch', lab)[1], 'without -D')
    for options in (['-DSAY=7', '--batch', lab], ['--batch', lab, '-D', 'SAY=7']):
        code, got, said = run(*options)
        check(code == 0 and '| SAY is 7\n' in got, got + said)
    with Terminal([GPULAB, '-n', '-q', '--device', 'emu', '-D__syncthreads=printf', ROOT + '/labs/03-bank-conflicts.lua'], ENV, FOLDER.name) as t:
        t.expect('03> $')
        t.line('check swizzle')
        got = t.expect('(.*)03> $')[1]
        holds(got, 'Passed')


def runs_a_sample_of_alike_blocks():
    """blocks that the lab calls alike run as a sample, whose results are verified; a student's copy runs whole"""
    def step(more, code='', *args):
        code, got, said = run('--batch', '--json', 'alike.json', '--set', 'n=256000', *args, own_lab(more=more, code=code))
        return code, got + said, json.loads(text_of(path('alike.json')))['steps'][0]
    code, whole, record = step('')
    check(code == 0 and 'sampled' not in record, whole)
    code, got, part = step(', alike = 60')
    check(code == 0 and part['verified'] and part['sampled'] == {'blocks': 60, 'of': 1000, 'error': 0}, got)
    holds(' '.join(got.split()), 'Of large grids a sample of the blocks ran and was verified')
    check(part['counters'] == record['counters'], 'counters differ')
    code, got, part = step(', alike = 60', 'if (i % 256 == 7) return;')
    check(code == 3, got)
    holds(got, '1 000 of 256 000 elements', 'element 7: got an element that was never written')
    code, got, part = step(', alike = 60', '', '--set', 'n=2560')
    check('sampled' not in part, got)
    lab = own_lab(more=', alike = 60')
    run('-q', lab, text='edit scale\n')
    copy = path('gpulab/90-saxpy/saxpy.cu')
    write(copy, text_of(copy).replace('y[i] =', 'if (i != 5) y[i] ='))
    code, got, said = run('-q', lab, text='set n=256000\nrun scale\n')
    os.remove(copy)
    holds(got + said, '1 of 256 000 elements')


def reads_commands_of_a_pipe():
    """commands for a lab come from a pipe; an empty one runs all steps, and so does --batch"""
    lab = own_lab()
    code, got, said = run(lab, text='why scale\nset n=64\nrun scale\ncommand.steps()\nquit\nnothing')
    check(code == 0 and said == '', said)
    holds(got, 'Limiter on the H200', 'y = 2 x', 'scale')
    check('Lab 90' not in got and '90>' not in got and 'left off' not in got, got)
    code, got, said = run(lab, text='edit scale\nprint("after")\n')
    check(code == 0 and got.endswith('after\n') and 'saxpy.cu' in got, got + said)
    os.remove(path('gpulab/90-saxpy/saxpy.cu'))
    code, got, said = run(lab, text='wyh scale\n')
    check(code == 64 and 'did you mean' in said, said)
    for words, text in ((['--batch', lab], 'nothing\n'), ([lab], ''), (['--json', 'x.json', lab], 'nothing\n')):
        code, got, said = run(*words, text=text)
        check(code == 0 and 'Lab 90' in got and said == '', got + said)
    code, got, said = run(lab, '-e', 'print("late")', '--batch')
    check(code == 0 and got.startswith('late\n'), got + said)


def edits_exercises_of_several_launches():
    """an exercise whose launches depend on its size has a kernel to edit and to show"""
    code, got, said = run('-q', '9', text='edit chunks\n??chunks\ndiff chunks\n')
    check(code == 0 and said == '', said)
    holds(got, 'chunks.cu is your copy', '__global__ void ramp', 'chunks.cu equals the original')


sys.exit(run_tests([shows_what_a_step_prints, shows_output_of_failures, printf_is_text, shows_it_at_the_prompt, claims_of_its_own, takes_macros, runs_a_sample_of_alike_blocks, reads_commands_of_a_pipe, edits_exercises_of_several_launches]))
