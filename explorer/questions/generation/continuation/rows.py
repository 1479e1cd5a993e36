"""The rows of a continuation: its steps, what each was chosen from, and the tree of beams."""

from dataclasses import dataclass

from explorer.api.question import Table, column
from explorer.questions.generation.continuation.question import (
    Alternative,
    ContinuationResult,
    WrittenToken,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import drawn, visible

NAMES = {
    "barred": N_("no text"),
    "rules": N_("the generation config"),
    "temperature": N_("temperature"),
    "top_k": N_("top-k"),
    "top_p": N_("top-p"),
    "min_p": N_("min-p"),
    "typical_p": N_("typical"),
}
"""What cuts are called."""


@dataclass(frozen=True)
class NewTokenRow:
    """A new token, and how it was chosen."""

    step: int = column(N_("step"), key=True)
    seen: str = column(N_("token"), filed=False)
    token: str = column(N_("token"), written=visible, shown=False)
    id: int = column(N_("id"), shown=False, compared=False)
    text: str = column(N_("text"), shown=False)
    probability: float = column(N_("probability"), written=in_digits)
    share: float = column(N_("share"), shown=False)
    rank: int = column(N_("rank"), dispensable=True)
    surprisal: float = column(N_("surprisal"), unit=N_("nats"), digits=2, tip=N_("−ln p, in nats"))
    entropy: float = column(
        N_("entropy"),
        unit=N_("nats"),
        digits=3,
        tip=N_("Of the model's distribution, in nats"),
        dispensable=True,
    )
    left: int = column(N_("left"), shown=False)
    taken: int = column(N_("taken"), shown=False, compared=False)
    note: str | None = column(N_("note"), filed=False)


def steps(result: ContinuationResult) -> tuple[NewTokenRow, ...]:
    """One row a new token."""
    return tuple(
        NewTokenRow(
            *(step, visible(one.text or one.token), one.token, one.id, one.text, one.probability),
            *(one.share, one.rank, one.surprisal, one.entropy, one.left, int(one.taken)),
            _noted_step(one),
        )
        for step, one in enumerate(result.tokens, start=1)
    )


def _noted_step(one: WrittenToken) -> str | None:
    if not one.taken and not one.ends:
        return None
    return Phrase(N_("chosen by you") if one.taken else N_("the end"))


@dataclass(frozen=True)
class AlternativeRow:
    """A token that could have been chosen at a step."""

    seen: str = column(N_("word"), filed=False)
    step: int = column(N_("step"), key=True, shown=False)
    token: str = column(N_("token"), key=True, written=visible, shown=False)
    id: int = column(N_("id"), shown=False, compared=False)
    word: str = column(N_("word"), shown=False, compared=False)
    rank: int = column(N_("rank"), dispensable=True)
    probability: float = column(N_("probability"), written=in_digits)
    share: float = column(
        N_("drawn with"),
        written=in_digits,
        tip=N_("Sampling probability, after temperature and truncation"),
    )
    cut_by: str = column(N_("removed by"), shown=False)
    note: str = column(N_("note"), filed=False)


def alternatives(result: ContinuationResult) -> tuple[AlternativeRow, ...]:
    """One row a token that could have been chosen at a step."""
    return tuple(
        AlternativeRow(
            *(drawn(one), step, one.token, one.id, one.word, one.rank, one.probability),
            *(one.share, one.cut_by, _noted(one, token)),
        )
        for step, token in enumerate(result.tokens, start=1)
        for one in token.alternatives
    )


def _noted(one: Alternative, token: WrittenToken) -> str:
    if one.id == token.id:
        return Phrase(N_("chosen by you") if token.taken else N_("chosen"))
    return Phrase(N_("cut: {name}"), name=Phrase(NAMES[one.cut_by])) if one.cut_by else ""


@dataclass(frozen=True)
class TreeRow:
    """A token that a beam search looked at."""

    number: int = column(N_("number"), key=True)
    parent: int | None = column(N_("parent"), compared=False)
    step: int = column(N_("step"), key=True)
    token: str = column(N_("token"), key=True, written=visible)
    probability: float = column(N_("probability"), written=in_digits)
    log_probability: float = column(N_("log p"), unit=N_("nats"), digits=2)
    fate: str = column(N_("fate"))
    score: float | None = column(N_("score"), digits=2)
    same_text_as: int | None = column(N_("same text as"), compared=False)


def tree(result: ContinuationResult) -> Table | None:
    """One row a token that a beam search looked at; None for other strategies."""
    if not result.tree:
        return None
    rows = (
        TreeRow(
            *(number, one.parent, one.step + 1, one.token, one.probability, one.log_probability),
            *(one.fate, one.score, one.same_as),
        )
        for number, one in enumerate(result.tree)
    )
    return Table.of(TreeRow, rows)
