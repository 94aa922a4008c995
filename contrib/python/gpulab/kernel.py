"""The Jupyter kernel "gpulab": a notebook that is a lab session. A cell has lines of the prompt, or is CUDA C++ below a line
that begins with %%gpulab; the lines of a Python notebook (%gpulab why tile) mean the same here."""
from __future__ import annotations

import re
from typing import Any, Dict, Optional

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

from .front import Bundle, Front, Screen
from .program import Error, path


class Messages(Screen):
    """Shows by messages to the notebook."""

    def __init__(self, kernel: Kernel):
        self.kernel = kernel

    def show(self, bundle: Bundle, display: Optional[str] = None, update: bool = False) -> None:
        content = {"data": bundle, "metadata": {}, "transient": {"display_id": display} if display else {}}
        self.kernel.send_response(self.kernel.iopub_socket, "update_display_data" if update else "display_data", content)


class GpulabKernel(Kernel):
    implementation = "gpulab"
    implementation_version = "1"
    language_info = {"name": "cuda", "mimetype": "text/x-c++src", "file_extension": ".cu", "codemirror_mode": "text/x-c++src"}
    banner = "gpulab"

    def __init__(self, **given: Any):
        super().__init__(**given)
        self.front = Front(Messages(self))

    def _execute(self, code: str) -> None:
        first, _, rest = code.lstrip("\n").partition("\n")
        if first.startswith("%%gpulab"):
            self.front.cell(first[len("%%gpulab"):], rest)
        elif re.search(r"\b__global__\b", code):
            self.front.cell("", code)
        else:
            for line in code.splitlines():
                if not line.startswith("%load_ext"):
                    self.front.line(re.sub(r"^%gpulab\b", "", line.strip()))

    def do_execute(self, code: str, silent: bool, store_history: bool = True, user_expressions: Any = None,
                   allow_stdin: bool = False, **_: Any) -> Dict[str, Any]:
        try:
            self._execute(code)
        except (Error, KeyboardInterrupt) as problem:
            said = str(problem) or "interrupted"
            error = {"ename": getattr(problem, "category", "interrupted"), "evalue": said, "traceback": [said]}
            self.send_response(self.iopub_socket, "error", error)
            return {"status": "error", "execution_count": self.execution_count, **error}
        return {"status": "ok", "execution_count": self.execution_count, "payload": [], "user_expressions": {}}

    def do_complete(self, code: str, cursor_pos: int) -> Dict[str, Any]:
        start = code.rfind("\n", 0, cursor_pos) + 1
        begin, matches = self.front.complete(code[start:cursor_pos], cursor_pos - start)
        return {"status": "ok", "matches": matches, "cursor_start": start + begin, "cursor_end": cursor_pos, "metadata": {}}

    def do_shutdown(self, restart: bool) -> Dict[str, Any]:
        self.front.close()
        return {"status": "ok", "restart": restart}


if __name__ == "__main__":
    path()  # says at once where the program is missing
    IPKernelApp.launch_instance(kernel_class=GpulabKernel)
