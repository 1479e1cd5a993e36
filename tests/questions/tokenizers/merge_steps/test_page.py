"""Stepwise tokenization, on screen."""

from dataclasses import replace

import pytest

from explorer.api.question import Context
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.questions.tokenizers.merge_steps.question import STEP, WORD, MergeStepsRequest
from explorer.ui.blocks.aligned.block import AlignedRows
from explorer.ui.blocks.chips import Chips
from tests.hf import tiny
from tests.hf.kept import MODELS
from tests.ui.pages import kind_of, words_on

TEXT = "The chef cooked unbelievably"


@pytest.fixture(scope="module")
def ask():
    host = tiny.families()
    context = Context(shelf=CatalogueShelf(host, Catalogue(host, MODELS)))

    def run(name, word=""):
        request = MergeStepsRequest(TEXT, word, f"{name}-miniature")
        return tiny.ask(None, request, context)

    return run


@pytest.fixture
def page(shown, ask):
    view = shown(kind_of("merge_steps"))

    def show(name, word=""):
        view.show_result(ask(name, word), Document(TEXT))
        return view

    return show


def inside(block):
    """A block, or those of the cards it consists of."""
    return (
        [one for card in block.cards for one in card.blocks] if hasattr(block, "cards") else [block]
    )


def blocks_of(view, kind, step=0):
    now = Document(TEXT).with_option(STEP.key, step)
    blocks = view.declared.blocks(replace(view.shown(), now=now))
    return [one for block in blocks for one in inside(block) if isinstance(one, kind)]


def chip(view, words, step=0):
    chips = (one for block in blocks_of(view, Chips, step) for one in block.chips)
    return next(one for one in chips if one.words == words)


@pytest.mark.parametrize("name", ["bert", "gpt2", "gpt1", "t5", "xlm"])
def test_a_row_a_step_and_the_last_one_has_the_pieces(page, ask, name):
    result, (rows, *_) = ask(name), blocks_of(page(name), AlignedRows)
    assert len(rows.rows) == len(result.parts[0].steps)
    assert len(rows.rows[-1].pieces) == len(result.parts[0].pieces)
    assert rows.rows[-1].strong


def test_only_a_unigram_model_has_other_ways(page, ask):
    assert len(blocks_of(page("bert"), AlignedRows)) == 1
    _steps, ways = blocks_of(page("t5", "cooked"), AlignedRows)
    assert len(ways.rows) == len(ask("t5", "cooked").parts[0].paths) > 1
    assert ways.rows[0].label == "> 0.9999"


def test_forward_and_back_show_a_step_more_or_less(page):
    view = page("bert")
    (rows,) = blocks_of(view, AlignedRows, 4)
    assert len(rows.rows) == 4
    now = view.shown().now
    assert STEP.of(chip(view, "Forward", 4).act.on(now)) == 5
    assert STEP.of(chip(view, "Back", 4).act.on(now)) == 3
    assert STEP.of(chip(view, "Back", 1).act.on(now)) == 1
    assert STEP.of(chip(view, "All", 4).act.on(now)) == 0
    whole = len(blocks_of(view, AlignedRows)[0].rows)
    assert STEP.of(chip(view, "Forward", whole).act.on(now)) == whole


def test_the_pieces_stand_below_the_last_step(page):
    assert "Pieces: un  ##b" in words_on(page("bert"))


def test_a_word_is_chosen_with_a_click(page):
    view = page("bert")
    assert chip(view, "unbelievably").chosen
    other = chip(view, "chef")
    assert not other.chosen
    assert WORD.of(other.act.on(view.shown().now)) == "chef"


def test_a_try_that_failed_is_dotted(page):
    (rows,) = blocks_of(page("bert"), AlignedRows)
    assert rows.rows[1].pieces[-1].dotted
    assert not rows.rows[-1].pieces[-1].dotted


def test_letters_that_stand_for_bytes_say_which_and_of_what(page):
    view = page("gpt2", "Café한")
    (block,) = blocks_of(view, AlignedRows)
    rows = {one.label: one for one in block.rows}
    assert [(p.text, p.end - p.start) for p in rows["characters"].pieces] == [
        *(("␣", 1), ("C", 1), ("a", 1), ("f", 1), ("é", 2), ("한", 3)),
    ]
    told = [p.text for p in rows["bytes"].pieces]
    assert bytes.fromhex("".join(told)) == " Café한".encode()
    # Plain letters are their bytes.
    assert "bytes" not in [
        one.label for one in blocks_of(page("gpt2", "chef"), AlignedRows)[0].rows
    ]


def test_it_is_said_where_nothing_is_merged(page):
    assert "No two neighbours were ever merged" in words_on(page("gpt1", "한국어"))
    assert "No two neighbours" not in words_on(page("gpt1", "chef"))
