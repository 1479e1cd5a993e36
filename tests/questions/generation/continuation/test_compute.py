"""How models go on with a text: what is asked, and what an answer holds of every step."""

import math

import pytest

from explorer.api import Cancelled, Context, Mask, UserMistake
from explorer.document import Document
from explorer.questions.generation.continuation.options import STRATEGY, TAKEN, Strategy
from explorer.questions.generation.continuation.question import (
    OPERATION,
    ContinuationRequest,
    alternatives,
    tree,
)
from tests.hf import tiny
from tests.hf.kept import miniature

TEXT = "The chef cooked the"
CUTS = (Strategy.TOP_K, Strategy.NUCLEUS, Strategy.MIN_P, Strategy.TYPICAL, Strategy.COMBINED)


def ask(text=TEXT, model="gpt2-miniature", context=None, **how):
    how = {"max_new_tokens": 8, **how}
    return tiny.ask(miniature(model), ContinuationRequest(text, **how), context)


def test_the_new_tokens_make_the_new_text():
    result = ask()
    tokenizer = miniature("gpt2-miniature").tokenizer
    assert result.text == tokenizer.decode([one.id for one in result.tokens])
    assert [one.text for one in result.tokens][:3] == [" meal", " in", " the"]
    assert [token.text for token in result.prompt] == ["The", "Ġchef", "Ġcooked", "Ġthe"]
    for one in result.tokens:
        assert one.rank == 1
        assert one.id == one.alternatives[0].id
        assert len(one.alternatives) == 10
        assert one.left == 2196
        assert one.surprisal == pytest.approx(-math.log(one.probability))


@pytest.mark.parametrize("strategy", CUTS)
def test_what_is_cut_has_no_share_and_the_rest_has_all(strategy):
    result = ask(strategy=strategy, temperature=1.3, alternatives=100, top_k=12)
    assert ask(strategy=strategy, temperature=1.3, alternatives=100, top_k=12) == result
    names = {cut.name for one in result.tokens for cut in one.cuts}
    assert "temperature" in names
    assert len(names) == (5 if strategy is Strategy.COMBINED else 2)
    for one in result.tokens:
        assert one.left == 2196 - sum(cut.tokens for cut in one.cuts)
        assert one.share > 0
        assert all((other.share == 0) == bool(other.cut_by) for other in one.alternatives)
        if one.left <= 90:
            assert sum(other.share for other in one.alternatives) == pytest.approx(1, abs=1e-4)


def test_a_chosen_token_outside_the_alternatives_is_among_them():
    result = ask(strategy=Strategy.TEMPERATURE, temperature=3.0, alternatives=2, seed=4)
    outside = [one for one in result.tokens if one.rank > 2]
    assert outside
    for one in outside:
        assert [other.id for other in one.alternatives][2:] == [one.id]
        assert one.alternatives[2].rank == one.rank


def test_taken_tokens_come_first_and_draw_as_before_behind_them():
    free = ask(strategy=Strategy.NUCLEUS, seed=11)
    (second,) = [one for one in free.tokens[1].alternatives if one.rank == 2]
    taken = (free.tokens[0].token, second.token)
    result = ask(strategy=Strategy.NUCLEUS, seed=11, taken=taken)
    assert [one.token for one in result.tokens[:2]] == list(taken)
    assert [one.taken for one in result.tokens[:3]] == [True, True, False]
    assert result.tokens[1].alternatives[:10] == free.tokens[1].alternatives[:10]
    assert result.ended or len(result.tokens) == 10  # eight of its own
    same = ask(strategy=Strategy.NUCLEUS, seed=11, taken=(free.tokens[0].token,))
    assert [one.id for one in same.tokens[: len(free.tokens)]] == [one.id for one in free.tokens]


def test_a_piece_of_another_vocabulary_is_told_and_nothing_behind_it_taken():
    result = ask(taken=("Ġfish", "fish</w>", "Ġin"))
    assert [one.taken for one in result.tokens[:2]] == [True, False]
    assert any("“fish</w>”" in note for note in result.notes)


