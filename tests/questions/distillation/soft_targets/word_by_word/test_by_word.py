import math

import numpy as np
import pytest

from explorer.api.question import Context, UserMistake
from explorer.document import Document, Mask
from explorer.hf.text.vocabularies.word_lists import folds, word_list
from explorer.numerics.distributions.comparing import kl_of
from explorer.questions.distillation.soft_targets.question import (
    QUESTION,
    SoftTargetsRequest,
    summary,
)
from explorer.questions.distillation.soft_targets.settings import EVERY_WORD, WHAT
from explorer.serialise import from_json, to_json
from tests.hf.kept import miniature

TEXT = "I liked the movie. The movie was [MASK]."


@pytest.fixture(scope="module")
def bert():
    return miniature("bert-miniature")


@pytest.fixture(scope="module")
def roberta():
    return miniature("roberta-miniature")


@pytest.fixture(scope="module")
def student():
    return miniature("distilbert-miniature")


def ask(model, other, text=TEXT, **options):
    context = Context(models={"teacher": model, "student": other})
    return QUESTION.run(model, SoftTargetsRequest(text, what=EVERY_WORD, **options), context)


def probabilities(model, text=TEXT):
    """{piece: probability} at the text's mask, from one plain forward of transformers."""
    import torch

    tokenizer = model.tokenizer
    ids = tokenizer(text.replace("[MASK]", tokenizer.mask_token))["input_ids"]
    with torch.no_grad():
        answer = model.module(torch.tensor([ids]))
    logits = getattr(answer, "prediction_logits", None)
    logits = answer.logits if logits is None else logits
    row = logits[0, ids.index(tokenizer.mask_token_id)].double().softmax(-1).numpy()
    return {tokenizer.convert_ids_to_tokens(i): float(p) for i, p in enumerate(row)}


def by_word(model, kept):
    """The same summed over what a person would read, by rules written down here once more."""
    sums = {}
    for piece, value in probabilities(model).items():
        if piece in model.tokenizer.all_special_tokens:
            continue
        if kept == "wordpiece":
            word = f"…{piece[2:]}" if piece.startswith("##") else piece
        else:
            raw = model.tokenizer.convert_tokens_to_string([piece])
            begins = piece.startswith("Ġ") or not raw.strip()[:1].isalnum()
            word = raw.strip() or piece
            word = word if begins else f"…{word}"
        sums[word.casefold()] = sums.get(word.casefold(), 0.0) + value
    return sums


def test_models_of_one_vocabulary_are_compared_exactly(bert, student):
    result = ask(bert, student, top_k=5)
    known = result.vocabulary
    assert known.same
    assert known.teacher_size == known.student_size == known.shared
    p, q = probabilities(bert), probabilities(student)
    words = [piece for piece in p if piece not in bert.tokenizer.all_special_tokens]
    rest = [sum(one[piece] for piece in bert.tokenizer.all_special_tokens) for one in (p, q)]
    pairs = [*((p[word], q[word]) for word in words), tuple(rest)]
    (mask,) = result.by_word
    assert mask.kl == pytest.approx(sum(a * math.log(a / b) for a, b in pairs), abs=1e-5)
    assert mask.kl_back == pytest.approx(sum(b * math.log(b / a) for a, b in pairs), abs=1e-5)
    assert mask.total_variation == pytest.approx(sum(abs(a - b) for a, b in pairs) / 2, abs=1e-5)
    for one in mask.words:
        assert one.teacher == pytest.approx(p[one.word], rel=1e-4)
        assert one.student == pytest.approx(q[one.word], rel=1e-4)
        assert one.teacher_rank == 1 + sum(value > p[one.word] for value in p.values())
    assert mask.agree == (max(p, key=p.get) == max(q, key=q.get))


def test_a_rest_of_rounding_alone_makes_no_divergence_infinite(bert, student):
    """The rows are of 32 bits: what is left of one may come out as nothing on one side."""
    text = "the doctors cooked [MASK] meal in the kitchen."
    (mask,) = ask(bert, student, text).by_word
    p, q = probabilities(bert, text), probabilities(student, text)
    assert mask.kl_back == pytest.approx(sum(q[w] * math.log(q[w] / p[w]) for w in p), abs=1e-5)
    assert mask.kl == pytest.approx(sum(p[w] * math.log(p[w] / q[w]) for w in p), abs=1e-5)


