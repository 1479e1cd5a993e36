"""Words of a vocabulary as a model predicts them."""

from dataclasses import dataclass, field

from explorer.api.distribution import Distribution


@dataclass(frozen=True)
class Prediction:
    """One word of the vocabulary at one mask, or a span of several pieces.

    Attributes:
        token: The piece as the tokenizer writes it; those of a span one after the other.
        id: Its number in the vocabulary; of a span, the first piece's.
        probability: Softmax over the whole vocabulary; of a span, as its family says.
        word: As a person writes it (no "##", no "Ġ").
        rank: 1 for the most probable.
        ids: The numbers of a span's pieces; empty for a single piece.
        glue: "before" for a piece that only continues the word before it ("##s"), "after" for one
            that only begins a longer word; "" for a whole word.
    """

    token: str
    id: int
    probability: float
    word: str = ""
    rank: int = 0
    ids: tuple[int, ...] = ()
    glue: str = ""

    def is_same(self, other: "Prediction | None") -> bool:
        """Whether both are the same pieces, whatever their probabilities."""
        return other is not None and (self.ids or (self.id,)) == (other.ids or (other.id,))


@dataclass(frozen=True)
class MaskPredictions:
    """What the model expects at one mask.

    Attributes:
        position: Index of the masked token in the input.
        predictions: The top k, most probable first.
        original: The token that was there before it was masked, with its rank and probability;
            None for a mask that was typed.
        entropy: Of the whole distribution, in nats.
        distribution: Over the whole vocabulary, for comparing answers; None where there are too
            many masks to keep it, for spans, and in what comes out of a log.
    """

    position: int
    predictions: tuple[Prediction, ...]
    original: Prediction | None
    entropy: float
    distribution: Distribution | None = field(default=None, compare=False, repr=False)
