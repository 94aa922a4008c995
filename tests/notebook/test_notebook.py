"""The Python package's notebook front: the meaning of cells, labs as notebooks, and both of their kernels.
usage: test_notebook.py GPULAB SOURCE_ROOT"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
GPULAB, ROOT = map(os.path.abspath, sys.argv[1:3])
PACKAGE = os.path.join(ROOT, 'contrib/python')
sys.path[:0] = [os.path.join(HERE, '..', 'repl'), PACKAGE]
from terminal import check, run_tests, text_of, write  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-notebook-')
os.environ.update(GPULAB_PROGRAM=GPULAB, HOME=FOLDER.name, GPULAB_HOME=FOLDER.name + '/gpulab', LANG='C.UTF-8', GPULAB_DEVICE='emu',
                  PYTHONPATH=PACKAGE, JUPYTER_PATH=FOLDER.name, IPYTHONDIR=FOLDER.name, JUPYTER_PLATFORM_DIRS='1')
import gpulab  # noqa: E402
from gpulab.front import Front, Screen  # noqa: E402

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
SOLUTION = text_of(os.path.join(ROOT, 'kernels/solutions/03-row-sums/row_sums.cu'))
STARTER = text_of(os.path.join(ROOT, 'kernels/exercises/03-row-sums/row_sums.cu'))
SCALE = '__global__ void scale(float *x, float f, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= f; }'
LONG = '__global__ void add_long(volatile int *x) { for (long i = 0; i < 1L << 40; i++) *x += 1; }'


class Kept(Screen):
    def __init__(self):
        self.bundles, self.bars = [], []

    def show(self, bundle):
        self.bundles.append(bundle)

    def progress(self, text, done, total):
        self.bars.append(text)

    def last(self):
        return self.bundles[-1]['text/plain']


def front():
    made = Front(Kept())
    made.line('--device emu 3')
    return made


def holds(said, *parts):
    for part in parts:
        check(part in said, '%r is not in %s' % (part, said))


def lines():
    """Lines and cells: steps, views, checks, launches, and what cannot be done"""
    f = front()
    screen = f.screen
    f.line('run tile')
    holds(screen.last(), '32-way bank conflict, transpose.cu:')
    holds(screen.bundles[-1]['text/html'], '<style>', 'class="gpulab"', 'data-jp-theme-light="false"')
    check('tile 32×32' in screen.bars, screen.bars)
    f.line('why tile')
    holds(screen.last(), 'It uses 1 of 32 banks')
    text = text_of(os.path.join(ROOT, 'kernels/transpose.cu'))
    f.cell('file transpose.cu', text.replace('odata[x + (y + i) * n] =', 'odata[x + (y + i) * n] = 2 *'))
    f.line('run copy')
    holds(screen.last(), 'wrong result')
    f.cell('file transpose.cu', text)
    f.line('run copy')
    check('wrong result' not in screen.last(), screen.last())
    check(f.cell('check row-sums', SOLUTION)['exit_code'] == 0, screen.last())
    check(f.cell('check row-sums', STARTER)['exit_code'] == 7, screen.last())
    f.line('return 6 * 7')
    holds(screen.last(), '42')
    f.cell('prompt', 'sum = 0\nfor i = 1, 3 do\n  sum = sum + i\nend\n\n%gpulab why tile\nreturn sum')
    holds(screen.last(), '6')
    holds(screen.bundles[-2]['text/plain'], 'It uses 1 of 32 banks')
    check(f.complete('why ti', 6) == (4, ['tile']), f.complete('why ti', 6))
    for line, cell, part in ('run nosuch', None, 'nosuch'), ('--wat 3', None, '--device'), ('', '__global__ void f() { x; }', 'x'), (
            'tile', SCALE, 'run, check, file, or prompt'), ('prompt', 'x = 1\nfor i = 1, 3 do', "'end' expected"):
        try:
            f.line(line) if cell is None else f.cell(line, cell)
        except gpulab.Error as problem:
            holds(str(problem), part)
            check(problem._render_traceback_() == ['gpulab: %s' % problem], 'a traceback')
        else:
            check(False, '%s was accepted' % line)


def stop():
    """The stop button ends what runs, and the session goes on"""
    f = front()
    f.cell('', LONG)
    pressed = threading.Timer(1, os.kill, [os.getpid(), signal.SIGINT])
    pressed.start()
    try:
        f.line('k.add_long{grid = 1, block = 32}(gpu.buffer("int", 1, { fill = 0 }))')
    except KeyboardInterrupt:
        pass
    else:
        check(False, 'it was not interrupted: ' + f.screen.last())
    finally:
        pressed.cancel()
    f.line('return 6 * 7')
    holds(f.screen.last(), '42')
    service, requests = f.service, f.service._requests

    class Interrupted:  # before the request is on its way
        def put(self, _):
            service._requests = requests
            raise KeyboardInterrupt
    service._requests = Interrupted()
    try:
        f.line('return 1')
    except KeyboardInterrupt:
        pass
    f.line('return 6 * 7')
    holds(f.screen.last(), '42')
    f.service._process.kill()
    try:
        f.line('return 1')
    except gpulab.Error:
        pass
    f.line('--device emu 3')
    holds(f.screen.last(), 'Shared memory is divided into banks')


def arrays():
    """numpy arrays go to a kernel and come back"""
    try:
        import numpy
        from gpulab.magics import Kernels
    except ImportError:
        return 'skip: numpy or IPython is not installed'
    f = front()
    k = Kernels(f, f.cell('', SCALE)['kernels'])
    for count in 1, 1000:
        x = numpy.arange(count, dtype='float32')
        k[4, 256](x, 0.5, numpy.int32(count))
        check((x == numpy.arange(count, dtype='float32') / 2).all(), x)
    strided = numpy.arange(64, dtype='float32').reshape(8, 8)
    k.scale[(1, 1, 1), 64](strided[:, ::2], 2, 32)
    check(strided[1, 2] == 20 and strided[1, 3] == 11, strided)
    k[numpy.int64(1), (numpy.uint8(8), 8)](strided, numpy.inf, numpy.int8(8))
    check(numpy.isnan(strided[0, 0]) and numpy.isinf(strided[0, 1:]).all(), strided[0])
    large = numpy.zeros(14_000_000, 'float32')
    try:
        k[1, 1](large, 1.0, 1)
    except gpulab.Error as problem:
        holds(str(problem), 'more than 64 MiB')
    for delay in 0.01, 0.1, 0.3:  # a message that is half sent
        pressed = threading.Timer(delay, os.kill, [os.getpid(), signal.SIGINT])
        pressed.start()
        try:
            k[1, 1](large[:10_000_000], 1.0, 1)
            pressed.join()
        except KeyboardInterrupt:
            pass
        f.line('return 6 * 7')
        holds(f.screen.last(), '42')
    both = Kernels(f, f.cell('', '__global__ void both(int *x, int *y) { x[0] = 1; y[1] += 1; }')['kernels'])
    twice = numpy.zeros(2, 'int32')
    both[1, 1](twice, twice)
    check((twice == 1).all(), twice)
    views = numpy.zeros(3, 'int32')
    both[1, 1](views[:2], views[0:2])  # two views of the same elements are one array, too
    check(views.tolist() == [1, 1, 0], views)
    both[1, 1](views[:2], views.copy()[1:])
    try:
        both[1, 1](views[:2], views[1:])
    except TypeError as problem:
        holds(str(problem), 'overlaps another argument')
    else:
        check(False, 'arrays that overlap were written')
    sevens = Kernels(f, f.cell('', 'template <int N> __global__ void fill(float *x) { x[threadIdx.x] = N; }')['kernels'])
    sevens['fill<7>'][1, 8](strided[0])
    check((strided[0] == 7).all(), strided)
    for shape, wrong in ((1, 1), 'x'), ((1, 1), [1.0]), (1, x), ((1, 1, 0, 0), x):
        try:
            k[shape](wrong, 1.0, 1)
        except TypeError:
            continue
        check(False, '%r was taken' % (shape,))


def notebook_of(lab):
    path = '%s/lab%s.ipynb' % (FOLDER.name, lab)
    if not os.path.exists(path):
        subprocess.run([GPULAB, 'notebook', lab, path], check=True, stdout=subprocess.DEVNULL)
    return path


def written():
    """gpulab notebook writes texts, files of kernels, steps, and exercises, and no solution; it overwrites nothing"""
    with open(notebook_of('3'), encoding='utf-8') as file:
        document = json.load(file)
    sources = [cell['source'] for cell in document['cells']]
    check(len({cell['id'] for cell in document['cells']}) == len(sources), 'two cells have one id')
    for wanted in '%load_ext gpulab', '%gpulab 3', '%gpulab run tile', '%gpulab hint swizzle':
        check(wanted in sources, wanted + ' is missing')
    check('%%gpulab check row-sums\n' + STARTER.rstrip() in sources, 'there is no starter')
    check(document['metadata']['gpulab']['lab'] == 3 and document['nbformat'] == 4, document['metadata'])
    done = subprocess.run([GPULAB, 'notebook', '3', notebook_of('3')], capture_output=True, text=True)
    check(done.returncode == 64 and 'exists already' in done.stderr, done.stderr)


def executed(lab, kernel, replaced=()):
    try:
        import ipykernel  # noqa: F401
        import nbclient
        import nbformat
    except ImportError:
        return 'skip: nbclient or ipykernel is not installed'
    folder = FOLDER.name + '/kernels/gpulab'
    os.makedirs(folder, exist_ok=True)
    write(folder + '/kernel.json', text_of(PACKAGE + '/kernelspec/kernel.json'))
    notebook = nbformat.read(notebook_of(lab), 4)
    for cell in notebook.cells:
        for old, new in replaced:
            cell.source = cell.source.replace(old, new)
        if kernel == 'python3':
            cell.source = cell.source.replace('%gpulab ' + lab, '%gpulab --device emu ' + lab) if cell.source == '%gpulab ' + lab else cell.source
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=None, kernel_name=kernel, resources={'metadata': {'path': FOLDER.name}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == 'code']
    said = {cell.source.split('\n')[0]: ''.join(out.get('data', {}).get('text/plain', '') for out in cell.outputs) for cell in code}
    for cell in code:
        quiet = cell.source.startswith(('%load_ext', '%%gpulab file'))
        check(quiet or said[cell.source.split('\n')[0]], cell.source + ' shows nothing')
    return said


def lab_3():
    """Lab 3 as a notebook runs from top to bottom"""
    said = executed('3', 'python3', [(STARTER.rstrip(), SOLUTION.rstrip())])
    if isinstance(said, str):
        return said
    holds(said['%gpulab run tile'], '32-way bank conflict', 'Predicted')
    holds(said['%%gpulab check row-sums'], 'passed')
    holds(said['%%gpulab check swizzle'], 'not met')
    return None


def lab_5():
    """Lab 5 as a notebook of the kernel gpulab runs from top to bottom"""
    said = executed('5', 'gpulab')
    return said if isinstance(said, str) else None


sys.exit(run_tests([lines, stop, arrays, written, lab_3, lab_5]))