def test_models_of_two_vocabularies_are_aligned_by_word(bert, roberta):
    """Every number again from transformers' logits and two dictionaries."""
    result = ask(bert, roberta, top_k=8)
    p, q = by_word(bert, "wordpiece"), by_word(roberta, "bytes")
    shared = p.keys() & q.keys()
    known = result.vocabulary
    assert not known.same
    assert known.folded
    assert (known.teacher_size, known.student_size) == (len(p), len(q))
    assert known.shared == len(shared)
    (mask,) = result.by_word
    assert known.shared_mass == min(mask.teacher_share, mask.student_share)
    covered = [sum(one[word] for word in shared) for one in (p, q)]
    assert mask.teacher_share == pytest.approx(covered[0], abs=1e-6)
    assert mask.student_share == pytest.approx(covered[1], abs=1e-6)
    pairs = [(p[word], q[word]) for word in shared]
    pairs.append((1 - covered[0], 1 - covered[1]))
    expected = sum(a * math.log(a / b) for a, b in pairs if a > 0)
    assert mask.kl == pytest.approx(expected, abs=1e-4)
    assert mask.total_variation == pytest.approx(sum(abs(a - b) for a, b in pairs) / 2, abs=1e-5)
    for one in mask.words:
        for given, rank, known in (
            (one.teacher, one.teacher_rank, p),
            (one.student, one.student_rank, q),
        ):
            if one.word not in known:
                assert given is rank is None
            else:
                assert given == pytest.approx(known[one.word], rel=1e-3)
                assert rank == 1 + sum(value > known[one.word] for value in known.values())
    tops = {word for known in (p, q) for word in sorted(known, key=known.get, reverse=True)[:8]}
    assert {one.word for one in mask.words} == tops


def test_either_model_may_be_the_one_that_is_asked(bert, roberta):
    one, other = ask(bert, roberta), ask(roberta, bert)
    assert (other.model, other.other) == (roberta.stamp, bert.stamp)
    assert one.by_word[0].kl == pytest.approx(other.by_word[0].kl_back, abs=1e-9)


def test_a_masked_word_is_one_mask_for_both(bert, roberta):
    text = "The excavators dig the ground. They dig every day."
    result = ask(bert, roberta, text, masks=(Mask(4, 14), Mask(46, 49)))
    assert len(result.by_word) == 2
    # As if one mask had been typed in place of each.
    typed = ask(bert, roberta, "The [MASK] dig the ground. They dig every [MASK].")
    assert sum(token.masked for token in typed.tokens) == 2
    for one, other in zip(result.by_word, typed.by_word, strict=True):
        assert one.words == other.words
        assert (one.kl, one.total_variation) == (other.kl, other.total_variation)
    assert "A masked range of several pieces is one mask in either model." in result.notes


def test_words_of_a_vocabulary(bert, roberta):
    known = word_list(bert.tokenizer, folded=True)
    assert "[MASK]" not in known.words
    assert "…s" in known.words
    assert known.words[known.word_of[bert.tokenizer.convert_tokens_to_ids("movie")]] == "movie"
    cased = word_list(roberta.tokenizer, folded=False)
    assert len(cased.words) > len(word_list(roberta.tokenizer, folded=True).words)
    row = np.full(len(cased.word_of), 1 / len(cased.word_of))
    special = (cased.word_of < 0).sum()
    assert cased.probabilities(row).sum() == pytest.approx(1 - special / len(row))
    assert folds(bert.tokenizer)
    assert not folds(roberta.tokenizer)


def test_a_divergence_that_is_infinite_is_none():
    one, other = np.array([0.5, 0.5]), np.array([1.0, 0.0])
    assert kl_of(one, other) is None
    assert kl_of(other, one) == pytest.approx(math.log(2))


@pytest.mark.parametrize(("text", "words"), [("", "no text"), ("the movie", "Nothing is masked")])
def test_questions_that_cannot_be_answered(bert, roberta, text, words):
    with pytest.raises(UserMistake, match=words):
        ask(bert, roberta, text)


def test_one_model_alone_has_nothing_to_be_compared_with(bert):
    request = SoftTargetsRequest(TEXT, what=EVERY_WORD)
    with pytest.raises(UserMistake, match="No model plays the student"):
        QUESTION.run(bert, request, Context(models={"teacher": bert}))


def test_the_table_the_row_and_json(bert, student):
    result = ask(bert, student, top_k=3)
    rows = [
        dict(zip(QUESTION.table(result).columns, row, strict=True))
        for row in QUESTION.table(result).rows
    ]
    assert rows[0]["difference"] == pytest.approx(rows[0]["student"] - rows[0]["teacher"])
    assert summary(result)["agree"] == result.by_word[0].agree
    assert from_json(QUESTION.result, to_json(result)) == result
    document = Document("a [MASK]", top_k=3).with_option(WHAT.key, EVERY_WORD)
    assert SoftTargetsRequest.of(document) == SoftTargetsRequest(
        "a [MASK]", top_k=3, what=EVERY_WORD
    )
