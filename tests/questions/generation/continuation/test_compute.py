"""How models go on with a text: what is asked, and what an answer holds of every step."""

import math
import re

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, Mask, UserMistake
from explorer.document import Document
from explorer.numerics.distributions.kept_ranks import kept_ranks
from explorer.questions.generation.continuation.options import STRATEGY, TAKEN, Strategy
from explorer.questions.generation.continuation.question import (
    QUESTION,
    BeamToken,
    ContinuationRequest,
)
from explorer.questions.generation.continuation.rows import alternatives, tree
from explorer.questions.generation.continuation.same_texts import same_texts, together, ways
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
    with pytest.raises(UserMistake, match="nothing to continue"):
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
    with pytest.raises(UserMistake, match="can't be") as told:
        tiny.ask_within(miniature("gpt2-miniature"), ContinuationRequest(TEXT, **wrong))
    assert f"--{next(iter(wrong)).replace('_', '-')} can't be" in told.value.problem
    assert re.search(r"number from [\d.]+ to [\d.]+", f"{told.value.problem} {told.value.hint}")


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
    table = QUESTION.table(result)
    assert len(table.rows) == len(result.tokens)
    assert table.rows[0][table.columns.index("left")] == 3
    assert len(alternatives(result)) == 10 * len(result.tokens)
    row = QUESTION.summary(result)
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


def edges(name, p, how):
    """The first and the last rank that a cut leaves of probabilities in falling order."""
    logs = np.log(p)
    if name == "top_k":
        left = np.arange(len(p)) < how["top_k"]
    elif name == "top_p":
        left = np.cumsum(p) - p < how["top_p"]
    elif name == "min_p":
        left = p >= how["min_p"] * p[0]
    else:
        far = np.abs(-logs + (p * logs).sum())
        order = np.argsort(far, kind="stable")
        count = int((np.cumsum(p[order]) < how["typical_p"]).sum()) + 1
        left = np.isin(np.arange(len(p)), order[:count])
    places = np.flatnonzero(left)
    return int(places[0]) + 1, int(places[-1]) + 1


@pytest.mark.parametrize(
    ("strategy", "name"),
    [
        (Strategy.TOP_K, "top_k"),
        (Strategy.NUCLEUS, "top_p"),
        (Strategy.MIN_P, "min_p"),
        (Strategy.TYPICAL, "typical_p"),
    ],
)
def test_edges_of_cuts_are_where_their_formulas_put_them(strategy, name):
    how = {"top_k": 7, "top_p": 0.8, "min_p": 0.07, "typical_p": 0.7}
    result = ask(strategy=strategy, alternatives=2196, seed=5, **how)
    for token in result.tokens:
        p = np.array([one.probability for one in token.alternatives])
        (cut,) = token.cuts
        assert (cut.first, cut.last) == edges(name, p, how)
        ranks = [rank - 1 for rank in kept_ranks(token.size)]
        assert token.size == len(p) == 2196
        assert [one for one, _ in token.by_rank] == pytest.approx(p[ranks].tolist(), rel=1e-5)
        shares = [token.alternatives[at].share for at in ranks]
        assert [one for _, one in token.by_rank] == pytest.approx(shares, rel=1e-5)
    assert not ask().tokens[0].by_rank  # nothing is cut


def test_ranks_are_kept_from_the_first_to_the_last():
    for size in (1, 5, 12, 13, 40, 2196, 250_112):
        ranks = kept_ranks(size)
        assert (ranks[0], ranks[-1]) == (1, size)
        assert list(ranks) == sorted(set(ranks))
        assert len(ranks) <= 40


def test_branches_that_end_in_the_same_text_know_of_each_other():
    """The bundled model's own pieces, in the ways in which they write the same text."""
    tokenizer = miniature("gpt2-miniature").tokenizer
    paths = [
        (None, "Ġbooks", -3.0),
        (None, "Ġb", -1.0),
        (1, "ook", -1.5),
        (2, "s", -2.0),
        (1, "o", -2.5),
        (4, "o", -2.6),
        (5, "ks", -2.7),
        (0, ".", -3.5),
        (6, ".", -3.2),
        (3, "!", -2.2),
    ]
    assert all(tokenizer.convert_tokens_to_ids(piece) is not None for _, piece, _ in paths)
    parents, pieces, sums = zip(*paths, strict=True)
    same = same_texts(parents, pieces, sums)
    found = [
        BeamToken(parent, 0, piece, piece, 0.1, total, "kept", None, one)
        for (parent, piece, total), one in zip(paths, same, strict=True)
    ]
    groups = {}
    for number in range(len(paths)):
        path, at = [], number
        while at is not None:
            path.insert(0, pieces[at])
            at = parents[at]
        text = tokenizer.backend_tokenizer.decoder.decode(path)
        groups.setdefault(text, []).append(number)
    several = [group for group in groups.values() if len(group) > 1]
    assert several == [[0, 3, 6], [7, 8]]
    assert [n for n, one in enumerate(same) if one is not None] == [0, 6, 7]
    assert (same[0], same[6], same[7]) == (3, 3, 8)
    assert {n: sorted(group) for n, group in ways(found).items()} == {
        n: group for group in several for n in group
    }
    total = math.exp(-3.0) + math.exp(-2.0) + math.exp(-2.7)
    assert math.exp(together(found, [0, 3, 6])) == pytest.approx(total)


def test_no_branch_of_a_search_has_a_twin_that_it_does_not_know():
    result = ask(strategy=Strategy.BEAM, num_beams=20, max_new_tokens=6)
    tokenizer = miniature("gpt2-miniature").tokenizer
    texts = {}
    for number in range(len(result.tree)):
        pieces = [result.tree[one].token for one in result.path(number)]
        text = tokenizer.decode(tokenizer.convert_tokens_to_ids(pieces))
        texts.setdefault(text, []).append(number)
    for group in texts.values():
        assert sum(result.tree[one].same_as is None for one in group) == 1
    rows = tree(result).column("same_text_as")
    assert rows == tuple(one.same_as for one in result.tree)
