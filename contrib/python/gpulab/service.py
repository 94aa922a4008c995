"""A client of `gpulab serve --stdio`: JSON-RPC 2.0 in frames with a Content-Length, one request at a time."""
from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from http.client import parse_headers
from typing import Any, BinaryIO, Callable, Dict, List, Optional

from .program import Error, path

Progress = Callable[[str, int, int], None]


def _write(stream: BinaryIO, message: Dict[str, Any]) -> None:
    content = json.dumps(message).encode()
    stream.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
    stream.flush()


def _read(stream: BinaryIO) -> Optional[Dict[str, Any]]:
    """The next message; None at the end."""
    length = parse_headers(stream)["Content-Length"]
    return json.loads(stream.read(int(length))) if length else None


class Service:
    """One session of gpulab in a process of its own, which ends with this one."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [path(), "serve", "--stdio"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True,  # the stop button's SIGINT is this process's
        )
        assert self._process.stdin and self._process.stdout
        self._to, self._from = self._process.stdin, self._process.stdout
        self._messages: queue.SimpleQueue[Optional[Dict[str, Any]]] = queue.SimpleQueue()  # its get can be interrupted
        self._next, self.alive = 0, True
        threading.Thread(target=self._listen, daemon=True).start()
        self.about: Dict[str, Any] = self.request("initialize", columns=80, color=False)

    def _listen(self) -> None:
        try:
            for message in iter(lambda: _read(self._from), None):
                self._messages.put(message)
        finally:
            self._messages.put(None)

    def request(self, method: str, progress: Optional[Progress] = None, **params: Any) -> Dict[str, Any]:
        """The result. Until then progress(text, done, total) says what runs. Ctrl-C cancels the request."""
        self._next += 1
        given = {name: value for name, value in params.items() if value is not None}
        try:
            _write(self._to, {"jsonrpc": "2.0", "id": self._next, "method": method, "params": given})
            return self._answer(progress)
        except BrokenPipeError:
            self.alive = False
            raise Error("gpulab's service has ended", 2, "fault") from None
        except KeyboardInterrupt:
            _write(self._to, {"jsonrpc": "2.0", "method": "cancel", "params": {"id": self._next}})
            with contextlib.suppress(Error, BrokenPipeError, KeyboardInterrupt):
                self._answer(None)
            raise

    def _answer(self, progress: Optional[Progress]) -> Dict[str, Any]:
        while True:
            message = self._messages.get()
            if message is None:
                raise BrokenPipeError
            if progress and message.get("method") == "progress":
                given = message["params"]
                progress(given["text"], given.get("done", 0), given.get("total", 0))
            elif message.get("id") == self._next:
                break
        failed = message.get("error")
        if not failed:
            return message["result"]
        data = failed.get("data", {})
        raise Error(failed["message"], data.get("exit_code", 64), data.get("category", "usage"))
