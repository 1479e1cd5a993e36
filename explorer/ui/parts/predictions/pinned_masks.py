"""Predictions at masks against a pinned answer: what words had there, how far belief moved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from explorer.api.question import Distribution, MaskPredictions, Prediction, Predictions, Table
from explorer.api.question.parts.predictions.predictions import PredictionRow, row_of, told_of
from explorer.document import Document, matched, places_of
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import decimal
from explorer.ui.parts.predictions.word_table import Before

OTHER_VERSIONS = N_(
    "The pinned answer did not read the text in this version, so no difference is shown."
)


@dataclass(frozen=True)
class PinnedMask:
    """A mask's answer in the pinned result.

    Attributes:
        now: The answer that is shown.
        then: The pinned one's mask at the same place in the text; None where it has none.
        why_not: Why there is no difference, where there is none.
    """

    now: MaskPredictions
    then: MaskPredictions | None
    why_not: str = ""

    @property
    def whole(self) -> tuple[Distribution, Distribution] | None:
        """Both distributions; None where not both are known, of the same vocabulary."""
        now = self.now.distribution
        then = self.then.distribution if self.then is not None else None
        if now is None or then is None or not now.is_comparable(then):
            return None
        return now, then

    def before(self, prediction: Prediction) -> Before:
        """What the pinned answer says of a word.

        With the same vocabulary it is known of every piece; otherwise words are matched as they
        are written, capital letters aside, among those the pinned answer shows.
        """
        if self.then is None:
            return Before()
        if self.whole is not None and not prediction.ids:
            known = self.whole[1]
            return Before(known.probability(prediction.id), known.rank(prediction.id))
        shown = self.then.predictions
        if self.then.original is not None:
            shown = (*shown, self.then.original)
        found = next((one for one in shown if key_of(one) == key_of(prediction)), None)
        if found is None:
            return Before(listed=len(self.then.predictions))
        return Before(found.probability, found.rank)

    @property
    def divergence(self) -> tuple[float, float] | None:
        """KL(now || pinned) in nats and the total variation; None without whole distributions."""
        if self.whole is None:
            return None
        now, then = self.whole
        return now.divergence(then), now.total_variation(then)

    def said(self) -> str:
        """How far the belief moved, in one sentence."""
        if self.then is None:
            return self.why_not
        exact = self.divergence
        if exact is not None:
            return _(
                "Against the pinned answer {exact} % of the probability moved to other words "
                "(total variation; KL divergence {exact_2} nats)",
                exact=decimal(exact[1] * 100, 1),
                exact_2=decimal(exact[0], 3),
            )
        known = {key_of(one) for one in self.then.predictions}
        own = {key_of(one) for one in self.now.predictions}
        both = known & own
        covered = [
            sum(one.probability for one in answer.predictions if key_of(one) in both)
            for answer in (self.then, self.now)
        ]
        kept_whole = None not in (self.now.distribution, self.then.distribution)
        why = (
            _("The pinned answer is of another vocabulary.")
            if kept_whole
            else _("Of a logged answer only the likeliest words are kept.")
        )
        return ngettext(
            "{why} So words are matched as written: {count} word is in both lists, with {covered} "
            "% of the pinned probability and {covered_2} % of this one.",
            "{why} So words are matched as written: {count} words are in both lists, with "
            "{covered} % of the pinned probability and {covered_2} % of this one.",
            len(both),
            why=why,
            covered=decimal(covered[0] * 100, 0),
            covered_2=decimal(covered[1] * 100, 0),
        )


def rows_before(pins: Sequence[PinnedMask | None]) -> Table:
    """The pinned answer's rows of the words that are shown now, whichever it shows itself."""
    rows = []
    for pin in pins:
        if pin is None or pin.then is None:
            continue
        for mask, prediction in told_of([pin.now]):
            then = pin.before(prediction)
            rows.append(
                replace(
                    row_of(mask, prediction),
                    mask=pin.then.position,
                    entropy=pin.then.entropy,
                    rank=then.rank,
                    probability=then.probability,
                )
            )
    return Table.of(PredictionRow, rows)


def with_divergences(part: Predictions, pins: Sequence[PinnedMask | None]) -> Table:
    """The predictions with how far belief moved as a whole, where that is known."""
    exact = {
        mask.position: pin.divergence if pin is not None else None
        for mask, pin in zip(part.masks, pins, strict=True)
    }
    beside = [exact[mask.position] or (None, None) for mask, _one in told_of(part.masks)]
    return part.table().widened(("kl_divergence", "total_variation"), beside)


def key_of(prediction: Prediction) -> tuple[str, str]:
    """A word as two models' words are told to be the same."""
    return prediction.word.casefold(), prediction.glue


def pinned_masks(
    now: Predictions, then: Predictions, document: Document, baseline: Document
) -> tuple[PinnedMask, ...]:
    """For every mask of an answer, the pinned one's at the same place in the text.

    Args:
        now: What is shown.
        then: The same of the pinned answer.
        document: That asked for what is shown.
        baseline: That asked for the pinned answer.
    """
    found: dict[int, MaskPredictions] = {}
    for version in {now.version(n) for n in range(len(now.masks))}:
        own, others = (
            [n for n in range(len(one.masks)) if one.version(n) == version] for one in (now, then)
        )
        numbers = matched(
            places_of(now.tokens, [now.masks[n].position for n in own]),
            document,
            places_of(then.tokens, [then.masks[n].position for n in others]),
            baseline,
        )
        same = ((n, at) for n, at in zip(own, numbers, strict=True) if at is not None)
        found |= {n: then.masks[others[at]] for n, at in same}
    known = {then.version(n) for n in range(len(then.masks))}
    there, lacking = no_mask_said(document, baseline), _(OTHER_VERSIONS)
    return tuple(
        PinnedMask(mask, found.get(n), there if now.version(n) in (*known, "") else lacking)
        for n, mask in enumerate(now.masks)
    )


def before_of(pinned: PinnedMask | None) -> Callable[[Prediction], Before] | None:
    """What rows ask of a pinned mask; None without one."""
    return pinned.before if pinned is not None and pinned.then is not None else None


def no_mask_said(now: Document, pinned: Document) -> str:
    """Why a mask is shown without a difference to the pinned answer."""
    if (now.text, now.pair) == (pinned.text, pinned.pair):
        return _("The pinned answer has no mask here, so no difference is shown.")
    return _(
        "The pinned answer is of another text and has no mask at this very place, so no "
        "difference is shown."
    )
