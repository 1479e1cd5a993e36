"""Which bundled sample gives a question all that it needs."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from explorer.api.question import ModelCard, Question
from explorer.samples.sample_files import Sample
from explorer.samples.samples import first_sample, samples
from explorer.text import _
from explorer.ui.document.edits import Edits
from explorer.ui.views.frame.state_pages import Way


class ExampleFinder:
    """Finds them among the samples; none is named for a question here.

    Args:
        edits: Changes the document to a sample.
        cards: The models that are loaded now, by slot.
    """

    def __init__(self, edits: Edits, cards: Callable[[], Mapping[str, ModelCard]]) -> None:
        self._edits = edits
        self._cards = cards

    def ways(self, question: Question[Any, Any]) -> tuple[Way, ...]:
        """The button of a page that lacks an input; none where no sample has it."""
        take = self.take(question)
        return () if take is None else ((_("Try an example"), take),)

    def any_way(self) -> tuple[Way, ...]:
        """The button of what has no sentence at all: the one that a first start shows."""
        return ((_("Try an example"), partial(self._edits.take_sample, first_sample())),)

    def take(self, question: Question[Any, Any]) -> Callable[[], None] | None:
        """What goes to the sample that suits a question best; None where none does."""
        held = {card.stamp.id for card in self._cards().values()}
        usable = [one for one in samples() if self._is_usable(one, question)]
        usable.sort(
            key=lambda one: (
                one.view != question.name,
                one.model not in held,
                # Made for another model than those that are loaded.
                bool(one.model),
            )
        )
        return partial(self._edits.take_sample, usable[0]) if usable else None

    def lacks_input(self, question: Question[Any, Any]) -> bool:
        """Whether the text, the masks or an option of now leave something to be filled in."""
        return bool(question.hint(self._edits.document))

    def _is_usable(self, sample: Sample, question: Question[Any, Any]) -> bool:
        """Whether it is made for the question, or for none and has all that this one needs."""
        is_for = sample.view in ("", question.name)
        return is_for and not question.hint(self._edits.with_sample(sample))
