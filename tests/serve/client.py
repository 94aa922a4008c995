"""A client of `gpulab serve --stdio` and `gpulab lsp` for the tests: frames, requests, answers, notifications."""
import json
import os
import queue
import select
import subprocess
import threading


class Failed(Exception):
    def __init__(self, error):
        super().__init__(error['message'])
        self.code, self.data = error['code'], error.get('data', {})


class Client:
    def __init__(self, program, *words, env=None, cwd=None):
        self.process = subprocess.Popen([program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=env, cwd=cwd)
        self.last, self.notes, self.answers, self.requests = 0, [], queue.Queue(), []
        self.stderr = b''
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        for line in self.process.stderr:
            self.stderr += line

    def read(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    self.answers.put(None)
                    return
                if line == b'\r\n':
                    break
                name, _, value = line.partition(b':')
                if name.lower() != b'content-length':
                    self.answers.put({'stray': line})
                    return
                length = int(value)
            message = json.loads(out.read(length))
            if 'method' in message and 'id' in message:
                self.requests.append(message)
            elif 'method' in message:
                self.notes.append(message)
            else:
                self.answers.put(message)

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.raw(b'Content-Length: %d\r\n\r\n' % len(body) + body)

    def begin(self, method, **params):
        self.last += 1
        self.send({'jsonrpc': '2.0', 'id': self.last, 'method': method, 'params': params})
        return self.last

    def answer(self):
        """The next answer as it came; None at the end."""
        message = self.answers.get()
        if message and 'stray' in message:
            raise AssertionError(f'not a frame: {message["stray"]!r}')
        return message

    def end(self, number):
        message = self.answer()
        assert message is not None, f'the service ended: {self.stderr.decode()}'
        assert message['jsonrpc'] == '2.0' and message['id'] == number, message
        if 'error' in message:
            raise Failed(message['error'])
        return message['result']

    def call(self, method, **params):
        return self.end(self.begin(method, **params))

    def refused(self, error, method, *said, **params):
        try:
            result = Client.call(self, method, **params)
        except Failed as failed:
            assert failed.code == error, f'{method} {params}: {failed.code} {failed}'
            for each in said:
                assert each in str(failed), f'{method} {params}: {failed}'
            return failed
        raise AssertionError(f'{method} {params} was answered: {result!r:.200}')

    def notify(self, method, **params):
        self.send({'jsonrpc': '2.0', 'method': method, 'params': params})

    def own_memory(self):
        """What is resident and belongs to no file, in bytes."""
        with open(f'/proc/{self.process.pid}/statm', encoding='ascii') as statm:
            _, resident, shared, *_ = map(int, statm.read().split())
        return (resident - shared) * os.sysconf('SC_PAGESIZE')

    def close(self):
        """The exit status."""
        if self.process.poll() is None:
            try:
                self.begin('shutdown')
                self.answer()
                self.notify('exit')
                self.process.stdin.close()
            except BrokenPipeError:
                self.process.kill()
        return self.process.wait()
