"""The terms of docs/guide/glossary.md as a Lua module: a list of {term, what it means}."""
import json
import re


def entries(path):
    with open(path, encoding='utf-8') as file:
        paragraphs = re.split(r'\n\s*\n', file.read())
    found = (re.fullmatch(r'\*\*(.+?)\*\*: (.+)', paragraph.strip(), re.S) for paragraph in paragraphs)
    return [(m[1], ' '.join(m[2].replace('*', '').split())) for m in found if m]


def lua(path):
    rows = ('  { %s, %s },\n' % tuple(json.dumps(part, ensure_ascii=False) for part in entry) for entry in entries(path))
    return '-- Made of docs/guide/glossary.md.\nreturn {\n%s}\n' % ''.join(rows)
