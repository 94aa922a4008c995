"""A real JupyterLab in headless Chromium: a lab's notebook with the Python kernel and with the kernel gpulab, in the light and the dark
theme. usage: test_jupyterlab.py GPULAB SOURCE_ROOT [FOLDER]   FOLDER gets pictures of the page

It is skipped without jupyterlab, ipykernel and numpy. Chromium is driven by the DevTools protocol, JupyterLab by the commands of its menus."""
import base64
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GPULAB, ROOT = map(os.path.abspath, sys.argv[1:3])
PICTURES = sys.argv[3] if len(sys.argv) > 3 else None
PACKAGE = os.path.join(ROOT, 'contrib/python')
sys.path.insert(0, os.path.join(HERE, '..', 'repl'))
from terminal import check, run_tests, text_of, until, write  # noqa: E402

try:
    import jupyterlab
    import websocket  # of jupyter_server
except ImportError:
    jupyterlab = None
CHROMIUM = shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-jupyterlab-')
HOME = FOLDER.name
ENV = {**os.environ, 'HOME': HOME, 'GPULAB_PROGRAM': GPULAB, 'GPULAB_HOME': HOME + '/gpulab', 'GPULAB_DEVICE': 'emu', 'PYTHONPATH': PACKAGE,
       'LANG': 'C.UTF-8', 'JUPYTER_PATH': HOME + '/share', 'JUPYTER_RUNTIME_DIR': HOME + '/runtime', 'JUPYTER_CONFIG_DIR': HOME + '/config',
       'JUPYTERLAB_SETTINGS_DIR': HOME + '/settings', 'IPYTHONDIR': HOME + '/ipython'}
SOLUTION = text_of(os.path.join(ROOT, 'kernels/solutions/03-row-sums/row_sums.cu'))
RACE = SOLUTION.replace('__syncthreads();', '')
LONG = '''%%gpulab k.add_long{grid = 1, block = 32}(gpu.buffer("int", 1, { fill = 0 }))
__global__ void add_long(volatile int *x) { for (long i = 0; i < 1L << 40; i++) *x += 1; }'''
WIDTH, HEIGHT = 1150, 1500
NOTEBOOK = '[...jupyterapp.shell.widgets("main")].find(w => w.sessionContext)'
IDLE = f'{NOTEBOOK}.sessionContext.session?.kernel?.status === "idle"'
DONE = IDLE + ' && [...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")].every(e => /\\d/.test(e.textContent))'
# In the page: texts whose contrast with what is behind them is low, by the formula of WCAG.
CONTRAST = '''(() => {
  const parts = color => { const n = color.match(/[\\d.]+/g).map(Number); return color.startsWith('color(srgb') ? [...n.slice(0, 3).map(v => 255 * v), n[3]] : n; };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor); if (c[3] !== 0) return c; } return [255, 255, 255]; };
  const low = new Set();
  for (const e of document.querySelectorAll('.gpulab *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()), box = e.getBoundingClientRect();
    if (!own || !box.width) continue;
    const svg = e instanceof SVGElement, style = getComputedStyle(e), color = parts(svg ? style.fill : style.color);
    if (svg && e.previousElementSibling) continue;
    const [a, b] = [light(color), light(behind(svg ? e.ownerSVGElement : e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.add(e.tagName + ' ' + e.textContent.trim().slice(0, 30) + ' ' + ((a + 0.05) / (b + 0.05)).toFixed(1));
  }
  return [...low].slice(0, 10);
})()'''


