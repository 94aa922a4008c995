"""What a notebook's lines and cells mean. The magics and the kernel are two ways to the same session."""
from __future__ import annotations

import getopt
import html
import re
import shlex
import uuid
from typing import Any, Dict, List, Optional, Tuple

from .program import Error
from .service import Service


class Screen:
    """Where a front shows things: in the output of a cell."""

    _bar: Any = None  # the display with the progress

    def show(self, bundle: Dict[str, Any]) -> Any:
        """Shows it; what it returns updates it."""
        from IPython.display import display

        return display(bundle, raw=True, display_id=uuid.uuid4().hex)

    def progress(self, text: str, done: int, total: int) -> None:
        """What runs now; an empty text: it is done."""
        bar = f'<progress value="{done}" max="{total}"></progress> ' if total else ""
        bundle = {"text/plain": text and f"{text} ({done} of {total})", "text/html": text and bar + html.escape(text)}
        if self._bar:
            self._bar.update(bundle, raw=True)
        elif text:
            self._bar = self.show(bundle)
        self._bar = self._bar if text else None


OPTIONS = {"--device": "device", "--check": "check", "--model": "models", "--set": "parameters", "-D": "defines", "-I": "include"}


def themed(style: str) -> str:
    """The style sheet of a page, in a notebook's theme: that is an attribute or a class, and not what the browser prefers."""
    dark = ':scope:is([data-jp-theme-light="false"] *, .vscode-dark *)'
    style = re.sub(r"@media \(prefers-color-scheme: dark\) \{\s*:scope", dark + " { &", style)
    plain = ("div.gpulab { margin: 0; padding: 0; max-width: none; background: none; font-size: inherit; }"
             ".jp-RenderedHTMLCommon div.gpulab :is(td, th) { text-align: left; }"
             ".jp-RenderedHTMLCommon div.gpulab :is(.number, .at) { text-align: right; }")
    return f"<style>{style}{plain}</style>"


class Front:
    """A session that a notebook speaks to."""

    def __init__(self, screen: Screen):
        self.screen = screen
        self.service: Optional[Service] = None

    def request(self, method: str, **params: Any) -> Dict[str, Any]:
        if not self.service or not self.service.alive:
            self.service = Service()
        try:
            return self.service.request(method, self.screen.progress, **params)
        finally:
            self.screen.progress("", 0, 0)

    def shown(self, method: str, **params: Any) -> Dict[str, Any]:
        """Shows what the request answers, and returns it."""
        result = self.request(method, **params)
        bundle = {kind: part for kind, part in result.get("mime", {}).items() if part and part.strip()}
        if "text/html" in bundle:
            bundle["text/html"] = themed(self.service.about["style"]) + bundle["text/html"]
            bundle.pop("image/svg+xml", None)  # it is part of the HTML
        if bundle:
            self.screen.show(bundle)
        return result

    def line(self, line: str) -> Optional[Dict[str, Any]]:
        line = line.strip()
        target = re.sub(r"^open\s+", "", line)
        if target != line or re.fullmatch(r"--?\w.*|\d+|\S+\.(cu|lua)", line):
            return self._open(target)
        return self.shown("command", line=line) if line else None

    def _open(self, line: str) -> Dict[str, Any]:
        try:
            options, words = getopt.gnu_getopt(shlex.split(line), "D:I:", ["device=", "check=", "model=", "set="])
            if words[1:]:
                raise ValueError(f"unexpected argument {words[1]}")
        except (ValueError, getopt.GetoptError) as problem:
            raise Error(f"{line}: {problem}; expected a lab or a file, and {', '.join(OPTIONS)}", 64, "usage") from None
        given: Dict[str, Any] = {field: [value for name, value in options if name == option] or None for option, field in OPTIONS.items()}
        given["device"] = given["device"][-1] if given["device"] else None
        given["check"] = ",".join(given["check"]).split(",") if given["check"] else None
        given["parameters"] = dict(pair.partition("=")[::2] for pair in given["parameters"] or ())
        if words:
            given["file" if words[0].endswith(".cu") else "lab"] = words[0]
        return self.shown("open", **given)

    def cell(self, line: str, code: str) -> Optional[Dict[str, Any]]:
        """Code with what is to be done with it; the answer, with `kernels` where these became k."""
        line = line.strip()
        word, _, of = line.partition(" ")
        if word == "check":
            return self.shown("check", exercise=of.strip(), text=code)
        if word == "file":
            return self.request("source", file=of.strip(), text=code)
        if line == "prompt":
            for statement in self.request("statements", text=code)["statements"]:
                self.line(re.sub(r"^%gpulab\b", "", statement))
            return None
        if word == "run" and of:
            return self.shown("run", step=of, code=code)
        if line and not re.match(r"[\w.]+\s*[({]", line):
            raise Error(f"%%gpulab {line}: a launch is k.NAME{{grid=..., block=...}}(...); otherwise run, check, file, or prompt", 64, "usage")
        result = self.shown("run", code=code, launch=line or None)
        if not line:
            self.screen.show({"text/plain": "\n".join("k." + kernel["signature"] for kernel in result.get("kernels", []))})
        return result

    def complete(self, line: str, position: int) -> Tuple[int, List[str]]:
        """Where the word begins, and what it can be."""
        result = self.request("complete", line=line, position=position)
        return result["from"], [item["text"] for item in result["items"]]
