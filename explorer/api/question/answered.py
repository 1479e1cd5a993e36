"""The answer that is shown while another one may be asked for."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answered:
    """An answer, and what asked for it.

    Attributes:
        result: The question's.
        asked: The document that asked for it.
    """

    result: Any
    asked: Any
