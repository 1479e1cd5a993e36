"""What the answers to all questions of a file come to, on the page of files."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.questions.knowledge.graph_question.pooling import Accuracy
from explorer.text import _
from explorer.text.formatting.numbers import percent, whole
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.numbers import Number, Numbers


def pooled(found: Accuracy, shown: Shown) -> Iterator[Block]:  # noqa: ARG001 - as pages have it
    """How many are right, with paths and without; how sure the network is; paths that it read."""
    numbers = [
        Number(
            percent(found.accuracy, 1),
            _("answered rightly"),
            _("Of the questions whose right answer the file tells."),
        ),
        Number(
            percent(found.right_alone / found.total, 1),
            _("without any path"),
            _("Answered rightly where the network is given no path: by the sentence alone."),
        ),
        Number(whole(found.total), _("questions")),
    ]
    for mean, words in (
        (found.sure_right, _("mean score, where right")),
        (found.sure_wrong, _("mean score, where wrong")),
    ):
        if mean is not None:
            told = _("Of the choice that was said, from 0 to 1.")
            numbers.append(Number(in_digits(mean), words, told))
    if found.paths_used is not None:
        numbers.append(
            Number(
                percent(found.paths_used, 1),
                _("of the paths read"),
                _("The others were pruned by TransE, or meet what the network has no vector of."),
            )
        )
    yield Numbers(numbers)
