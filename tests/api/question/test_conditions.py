"""What a document must hold, what models do without, and what of a request a model has not."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

from explorer.api.question import Asks, Headline, Question, Table, Whole, a_mask, a_text, asked
from explorer.document import Document, Mask


@dataclass(frozen=True)
class Look(Asks, question="look"):
    """A question for the tests.

    Attributes:
        text: The sentence.
        layer: Looked at.
    """

    text: str
    layer: int = asked(Whole("Layer", 0))

    def fitting(self, cards):
        return replace(self, layer=min(self.layer, cards[0].layers - 1))


def judges(_document, cards):
    return bool(cards) and cards[0].judges


QUESTION = Question(
    name="look",
    title="Look",
    asks="What is there?",
    request=Look,
    result=Look,
    run=lambda _model, request, _context: request,
    table=lambda _result: Table((), ()),
    headline=lambda _result: Headline(""),
    conditions=(a_text("Type."), a_mask("Mask.", spared=judges)),
)
JUDGE = SimpleNamespace(judges=True, layers=4)
FILLER = SimpleNamespace(judges=False, layers=2)


def test_what_is_missing_depends_on_the_models_that_are_asked():
    plain, masked = Document("a soup"), Document("a soup", masks=(Mask(2, 6),))
    assert QUESTION.hint(Document(" "), [JUDGE]) == "Type."
    for cards, hint in (((), "Mask."), ([FILLER], "Mask."), ([JUDGE], "")):
        assert QUESTION.hint(plain, cards) == hint
        assert (QUESTION.request_of(plain, cards) is None) is bool(hint)
        assert QUESTION.hint(masked, cards) == ""
    assert QUESTION.needs_mask


def test_what_a_model_has_not_is_left_out_of_the_request():
    document = Document("a soup", masks=(Mask(2, 6),)).with_option("look.layer", 7)
    assert QUESTION.request_of(document) == Look("a soup", 7)
    assert QUESTION.request_of(document, [FILLER]) == Look("a soup", 1)
    assert QUESTION.request_of(document, [JUDGE]) == Look("a soup", 3)
