import math

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, Unavailable, UserMistake
from explorer.document import Document, Mask
from explorer.questions.masking.candidate_words.compute import run
from explorer.questions.masking.candidate_words.question import (
    MOST_WORDS,
    QUESTION,
    CandidateWordsRequest,
    summary,
    table,
    words_of,
)
from explorer.questions.masking.masked_tokens.compute import run as fill_mask
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.serialise import from_json, to_json
from tests.hf import tiny
from tests.hf.kept import miniature


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("models") / "bert"))


@pytest.fixture(scope="module")
def roberta():
    return miniature("roberta-miniature")


@pytest.fixture(scope="module")
def gpt():
    return miniature("gpt2-miniature")


def ask(model, text, words, masks=(), pair=None):
    return run(model, CandidateWordsRequest(text, pair, tuple(masks), tuple(words)), Context())


def by_word(gap):
    return {one.word: one for one in gap.scores}


def distribution(module, ids, place):
    """transformers' softmax (float64) at a place, from one plain forward."""
    import torch

    with torch.no_grad():
        answer = module(torch.tensor([ids]))
    logits = getattr(answer, "prediction_logits", None)
    logits = answer.logits if logits is None else logits
    return torch.softmax(logits[0, place].double(), dim=-1).numpy()


def plain(model, before, pieces, after):
    """A word's pieces by the chain rule: a forward pass each, the later ones masked."""
    mask = model.tokenizer.mask_token_id
    probabilities, ranks = [], []
    for i, piece in enumerate(pieces):
        ids = [*before, *pieces[:i], *[mask] * (len(pieces) - i), *after]
        row = distribution(model.module, ids, len(before) + i)
        probabilities.append(row[piece])
        ranks.append(1 + int((row > row[piece]).sum()))
    return probabilities, ranks


def ids(model, *pieces):
    return model.tokenizer.convert_tokens_to_ids(list(pieces))


def test_words_of_one_piece_and_of_several(model):
    result = ask(model, "the [MASK] sat", ["dog", "cats", "running mat"])
    (gap,) = result.gaps
    scores = by_word(gap)
    before, after = ids(model, "[CLS]", "the"), ids(model, "sat", "[SEP]")
    cuts = {
        "dog": ["dog"],
        "cats": ["cat", "##s"],
        "running mat": ["run", "##n", "##ing", "mat"],
    }
    for word, pieces in cuts.items():
        probabilities, ranks = plain(model, before, ids(model, *pieces), after)
        one = scores[word]
        assert [piece.token for piece in one.pieces] == pieces
        assert [piece.probability for piece in one.pieces] == pytest.approx(probabilities, rel=1e-4)
        assert [piece.rank for piece in one.pieces] == ranks
        total = float(np.log(probabilities).sum())
        assert one.log_probability == pytest.approx(total, abs=1e-4)
        whole = math.exp(total)
        assert one.log_odds == pytest.approx(math.log(whole / (1 - whole)), abs=1e-4)
    assert scores["dog"].rank == scores["dog"].pieces[0].rank
    assert scores["cats"].rank is None
    assert "chain rule" in result.method
    assert "not shares of one whole" in result.note


def test_places_are_among_the_words(model):
    (gap,) = ask(model, "the [MASK] sat", ["dog", "cat", "mat", "DOG"]).gaps
    order = sorted(gap.scores, key=lambda one: -one.log_probability)
    assert [one.place for one in order] == sorted(one.place for one in order)
    scores = by_word(gap)
    assert scores["dog"].place == scores["DOG"].place
    assert gap.scores[0].word == "dog"


def test_a_word_of_one_piece_has_the_probability_that_fill_mask_shows(model):
    text = "the [MASK] sat on the [MASK]"
    result = ask(model, text, ["cat", "great"])
    filled = fill_mask(model, MaskedTokensRequest(text, top_k=10**6), Context())
    for gap, mask in zip(result.gaps, filled.masks, strict=True):
        assert gap.positions == (mask.position,)
        assert gap.favourite.id == mask.predictions[0].id
        assert gap.favourite.probability == pytest.approx(mask.predictions[0].probability, rel=1e-5)
        shown = {one.token: one for one in mask.predictions}
        for one in gap.scores:
            expected = shown[one.word]
            assert math.exp(one.log_probability) == pytest.approx(expected.probability, rel=1e-5)
            assert one.rank == expected.rank


