"""A label for every token: one class of several, with its probability."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.headline import Headline
from explorer.api.question.options.options import Option
from explorer.api.question.parts.part import SILENT, Part, chosen
from explorer.api.question.rows.rows import TOKENS, Cell, Table, column
from explorer.api.question.standing_out import beyond, is_close
from explorer.api.tokens import Token, alone
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits, in_percent
from explorer.text.pieces import visible


@dataclass(frozen=True)
class LabelRow:
    """A token of the text with its likeliest label."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible)
    part: int = column(N_("text"), shown=False)
    start: int = column(N_("first character"), shown=False)
    end: int = column(N_("one past the last"), shown=False)
    label: str = column(N_("label"))
    probability: float = column(N_("probability"), written=in_digits)


@dataclass(frozen=True)
class Labels(Part):
    """Scores of every label at every token.

    Attributes:
        tokens: The input as the model saw it; special tokens have no label.
        labels: Names of the classes.
        logits: Raw scores, tokens x classes, float32.
        nothing: The label of what is none, as "O"; "" where every token has one.
    """

    OPTIONS: ClassVar[tuple[Option[Any], ...]] = (chosen(N_("Token")),)
    TITLES: ClassVar[Mapping[str, str]] = {
        "tokens": N_("tokens"),
        "labelled": N_("labelled"),
        "least_probability": N_("least probability"),
        "labels": N_("labels"),
    }

    tokens: tuple[Token, ...]
    labels: tuple[str, ...]
    logits: NDArray[np.float32]
    nothing: str = ""

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Tokens x classes."""
        from explorer.numerics.spans import softmax

        return softmax(self.logits)

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The number of every token's likeliest label."""
        return tuple(self.logits.argmax(axis=-1).tolist())

    @property
    def places(self) -> tuple[int, ...]:
        """Positions of the text's own tokens."""
        return tuple(n for n, one in enumerate(self.tokens) if not one.special)

    @property
    def labelled(self) -> tuple[int, ...]:
        """Those whose likeliest label is one."""
        return tuple(n for n in self.places if self.labels[self.best[n]] != self.nothing)

    def table(self) -> Table:
        """One row a token of the text."""
        rows = []
        for place in self.places:
            token, label = self.tokens[place], self.best[place]
            chance = float(self.probabilities[place, label])
            where = (token.part, token.start, token.end)
            rows.append(LabelRow(place, token.text, *where, self.labels[label], chance))
        return Table.of(LabelRow, rows)

    def summary(self) -> Mapping[str, Cell]:
        """How many tokens have a label, and how sure the model is of the least sure one."""
        chances = [float(self.probabilities[n, self.best[n]]) for n in self.places]
        return {
            "tokens": len(self.places),
            "labelled": len(self.labelled),
            "least_probability": min(chances, default=None),
            "labels": " ".join(self.labels[self.best[n]] for n in self.places),
        }

    def headline(self) -> Headline:
        """The surest label that is one, and the smallest lead of a label over the next."""
        places = np.array(self.places, dtype=np.int64)
        if not len(places) or not self.labels:
            return SILENT
        chances = self.probabilities[places]
        if not self.labelled:
            return SILENT
        labelled = np.isin(places, self.labelled)
        surest = int(np.where(labelled, chances.max(axis=1), -1.0).argmax())
        ranked = np.sort(chances, axis=1)[:, ::-1]
        values = {
            "word": alone(self.tokens[places[surest]]),
            "label": self.labels[int(chances[surest].argmax())],
            "share": in_percent(float(ranked[surest, 0])),
        }
        if len(self.labels) == 1:
            sentence = Phrase(N_("“{word}” has the only label there is, {label}."), **values)
            return Headline(sentence, int(places[surest]))
        wavering = int((ranked[:, 0] - ranked[:, 1]).argmin())
        first, second = np.argsort(-chances[wavering], kind="stable")[:2].tolist()
        values |= {
            "other": alone(self.tokens[places[wavering]]),
            "first": self.labels[first],
            "its": in_percent(float(chances[wavering, first])),
            "second": self.labels[second],
            "that": in_percent(float(chances[wavering, second])),
        }
        is_open = is_close(chances[wavering, first], chances[wavering, second])
        sentence = Phrase(_SENTENCES[is_open, wavering == surest], **values)
        strength = beyond(float(ranked[surest, 0]), 1.0 / len(self.labels), 1.0)
        return Headline(sentence, int(places[wavering]), strength=strength)


_SENTENCES = {
    (False, True): N_(
        "Every label is clear: even “{other}”, the least sure token, has {first} with {its}."
    ),
    (False, False): N_(
        "Every label is clear: “{word}” has {label} with {share}, and even “{other}”, the least "
        "sure token, has {first} with {its}."
    ),
    (True, True): N_(
        "The model hesitates at “{other}”, between {first} ({its}) and {second} ({that})."
    ),
    (True, False): N_(
        "“{word}” has the surest label, {label} ({share}), while the model hesitates at “{other}” "
        "between {first} ({its}) and {second} ({that})."
    ),
}
"""Whether the smallest lead leaves the choice open, and whether it is the surest token's."""
