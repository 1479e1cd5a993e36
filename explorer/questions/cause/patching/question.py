"""Which of a model's states carry the difference between two sentences?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    EMBEDDINGS,
    MODEL,
    TOKENS,
    ActivationPatching,
    Answered,
    Cell,
    Choice,
    Component,
    Entry,
    LayersFrom0,
    Listing,
    ModelCard,
    ModelStamp,
    Places,
    Predictor,
    Question,
    ReadsEntities,
    Table,
    Token,
    Topic,
    Whole,
    WordList,
    a_mask,
    a_text,
    asked,
    column,
    one_place,
    spaces_stay_visible,
)
from explorer.document import Mask
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible

DENOISE, NOISE = "denoise", "noise"
EFFECT, FIRST_ORDER = "effect", "first_order"
SMALL = 20_000_000
"""Parameters up to which a model is asked without the Run button."""

COMPONENT = Choice(
    N_("Put back"),
    Component.RESIDUAL.value,
    entries=(
        Entry(
            Component.RESIDUAL.value,
            N_("Residual stream"),
            N_("All that is known of a token after a layer"),
        ),
        Entry(
            Component.ATTENTION.value,
            N_("Attention output"),
            N_("What a layer's attention adds to a token"),
        ),
        Entry(
            Component.FEED_FORWARD.value,
            N_("Feed-forward output"),
            N_("What a layer's feed-forward part adds to a token"),
        ),
        Entry(
            Component.HEAD.value,
            N_("Single heads"),
            N_("What one attention head hands on to a token"),
        ),
    ),
)
DIRECTION = Choice(
    N_("Direction"),
    DENOISE,
    entries=(
        Entry(
            DENOISE,
            N_("Restore (denoising)"),
            N_(
                "States of the first text are put into runs on the second: what is enough to bring "
                "the first text's prediction back"
            ),
        ),
        Entry(
            NOISE,
            N_("Disturb (noising)"),
            N_(
                "States of the second text are put into runs on the first: what the first text's "
                "prediction can't do without"
            ),
        ),
    ),
)
SWAP = WordList(
    N_("Swap"),
    (),
    N_(
        "Words of the text and what replaces them in the second one, as plant > "
        "build, house > flower. Both texts must have the same number of tokens. "
        "Empty: the second text of the window, else a swap that moves the prediction."
    ),
    placeholder=N_("swap: plant > build, flower > house"),
)
AT = Places(N_("Mask measured"), (), in_bar=False, count=1, key="patching.at")
"""The position of the mask; none for the first."""
CELL = Places(N_("State looked at"), (), redraws=True, in_bar=False, count=3, key="patching.state")
"""Stack, row and column of the state whose prediction is shown in full; none for the best one."""


@dataclass(frozen=True)
class PatchingRequest(ReadsEntities):
    """Ask how much of a difference each state restores.

    Attributes:
        pair: The sentence that it is compared with, where no words are swapped; None for none.
        masks: Those of the first text hold for the second where that has none.
        cell: Stack, row and column: answer with this state's prediction in full, and nothing else.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    component: str = asked(COMPONENT)
    direction: str = asked(DIRECTION)
    window: int = asked(
        Whole(
            N_("Layers at once"),
            1,
            N_(
                "How many neighbouring layers are put back together, about the one that a row is "
                "named after."
            ),
            low=1,
            high=12,
        )
    )
    words: tuple[str, ...] = asked(
        WordList(
            N_("Words measured"),
            (),
            N_(
                "Two words, with a comma between them: the measure is the first one's logit minus "
                "the second one's. Empty: the words whose probabilities are furthest apart."
            ),
            placeholder=N_("measured: trowel, excavator"),
        )
    )
    swap: tuple[str, ...] = asked(SWAP)
    position: int | None = one_place(AT)
    cell: tuple[int, int, int] | None = asked(
        Places(
            N_("State in full"),
            (),
            N_("Stack, row and column: answer with this state's prediction in full alone."),
            count=3,
        ),
        None,
        kept=lambda cell: [] if cell is None else list(cell),
        is_held=False,
    )


