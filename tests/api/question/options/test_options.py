"""Options that questions declare: what a document sets, what is typed, what is refused."""

import pytest

from explorer.api.question import (
    Choice,
    Entry,
    Number,
    Numbers,
    Share,
    Switch,
    UserMistake,
    Whole,
    WordList,
    Words,
)
from explorer.document import Document

UNIT = Choice(
    "Unit", "nats", entries=(Entry("nats", "nats"), Entry("bits", "bits")), key="surprisal.unit"
)
HOW = Choice(
    "How", "left_to_right", entries=(Entry("left_to_right", "From the left"),), key="x.how"
)
EPOCHS = Whole("Epochs", 10, low=1, high=40, key="x.epochs")
HEAT = Number("Temperature", 1.0, low=0.1, high=20.0, key="x.heat")
SWAP = Switch("Swap", default=False, key="x.swap")
WORDS = Words("Words", "", key="x.words")
ONLY = WordList("Only", (), key="x.only")
WEIGHTS = Numbers("Weights", (5.0, 1.0), names=("one", "other"), high=10.0, key="x.weights")
MASKED = Share("Masked", 0.8, key="x.masked")
RANDOM = Share("Random", 0.1, most=lambda document: 1.0 - MASKED.of(document), key="x.random")
TOP = Choice("Top", 10, entries=(Entry(5, "5"), Entry(10, "10")), key="top_k")


@pytest.mark.parametrize(
    ("option", "set_to", "found"),
    [
        (UNIT, "bits", "bits"),
        (UNIT, "miles", "nats"),
        (UNIT, ["bits"], "nats"),
        (EPOCHS, 40, 40),
        (EPOCHS, 41, 10),
        (EPOCHS, True, 10),
        (EPOCHS, 3.0, 10),
        (HEAT, 2, 2.0),
        (HEAT, 0.0, 1.0),
        (HEAT, "2", 1.0),
        (HEAT, True, 1.0),
        (SWAP, True, True),
        (SWAP, 1, False),
        (WORDS, "tea", "tea"),
        (WORDS, 3, ""),
        (ONLY, ["tea", "soup"], ("tea", "soup")),
        (ONLY, ["tea", 3], ()),
        (ONLY, "tea", ()),
        (WEIGHTS, [1, 2.5], (1.0, 2.5)),
        (WEIGHTS, [1], (5.0, 1.0)),
        (WEIGHTS, [1, 11], (5.0, 1.0)),
        (WEIGHTS, [1, True], (5.0, 1.0)),
    ],
)
def test_what_a_document_sets_is_taken_only_where_it_is_a_value(option, set_to, found):
    document = Document("a").with_option(option.key, set_to)
    assert option.of(document) == found
    assert type(option.of(document)) is type(option.default)
    assert option.of(Document("a")) == option.default


def test_two_shares_of_one_whole_are_never_more_than_it():
    document = Document("a").with_option("x.masked", 0.95).with_option("x.random", 0.4)
    assert RANDOM.of(document) == pytest.approx(0.05)
    assert RANDOM.limit(document) == pytest.approx(0.05)
    assert MASKED.limit(document) == 1.0


def test_a_field_of_the_document_is_an_option_too():
    assert TOP.of(Document("a", top_k=5)) == 5
    assert TOP.of(Document("a", top_k=7)) == 10
    assert TOP.held(Document("a", top_k=7)) == 7
    assert TOP.written(10) == 10


def test_a_default_leaves_nothing_in_the_document():
    assert UNIT.written("nats") is None
    assert UNIT.written("bits") == "bits"


@pytest.mark.parametrize(
    ("option", "typed", "value"),
    [
        (UNIT, "bits", "bits"),
        (HOW, "left-to-right", "left_to_right"),
        (EPOCHS, "7", 7),
        (HEAT, "2.5", 2.5),
        (SWAP, "on", True),
        (WORDS, "a, b", "a, b"),
        (TOP, "5", 5),
    ],
)
def test_what_is_typed_becomes_a_value(option, typed, value):
    assert option.parse(typed) == value


@pytest.mark.parametrize(
    ("option", "typed", "said"),
    [
        (UNIT, "miles", "one of nats, bits"),
        (EPOCHS, "seven", "a whole number from 1 to 40"),
        (EPOCHS, "41", "a whole number from 1 to 40"),
        (HEAT, "nan", "a number from 0.1 to 20"),
        (SWAP, "perhaps", "on or off"),
    ],
)
def test_what_is_no_value_is_refused_with_those_there_are(option, typed, said):
    with pytest.raises(UserMistake, match=f"--{option.name} can't be '{typed}'") as mistake:
        option.parse(typed)
    assert said in mistake.value.hint


def test_lists_are_kept_as_json_has_them_and_typed_with_commas():
    assert ONLY.written(("tea", "soup")) == ["tea", "soup"]
    assert ONLY.written(()) is None
    assert ONLY.parse(" tea, fried rice ,") == ("tea", "fried rice")
    assert WEIGHTS.written((5.0, 1.0)) is None
    assert WEIGHTS.written((2.0, 1.0)) == [2.0, 1.0]
    assert WEIGHTS.parse("2, 3") == (2.0, 3.0)
    for words in ("2", "2, 30", "warm"):
        with pytest.raises(UserMistake) as told:
            WEIGHTS.parse(words)
        assert "2 numbers from 0 to 10: one, other" in told.value.hint
