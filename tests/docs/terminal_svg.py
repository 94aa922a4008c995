"""What a terminal shows of the bytes that came, drawn as SVG: one text per run of cells with one style, light or dark as
the reader's screen is."""
import html
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'repl'))
from screen import Screen  # noqa: E402

WIDTH, HEIGHT, EDGE = 7.8, 17, 14  # of a cell, and around all of them: pixels
COLORS = ('black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white')
STYLE = '''svg { font: 13px 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
text { fill: #1f2328; white-space: pre; } rect { fill: #f6f8fa; } .bold { font-weight: bold; } .dim { fill: #59636e; }
.red { fill: #b3261e; } .green { fill: #116329; } .yellow { fill: #7a5200; } .blue { fill: #0550ae; } .magenta { fill: #7a2da8; }
.cyan { fill: #0b6069; } @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } rect { fill: #161b22; } .dim { fill: #9aa4af; }
.red { fill: #ff8f85; } .green { fill: #7ee787; } .yellow { fill: #e3b341; } .blue { fill: #8cc2ff; } .magenta { fill: #d9b3ff; }
.cyan { fill: #76d9e6; } }'''


class Styled(Screen):
    """A screen whose characters have styles: words such as "bold green", row by row and column by column."""

    def __init__(self):
        super().__init__()
        self.style, self.styles = set(), {}

    def _character(self, c):
        if c >= ' ':
            self.styles[self.row, self.column] = ' '.join(sorted(self.style))
        super()._character(c)

    def _escape(self, found):
        if found.group(2) != 'm':
            super()._escape(found)
            return
        for number in map(int, filter(None, (found.group(1) or '0').split(';'))):
            if number == 0:
                self.style = set()
            elif number in (1, 2):
                self.style.add('bold' if number == 1 else 'dim')
            elif number == 22:
                self.style -= {'bold', 'dim'}
            elif number == 39 or 30 <= number <= 37 or 90 <= number <= 97:
                self.style -= set(COLORS)
                if number != 39:
                    self.style.add(COLORS[number % 10])

    def runs(self, row):
        """(column, text, style) of the cells of a row, neighbors of one style together."""
        line, at = self.lines[row].rstrip(), 0
        while at < len(line):
            style, end = self.styles.get((row, at), ''), at + 1
            while end < len(line) and self.styles.get((row, end), '') == style:
                end += 1
            if line[at:end].strip():
                yield at, line[at:end], style
            at = end


def text_of(column, row, text, style):
    blank = len(text) - len(text.lstrip())
    text, column = text.strip(), column + blank
    return '<text%s lengthAdjust="spacingAndGlyphs" textLength="%g" x="%g" y="%g">%s</text>' % (
        ' class="%s"' % style if style else '', len(text) * WIDTH, EDGE + column * WIDTH, EDGE + row * HEIGHT + 13,
        html.escape(text, quote=False).replace('  ', '\u00a0 '))


def drawn(screen, title):
    """The lines of a Styled screen as an SVG document with its text."""
    rows = len(screen.all())
    while rows > 1 and not screen.lines[rows - 1].strip():
        rows -= 1
    columns = max(len(line) for line in screen.all()[:rows])
    width, height = columns * WIDTH + 2 * EDGE, rows * HEIGHT + 2 * EDGE
    parts = [text_of(column, row, text, style) for row in range(rows) for column, text, style in screen.runs(row)]
    return ('<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%g" height="%g" viewBox="0 0 %g %g"><title>%s</title>'
            '<style>%s</style>\n<rect width="100%%" height="100%%" rx="8"/>\n%s\n</svg>\n' % (
                width, height, width, height, html.escape(title), re.sub(r'\s*\n', ' ', STYLE), '\n'.join(parts)))
