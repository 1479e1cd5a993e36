"""What a stage shows of a page is found by titles, in whatever language they are on screen."""

from explorer.paths import own_resources
from explorer.text import _
from explorer.text import language as languages
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page.focus import focused, is_called
from explorer.ui.blocks.text import Text, heading, note

PAGE = [
    note("How it was had."),
    heading("Over epochs"),
    Columns([Card([heading("All heads"), Text("a")]), Card([heading("One head"), Text("b")])]),
    note("Of the cards."),
    heading("Similarity"),
    Text("c"),
]


def words(blocks):
    found = []
    for one in blocks:
        inner = [card.blocks for card in one.cards] if isinstance(one, Columns) else []
        found += [one.text] if isinstance(one, Text) else [words(blocks) for blocks in inner]
    return found


def test_a_heading_brings_all_that_is_below_it(qapp):
    cards = [["All heads", "a"], ["One head", "b"]]
    assert words(focused(PAGE, ["Over epochs"])) == ["Over epochs", *cards, "Of the cards."]
    assert words(focused(PAGE, ["Similarity"])) == ["Similarity", "c"]


def test_a_card_stands_alone_and_several_stay_beside_each_other(qapp):
    assert words(focused(PAGE, ["One head"])) == [["One head", "b"]]
    both = focused(PAGE, ["One head", "Similarity", "All heads"])
    assert words(both) == [["All heads", "a"], ["One head", "b"], "Similarity", "c"]


def test_of_two_parts_of_one_name_the_first_is_meant(qapp):
    again = [*PAGE, heading("Control"), Columns([Card([heading("One head"), Text("d")])])]
    assert words(focused(again, ["One head"])) == [["One head", "b"]]


def test_what_is_not_there_is_not_found(qapp):
    assert focused(PAGE, ["Entropy"]) == []
    assert focused([], ["Entropy"]) == []


def test_braces_are_anything_and_titles_are_translated(qapp):
    assert is_called("Mask at position 12", "Mask at position {position}")
    assert not is_called("Masks", "Mask at position {position}")
    assert is_called("excess loss, nats", "{measure=excess loss}, {unit}")
    assert not is_called("words right, %", "{measure=excess loss}, {unit}")
    before = languages.current()
    korean = languages.find("ko", own_resources() / "locale")
    languages.use(korean)
    try:
        assert is_called(_("Over epochs"), "Over epochs")
        assert not is_called("Over epochs", "Over epochs")
        told = _("{measure}, {unit}", measure=_("excess loss"), unit=_("nats"))
        assert is_called(told, "{measure=excess loss}, {unit}")
    finally:
        languages.use(before)
