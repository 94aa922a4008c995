#!/usr/bin/env python3
"""Makes the pictures of the guides from real runs on the emulator: a report in Chromium, frozen warp views.
usage: pictures.py GPULAB SOURCE_ROOT [chromium]   writes SOURCE_ROOT/docs/guide/pictures"""
import os
import subprocess
import sys
import tempfile

GPULAB, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CHROMIUM = sys.argv[3] if len(sys.argv) > 3 else 'chromium'
sys.path.insert(0, os.path.join(ROOT, 'tests', 'repl'))
from terminal import Terminal  # pylint: disable=wrong-import-position

PICTURES = os.path.join(ROOT, 'docs', 'guide', 'pictures')
# By picture the lab, and what is typed before `keep`.
VIEWS = {'divergence': ('1', ['debug -G in2', 'break 41', 'continue', 'step 2']),
         'conflict': ('3', ['debug tile', 'until 72']),
         'reduction': ('5', ['debug -G sequential', 'break 67 if s == 2', 'continue'])}


def environment(folder):
    return {**os.environ, 'HOME': folder, 'GPULAB_HOME': folder + '/own', 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8', 'NO_COLOR': '1', 'EDITOR': 'true'}


def view(name, lab, commands, folder):
    path = os.path.join(PICTURES, name + '.svg')
    t = Terminal([GPULAB, '-n', '-q', '--device', 'emu', lab], environment(folder), cwd=folder)
    t.expect(r'\d\d> $')
    for command in commands + ['keep ' + path]:
        t.line(command)
        t.expect(r'\d\d debug> $')
    t.kill()


def report(folder):
    """Lab 3 with an exercise and a plot, as far as a window of 1000 x 2000 shows it."""
    t = Terminal([GPULAB, '-n', '-q', '--device', 'emu', '3'], environment(folder), cwd=folder)
    t.expect(r'03> $')
    for command in ('predict off', 'run copy tile padded', 'check row-sums', 'plot stride', 'report %s/report.html' % folder):
        t.line(command)
        t.expect(r'03> $')
    t.kill()
    subprocess.run([CHROMIUM, '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-device-scale-factor=1', '--window-size=1000,2000',
                    '--screenshot=%s/report.png' % folder, 'file://%s/report.html' % folder], check=True, capture_output=True)
    return folder + '/report.png'


def smaller(source, target):
    """256 colors are enough for text and bars."""
    from PIL import Image  # pylint: disable=import-outside-toplevel
    Image.open(source).convert('RGB').quantize(64).save(target, optimize=True)


def main():
    os.makedirs(PICTURES, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix='gpulab-pictures-') as folder:
        for name, (lab, commands) in VIEWS.items():
            view(name, lab, commands, folder)
        smaller(report(folder), os.path.join(PICTURES, 'report.png'))
    for name in sorted(os.listdir(PICTURES)):
        print('%s: %d kB' % (name, os.path.getsize(os.path.join(PICTURES, name)) // 1000))


main()
