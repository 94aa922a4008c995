"""The HTML report of lab 3 and the page of a class in Chromium: contents, widths of the window, pages when printed, accessibility by
axe-core. usage: test_report.py GPULAB SOURCE_ROOT

Skipped where Chromium is not installed, and for accessibility where axe-core is not: ./bootstrap test --strict fetches it into .venv, or
GPULAB_AXE names an axe.min.js."""
import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from terminal import Terminal, check, run_tests, text_of, write

GPULAB = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
CHROMIUM = shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')
AXE = os.environ.get('GPULAB_AXE') or next(iter(glob.glob(ROOT + '/.venv/lib/python3*/site-packages/axe_playwright_python/axe.min.js')), None)
FOLDER = tempfile.TemporaryDirectory(prefix='gpulab-test-')
PAGE, USED, GRADES = (FOLDER.name + name for name in ('/report.html', '/used.html', '/grades/grades.html'))
EXERCISES = {'row-sums': 'row_sums.cu', 'swizzle': 'swizzle.cu', 'histogram': 'histogram.cu', 'aos': 'aos.cu'}


def chromium(*arguments):
    done = subprocess.run([CHROMIUM, '--headless', '--no-sandbox', '--disable-gpu', '--user-data-dir=' + FOLDER.name + '/profile', *arguments],
                          capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stderr[-2000:])
    return done.stdout


def made():
    """--html writes the report: contents, each kernel's source once, a roofline"""
    env = {**os.environ, 'GPULAB_HOME': '', 'XDG_CACHE_HOME': FOLDER.name}
    done = subprocess.run([GPULAB, '--device', 'emu', '--batch', '--set', 'n=512', '--html', PAGE, ROOT + '/labs/03-bank-conflicts.lua'],
                          capture_output=True, text=True, check=False, env=env)
    check(done.returncode == 0, done.stderr)
    page = text_of(PAGE)
    check('<nav aria-label="Contents">' in page, 'no table of contents')
    anchors = re.findall(r'<nav.*?</nav>', page, re.S)[0]
    for target in re.findall(r'href="#([^"]+)"', anchors):
        check('id="%s"' % target in page, 'nothing behind #' + target)
    check('Roofline' in page, 'no roofline')
    remark = '// 32: all in one bank. 33, one padding word per row'
    check(remark in text_of(ROOT + '/kernels/transpose.cu'), 'the kernel has no such comment any more')
    check(html.unescape(re.sub(r'<[^>]+>', '', page)).count(remark) == 1, 'the whole source is there not just once')


def used():
    """a report of all steps, two models, a plot, a note and four solved exercises has all of them"""
    home, copies = FOLDER.name + '/own', FOLDER.name + '/own/03-bank-conflicts'
    env = {**os.environ, 'HOME': FOLDER.name, 'GPULAB_HOME': home, 'XDG_CACHE_HOME': FOLDER.name, 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8',
           'LOGNAME': 'ada <b>'}
    t = Terminal([GPULAB, '-n', '-q', '--device', 'emu', ROOT + '/labs/03-bank-conflicts.lua'], env, cwd=FOLDER.name)
    try:
        t.expect(r'03> $')
        os.makedirs(copies)
        for exercise, file in EXERCISES.items():
            shutil.copy('%s/kernels/solutions/03-%s/%s' % (ROOT, exercise, file), copies)
        for line in ['predict off', 'set n=512 blocks=16', 'model H100', 'model A100', 'run', 'plot stride', 'note tile One bank has the column.',
                     *('check ' + exercise for exercise in EXERCISES), 'report ' + USED]:
            t.line(line)
            t.expect(r'03> $')
    finally:
        t.kill()
    page = text_of(USED)
    check('<p class="credit">ada &lt;b&gt; · 20' in page, 'the head does not say whose it is')
    sections = re.split(r'<h2 id="', page)
    models = next(s for s in sections if s.startswith('models"'))
    check('H100' in models and 'A100' in models and 'GTX 280' in models, 'models: ' + models[:300])
    check('One bank has the column.' in page and '<h2 id="plots">' in page, 'no note or plot')
    exercises = next(s for s in sections if s.startswith('exercises"'))
    for exercise, file in EXERCISES.items():
        own = re.search(r'<h3 id="exercise-%s">.*?(?=<h3|$)' % exercise, exercises, re.S).group(0)
        check('conditions met' in own and 'Acceptance check: the conditions' in own, exercise + ' has no verdict')
        check(file in own and 'data-of="shared load">1<' in own and '__global__' in own, exercise + ' has no source with counters')


