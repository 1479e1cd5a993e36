"""The parts of every page by their names, and which of them are a figure."""

import pytest

from explorer.api.question import UserMistake
from explorer.export_choices import FIGURE_HEIGHT, PAGE_HEIGHT, PictureChoice
from explorer.ui.export.figure_parts import (
    EVERY,
    FigurePart,
    first_that_fit,
    leaves_of,
    named,
    parts_of,
)
from explorer.ui.export.side_by_side import below_each_other, side_by_side
from explorer.ui.theme.schemes import theme_of
from tests.ui.export.test_print import RUNS, blocks_of, on_paper, page_of_run, shown_of

pytestmark = pytest.mark.usefixtures("qapp")
LIGHT = theme_of("light")


def parts(name):
    return parts_of(page_of_run(name), shown_of(name))


def run_of(question):
    return next(name for name in RUNS if name.split()[0] == question)


@pytest.mark.parametrize("name", RUNS)
def test_every_part_is_chosen_by_its_key_in_any_language(name, speak):
    known = leaves_of(parts(name))
    keys = [one.key for one in known]
    assert len(set(keys)) == len(keys)
    assert all(key and key == key.casefold() and " " not in key for key in keys)
    speak("ko")
    korean = leaves_of(parts(name))
    assert [one.key for one in korean] == keys
    for english, one in zip(known, korean, strict=True):
        assert one.path == english.path
        assert named(parts(name), [english.key]) == (one,)
    assert named(parts(name), [EVERY]) == korean


def test_a_part_is_known_by_its_title_and_a_heading_by_all_below_it():
    known = parts(run_of("soft_targets"))
    heading = next(one for one in known if one.inside)
    assert named(known, [heading.title.upper()]) == heading.leaves
    assert named(known, [heading.leaves[1].key]) == heading.leaves[1:2]


def test_an_unknown_part_is_told_with_the_nearest_and_the_list():
    known = parts(run_of("attention"))
    with pytest.raises(UserMistake, match="Did you mean one-head") as told:
        named(known, ["on-head"])
    assert "one-head, all-heads and all" in told.value.advice
    with pytest.raises(UserMistake, match="has no part xyz"):
        named(known, ["xyz"])


@pytest.mark.parametrize("name", RUNS)
def test_a_figure_is_the_first_parts_as_far_as_its_height_goes(name):
    choice = PictureChoice("svg", "column", title=False, caption=False)
    made = on_paper(name, choice, None)
    shown = [one for one in leaves_of(parts(name)) if one.path not in made.off]
    assert shown
    others = [one for one in shown if not one.is_legend]
    assert made.height <= FIGURE_HEIGHT + 1 or len(others) == 1
    assert made.fits == (made.height <= PAGE_HEIGHT + 0.3)
    assert len(made.left_out) == len(made.off)


def test_what_is_higher_than_a_page_says_so_and_what_to_do():
    choice = PictureChoice("svg", "column", title=False, caption=False)
    made = on_paper(run_of("disentangled_attention"), choice)
    assert not made.fits
    assert "a page has room for 230 mm: choose fewer parts" in made.too_high(choice)


def test_a_figure_keeps_its_main_part_and_what_explains_its_signs():
    sentence, table, key = (
        FigurePart("sentence", "Sentence", "/0", is_slight=True),
        FigurePart("table", "Table", "/1"),
        FigurePart("signs", "Signs", "/3", is_slight=True, is_legend=True),
    )
    more = FigurePart("more", "More", "/2")
    heights = {"sentence": 20, "table": 90, "more": 80, "signs": 5}

    def height_of(some):
        return sum(heights[one.key] for one in some)

    every = (sentence, table, more, key)
    assert first_that_fit(every, height_of, 200) == (sentence, table, more, key)
    assert first_that_fit(every, height_of, 120) == (sentence, table, key)
    assert first_that_fit(every, height_of, 60) == (table, key)
    # A note at the end, whose table is left out, says nothing.
    note = FigurePart("note", "Note", "/4", is_slight=True)
    heights["note"] = 5
    assert first_that_fit((table, note, more), height_of, 100) == (table,)
    assert first_that_fit((table, more, note), height_of, 200) == (table, more, note)


@pytest.mark.parametrize("question", ["distillation_losses", "attention"])
def test_panels_stand_side_by_side_where_one_column_is_too_high(question):
    blocks = blocks_of(run_of(question))
    column, beside = (lay(blocks, 775.0, LIGHT) for lay in (below_each_other, side_by_side))
    assert beside.height < column.height
    assert beside.breaks[0] == 0


def test_on_a_narrow_page_they_stand_below_each_other():
    blocks = blocks_of(run_of("soft_targets"))
    assert (
        side_by_side(blocks, 370.0, LIGHT).height == below_each_other(blocks, 370.0, LIGHT).height
    )