@dataclass(frozen=True)
class PatchGrid:
    """What each state of a stack restores, put back alone.

    Attributes:
        kind: "encoder", "decoder" or "cross".
        rows: What its rows are called: "emb.", "0" and so on; of heads "0.0".
        tokens: The tokens of the text that states are put into; one a column.
        others: Those of the text that they come from.
        names: What a person reads of each of these, and of the tokens that they are put into.
        effects: Shape [rows, tokens + 1], float32: shares of the difference that are restored; the
            last column is of all tokens at once. What is not there yet is no number.
        first_order: Of the same shape: the same from one gradient; None where there is none.
    """

    kind: str
    rows: tuple[str, ...]
    tokens: tuple[Token, ...]
    others: tuple[Token, ...]
    names: tuple[tuple[str, str], ...]
    effects: NDArray[np.float32]
    first_order: NDArray[np.float32] | None = None

    @property
    def found(self) -> int:
        """Cells that are there."""
        return int(np.isfinite(self.effects).sum())


@dataclass(frozen=True)
class WordOffer:
    """A word and others of as many tokens that could stand in its place.

    Attributes:
        word: As it is typed.
        start: Its first character.
        position: Of its first token.
        others: Nearest first.
    """

    word: str
    start: int
    position: int
    others: tuple[str, ...]


@dataclass(frozen=True)
class PatchedWord:
    """A word in three predictions.

    Attributes:
        word: As a person writes it.
        token: As the tokenizer writes it.
        id: Its number in the vocabulary.
        clean: Its probability with the first text.
        corrupt: With the second.
        patched: With the state put back.
        rank: In the patched prediction.
    """

    word: str
    token: str
    id: int
    clean: float
    corrupt: float
    patched: float
    rank: int


@dataclass(frozen=True)
class PatchedCell:
    """One state's prediction in full.

    Attributes:
        difference: The measure with the state put back.
        effect: The share that it restores.
        words: The most probable ones of the three predictions, and the two measured; most
            probable first, as patched.
    """

    difference: float
    effect: float
    words: tuple[PatchedWord, ...]


