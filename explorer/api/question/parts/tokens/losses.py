"""What tokens cost a model that predicts them: how much each surprises it, what it expected."""

from dataclasses import dataclass

from explorer.api.prediction import Prediction
from explorer.api.question.parts.gestures import Put, Puts
from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import TOKENS, Table, column
from explorer.api.tokens import Mask, Token
from explorer.text import N_
from explorer.text.pieces import visible


@dataclass(frozen=True)
class SeenToken:
    """What the model saw in the place of a token.

    Attributes:
        word: As a person reads it; "" for a mask.
        edge: The colour around it, by its name in the theme.
        ground: The colour behind it.
    """

    word: str
    edge: str
    ground: str = "surface"


@dataclass(frozen=True)
class Loss:
    """What one token costs.

    Attributes:
        position: In the input.
        value: Minus the logarithm of its probability.
        best: What the model expected most.
        rank: Of the token itself, 1 where it is what was expected.
        words: What its tooltip says, a Phrase.
        seen: What stood in its place; None for what is not told.
    """

    position: int
    value: float
    best: Prediction | None
    rank: int
    words: str = ""
    seen: SeenToken | None = None

    @property
    def expected(self) -> Prediction | None:
        """What the model expected in its place, where that is another one."""
        return self.best if self.rank > 1 else None


@dataclass(frozen=True)
class LossRow:
    """A token with its loss."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible, compared=False)
    loss: float = column(N_("loss"), digits=3)
    rank: int = column(N_("rank"))


@dataclass(frozen=True)
class Losses(Part):
    """The losses of tokens.

    Attributes:
        tokens: The input, with nothing masked; what has no loss stays as it is.
        losses: In reading order.
        digits: Behind the point where they are read.
        least: What the longest bar stands for at least, so that small losses look small.
        legend: What the colours of what the model saw mean: words, which are a Phrase or marked
            for translation, and the edge and the ground.
        puts: The word that was expected can be put in the token's place.
    """

    tokens: tuple[Token, ...]
    losses: tuple[Loss, ...]
    digits: int = 2
    least: float = 3.0
    legend: tuple[tuple[str, str, str], ...] = ()
    puts: bool = False

    def put(self, one: Loss) -> Puts | None:
        """What puts the expected word into the text, with the space before it or without."""
        best, token = one.expected, self.tokens[one.position]
        if best is None or not self.puts:
            return None
        is_end = best.glue == "before"
        word = f" {best.word}" if token.joined and not is_end else best.word
        place = Mask(token.start, token.end, token.part)
        return Puts((Put(place, word, glued=is_end and not token.joined),))

    def table(self) -> Table:
        """A row a loss."""
        return Table.of(
            LossRow,
            (
                LossRow(one.position, self.tokens[one.position].text, one.value, one.rank)
                for one in self.losses
            ),
        )