# How far the page and what it shows reach beyond the window or their own boxes, by the browser.
MEASURE = '''<script>document.addEventListener("DOMContentLoaded", function () {
  var wide = [];
  document.querySelectorAll(".scroll, pre, code, table, svg").forEach(function (e) {
    var box = e.getBoundingClientRect(), scrolls = getComputedStyle(e).overflowX;
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth && scrolls !== "visible") wide.push(e.tagName + ": " + e.textContent.slice(0, 60));
  });
  var body = document.createElement("pre");
  body.id = "measured";
  body.textContent = document.documentElement.scrollWidth + " " + window.innerWidth + "|" + wide.join("|");
  document.body.appendChild(body);
});</script>'''


def widths():
    """at 500, 1200 and 1920 pixels nothing is wider than the window, and from 1200 on no code is cut"""
    if not CHROMIUM:
        return 'skip: Chromium is not installed'
    copy = FOLDER.name + '/measured.html'
    write(copy, re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', '', text_of(USED)).replace('</head>', MEASURE + '</head>'))
    for width in (500, 1200, 1920):  # Chromium has no narrower window
        page = chromium('--window-size=%d,900' % width, '--dump-dom', 'file://' + copy)
        sizes, *cut = html.unescape(re.search(r'<pre id="measured">(.*?)</pre>', page, re.S).group(1)).split('|')
        whole, window = map(int, sizes.split())
        check(whole <= window, '%d pixels: the page has %d' % (window, whole))
        check(width < 1200 or not any(cut), '%d pixels: %s' % (width, cut))
    return None


# The page in a frame, since Chromium has no window as narrow as a telephone.
FRAME = '''<!DOCTYPE html><body><iframe width="%d" height="900" style="border: 0"></iframe><script>
  var frame = document.querySelector("iframe");
  frame.srcdoc = %s;
  frame.onload = function () {
    var whole = frame.contentDocument.documentElement, body = document.createElement("pre");
    body.id = "measured";
    var texts = Array.from(whole.querySelectorAll("svg text"), function (t) { return Math.min(t.getBoundingClientRect().height, 99); });
    var first = whole.querySelector(".scroll");
    body.textContent = [whole.scrollWidth, frame.contentWindow.innerWidth, Math.min.apply(null, texts.filter(Boolean)),
      first.scrollWidth - first.clientWidth, frame.contentWindow.getComputedStyle(frame.contentDocument.body).backgroundColor].join("|");
    document.body.appendChild(body);
  };
</script>'''


def graded():
    """gpulab grade writes the page of a class: one that passed, one that does not compile; verdicts are words, each value has a bar"""
    solution = text_of(ROOT + '/kernels/solutions/03-row-sums/row_sums.cu')
    for name, text in (('ada', solution), ('bob', solution.replace('int first', 'int'))):
        os.makedirs('%s/subs/%s' % (FOLDER.name, name))
        write('%s/subs/%s/row_sums.cu' % (FOLDER.name, name), text)
    done = subprocess.run([GPULAB, 'grade', FOLDER.name + '/subs', '--lab', '3', '--out', FOLDER.name + '/grades'], capture_output=True, text=True,
                          check=False, env={**os.environ, 'GPULAB_HOME': '', 'XDG_CACHE_HOME': FOLDER.name}, cwd=FOLDER.name)
    check(done.returncode == 0, done.stdout + done.stderr)
    page = text_of(GRADES)
    check('✓ passed' in page and '✗ does not compile' in page and '✗ missing' in page, 'no verdict in words')
    drawn = re.search('Distribution of points.*?</svg>', page, re.S).group(0)
    texts = re.findall('<text[^>]*>([^<]*)</text>', drawn)
    check(sorted(texts) == ['0', '0', '1', '1', '1', '4'], 'a bar for 0, 1, and 4 points: %s' % texts)


def narrow():
    """at 390 pixels nothing is wider than the window and pictures are readable, light and dark: a report and the page of a class"""
    if not CHROMIUM:
        return 'skip: Chromium is not installed'
    for name in (USED, GRADES):
        narrow_page(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', '', text_of(name)), name == USED)
    return None


def narrow_page(page, whole_table):
    dark = '@media (prefers-color-scheme: dark)'
    check(dark in page, 'no style for dark screens')
    colors = set()
    for one in (page, page.replace(dark, '@media all')):
        copy = FOLDER.name + '/frame.html'
        write(copy, FRAME % (390, json.dumps(one).replace('</', '<\\/')))
        dumped = chromium('--window-size=600,900', '--virtual-time-budget=5000', '--dump-dom', 'file://' + copy)
        whole, window, text, cut, color = re.search(r'<pre id="measured">(.*?)</pre>', dumped).group(1).split('|')
        check(window == '390' and int(whole) <= 390, 'the page has %s of %s pixels' % (whole, window))
        check(float(text) >= 8, 'a text in a picture has %s pixels' % text)
        check(not whole_table or int(cut) <= 0, 'the first table is cut by %s pixels' % cut)
        colors.add(color)
    check(len(colors) == 2, 'light and dark look alike: %s' % colors)


# What axe-core finds: which rule, how bad, which elements and why.
FINDS = '''<script>window.addEventListener("load", function () {
  axe.run(document, { resultTypes: ["violations"] }).then(function (found) {
    var body = document.createElement("pre");
    body.id = "measured";
    body.textContent = JSON.stringify({ ended: found.passes.length, violations: found.violations.map(function (v) {
      return v.impact + " " + v.id + ": " + v.nodes.slice(0, 3).map(function (n) {
        return n.target.join(" ") + ": " + n.failureSummary.replace(/\\s+/g, " ");
      }).join("; ");
    }) });
    document.body.appendChild(body);
  });
});</script>'''


def accessible():
    """axe-core finds nothing in a report and the page of a class, light and dark"""
    if not CHROMIUM:
        return 'skip: Chromium is not installed'
    if not AXE:
        return 'skip: axe-core is not installed: .venv/bin/pip install --no-deps axe-playwright-python, or GPULAB_AXE=.../axe.min.js'
    script, copy, found = '<script>' + text_of(AXE).replace('</script', '<\\/script') + '</script>', FOLDER.name + '/axe.html', []
    for name in (USED, GRADES):
        page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', '', text_of(name))
        for scheme, one in (('light', page), ('dark', page.replace('@media (prefers-color-scheme: dark)', '@media all'))):
            write(copy, one.replace('</head>', script + FINDS + '</head>'))
            for width in (500, 1200):
                dumped = chromium('--window-size=%d,900' % width, '--virtual-time-budget=30000', '--dump-dom', 'file://' + copy)
                result = json.loads(html.unescape(re.search(r'<pre id="measured">(.*?)</pre>', dumped, re.S).group(1)))
                check(result['ended'] > 10, 'axe-core looked at hardly anything')
                found += ['%s, %s, %d: %s' % (os.path.basename(name), scheme, width, what) for what in result['violations']]
    check(not found, '\n'.join(found))
    return None


def printed():
    """printed, a used lab 3 takes at most 8 pages"""
    if not CHROMIUM:
        return 'skip: Chromium is not installed'
    path = FOLDER.name + '/report.pdf'
    chromium('--no-pdf-header-footer', '--print-to-pdf=' + path, 'file://' + USED)
    with open(path, 'rb') as f:
        pages = len(re.findall(rb'/Type\s*/Page[^s]', f.read()))
    check(1 <= pages <= 8, '%d pages' % pages)
    return None


sys.exit(run_tests([made, used, graded, widths, narrow, accessible, printed]))
