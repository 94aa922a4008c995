#!/usr/bin/env python3
"""No text or comment uses a word of words.txt.

    words.py SOURCE_ROOT        as TAP, a test for each row; the last tests plant a word that must be found
"""
import functools
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def table():
    """(pattern, what to write instead, folders) of each row of words.txt."""
    rows, usual = [], []
    with open(os.path.join(HERE, 'words.txt'), encoding='utf-8') as file:
        for line in file:
            line = line.strip()
            if line.startswith('@'):
                usual = line[1:].split()
            elif line and not line.startswith('#'):
                pattern, rest = line.split(' => ', 1)
                instead, _, folders = rest.partition(' @ ')
                rows.append((pattern, instead, folders.split() or usual))
    return rows


def compiled(pattern):
    """(what finds it in a text of small letters, and perhaps more, at a fifth of the cost, what finds it)"""
    whole = r'(?:%s)(?![\w-])' % pattern
    return re.compile(whole.lower()), re.compile(r'(?<![\w-])' + whole, re.IGNORECASE)


@functools.lru_cache(maxsize=None)
def joined_lines(text):
    """Line breaks count as blanks, so that no match hides behind one."""
    return re.sub(r'\n\s*(//|--+|#|\*|\.\.)? ?', ' ', text)


@functools.lru_cache(maxsize=None)
def small(text):
    return text.lower()


def found(pattern, name, text):
    """One "file:line: the line" for each match."""
    likely, pattern = pattern
    joined = joined_lines(text)
    if not any(likely.search(small(t)) and pattern.search(t) for t in (joined, text)):
        return []
    lines = ['%s:%d: %s' % (name, number, line.strip()) for number, line in enumerate(text.split('\n'), 1) if pattern.search(line)]
    return lines or ['%s: over a line break: %s' % (name, pattern.search(joined).group())]


def texts(root, folders):
    try:
        listed = subprocess.run(['git', 'ls-files', '-z', '--'] + folders, cwd=root, capture_output=True, check=False)
        names = listed.stdout.decode().split('\0') if listed.returncode == 0 else []
    except FileNotFoundError:
        names = []
    if not [n for n in names if n]:  # a source archive, or a machine without git
        names = [os.path.relpath(os.path.join(at, f), root) for folder in folders
                 for at, _, files in os.walk(os.path.join(root, folder)) for f in files if '__pycache__' not in at]
        names += [f for f in folders if os.path.isfile(os.path.join(root, f))]
    for name in sorted(set(names)):
        path = os.path.join(root, name)
        if name and os.path.isfile(path):
            with open(path, encoding='utf-8', errors='replace') as file:
                yield name, file.read()


def main(root):
    rows, number, failures = table(), 0, 0
    cache = {}
    print('1..%d' % (len(rows) + 3))
    for pattern, instead, folders in rows:
        key = tuple(folders)
        if key not in cache:
            cache[key] = list(texts(root, folders))
        matches = [m for name, text in cache[key] for m in found(compiled(pattern), name, text)]
        number, failures = number + 1, failures + bool(matches)
        print('%s %d - not "%s" but %s' % ('not ok' if matches else 'ok', number, pattern.replace('#', ''), instead))
        for match in matches:
            print('# ' + match)
    for good, name in (
            (len(found(compiled('mends?'), 'planted', 'a\n-- it mends\n')) == 1, 'a planted word is found'),
            (len(found(compiled('half a warp'), 'planted', '-- half\n-- a warp\n')) == 1, 'also over a line break'),
            (not found(compiled('mends?'), 'planted', 'amends, commend') and all(cache.values()), 'no part of a word is, and files were read')):
        number, failures = number + 1, failures + (not good)
        print('%s %d - %s' % ('ok' if good else 'not ok', number, name))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
