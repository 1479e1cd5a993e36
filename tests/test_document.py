import dataclasses
import itertools
import random

import pytest

from explorer.document import Document, Mask, carried

TEXT = "I liked the movie, it was great."


def spans(document):
    return [(m.part, document.part(m.part)[m.start : m.end]) for m in document.masks]


def test_it_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Document().text = "x"


def test_mask_and_unmask():
    document = Document(TEXT).with_mask(12, 17).with_mask(2, 7)
    assert spans(document) == [(0, "liked"), (0, "movie")]
    assert document.is_masked(6, 9)
    assert not document.is_masked(7, 12)
    assert document.without_mask(0, 7).masks == (Mask(12, 17),)
    assert document.without_masks().masks == ()
    assert document.toggle_mask(2, 7).toggle_mask(2, 7) == document


def test_masks_that_overlap_become_one_and_neighbours_stay_two():
    document = Document(TEXT).with_mask(2, 5).with_mask(4, 7)
    assert document.masks == (Mask(2, 7),)
    assert Document(TEXT).with_mask(2, 5).with_mask(5, 7).masks == (Mask(2, 5), Mask(5, 7))


def test_a_mask_in_the_middle_is_split_by_unmasking():
    assert Document(TEXT).with_mask(2, 11).without_mask(4, 6).masks == (Mask(2, 4), Mask(6, 11))


def test_a_mask_keeps_inside_its_text():
    assert Document("abc").with_mask(-5, 99).masks == (Mask(0, 3),)
    assert Document("abc").with_mask(3, 9).masks == ()
    assert Document("abc").with_mask(2, 2).masks == ()


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("Really, " + TEXT, ["liked", "great"]),
        (TEXT + " Really.", ["liked", "great"]),
        (TEXT.replace("movie", "film"), ["liked", "great"]),
        (TEXT.replace("liked", "loved"), ["great"]),
        (TEXT.replace(" it was great", ""), ["liked"]),
        ("", []),
    ],
)
def test_masks_stay_on_their_words_when_the_text_changes(new, expected):
    document = Document(TEXT).with_mask(2, 7).with_mask(26, 31).with_text(new)
    assert document.text == new
    assert [words for _, words in spans(document)] == expected


def test_both_texts_have_masks_of_their_own():
    document = Document("a cat").with_pair("a dog").with_mask(2, 5, 1).with_mask(2, 5, 0)
    assert spans(document) == [(0, "cat"), (1, "dog")]
    assert spans(document.with_text("the cat")) == [(0, "cat"), (1, "dog")]
    assert spans(document.with_text("my dog", part=1)) == [(0, "cat"), (1, "dog")]
    assert document.with_pair(None).masks == (Mask(2, 5),)
    assert document.with_pair(None).pair is None
    assert document.with_pair("a dog") == document


def test_words_in_the_place_of_a_mask():
    document = Document(TEXT).with_mask(2, 7).with_mask(12, 17).with_mask(26, 31)
    changed = document.with_words(12, 17, "long film")
    assert changed.text == TEXT.replace("movie", "long film")
    assert [words for _, words in spans(changed)] == ["liked", "great"]


def test_typed_masks():
    document = Document("a [MASK] b [MASK]", "[MASK]!")
    assert document.literal_masks() == (Mask(2, 8), Mask(11, 17), Mask(0, 6, 1))
    assert Document("[mask]").literal_masks() == ()


def test_after_any_edits_masks_are_sorted_apart_and_inside():
    draw = random.Random(7)
    for _ in range(300):
        document = Document("abcdefghij" * 2, "klmno")
        for _ in range(12):
            part = draw.randrange(2)
            start = draw.randrange(-2, 22)
            end = start + draw.randrange(6)
            edit = draw.randrange(4)
            if edit == 0:
                document = document.with_mask(start, end, part)
            elif edit == 1:
                document = document.without_mask(start, end, part)
            elif edit == 2:
                old = document.part(part)
                cut = draw.randrange(len(old) + 1)
                document = document.with_text(old[:cut] + "xy" + old[cut + 1 :], part)
            else:
                document = document.toggle_mask(start, end, part)
            for mask in document.masks:
                assert 0 <= mask.start < mask.end <= len(document.part(mask.part))
            order = [(m.part, m.start, m.end) for m in document.masks]
            assert order == sorted(order)
            for (part_a, _, end_a), (part_b, start_b, _) in itertools.pairwise(order):
                assert part_a < part_b or end_a <= start_b


@pytest.mark.parametrize(
    ("text", "strict", "rewritten"),
    [
        ("the chef cooked soup", (9, 15), (9, 15)),
        ("now the chef cooked soup", (13, 19), (13, 19)),
        ("the chef cooked soup now", (9, 15), (9, 15)),
        ("the old chef cooked soup", (13, 19), (13, 19)),
        ("the chef, cooked, soup", None, None),
        ("the chef burned soup", None, (9, 15)),
        ("the chef cooks soup", None, (9, 14)),
        ("the chef [MASK] soup", None, (9, 15)),
        ("the chef precooked soup", None, (9, 18)),
        ("the chef cookedly soup", None, (9, 17)),
        ("the chef soup", None, None),
        ("the cook burned soup", None, None),
        ("", None, None),
    ],
)
def test_characters_are_found_again_after_an_edit(text, strict, rewritten):
    before = Document("the chef cooked soup", "cooked")
    now = Document(text)
    place = Mask(9, 15)
    found = carried(place, before, now)
    assert (found and (found.start, found.end)) == strict
    found = carried(place, before, now, rewritten=True)
    assert (found and (found.start, found.end)) == rewritten
    assert carried(Mask(0, 6, 1), before, now) is None
    assert carried(Mask(0, 6, 1), before, Document(text, "We cooked")) == Mask(3, 9, 1)
