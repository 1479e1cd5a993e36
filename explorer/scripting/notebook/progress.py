"""A bar for what takes long, in a terminal and in a notebook alike."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from explorer.headless import Progress
from explorer.text import said

DELAY_S = 0.8
"""Seconds before anything is shown: most answers are there by then."""


@contextmanager
def bar(title: str) -> Iterator[Progress]:
    """Show how far something is on standard error, if anybody looks at it there.

    Args:
        title: What is going on.
    """
    if not _is_seen():
        yield lambda _stage, _done, _total: None
        return
    from tqdm import tqdm

    # Not tqdm.auto: its bar for notebooks is a widget, of which a saved page shows nothing.
    shown: Any = tqdm(desc=title, delay=DELAY_S, leave=False, file=sys.stderr, unit="")

    def tell(stage: str, done: float, total: float) -> None:
        if total and shown.total != total:
            # Not reset(): it shows the bar at once, however short the work is.
            shown.total, shown.n, shown.last_print_n = total, 0, 0
        shown.set_description_str(f"{title}: {said(stage)}", refresh=False)
        shown.update(done - shown.n)

    try:
        yield tell
    finally:
        shown.close()


def _is_seen() -> bool:
    """Whether standard error is a terminal, or goes into a notebook's cell."""
    stream = sys.stderr
    return stream is not None and (
        stream.isatty() or type(stream).__module__.startswith("ipykernel")
    )
