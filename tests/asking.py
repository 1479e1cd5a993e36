"""Whether a test has questions computed, as far as its own files and fixtures say.

The window of most tests asks an engine that answers from data (tests/ui/fake_engine.py). It names
questions, and many of its tests go over the pages of all; but what computes an answer never runs
there, whatever the program around it could begin.
"""

import re
from collections.abc import Iterable
from typing import Protocol

FROM_DATA = "tests/ui/fake_engine.py"
ASKS = re.compile(
    r"explorer\.(cli|main|headless|tour\.(?!hands).*|lectures|commands|command_line|hf"
    r"|engine\.(runner|configuration)|files_of_sentences|questions\..*\.compute)(\..*)?"
    r"|(plugins|benchmarks|tests\.(hf|processes|commands|lectures|files_of_sentences|warm_\w+))"
    r"(\..*)?"
)
"""Modules that load models, ask them, or begin what does."""
TOLD = re.compile(r"explorer\.(headless|cli|main|commands\b.*|command_line\b.*)")
"""What reads of every question what it says of itself, and asks those that it is told to."""


class Naming(Protocol):
    """What a part of a file names, as `tests.named.Facts` has it."""

    modules: list[str]
    starts: bool
    engine: bool


def is_told(parts: Iterable[tuple[str, Naming]]) -> bool:
    """Whether it runs commands."""
    return any(TOLD.fullmatch(one) for _, facts in parts for one in facts.modules)


def computes(parts: Iterable[tuple[str, Naming]]) -> bool:
    """Whether answers are computed there: unless they come from data, and nothing else is named."""
    parts = list(parts)
    named = (one for _, facts in parts for one in facts.modules)
    is_from_data = any(path == FROM_DATA for path, _ in parts)
    asks = any(facts.starts or facts.engine for _, facts in parts) or any(
        map(ASKS.fullmatch, named)
    )
    return asks or not is_from_data
