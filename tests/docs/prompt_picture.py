#!/usr/bin/env python3
"""The README's picture of the prompt is what a session at a pseudo-terminal shows. TAP on standard output.

    prompt_picture.py GPULAB SOURCE_ROOT             compares
    prompt_picture.py GPULAB SOURCE_ROOT --write     makes docs/guide/pictures/prompt.svg"""
import difflib
import os
import re
import sys
import tempfile
import xml.etree.ElementTree

from terminal_svg import Styled, drawn
from terminal import Terminal

GPULAB, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PICTURE = os.path.join(ROOT, 'docs', 'guide', 'pictures', 'prompt.svg')
EDITOR = '#!/bin/sh\nexec sed -i "s/float tile\\[TILE\\]\\[WIDTH\\]/float tile[TILE][WIDTH + 1]/" "$1"\n'
TITLE = ('Lab 3 at a terminal: the steps copy and tile in a table with bars; then the editor pads the tile, and gpulab shows '
         'the change, its reason, and the new row')


def typed(terminal, line):
    terminal.line(line)
    terminal.expect(r'\n03> $')


def played():
    """The bytes of a session: two steps, an edit, and what the edit did."""
    with tempfile.TemporaryDirectory() as home:
        editor = os.path.join(home, 'editor')
        with open(editor, 'w', encoding='utf-8') as f:
            f.write(EDITOR)
        os.chmod(editor, 0o755)
        env = {**os.environ, 'HOME': home, 'GPULAB_HOME': home + '/gpulab-work', 'XDG_STATE_HOME': home, 'XDG_CONFIG_HOME': home,
               'TERM': 'xterm-256color', 'COLORTERM': '', 'LC_ALL': 'C.UTF-8', 'PAGER': 'cat', 'EDITOR': editor,
               'INPUTRC': '/dev/null'}
        for name in ('NO_COLOR', 'VISUAL'):
            env.pop(name, None)
        with Terminal([GPULAB, '-n', '-q', '--device', 'emu', '3'], env, home, columns=80, rows=60) as t:
            t.expect(r'03> $')
            typed(t, 'predict off')
            before = len(t.seen)
            typed(t, 'run copy tile')
            typed(t, 'edit tile')
            seen = '03> ' + t.seen[before:]
        return seen.replace(home, '~')


def main():
    svg = drawn(Styled().feed(played()), TITLE)
    xml.etree.ElementTree.fromstring(svg)
    if '--write' in sys.argv[3:]:
        with open(PICTURE, 'w', encoding='utf-8') as f:
            f.write(svg)
        return 0
    with open(PICTURE, encoding='utf-8') as f:
        stored = f.read()
    print('1..1\n%s 1 - the picture of the prompt in the README' % ('ok' if svg == stored else 'not ok'))
    if svg != stored:
        for line in difflib.unified_diff(stored.splitlines(), svg.splitlines(), 'stored', 'played', lineterm='', n=0):
            print('#   ' + re.sub(r'<text[^>]*>|</text>', '', line))
        print('#   tests/docs/prompt_picture.py BUILD/src/gpulab . --write renews it')
    return svg != stored


sys.exit(main())