@dataclass(frozen=True)
class PatchingResult:
    """How much of a difference each state restores.

    Attributes:
        model: Whose states.
        tokens: The first text as the model saw it.
        other_tokens: The second text.
        other_text: The second text.
        position: Of the mask that is measured.
        words: The two whose logits are compared.
        clean: The measure with the first text, in nats.
        corrupt: With the second.
        component: What is put back.
        direction: Whose states are put into whose runs: the first text's into the second's, or the
            other way round.
        window: How many neighbouring layers at once.
        grids: One a stack.
        nothing: The share that is restored by no state: 0.
        everything: By all states at once: 1.
        correlation: Between effects and their first-order approximation, over all cells of single
            tokens; None where it is not defined.
        swap: What was swapped, as it is typed; none where the second text is the user's.
        is_chosen: The program chose the swap.
        offers: Other swaps, word by word.
        cell: One state's prediction in full, where only that was asked for.
        note: What must be known of the numbers.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    other_tokens: tuple[Token, ...]
    other_text: str
    position: int
    words: tuple[str, str]
    clean: float
    corrupt: float
    component: str
    direction: str
    window: int
    grids: tuple[PatchGrid, ...] = ()
    nothing: float = 0.0
    everything: float = 1.0
    correlation: float | None = None
    swap: tuple[str, ...] = ()
    is_chosen: bool = False
    offers: tuple[WordOffer, ...] = ()
    cell: PatchedCell | None = None
    note: Phrase = NOTHING

    @property
    def total(self) -> int:
        """Cells of all grids."""
        return sum(one.effects.size for one in self.grids)

    @property
    def found(self) -> int:
        """Those that are there."""
        return sum(one.found for one in self.grids)


def strongest(result: PatchingResult) -> tuple[int, int, int] | None:
    """Stack, row and column of the token's state that restores most; None while none is there.

    Of the stream between the layers the state of the mask behind the last one restores everything:
    there the embeddings count, where what differs between the texts comes in.
    """
    best: tuple[float, tuple[int, int, int]] | None = None
    for number, grid in enumerate(result.grids):
        rows = range(1 if _is_stream(result) else len(grid.rows))
        for row in rows:
            for at in range(len(grid.tokens)):
                value = abs(float(grid.effects[row, at]))
                if np.isfinite(value) and (best is None or value > best[0]):
                    best = value, (number, row, at)
    return best[1] if best is not None else None


def _is_stream(result: PatchingResult) -> bool:
    return result.component == Component.RESIDUAL


@dataclass(frozen=True)
class PatchRow:
    """A state that was put in the place of another."""

    component: str = column(N_("component"), key=True)
    stack: str = column(N_("stack"), key=True)
    row: str = column(N_("layer"), key=True)
    position: int | None = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible, compared=False)
    other_token: str = column(N_("other token"), written=visible, compared=False)
    effect: float | None = column(N_("effect"), digits=3)
    first_order: float | None = column(N_("first order"), digits=3)


def table(result: PatchingResult) -> Table:
    """One row a state; the position is empty for all tokens at once."""
    rows = []
    for grid in result.grids:
        for row, name in enumerate(grid.rows):
            for at in range(grid.effects.shape[1]):
                is_one = at < len(grid.tokens)
                place: tuple[int | None, str, str] = (None, "", "")
                if is_one:
                    place = (at, grid.tokens[at].text, grid.others[at].text)
                values = [grid.effects[row, at]]
                values.append(np.nan if grid.first_order is None else grid.first_order[row, at])
                cells = [float(one) if np.isfinite(one) else None for one in values]
                rows.append(PatchRow(result.component, grid.kind, name, *place, *cells))
    return Table.of(PatchRow, rows)


def derived(result: PatchingResult) -> Mapping[str, Any]:
    """Grids with their numbers as lists; null where a number is not there."""
    return {
        "grids": [
            {
                "kind": grid.kind,
                "rows": grid.rows,
                "tokens": [one.text for one in grid.tokens],
                "others": [one.text for one in grid.others],
                "effects": _listed(grid.effects),
                "first_order": None if grid.first_order is None else _listed(grid.first_order),
            }
            for grid in result.grids
        ]
    }


def _listed(values: NDArray[np.float32]) -> list[list[float | None]]:
    return [[float(one) if np.isfinite(one) else None for one in row] for row in values]


def waits(document: Any, card: ModelCard, answered: Answered | None) -> bool:
    """A large model is run hundreds of times: when the user says so."""
    return card.parameters > SMALL and (
        answered is None
        or answered.result.model != card.stamp
        or PatchingRequest.of(answered.asked) != PatchingRequest.of(document)
    )


COLUMN_TITLES = {
    "measured": N_("measured"),
    "clean": N_("in the first text"),
    "corrupt": N_("in the second text"),
    "row": N_("strongest at"),
    "token": N_("token"),
    "effect": N_("effect"),
    "correlation": N_("correlation with the gradient"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: PatchingResult) -> Mapping[str, Cell]:
    """The state that restores most, and how well one gradient would have told it."""
    first, second = result.words
    row: dict[str, Cell] = {
        "measured": f"{first} - {second}",
        "clean": result.clean,
        "corrupt": result.corrupt,
    }
    place = strongest(result)
    if place is not None:
        grid = result.grids[place[0]]
        row |= {
            "row": _row_phrase(grid.rows[place[1]]),
            "token": grid.names[place[2]][0],
            "effect": float(grid.effects[place[1], place[2]]),
        }
    row["correlation"] = result.correlation
    return row


def _row_phrase(name: str) -> str:
    return Phrase(N_("embeddings")) if name == EMBEDDINGS else name


LAYERS_FROM_0 = LayersFrom0(
    lists=("rows",), value="row", words=r"” at (\w+) (?:restores|takes away) "
)

QUESTION = Question(
    name="patching",
    title=N_("Activation patching"),
    asks=N_("Which of the model's states carry the difference between two sentences?"),
    listing=Listing(Topic.EXPLAIN, 4, "transit-connection-variant"),
    found_by=(
        "patching",
        "causal tracing",
        "interchange intervention",
        "causal mediation",
        "인과 추적",
        "바꾸기와 패칭",
    ),
    request=PatchingRequest,
    result=PatchingResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"cell": CELL},
    derived=derived,
    roles={MODEL: (Predictor, ActivationPatching)},
    options=(CELL,),
    conditions=(
        a_text(N_("Type a sentence, then click a word to mask it.")),
        a_mask(N_("Click a word to mask it: what the model expects there is measured.")),
    ),
    is_expensive=waits,
    waiting_hint=N_(
        "Every state is put back alone, which takes this model a while. Press Run to see what each "
        "of them restores."
    ),
    upgrades=(spaces_stay_visible, LAYERS_FROM_0),
)
