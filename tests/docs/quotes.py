#!/usr/bin/env python3
"""Output that documents quote is what the program prints. TAP on standard output.

    quotes.py GPULAB SOURCE_ROOT             compares
    quotes.py GPULAB SOURCE_ROOT --write     writes what is printed now into the documents

A quote is a fenced block after one of these lines:
    <!-- session NAME -->          tests/repl/sessions/NAME.txt, typed at a prompt on the emulator by tests/repl/play.py
    <!-- output gpulab ARGS -->    what a run without a terminal prints
    <!-- file PATH -->             a file of the source"""
import difflib
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

GPULAB, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
QUOTE = re.compile(r'(<!-- (session|output|file) (.+?) -->\n```\w*\n)(.*?)(?=^```$)', re.M | re.S)


def documents():
    return [os.path.join(ROOT, 'README.md')] + sorted(glob.glob(os.path.join(ROOT, 'docs', '**', '*.md'), recursive=True))


def played(name):
    session = os.path.join(ROOT, 'tests', 'repl', 'sessions', name + '.txt')
    with tempfile.TemporaryDirectory() as folder:
        transcript = os.path.join(folder, 'transcript.md')
        done = subprocess.run([sys.executable, os.path.join(ROOT, 'tests', 'repl', 'play.py'), GPULAB, ROOT, session, transcript,
                               '--device', 'emu'], stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        with open(transcript, encoding='utf-8') as f:
            return re.sub(r'^\w*> quit\n$', '', re.search(r'^```\n(.*?)^```$', f.read(), re.M | re.S)[1], flags=re.M)


def printed(command):
    words = shlex.split(command)
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, 'GPULAB_HOME': home, 'HOME': home, 'NO_COLOR': '1'}
        done = subprocess.run([GPULAB, *words[1:]], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, cwd=ROOT,
                              env=env)
    return '$ ' + command + '\n' + done.stdout + done.stderr


def contents(path):
    with open(os.path.join(ROOT, path), encoding='utf-8') as f:
        return f.read()


HOW = {'session': played, 'output': printed, 'file': contents}


def compared(text):
    """Without what depends on the machine: the compiler's version in the banner, the emulator's own time."""
    text = re.sub(r'emulated in [\d.]+ \w+', 'emulated', text)
    return re.sub(r'^gpulab [\d.]+ · .*$', 'gpulab', text, flags=re.M)


def main():
    write, count, failed = '--write' in sys.argv[3:], 0, 0
    for path in documents():
        with open(path, encoding='utf-8') as f:
            text = f.read()
        renewed = text
        for head, kind, what, quoted in QUOTE.findall(text):
            now = HOW[kind](what)
            if write:
                renewed = renewed.replace(head + quoted, head + now)
                continue
            count += 1
            same = compared(quoted) == compared(now)
            failed += not same
            print('%s %d - %s: %s' % ('ok' if same else 'not ok', count, os.path.relpath(path, ROOT), what), flush=True)
            if not same:
                for line in difflib.unified_diff(quoted.splitlines(), now.splitlines(), 'quoted', 'printed', lineterm='', n=1):
                    print('#   ' + line)
                print('#   tests/docs/quotes.py BUILD/src/gpulab . --write renews the quotes')
        if renewed != text:
            with open(path, 'w', encoding='utf-8') as f:
                f.write(renewed)
    if not write:
        print('1..%d' % count)
    return 1 if failed or not (count or write) else 0


sys.exit(main())
