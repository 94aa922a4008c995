"""The Jupyter kernel "gpulab": a notebook that is a lab session. A cell has lines of the prompt, or is CUDA C++; the magics
of a Python notebook (%gpulab why tile) mean the same here. It is IPython's kernel, with each cell made a magic."""
from __future__ import annotations

import re
from typing import Any, Dict, List

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp

from .magics import GpulabMagics
from .program import path


def as_magics(lines: List[str]) -> List[str]:
    code = "".join(lines)
    if code.startswith("%%gpulab"):
        return lines
    if re.search(r"\b__global__\b", code):
        return ["%%gpulab\n", *lines]
    lines = [line for line in lines if line.strip() and not line.startswith("%load_ext")]
    return ["%%gpulab prompt\n", *lines] if lines else []


class GpulabKernel(IPythonKernel):
    language_info = {"name": "cuda", "mimetype": "text/x-c++src", "file_extension": ".cu", "codemirror_mode": "text/x-c++src"}
    banner = "gpulab"

    def __init__(self, **given: Any):
        super().__init__(**given)
        magics = GpulabMagics(self.shell)
        self.shell.register_magics(magics)
        self.shell.input_transformers_cleanup.append(as_magics)
        self.front = magics.front

    def do_complete(self, code: str, cursor_pos: int) -> Dict[str, Any]:
        start = code.rfind("\n", 0, cursor_pos) + 1
        begin, matches = self.front.complete(code[start:cursor_pos], cursor_pos - start)
        return {"status": "ok", "matches": matches, "cursor_start": start + begin, "cursor_end": cursor_pos, "metadata": {}}


if __name__ == "__main__":
    path()  # says at once where the program is missing
    IPKernelApp.launch_instance(kernel_class=GpulabKernel)
