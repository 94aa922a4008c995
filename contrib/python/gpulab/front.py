"""What a notebook's lines and cells mean. The magics and the kernel are two ways to the same session.

    %gpulab 3                     opens lab 3; a file opens a CUDA file
    %gpulab --device emu 3        on this device; also --model NAME, --set NAME=VALUE, -D NAME=VALUE, -I DIR
    %gpulab run tile              runs steps; %gpulab run runs all
    %gpulab why tile              a view of a step or of the last launch
    %gpulab check row-sums        checks your copy of an exercise
    %gpulab LINE                  any other line of gpulab's prompt, Lua included

    %%gpulab                      CUDA C++: its kernels become k
    %%gpulab k.scale{grid=4, block=64}(x, 2)      compiles the cell, then launches
    %%gpulab run tile             runs steps with this text as their kernel file
    %%gpulab file transpose.cu    this text is the file for all steps that follow
    %%gpulab check row-sums       checks this text
"""
from __future__ import annotations

import html
import re
import shlex
import uuid
from typing import Any, Dict, List, Optional, Tuple

from .program import Error
from .service import Service

VIEWS = {"why", "lines", "counters", "roofline", "generations", "resources", "compare", "disassemble", "schedules", "diff", "partitions"}
# Options of %gpulab, the request's field, and whether each has a list or name=value pairs.
OPTIONS = {"--device": ("device", str), "--model": ("models", list), "--set": ("parameters", dict), "-D": ("defines", list), "-I": ("include", list)}

Bundle = Dict[str, Any]


class Screen:
    """Where a front shows things. Each front has its own."""

    _bar: Optional[str] = None  # the display with the progress

    def show(self, bundle: Bundle, display: Optional[str] = None, update: bool = False) -> None:
        """Shows it; a display that has an id can be updated."""
        raise NotImplementedError

    def progress(self, text: str, done: int, total: int) -> None:
        """What runs now; an empty text: it is done."""
        if not text and not self._bar:
            return
        bar = f'<progress value="{done}" max="{total}"></progress> {html.escape(text)}' if total else html.escape(text)
        update, self._bar = bool(self._bar), self._bar or uuid.uuid4().hex
        self.show({"text/plain": f"{text} ({done} of {total})" if text else "", "text/html": bar if text else ""}, self._bar, update)
        if not text:
            self._bar = None


def split(line: str) -> List[str]:
    try:
        return shlex.split(line)
    except ValueError as problem:
        raise Error(f"{line}: {problem}", 64, "usage") from None


def themed(style: str) -> str:
    """The style sheet of a page, in a notebook's theme: JupyterLab knows whether it is dark, not the browser."""
    light, dark = (re.search(pattern, style, re.S) for pattern in
                   (r"^:scope \{(.*?)\}$", r"prefers-color-scheme: dark\) \{\s*:scope \{(.*?)\}"))
    chosen = f':root [data-jp-theme-light="false"] .gpulab {{{dark[1]}}}' if dark else ""
    forced = f':root [data-jp-theme-light="true"] .gpulab {{{light[1]}}}' if light else ""
    plain = "div.gpulab { margin: 0; padding: 0; max-width: none; background: none; font-size: inherit; }"
    return f"<style>{style}{chosen}{forced}{plain}</style>"


