"""The last layer where it is read, and nowhere else.

Behind the attention's weighted sums, what a layer makes of a token depends on no other token. So
where few tokens are read, three quarters of the last layer have to run at those only.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from explorer.hf.attention.layout import AttentionLayout
from explorer.hf.attention.modules import path_pattern


def last_tail(module: Any, layout: AttentionLayout) -> Any | None:
    """The part of the last layer that may run at some tokens alone; None where there is none.

    Args:
        module: A torch module of transformers.
        layout: Says where it is.
    """
    if not layout.tail or getattr(module.config, "is_decoder", False):
        return None
    pattern = path_pattern(layout.tail)
    found = [part for path, part in module.named_modules() if pattern.search(path)]
    return found[-1] if found else None


@contextmanager
def read_at(tail: Any, rows: Sequence[int], columns: Sequence[int]) -> Iterator[None]:
    """Let the last layer give the states of some tokens only, while the block runs.

    The encoder's last hidden state is then (1 x tokens read x hidden).

    Args:
        tail: As `last_tail` finds it.
        rows: The row of the batch that each token is in.
        columns: The position of each in its row.
    """

    def keep(_module: Any, states: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(one[rows, columns][None] for one in states)

    handle = tail.register_forward_pre_hook(keep)
    try:
        yield
    finally:
        handle.remove()
