"""What is going on, told on standard error while an answer is waited for."""

import sys

from explorer.text import said


class Stages:
    """Says on standard error what is going on, each stage once."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def __call__(self, stage: str, _done: float, _total: float) -> None:
        """Hear of a stage."""
        if stage not in self._said:
            self._said.add(stage)
            sys.stderr.write(f"{said(stage)} …\n")