def test_the_hidden_word_is_scored_as_the_others_are(model):
    (gap,) = ask(model, "the cats sat", ["cats", "dog"], [Mask(4, 8)]).gaps
    assert gap.positions == (2, 3)
    assert (gap.start, gap.end) == (4, 8)
    assert gap.original.log_probability == by_word(gap)["cats"].log_probability
    assert gap.original.place is None
    before, after = ids(model, "[CLS]", "the"), ids(model, "sat", "[SEP]")
    row = distribution(model.module, [*before, model.tokenizer.mask_token_id, *after], 2)
    assert gap.favourite.id == int(row.argmax())
    (typed,) = ask(model, "the [MASK] sat", ["cats"]).gaps
    assert typed.original is None


def test_the_second_text_and_other_masks_stay(model):
    result = ask(model, "the cat [MASK]", ["sat"], [Mask(2, 5, 1)], "a dog ran")
    assert [gap.part for gap in result.gaps] == [0, 1]
    filled = fill_mask(
        model,
        MaskedTokensRequest("the cat [MASK]", "a dog ran", (Mask(2, 5, 1),), 10**6),
        Context(),
    )
    for gap, mask in zip(result.gaps, filled.masks, strict=True):
        expected = next(one for one in mask.predictions if one.token == "sat")
        assert gap.scores[0].rank == expected.rank


def test_what_can_be_no_word_says_why(model):
    (gap,) = ask(model, "the [MASK] sat", ["[SEP]", "[MASK]", "🐈", "dog"]).gaps
    problems = [one.problem for one in gap.scores]
    assert "special token" in problems[0]
    assert "is a mask" in problems[1]
    assert "no pieces" in problems[2]
    assert problems[3] == ""
    assert [one.log_probability is None for one in gap.scores] == [True, True, True, False]
    (inside,) = ask(model, "the cats sat", ["ing", "x"], [Mask(7, 8)]).gaps
    assert all(one.problem == "" for one in inside.scores)
    assert [piece.token for piece in inside.scores[0].pieces] == ["##ing"]
    full = "the " * 21 + "[MASK]"
    (last,) = ask(model, full, ["dog", "running", "\u200b"]).gaps
    assert last.scores[0].problem == ""
    assert "does not fit" in last.scores[1].problem
    assert last.scores[1].log_probability is None


def test_letters_beside_the_gap_that_change_the_cut_are_said(model):
    """Only the end of a word is masked, and with another end the whole is one piece."""
    (gap,) = ask(model, "the dos sat", ["g", "t"], [Mask(6, 7)]).gaps
    assert "split into other tokens" in gap.scores[0].problem
    assert [piece.token for piece in gap.scores[1].pieces] == ["##t"]


def test_the_space_before_a_word_is_part_of_it_in_byte_level_bpe(roberta):
    """The pieces are those of the sentence as a whole, not of the word by itself."""
    (gap,) = ask(roberta, "The chef cooked the [MASK].", ["soup", "fried rice"]).gaps
    soup, rice = gap.scores
    assert [piece.token for piece in soup.pieces] == ["Ġsoup"]
    encode = roberta.tokenizer.encode
    before = encode("The chef cooked the", add_special_tokens=True)[:-1]
    after = [*encode(".", add_special_tokens=False), roberta.tokenizer.sep_token_id]
    pieces = encode(" fried rice", add_special_tokens=False)
    assert [piece.id for piece in rice.pieces] == pieces
    probabilities, ranks = plain(roberta, before, pieces, after)
    assert [piece.probability for piece in rice.pieces] == pytest.approx(probabilities, rel=1e-3)
    assert [piece.rank for piece in rice.pieces] == ranks
    (first,) = ask(roberta, "[MASK] cooked the soup.", ["Maria"]).gaps
    assert first.scores[0].pieces[0].token[0] != "Ġ"


def test_a_model_that_reads_from_the_left(gpt):
    text = "The chef cooked the [MASK] in the kitchen."
    result = ask(gpt, text, ["soup", "fried rice", "zebras"])
    (gap,) = result.gaps
    encode = gpt.tokenizer.encode
    for one in gap.scores:
        pieces = encode(f" {one.word}")
        before = encode("The chef cooked the")
        expected = []
        for i, piece in enumerate(pieces):
            seen = [*before, *pieces[:i]]
            expected.append(distribution(gpt.module, seen, len(seen) - 1)[piece])
        assert [piece.id for piece in one.pieces] == pieces
        assert one.log_probability == pytest.approx(float(np.log(expected).sum()), abs=1e-3)
    assert "given all before it" in result.method
    both = ask(gpt, "The name of the writer is [MASK] [MASK].", ["Hale"])
    guess = encode(f" {both.gaps[0].favourite.word}")
    seen = [*encode("The name of the writer is"), *guess]
    row = distribution(gpt.module, seen, len(seen) - 1)
    assert both.gaps[1].scores[0].pieces[0].probability == pytest.approx(
        row[encode(" Hale")[0]], rel=1e-3
    )
    assert "best guess" in both.note


