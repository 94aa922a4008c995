#!/usr/bin/env python3
"""Links and paths in README.md, CONTRIBUTING.md and docs/ lead somewhere. TAP on standard output; usage: links.py SOURCE_ROOT

A link is relative and names a file, or a heading of one. A path in backticks that begins with a folder of the source is a file or
folder there; `*`, NN and NAME in it match anything. The README has at most 900 words."""
import glob
import os
import re
import sys
import tempfile

FOLDERS = 'src|lua|labs|kernels|tests|docs|completions'
WORDS = 900


def anchors(text):
    """What a Markdown viewer calls the headings of a page."""
    heads = re.findall(r'^#+ +(.+?)\s*$', re.sub(r'^```.*?^```', '', text, flags=re.M | re.S), re.M)
    return {re.sub(r'[^\w\- ]', '', head.lower()).replace(' ', '-') for head in heads}


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def dead_links(root, page, text):
    for target in re.findall(r'\[[^\]]*\]\(([^)\s]+)\)', text):
        if re.match(r'[a-z]+:', target):
            continue
        name, _, anchor = target.partition('#')
        path = os.path.normpath(os.path.join(root, os.path.dirname(page), name)) if name else os.path.join(root, page)
        if not os.path.exists(path):
            yield 'no file behind the link ' + target
        elif anchor and path.endswith('.md') and anchor not in anchors(read(path)):
            yield 'no heading behind the link ' + target


def dead_paths(root, text):
    prose = re.sub(r'^```.*?^```', '', text, flags=re.M | re.S)
    for path in re.findall(r'`((?:%s)/[\w.*/{},-]*)' % FOLDERS, prose) + re.findall(r'^    ((?:%s)/[\w./-]+)' % FOLDERS, prose, re.M):
        pattern = re.sub(r'NN|NAME', '*', path.rstrip('.,'))
        for one in re.findall(r'\{([^}]*)\}', pattern) and expanded(pattern) or [pattern]:
            if not glob.glob(os.path.join(root, one)):
                yield 'no file is called ' + one


def expanded(pattern):
    head, choices, tail = re.match(r'(.*?)\{([^}]*)\}(.*)', pattern).groups()
    return [head + choice + tail for choice in choices.split(',')]


def pages(root):
    names = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'] + glob.glob('docs/**/*.md', root_dir=root, recursive=True)
    return [name for name in sorted(names) if os.path.exists(os.path.join(root, name))]


def dead(root):
    found = []
    for page in pages(root):
        text = read(os.path.join(root, page))
        # A record's program output and paths are those of its day.
        paths = [] if re.match('docs/records/(h200|session)', page) else dead_paths(root, text)
        found += ['%s: %s' % (page, what) for what in [*dead_links(root, page, text), *paths]]
    return found


def unlinked(root):
    """Pages that no other page links to."""
    linked = set()
    for page in pages(root):
        for target in re.findall(r'\]\(([^)#\s]+)', read(os.path.join(root, page))):
            linked.add(os.path.normpath(os.path.join(os.path.dirname(page), target)))
    return [page for page in pages(root) if page not in linked | {'README.md'}]


def planted():
    """Faults that must be found, so that nothing passes because nothing was read."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, 'docs', 'guide'))
        for name, text in (('README.md', '[a](docs/guide/a.md) [b](docs/none.md) [c](docs/guide/a.md#other)\n'),
                           ('docs/guide/a.md', '# One heading\n`docs/guide/*.md` `src/none.c`\n\n    tests/none.py\n'),
                           ('docs/guide/b.md', '[up](../../README.md) [here](a.md#one-heading)\n')):
            with open(os.path.join(root, name), 'w', encoding='utf-8') as f:
                f.write(text)
        return dead(root), unlinked(root)


def main():
    root, results = os.path.abspath(sys.argv[1]), []

    def check(ok, name, detail=()):
        results.append(ok)
        print('%s %d - %s' % ('ok' if ok else 'not ok', len(results), name))
        for line in [] if ok else detail:
            print('#   ' + line)

    found, lonely = planted()
    check([line.split(': ')[1] for line in found] ==
          ['no file behind the link docs/none.md', 'no heading behind the link docs/guide/a.md#other', 'no file is called src/none.c',
           'no file is called tests/none.py'] and lonely == ['docs/guide/b.md'], 'planted faults are found', found + lonely)
    check(len(pages(root)) > 20, 'there are pages to read', pages(root))
    found = dead(root)
    check(not found, 'every link and path leads somewhere', found)
    found = unlinked(root)
    check(not found, 'every page is linked to', found)
    words = len(read(os.path.join(root, 'README.md')).split())
    check(words <= WORDS, 'the README has at most %d words' % WORDS, ['%d words' % words])
    print('1..%d' % len(results))
    return 0 if all(results) else 1


sys.exit(main())
