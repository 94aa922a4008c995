"""What a terminal would show of the bytes that came: lines of text, without the escape sequences that made them."""
import re

SEQUENCE = re.compile(r'\x1b\[([0-9;?]*)([A-Za-z])|\x1b[=>78()][B0]?|\x1b\][^\x07]*\x07')


class Screen:
    """A sheet without a bottom or a right edge: what scrolls off stays readable, and a long line is one line. Rows
    count from the last time it was cleared."""

    def __init__(self):
        self.lines = ['']
        self.top = self.row = self.column = 0

    def feed(self, text):
        at = 0
        while at < len(text):
            if text[at] == '\x1b':
                found = SEQUENCE.match(text, at)
                if found:
                    self._escape(found)
                    at = found.end()
                    continue
            self._character(text[at])
            at += 1
        return self

    def shown(self):
        """The lines since the screen was last cleared."""
        return [line.rstrip() for line in self.lines[self.top:]]

    def all(self):
        return [line.rstrip() for line in self.lines]

    def _move(self, row, column):
        self.row, self.column = max(row, self.top), max(column, 0)
        while len(self.lines) <= self.row:
            self.lines.append('')

    def _character(self, c):
        if c == '\n':
            self._move(self.row + 1, 0)
        elif c == '\r':
            self.column = 0
        elif c == '\b':
            self.column = max(self.column - 1, 0)
        elif c == '\t':
            self.column += 8 - self.column % 8
        elif c >= ' ':
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + c + line[self.column + 1:]
            self.column += 1

    def _escape(self, found):
        numbers, letter = found.group(1), found.group(2)
        first = int(numbers) if numbers and numbers.isdigit() else 0
        line = self.lines[self.row]
        if letter == 'K':
            self.lines[self.row] = '' if first == 2 else line[:self.column]
        elif letter == 'J' and first == 2:
            self.lines.append('')
            self.top = len(self.lines) - 1
            self._move(self.top, 0)
        elif letter == 'J':
            self.lines[self.row:] = [line[:self.column]]
        elif letter == 'H':
            row, _, column = numbers.partition(';')
            self._move(self.top + int(row or 1) - 1, int(column or 1) - 1)
        elif letter in ('A', 'B'):
            self._move(self.row + (first or 1) * (1 if letter == 'B' else -1), self.column)
        elif letter in ('C', 'D'):
            self._move(self.row, self.column + (first or 1) * (1 if letter == 'C' else -1))
        elif letter == 'G':
            self._move(self.row, (first or 1) - 1)
