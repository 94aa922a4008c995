#!/usr/bin/env python3
"""Plays a session from a file of typed lines through a pseudo-terminal and writes down what was typed and printed.
usage: play.py GPULAB SOURCE_ROOT SESSION TRANSCRIPT.md [--device NAME]

A line of a session is one of
  # TEXT           goes into the transcript as it is; an empty line ends a paragraph
  file NAME        puts a file beside the session into the home
  $ gpulab ARGS    starts the program (a device given to play.py is added); with --list it ends by itself
  > TEXT           is typed and ended with Enter; what is printed until the next question or prompt belongs to it
  editor SED       what the editor does with files from now on, ;; between two commands; it is a process of its own
  save FILE SED    changes a copy from outside, as any editor would, and waits until the save was answered
  view KEYS        types view, presses the keys one at a time (step*3: three times; left, ...), has the screen after the last, and leaves it
  elements ARRAY: KEYS  the same with view ARRAY
  timeline KEYS    the same with timeline; cycles KEYS: with timeline cycles
  cut M N          the next answer is shortened to its first M and its last N lines"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

from screen import Screen
from terminal import ENTER, Lost, Terminal

PROMPT = r'(?:\d\d|gpulab|\n|^)(?: debug)?>+ $'
GUESS = r'your prediction \(Enter skips\)> $'
READY = '(?:%s|%s)' % (PROMPT, GUESS)
KEYS = {'space': ' ', 'enter': ENTER, 'left': '\x1b[D', 'right': '\x1b[C', 'up': '\x1b[A', 'down': '\x1b[B',
        'previous': '[', 'following': ']', 'escape': '\x1b'}
COLUMNS = 80  # of the terminal
EDITOR = '#!/bin/sh\nexec sed -i -f "$HOME/.hands" "$1"\n'


class Play:
    def __init__(self, gpulab, root, device, session):
        self.gpulab, self.root, self.device, self.session = gpulab, root, device, session
        self.folder = tempfile.TemporaryDirectory(prefix='gpulab-play-')
        self.home = os.path.join(self.folder.name, 'ada')
        os.mkdir(self.home)
        self.env = {**os.environ, 'HOME': self.home, 'TERM': 'xterm-256color', 'LANG': 'C.UTF-8', 'LC_ALL': 'C.UTF-8',
                    'NO_COLOR': '', 'INPUTRC': '/dev/null', 'PAGER': 'cat', 'EDITOR': self.home + '/.editor'}
        for name in ('GPULAB_HOME', 'VISUAL', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'):
            self.env.pop(name, None)
        self._write('.editor', EDITOR)
        os.chmod(self.home + '/.editor', 0o755)
        self.terminal = None
        self.out, self.shown, self.limit = [], None, None
        self.viewed = []  # from where to where of what came

    def _write(self, name, text):
        with open(os.path.join(self.home, name), 'w', encoding='utf-8') as f:
            f.write(text + '\n')

    # What the transcript gets --------------------------------------------------------------------

    def prose(self, text):
        self.fence(False)
        self.out.append(text)

    def fence(self, wanted):
        if wanted == (self.shown is not None):
            return
        if wanted:
            self.out += ['', '```'] if self.out and self.out[-1] else ['```']
            self.shown = len(self.out)
        else:
            while not self.out[-1]:
                self.out.pop()
            self.out += ['```', '']
            self.shown = None

    def lines(self, lines):
        """Appends to the block at hand, shortened if that was asked for."""
        if self.limit:
            first, last = self.limit
            if len(lines) > first + last + 1:
                lines = lines[:first] + ['[...]'] + lines[len(lines) - last:]
            self.limit = None
        self.fence(True)
        self.out += [line.replace(self.folder.name, '/home').replace(self.root + '/', '') for line in lines]

    # What is played ------------------------------------------------------------------------------

    def start(self, line):
        words = line.split()
        argv = [self.gpulab, '-n']
        if self.device:
            argv += ['--device', self.device]
        if '--list' in words:
            done = subprocess.run(argv + words[1:], env=self.env, cwd=self.home, capture_output=True, text=True, check=True)
            self.lines(['$ gpulab ' + ' '.join(words[1:])] + done.stdout.splitlines())
            return
        self.terminal, self.viewed = Terminal(argv + words[1:], self.env, cwd=self.home), []
        self.at = 0
        device = ' --device ' + self.device if self.device else ''
        self.fence(True)
        self.out.append('$ gpulab%s %s' % (device, ' '.join(words[1:])))
        self.answer(READY)

    def answer(self, pattern):
        """Waits, and writes down what came since the last answer."""
        self.terminal.expect(pattern)
        lines = Screen().feed(self.at_prompt()).all()
        new = lines[self.at:]
        # The prompt stands at the end: its line is written when something was typed at it.
        self.at = len(lines) - 1
        self.lines(new[:-1])

    def typed(self, text):
        self.terminal.line(text)
        if text == 'quit':
            self.terminal.close()
            self.lines(Screen().feed(self.at_prompt()).all()[self.at:])
            self.terminal = None
        else:
            self.answer(READY)

    def at_prompt(self):
        """What came, without the time in the warp view, which has a screen of its own."""
        seen, out, at = self.terminal.seen, '', 0
        for start, end in self.viewed:
            out, at = out + seen[at:start], end
        return out + seen[at:]

    def view(self, rest, command='view', say=False):
        self.terminal.line(command)
        self.terminal.expect(r'q quit')
        start = self.terminal.seen.rindex('\x1b[?1049h')
        for key, times in re.findall(r'(\w+|\?)(?:\*(\d+))?', rest):
            for _ in range(int(times or 1)):
                self.terminal.send(KEYS.get(key, key))
                self.terminal.expect(r'q quit|press any key to go back')
        screen = Screen().feed(self.terminal.seen[start:]).shown()
        while screen and not screen[-1]:
            screen.pop()
        self.terminal.send('q')
        self.terminal.expect(READY)
        self.viewed.append((start, self.terminal.seen.index('\x1b[?1049l', start) + len('\x1b[?1049l')))
        self.at = len(Screen().feed(self.at_prompt()).all()) - 1
        self.fence(False)
        if say:
            self.prose('`%s`:' % command)
        if rest:
            self.prose('Keys: ' + ', '.join(re.sub(r'^([^*]+)', r'`\1`', key).replace('*', ' × ') for key in rest.split()) + '.')
        self.lines(screen)
        self.fence(False)

    def save(self, rest):
        name, sed = rest.split(None, 1)
        subprocess.run(['sed', '-i', sed, os.path.join(self.home, 'gpulab-work', name)], check=True)
        self.answer('was saved.*' + READY)

    def play(self, session):
        for line in session:
            line = line.rstrip('\n')
            word, _, rest = line.partition(' ')
            if word == '#':
                self.prose(rest)
            elif not word:
                if self.shown is None and self.out and self.out[-1]:
                    self.out.append('')
            elif word == 'file':
                shutil.copy(os.path.join(os.path.dirname(self.session), rest), self.home)
            elif word == '$':
                self.start(rest)
            elif word == '>':
                self.typed(rest)
            elif word == 'editor':
                self._write('.hands', rest.replace(' ;; ', '\n'))
            elif word == 'save':
                self.save(rest.replace(' ;; ', '\n'))
            elif word == 'view':
                self.view(rest)
            elif word == 'elements':
                array, keys = rest.split(':', 1)
                self.view(keys.strip(), 'view ' + array, True)
            elif word in ('timeline', 'cycles'):
                self.view(rest, 'timeline' if word == 'timeline' else 'timeline cycles')
            elif word == 'cut':
                self.limit = tuple(map(int, rest.split()))
            else:
                raise SystemExit('no such line in a session: %r' % line)
        self.fence(False)


def main():
    parser = argparse.ArgumentParser(description='Plays a session and writes its transcript.')
    for name in ('gpulab', 'root', 'session', 'transcript'):
        parser.add_argument(name)
    parser.add_argument('--device')
    options = parser.parse_args()
    play = Play(os.path.abspath(options.gpulab), os.path.abspath(options.root), options.device, options.session)
    status = 0
    with open(options.session, encoding='utf-8') as f:
        try:
            play.play(f)
        except Lost as problem:
            play.fence(False)
            print('%s: %s' % (options.session, problem), file=sys.stderr)
            status = 1
    if play.terminal:
        play.terminal.kill()
    text = re.sub(r'\n{3,}', '\n\n', '\n'.join(play.out).strip()) + '\n'
    with open(options.transcript, 'w', encoding='utf-8') as f:
        f.write(text)
    wide = [line for line in text.splitlines() if len(line) > COLUMNS and ': error: ' not in line]
    for line in wide:
        print('wider than %d columns: ' % COLUMNS + line, file=sys.stderr)
    return status


if __name__ == '__main__':
    sys.exit(main())