class Front:
    """A session that a notebook speaks to."""

    def __init__(self, screen: Screen):
        self.screen = screen
        self.service: Optional[Service] = None
        self.style = ""
        self.steps: Dict[str, str] = {}  # of the open lab: id, kernel file
        self.texts: Dict[str, str] = {}  # cells that stand for kernel files

    # --- the service

    def request(self, method: str, **params: Any) -> Dict[str, Any]:
        if not self.service or not self.service.alive:
            self.service = Service()
            self.style = themed(self.service.about.get("style", ""))
        try:
            return self.service.request(method, self._noticed, **params)
        finally:
            self.screen.progress("", 0, 0)

    def _noticed(self, method: str, params: Dict[str, Any]) -> None:
        if method == "progress":
            self.screen.progress(params.get("text", ""), params.get("done", 0), params.get("total", 0))

    def shown(self, method: str, **params: Any) -> Dict[str, Any]:
        """Shows what the request answers, and returns it."""
        result = self.request(method, **params)
        bundle = {kind: part for kind, part in result.get("mime", {}).items() if part and part.strip()}
        if "text/html" in bundle:
            bundle["text/html"] = self.style + bundle["text/html"]
            bundle.pop("image/svg+xml", None)  # it is part of the HTML
        if bundle:
            self.screen.show(bundle)
        return result

    def close(self) -> None:
        if self.service:
            self.service.close()
        self.service = None

    # --- lines

    def line(self, line: str) -> Optional[Dict[str, Any]]:
        line = line.strip()
        options, rest = self._options(line)
        word, _, of = rest.partition(" ")
        if options or re.fullmatch(r"\d+|\S+\.(cu|lua)", rest) or word == "open":
            return self._open(options, split(of if word == "open" else rest))
        if word == "run" and self.steps:
            return self._run(split(of))
        if word in VIEWS:
            return self.shown(word, of=of.strip() or None)
        if word == "check" and of.strip():
            return self.shown("check", exercise=of.strip())
        return self.shown("command", line=line) if line else None

    def _options(self, line: str) -> Tuple[Dict[str, Any], str]:
        found: Dict[str, Any] = {}
        while line.startswith("-"):
            name, value, line = (line.split(None, 2) + ["", ""])[:3]
            if name not in OPTIONS or not value:
                raise Error(f"%gpulab has no option {name} with this value; its options: {', '.join(OPTIONS)}", 64, "usage")
            field, kind = OPTIONS[name]
            if kind is dict:
                key, _, text = value.partition("=")
                found.setdefault(field, {})[key] = text
            elif kind is list:
                found.setdefault(field, []).append(value)
            else:
                found[field] = value
        return found, line

    def _open(self, options: Dict[str, Any], words: List[str]) -> Dict[str, Any]:
        if len(words) > 1:
            raise Error(f"one lab or file can be opened, not {' '.join(words)}", 64, "usage")
        if words:
            what = "file" if words[0].endswith(".cu") else "lab"
            options[what] = words[0]
        result = self.shown("open", **options)
        self.steps = {step["id"]: step.get("file", "") for step in result["steps"]}
        self.texts = {}
        return result

    def _run(self, steps: List[str], code: Optional[str] = None) -> Optional[Dict[str, Any]]:
        if not steps and not self.texts:
            return self.shown("run")
        result = None
        for step in steps or list(self.steps):
            result = self.shown("run", step=step, code=code or self.texts.get(self.steps.get(step, "")))
        return result

    # --- cells

    def cell(self, line: str, code: str) -> Optional[Dict[str, Any]]:
        """Code with what is to be done with it; the answer, with `kernels` where these became k."""
        line = line.strip()
        word, _, of = line.partition(" ")
        if word == "check":
            return self.shown("check", exercise=of.strip(), text=code)
        if word == "run":
            return self._run(split(of), code)
        if word == "file":
            self.texts[of.strip()] = code
            return None
        if line and not re.match(r"[\w.]+\s*[({]", line):
            raise Error(f"%%gpulab {line}: a launch is k.NAME{{grid=..., block=...}}(...); otherwise run, check or file", 64, "usage")
        result = self.shown("run", code=code, launch=line or None)
        if not line:
            self.screen.show({"text/plain": "\n".join("k." + kernel["signature"] for kernel in result.get("kernels", []))})
        return result

    def complete(self, line: str, position: int) -> Tuple[int, List[str]]:
        """Where the word begins, and what it can be."""
        result = self.request("complete", line=line, position=position)
        return result["from"], [item["text"] for item in result["items"]]
