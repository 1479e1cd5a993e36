"""The option of a question that reads a file with a sentence on every line."""

from collections.abc import Callable

from explorer.api.question import FilePath, Optioned
from explorer.files_of_sentences.sentences import ENDINGS
from explorer.text import N_

KINDS = N_("Sentences (*.txt *.csv *.tsv *.json *.jsonl *.conllu)")
"""What a dialog offers, as ENDINGS has them."""


def sentences_file(
    key: str,
    label: str,
    tip: str,
    *,
    resets: tuple[str, ...] = (),
    when: Callable[[Optioned], bool] | None = None,
) -> FilePath:
    """The option of a question that reads a file with a sentence on every line.

    Args:
        key: The option's.
        label: What it is called.
        tip: What is done with the sentences.
        resets: Options that another file takes back.
        when: Whether it is offered; None for always.
    """
    return FilePath(
        label,
        "",
        tip,
        when=when,
        kinds=KINDS,
        endings=tuple(sorted(ENDINGS)),
        resets=resets,
        key=key,
    )