class Page:
    """A page of Chromium. run() evaluates in it, and waits for a promise."""

    def __init__(self):
        profile = HOME + '/profile'
        self.browser = subprocess.Popen([CHROMIUM, '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-port=0',
                                         '--user-data-dir=' + profile, f'--window-size={WIDTH},{HEIGHT}', 'about:blank'], stderr=subprocess.DEVNULL)
        until(lambda: os.path.exists(profile + '/DevToolsActivePort') and text_of(profile + '/DevToolsActivePort').count('\n'))
        port, path = text_of(profile + '/DevToolsActivePort').split('\n')[:2]
        self.last, self.session = 0, None
        self.socket = websocket.create_connection(f'ws://127.0.0.1:{port}{path}', timeout=300, suppress_origin=True)
        target = next(t for t in self.send('Target.getTargets')['targetInfos'] if t['type'] == 'page')
        self.session = self.send('Target.attachToTarget', targetId=target['targetId'], flatten=True)['sessionId']
        self.send('Emulation.setFocusEmulationEnabled', enabled=True)

    def send(self, method, **params):
        self.last += 1
        self.socket.send(json.dumps({'id': self.last, 'method': method, 'params': params, **({'sessionId': self.session} if self.session else {})}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get('id') == self.last:
                check('error' not in message, message)
                return message['result']

    def run(self, script):
        result = self.send('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True)
        check('exceptionDetails' not in result, f'{script}: {result.get("exceptionDetails")}')
        return result['result'].get('value')

    def picture(self, name):
        if PICTURES:
            os.makedirs(PICTURES, exist_ok=True)
            with open(os.path.join(PICTURES, name + '.png'), 'wb') as file:
                file.write(base64.b64decode(self.send('Page.captureScreenshot', format='png')['data']))


class Lab:
    """JupyterLab with a notebook open."""

    def __init__(self):
        for name, text in ('share/kernels/gpulab/kernel.json', text_of(PACKAGE + '/kernelspec/kernel.json')), (
                'settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings', '{"windowingMode": "none"}'), (
                'settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings', '{"fetchNews": "false"}'):
            os.makedirs(os.path.dirname(os.path.join(HOME, name)), exist_ok=True)
            write(os.path.join(HOME, name), text)
        with open(HOME + '/server.log', 'w', encoding='utf-8') as log:
            self.server = subprocess.Popen([sys.executable, '-m', 'jupyterlab', '--no-browser', '--ServerApp.port=0', '--ServerApp.root_dir=' + HOME,
                                            '--LabApp.expose_app_in_browser=True', '--allow-root'], env=ENV, cwd=HOME, stdout=log, stderr=log)
        until(lambda: glob.glob(HOME + '/runtime/jpserver-*.json'))
        time.sleep(1)
        with open(glob.glob(HOME + '/runtime/jpserver-*.json')[0], encoding='utf-8') as file:
            self.at = json.load(file)
        self.page = Page()

    def open(self, path):
        url = f'http://127.0.0.1:{self.at["port"]}/lab/tree/{path}?reset&token={self.at["token"]}'
        self.page.send('Page.navigate', url=url)
        self.wait('window.jupyterapp && ' + NOTEBOOK)
        self.page.run(f'jupyterapp.shell.activateById({NOTEBOOK}.id)')
        self.wait(f'jupyterapp.shell.currentWidget && {IDLE}')
        self.page.run('jupyterapp.shell.collapseLeft()')

    def wait(self, condition, seconds=120):
        end = time.monotonic() + seconds
        while not self.page.run(f'Boolean({condition})'):
            check(time.monotonic() < end, f'{condition}: {text_of(HOME + "/server.log")[-3000:]}')
            time.sleep(0.2)

    def command(self, name, arguments='{}'):
        self.page.run(f'jupyterapp.commands.execute("{name}", {arguments}).then(() => null)')

    def run_all(self):
        self.page.run('jupyterapp.commands.execute("notebook:run-all-cells"); null')
        self.wait(DONE)

    def theme(self, name):
        self.command('apputils:change-theme', json.dumps({'theme': 'JupyterLab ' + name}))
        self.wait(f'document.body.dataset.jpThemeLight === "{"true" if name == "Light" else "false"}"')
        time.sleep(1)

    def outputs(self):
        """The texts of each code cell's output."""
        return self.page.run('[...document.querySelectorAll(".jp-CodeCell")].map(c => [...c.querySelectorAll(".jp-OutputArea-output")]'
                             '.map(o => o.textContent).join("\\n"))')

    def show(self, index):
        self.page.run(f'document.querySelectorAll(".jp-CodeCell")[{index}].scrollIntoView({{block: "start"}})')
        time.sleep(0.3)

    def close(self):
        self.page.browser.kill()
        self.server.terminate()
        self.server.wait()


def notebook(name, kernel, cells):
    cells = [{'cell_type': 'code', 'id': f'cell-{i}', 'metadata': {'tags': ['raises-exception']}, 'execution_count': None, 'outputs': [], 'source': cell} for i, cell in enumerate(cells)]
    with open(f'{HOME}/{name}', 'w', encoding='utf-8') as file:
        json.dump({'cells': cells, 'metadata': {'kernelspec': {'name': kernel, 'display_name': kernel, 'language': 'python'}},
                   'nbformat': 4, 'nbformat_minor': 5}, file)
    return name


def looked_at(lab, name, cells):
    for theme in 'Light', 'Dark':
        lab.theme(theme)
        low = lab.page.run(CONTRAST)
        for index in cells:
            lab.show(index)
            lab.page.picture(f'{name}-{index}-{theme.lower()}')
        check(not low, f'{theme}: low contrast of {low}')
        check(not lab.page.run('[...document.querySelectorAll(".gpulab")].filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "visible").length'),
              f'{theme}: output wider than its cell')


CELLS = ['%load_ext gpulab', '%gpulab 3', '%gpulab run tile', '%gpulab why tile', '%gpulab lines tile', '%gpulab roofline',
         '%%gpulab check row-sums\n' + RACE, '%%gpulab check row-sums\n' + SOLUTION,
         '%%gpulab\n__global__ void scale(float *x, float f) { x[threadIdx.x] *= f; }',
         'import numpy\nx = numpy.arange(64, dtype="float32")\nk[1, 64](x, 2)\nx[3]', '%%gpulab\n__global__ void f() { y; }', '%gpulab why nosuch']


def python(lab):
    """The Python kernel: tables, pictures, verdicts, errors, in both themes"""
    lab.open(notebook('python.ipynb', 'python3', CELLS))
    lab.run_all()
    said = lab.outputs()
    for index, part in (2, '32-way bank conflict'), (3, '1 of 32 banks'), (6, 'race'), (7, 'passed'), (8, 'k.scale'), (9, '6.0'), (10, 'undefined'), (
            11, 'nosuch'):
        check(part in said[index], f'{CELLS[index]}: {said[index]}')
    check(lab.page.run('document.querySelectorAll(".gpulab table").length') >= 3, 'tables')
    check(lab.page.run('document.querySelectorAll(".gpulab svg").length') >= 2, 'pictures')
    check('Traceback' not in ''.join(said), said)
    looked_at(lab, 'python', range(2, len(CELLS)))


def lab_kernel(lab):
    """The kernel gpulab: lines of the prompt and CUDA C++; progress while it runs; the stop button"""
    cells = ['3', 'run tile padded', 'why tile', '__global__ void scale(float *x, float f) { x[threadIdx.x] *= f; }',
             'k.scale{grid = 1, block = 32}(gpu.buffer("float", 32), 2)', LONG]
    lab.open(notebook('lab.ipynb', 'gpulab', cells))
    lab.page.run('jupyterapp.commands.execute("notebook:run-all-cells"); null')
    lab.wait('document.querySelector(".jp-OutputArea progress")')
    lab.wait('[...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")].filter(e => !/\\d/.test(e.textContent)).length === 1')
    time.sleep(2)
    lab.command('notebook:interrupt-kernel')
    lab.wait(DONE)
    said = lab.outputs()
    for index, part in (0, 'Lab 3'), (1, '32-way bank conflict'), (2, '1 of 32 banks'), (3, 'k.scale'), (4, 'scale'), (5, 'interrupted'):
        check(part in said[index], f'{cells[index]}: {said[index]}')
    check(not lab.page.run('document.querySelectorAll(".jp-OutputArea progress").length'), 'progress stays')
    looked_at(lab, 'kernel', range(len(cells)))


def whole(lab):
    """Lab 3 as `gpulab notebook` writes it, from top to bottom"""
    subprocess.run([GPULAB, 'notebook', '3', HOME + '/whole.ipynb'], check=True, stdout=subprocess.DEVNULL)
    lab.open('whole.ipynb')
    began = time.monotonic()
    lab.run_all()
    print(f'# {time.monotonic() - began:.1f} s')
    said = lab.outputs()
    check('Traceback' not in ''.join(said), said)
    looked_at(lab, 'whole', [3, 5, 7])


def with_lab(test):
    def one():
        if not jupyterlab or not CHROMIUM:
            return 'skip: there is no JupyterLab' if not jupyterlab else 'skip: there is no Chromium'
        lab = Lab()
        try:
            return test(lab)
        finally:
            lab.close()
            shutil.rmtree(HOME + '/runtime')
            shutil.rmtree(HOME + '/profile', ignore_errors=True)
    one.__doc__, one.__name__ = test.__doc__, test.__name__
    return one


sys.exit(run_tests([with_lab(test) for test in (python, lab_kernel, whole)]))