def test_beams_are_a_tree_whose_best_path_is_the_text():
    result = ask(strategy=Strategy.BEAM, num_beams=3)
    path = result.path(result.best)
    assert [result.tree[n].token for n in path] == [one.token for one in result.tokens]
    for number, one in zip(path, result.tokens, strict=True):
        assert result.tree[number].probability == pytest.approx(one.probability, rel=1e-4)
    assert {one.fate for one in result.tree} == {"kept", "pruned", "ended"}
    best = result.tree[result.best]
    ended = [one for one in result.tree if one.fate == "ended"]
    assert best.score == max(one.score for one in ended)
    assert best.log_probability == pytest.approx(-sum(one.surprisal for one in result.tokens))
    assert len(tree(result).rows) == len(result.tree)
    assert tree(ask()) is None


def test_a_model_that_reads_from_the_left_goes_on_from_before_the_first_mask():
    masked = ask("The chef cooked the soup.", masks=(Mask(20, 24),))
    assert masked.tokens == ask().tokens
    assert any("before the first mask" in note for note in masked.notes)
    typed = ask("[MASK] chef")
    assert [token.text for token in typed.prompt] == ["<|endoftext|>"]
    with pytest.raises(UserMistake, match="nothing to go on with"):
        ask("[MASK] chef", model="gpt1-miniature")


def test_a_space_at_the_end_is_told():
    assert any("ends with a space" in note for note in ask("The chef ").notes)
    assert not ask("The chef").notes


def test_t5_writes_what_its_masks_hide_in_a_text_of_its_own():
    text = "The chef cooked the soup in the kitchen."
    result = ask(text, model="t5-miniature", masks=(Mask(16, 24),))
    assert result.apart
    assert result.tokens[0].token == "<extra_id_0>"
    assert "<extra_id_0>" in [token.text for token in result.prompt]
    assert ask("The cat sat.", model="t5-miniature").apart


def test_a_masked_model_draws_and_says_so():
    result = ask(model="bert-miniature", max_new_tokens=4, strategy=Strategy.NUCLEUS, rounds=3)
    assert result.gibbs
    assert len(result.tokens) == 4
    assert len(result.texts) == 3
    assert result.texts[-1] == result.text == "".join(one.text for one in result.tokens)
    positions = [one.position for one in result.tokens]
    assert positions == [5, 6, 7, 8]
    assert all(1 <= one.drawn <= 3 for one in result.tokens)
    special = {"[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]"}
    assert not special & {one.token for one in result.tokens}
    inside = ask("the chef [MASK] the soup .", model="bert-miniature")
    assert len(inside.tokens) == 1
    assert inside.text == f"the chef{inside.tokens[0].text} the soup ."
    with pytest.raises(UserMistake, match="no beams"):
        ask(model="bert-miniature", strategy=Strategy.BEAM)


@pytest.mark.parametrize(
    "wrong",
    [{"temperature": 0.0}, {"top_p": 0.0}, {"max_new_tokens": 0}, {"min_p": 1.5}, {"seed": -1}],
)
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(UserMistake, match=f"{next(iter(wrong))} can't be"):
        ask(**wrong)


def test_it_is_stopped_between_tokens_and_says_how_far_it_is():
    told, shown = [], []

    def progress(stage, done, total):
        told.append((str(stage), done, total))

    context = Context(
        is_cancelled=lambda: len(told) >= 4,
        progress=progress,
        show=lambda make: shown.append(make()),
    )
    with pytest.raises(Cancelled):
        ask(context=context)
    assert told[2] == ("writing token 3 of 8", 2.0, 8.0)
    assert [len(one.tokens) for one in shown] == [1, 2, 3]


def test_tables_and_summary():
    result = ask(strategy=Strategy.TOP_K, top_k=3)
    table = OPERATION.table(result)
    assert len(table.rows) == len(result.tokens)
    assert table.rows[0][table.columns.index("left")] == 3
    assert len(alternatives(result).rows) == 10 * len(result.tokens)
    row = OPERATION.summary(result)
    assert row["continuation"] == result.text.strip()
    mean = sum(one.surprisal for one in result.tokens) / len(result.tokens)
    assert row["mean_surprisal"] == pytest.approx(mean)


def test_chosen_tokens_go_with_their_text():
    document = Document(TEXT).with_option(STRATEGY.key, "nucleus")
    taken = ("Ġsoup", "Ġin")
    document = document.with_option(TAKEN.key, TAKEN.written_in(document, taken))
    request = ContinuationRequest.of(document)
    assert (request.taken, request.strategy) == (taken, Strategy.NUCLEUS)
    other = Document("Another text", options=document.options)
    assert ContinuationRequest.of(other).taken == ()
