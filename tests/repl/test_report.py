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
    t = Terminal([GPULAB, '-n', '-q', '--device', 'emu', ROOT + '/labs/03-bank-conflicts.lua'], env, cwd=FOLDER.name, rows=100)
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


# Chromium runs once for all the pages that a test looks at, each in a frame of its width: a start of it takes longer than most pages. A
# script in the page sends what it found to the window around the frames, which waits for all.
FRAMES = '''<!DOCTYPE html><body><script>
  var pages = %s, seen = [], left = pages.length;
  addEventListener("message", function (e) {
    pages.forEach(function (page, i) { if (page.frame.contentWindow === e.source) seen[i] = e.data; });
    if (--left) return;
    var body = document.createElement("pre");
    body.id = "measured";
    body.textContent = JSON.stringify(seen);
    document.body.appendChild(body);
  });
  pages.forEach(function (page) {
    page.frame = document.createElement("iframe");
    page.frame.width = page.width;
    page.frame.height = 900;
    page.frame.style.border = "0";
    page.frame.srcdoc = page.text;
    document.body.appendChild(page.frame);
  });
</script>'''


def in_frames(pages, script):
    """What the script says of each page: [(text of the page, width)] -> [value]."""
    framed = [{'width': width, 'text': without_policy(text).replace('</head>', script + '</head>')} for text, width in pages]
    copy = FOLDER.name + '/frames.html'
    write(copy, FRAMES % json.dumps(framed).replace('</', '<\\/'))
    dumped = chromium('--window-size=2000,900', '--virtual-time-budget=60000', '--dump-dom', 'file://' + copy)
    return json.loads(html.unescape(re.search(r'<pre id="measured">(.*?)</pre>', dumped, re.S).group(1)))


def without_policy(page):
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', '', page)


def dark(page):
    """The page as a dark screen shows it."""
    scheme = '@media (prefers-color-scheme: dark)'
    check(scheme in page, 'no style for dark screens')
    return page.replace(scheme, '@media all')


# How far the page and what it shows reach beyond the window or their own boxes, the smallest text in a picture, and the background.
MEASURE = '''<script>addEventListener("load", function () {
  var wide = [], whole = document.documentElement, first = document.querySelector(".scroll");
  document.querySelectorAll(".scroll, pre, code, table, svg").forEach(function (e) {
    var scrolls = getComputedStyle(e).overflowX;
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth && scrolls !== "visible") wide.push(e.tagName + ": " + e.textContent.slice(0, 60));
  });
  var texts = Array.from(document.querySelectorAll("svg text"), function (t) { return Math.min(t.getBoundingClientRect().height, 99); });
  parent.postMessage({ whole: whole.scrollWidth, window: innerWidth, cut: wide, text: Math.min.apply(null, texts.filter(Boolean)),
    table: first.scrollWidth - first.clientWidth, color: getComputedStyle(document.body).backgroundColor }, "*");
});</script>'''


def widths():
    """a report and the page of a class fit windows of 390 to 1920 pixels, light and dark, with pictures to be read and, from 1200 on, no code cut"""
    if not CHROMIUM:
        return 'skip: Chromium is not installed'
    report, grades = text_of(USED), text_of(GRADES)
    pages = [(report, 390), (dark(report), 390), (grades, 390), (dark(grades), 390), (report, 500), (report, 1200), (report, 1920)]
    seen = in_frames(pages, MEASURE)
    for (page, width), found in zip(pages, seen):
        check(found['window'] == width and found['whole'] <= width, '%d pixels: the page has %d' % (width, found['whole']))
        check(width < 1200 or not found['cut'], '%d pixels: %s' % (width, found['cut']))
        check(width > 390 or found['text'] >= 8, 'a text in a picture has %s pixels' % found['text'])
        check(width > 390 or page in (grades, dark(grades)) or found['table'] <= 0, 'the first table is cut by %s pixels' % found['table'])
    for light, other in (seen[0:2], seen[2:4]):
        check(light['color'] != other['color'], 'light and dark look alike: ' + light['color'])
    return None


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


# What axe-core finds: which rule, how bad, which elements and why.
FINDS = '''<script>addEventListener("load", function () {
  axe.run(document, { resultTypes: ["violations"] }).then(function (found) {
    parent.postMessage({ ended: found.passes.length, violations: found.violations.map(function (v) {
      return v.impact + " " + v.id + ": " + v.nodes.slice(0, 3).map(function (n) {
        return n.target.join(" ") + ": " + n.failureSummary.replace(/\\s+/g, " ");
      }).join("; ");
    }) }, "*");
  });
});</script>'''


def accessible():
    """axe-core finds nothing in a report and the page of a class, light and narrow, dark and wide"""
    if not CHROMIUM:
        return 'skip: Chromium is not installed'
    if not AXE:
        return 'skip: axe-core is not installed: .venv/bin/pip install --no-deps axe-playwright-python, or GPULAB_AXE=.../axe.min.js'
    pages = [(scheme(text_of(name)), width) for name in (USED, GRADES) for scheme, width in ((str, 500), (dark, 1200))]
    seen = in_frames(pages, '<script>' + text_of(AXE).replace('</script', '<\\/script') + '</script>' + FINDS)
    check(all(found['ended'] > 10 for found in seen), 'axe-core looked at hardly anything')
    found = ['page %d, %d pixels: %s' % (number, width, what) for number, ((_, width), result) in enumerate(zip(pages, seen))
             for what in result['violations']]
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


sys.exit(run_tests([made, used, graded, widths, accessible, printed]))