def test_log_odds_are_exact_where_a_probability_is_nearly_one():
    from explorer.questions.masking.candidate_words.compute import log_odds

    rest = 1e-12
    assert log_odds([math.log1p(-rest)], [rest]) == pytest.approx(math.log(1 / rest), rel=1e-6)
    assert log_odds([0.0], [rest]) == pytest.approx(math.log(1 / rest), rel=1e-6)
    assert log_odds([math.log(0.5)], [0.5]) == pytest.approx(0.0, abs=1e-12)
    half = [math.log(0.5), math.log(0.5)]
    assert log_odds(half, [0.5, 0.5]) == pytest.approx(math.log(0.25 / 0.75), abs=1e-12)
    assert math.isfinite(log_odds([0.0], [0.0]))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (CandidateWordsRequest(" ", words=("a",)), "no text"),
        (CandidateWordsRequest("the [MASK]"), "no words"),
        (CandidateWordsRequest("the [MASK]", words=(" ",)), "no words"),
        (CandidateWordsRequest("the cat", words=("a",)), "Nothing is masked"),
        (CandidateWordsRequest("the [MASK]", words=("a",) * (MOST_WORDS + 1)), "more than the 200"),
    ],
)
def test_questions_that_cannot_be_answered(model, request_, words):
    with pytest.raises(UserMistake, match=words) as caught:
        run(model, request_, Context())
    assert caught.value.hint


def test_no_head_no_answer(tmp_path):
    bare = tiny.load(tiny.save_bert(tmp_path / "m", "BertModel"))
    with pytest.raises(Unavailable, match="no masked language model head"):
        run(bare, CandidateWordsRequest("the [MASK]", words=("a",)), Context())


def test_it_is_cancelled(model):
    with pytest.raises(Cancelled):
        run(
            model,
            CandidateWordsRequest("the [MASK]", words=("a",)),
            Context(is_cancelled=lambda: True),
        )


def test_words_out_of_a_line():
    assert words_of("soup, fried  rice,,\n tea , soup") == ("soup", "fried rice", "tea")
    assert words_of(None) == ()
    document = Document("a [MASK]").with_option("candidate_words.words", "soup, tea")
    assert CandidateWordsRequest.of(document) == CandidateWordsRequest(
        "a [MASK]", words=("soup", "tea")
    )


def test_the_table_the_row_and_json(model):
    result = ask(model, "the cat sat", ["dog", "cats", "[SEP]"], [Mask(4, 7)])
    rows = [dict(zip(table(result).columns, row, strict=True)) for row in table(result).rows]
    assert [(row["word"], row["is_original"]) for row in rows] == [
        ("dog", False),
        ("cats", False),
        ("[SEP]", False),
        ("cat", True),
    ]
    assert rows[1]["pieces"] == "cat ##s"
    assert rows[1]["probability"] == pytest.approx(
        math.prod(piece.probability for piece in result.gaps[0].scores[1].pieces), rel=1e-5
    )
    assert rows[2]["probability"] is None
    assert summary(result)["p(dog)"] == rows[0]["probability"]
    read = from_json(QUESTION.result, to_json(result))
    assert read == result


@pytest.mark.parametrize("word", ["zebras", "요리사"])
def test_a_space_that_is_a_token_of_its_own_is_hidden_and_scored_with_its_word(roberta, word):
    """Left visible, it tells the place that an unusual word follows: 12 nats of difference."""
    result = ask(roberta, "The chef cooked the [MASK].", [word])
    encode = roberta.tokenizer.encode
    before = encode("The chef cooked the", add_special_tokens=True)[:-1]
    after = [*encode(".", add_special_tokens=False), roberta.tokenizer.sep_token_id]
    pieces = encode(f" {word}", add_special_tokens=False)
    assert roberta.tokenizer.convert_ids_to_tokens(pieces[0]) == "Ġ"
    (score,) = result.gaps[0].scores
    assert [piece.id for piece in score.pieces] == pieces
    probabilities, ranks = plain(roberta, before, pieces, after)
    assert [piece.probability for piece in score.pieces] == pytest.approx(probabilities, rel=1e-3)
    assert [piece.rank for piece in score.pieces] == ranks
    asked = CandidateWordsRequest("The chef cooked the [MASK].", words=(word,), lone_space=False)
    (visible,) = run(roberta, asked, Context()).gaps[0].scores
    seen, _ = plain(roberta, [*before, pieces[0]], pieces[1:], after)
    assert [piece.probability for piece in visible.pieces] == pytest.approx(seen, rel=1e-3)
    assert visible.log_probability > score.log_probability + 8
