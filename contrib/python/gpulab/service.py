"""A client of `gpulab serve --stdio`: JSON-RPC 2.0 in frames with a Content-Length, one request at a time."""
from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from http.client import parse_headers
from typing import Any, Callable, Dict, Optional

from .program import Error, path

Progress = Callable[[str, int, int], None]


class Service:
    """One session of gpulab in a process of its own, which ends with this one."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [path(), "serve", "--stdio"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True,  # the stop button's SIGINT is this process's
        )
        self._messages: queue.SimpleQueue[Optional[Dict[str, Any]]] = queue.SimpleQueue()  # its get can be interrupted
        self._requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()  # an interrupt cuts no frame short
        self._last, self.alive = 0, True
        for work in self._listen, self._write:
            threading.Thread(target=work, daemon=True).start()
        self.about: Dict[str, Any] = self.request("initialize", columns=80, color=False)

    def _listen(self) -> None:
        stream = self._process.stdout
        try:
            while length := parse_headers(stream)["Content-Length"]:
                self._messages.put(json.loads(stream.read(int(length))))
        finally:
            self._messages.put(None)

    def _write(self) -> None:
        with contextlib.suppress(BrokenPipeError):  # _listen says that it has ended
            while True:
                self._process.stdin.write(self._requests.get())
                self._process.stdin.flush()

    def _send(self, method: str, params: Dict[str, Any], **of: int) -> None:
        content = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **of}).encode()
        self._requests.put(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))

    def request(self, method: str, progress: Optional[Progress] = None, **params: Any) -> Dict[str, Any]:
        """The result. Until then progress(text, done, total) says what runs. Ctrl-C cancels the request."""
        self._last += 1
        try:
            self._send(method, {name: value for name, value in params.items() if value is not None}, id=self._last)
            return self._answer(progress)
        except BrokenPipeError:
            self.alive = False
            raise Error("gpulab's service has ended", 2, "fault") from None
        except KeyboardInterrupt:
            with contextlib.suppress(Error, BrokenPipeError, KeyboardInterrupt):
                self._send("cancel", {"id": self._last})
                self._last += 1  # that was perhaps never sent, but what follows is answered after it
                self._send("steps", {}, id=self._last)
                self._answer(None)
            raise

    def _answer(self, progress: Optional[Progress]) -> Dict[str, Any]:
        message: Optional[Dict[str, Any]] = {}
        while "id" not in message or message["id"] not in (None, self._last):  # null: the message could not be read
            if progress and message.get("method") == "progress":
                given = message["params"]
                progress(given["text"], given.get("done", 0), given.get("total", 0))
            message = self._messages.get()
            if message is None:
                raise BrokenPipeError
        if "error" not in message:
            return message["result"]
        data = message["error"].get("data", {})
        raise Error(message["error"]["message"], data.get("exit_code", 64), data.get("category", "usage"))
