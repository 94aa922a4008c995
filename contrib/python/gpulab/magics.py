"""%gpulab and %%gpulab in IPython, and kernels of a cell as Python functions."""
from __future__ import annotations

from typing import Any, Dict, List, Optional

from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.core.error import UsageError
from IPython.display import display as publish

from . import arrays, front
from .front import Bundle, Front, Screen
from .program import Error


class Output(Screen):
    def show(self, bundle: Bundle, display: Optional[str] = None, update: bool = False) -> None:
        publish(bundle, raw=True, display_id=display, update=update)


class Kernel:
    """A compiled kernel: kernel[grid, block](arguments), as in kernel[64, 256](a, b, n). numpy arrays that the kernel
    writes are written in place."""

    def __init__(self, front: Front, name: str, signature: str):
        self._front, self.name, self.signature = front, name, signature

    def __repr__(self) -> str:
        return self.signature

    def __getitem__(self, shape: Any) -> Any:
        def launch(*arguments: Any) -> None:
            grid, block, *shared = shape
            answer = self._front.shown(
                "launch", kernel=self.name, grid=grid, block=block, shared=shared[0] if shared else None,
                arguments=[arrays.packed(argument) for argument in arguments])
            arrays.take(answer["arguments"], arguments)

        return launch


class Kernels:
    """The kernels of the last cell: k.scale[64, 256](a). With one kernel, k is that kernel, too."""

    def __init__(self, front: Front, rows: List[Dict[str, Any]]):
        self._all = {row["name"]: Kernel(front, row["name"], row.get("signature") or row["name"]) for row in rows}

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("_") or name not in self._all:
            raise AttributeError(f"there is no kernel {name}; there are {', '.join(self._all)}")
        return self._all[name]

    def __dir__(self) -> List[str]:
        return list(self._all)

    def __getitem__(self, shape: Any) -> Any:
        if isinstance(shape, str):
            return self._all[shape]  # a template's name: k["tile<32>"]
        if len(self._all) != 1:
            raise TypeError(f"k has {len(self._all)} kernels; name one: {', '.join(self._all)}")
        return next(iter(self._all.values()))[shape]

    def __repr__(self) -> str:
        return "\n".join(map(repr, self._all.values()))


@magics_class
class GpulabMagics(Magics):
    def __init__(self, shell: Any):
        super().__init__(shell)
        self.front = Front(Output())

    @line_cell_magic
    def gpulab(self, line: str, cell: Optional[str] = None) -> None:
        try:
            answer = self.front.line(line) if cell is None else self.front.cell(line, cell)
        except Error as problem:
            raise UsageError(str(problem)) from None
        if answer and answer.get("kernels"):
            self.shell.user_ns["k"] = Kernels(self.front, answer["kernels"])


GpulabMagics.gpulab.__doc__ = front.__doc__
