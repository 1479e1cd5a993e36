"""A teacher's and a student's distributions, each number against plain Python on plain logits."""

import math
from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Context, Table, Unavailable, UserMistake
from explorer.document import Mask
from explorer.questions.distillation.soft_targets import question as of
from explorer.questions.distillation.soft_targets.question import (
    QUESTION,
    SoftTargetsRequest,
    TargetRow,
    rows_at,
)
from explorer.questions.distillation.soft_targets.targets import CLASSES, SoftTargetsResult
from explorer.serialise import from_json, to_json
from explorer.text.formatting.probabilities import in_percent
from tests.hf import tiny

TEXT = "the cat sat on the mat ."
CAT = Mask(4, 7)
TEMPERATURES = (0.25, 1.0, 3.5, 20.0)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Two BERTs of one vocabulary, the second smaller."""
    folder = tmp_path_factory.mktemp("models")
    teacher = tiny.load(tiny.save_bert(folder / "teacher", seed=1))
    student = tiny.load(tiny.save_bert(folder / "student", seed=2, num_hidden_layers=2))
    return {"A": teacher, "B": student}


@pytest.fixture(scope="module")
def other_words(tmp_path_factory):
    """A RoBERTa with a byte-level vocabulary."""
    import torch
    from transformers import RobertaConfig, RobertaForMaskedLM

    torch.manual_seed(4)
    tokenizer = tiny.byte_level()
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=40,
        type_vocab_size=1,
        pad_token_id=1,
    )
    module = RobertaForMaskedLM(config).eval()
    weights = tiny.weights_of(module)
    return tiny.load(
        tiny.write(tmp_path_factory.mktemp("models") / "roberta", config, weights, tokenizer)
    )


def ask(models, **request):
    text = request.pop("text", TEXT)
    played = {"teacher": models["A"], "student": models[request.pop("student", "B")]}
    return of.QUESTION.run(models["A"], SoftTargetsRequest(text, **request), Context(models=played))


def plain_logits(model, result, position):
    """What transformers' own forward gives at a token."""
    import torch

    ids = torch.tensor([[token.id for token in result.tokens]])
    with torch.no_grad():
        logits = model.module(ids).prediction_logits[0, position]
    return [float(value) for value in logits]


def softened(logits, temperature):
    highest = max(logits)
    powers = [math.exp((z - highest) / temperature) for z in logits]
    return [power / sum(powers) for power in powers]


def test_without_a_mask_every_token_is_masked_in_turn(models):
    result = ask(models, text="the cat sat .", each=True)
    assert [mask.position for mask in result.masks] == [1, 2, 3, 4]
    assert [mask.original.word for mask in result.masks] == ["the", "cat", "sat", "."]
    alone = ask(models, text="the cat sat .", masks=(Mask(8, 11),))
    np.testing.assert_allclose(result.masks[2].teacher, alone.masks[0].teacher, atol=1e-5)
    assert QUESTION.summary(result)["masks"] == 4
    typed = ask(models, text="the [MASK] sat .", each=True)
    assert [mask.position for mask in typed.masks] == [2]
    with pytest.raises(UserMistake, match="no text"):
        ask(models, text=" ", each=True)


def test_logits_are_both_models_own(models):
    result = ask(models, masks=(CAT,))
    assert (result.model, result.other) == (models["A"].stamp, models["B"].stamp)
    (mask,) = result.masks
    assert mask.position == 2
    for model, logits in ((models["A"], mask.teacher), (models["B"], mask.student)):
        expected = np.log(softened(plain_logits(model, result, 2), 1.0))
        np.testing.assert_allclose(logits, expected, atol=1e-5)
        assert logits.dtype == np.float32
    assert (mask.original.word, mask.original.token) == ("cat", "cat")
    assert result.vocabulary.same
    assert result.notes == ()


def test_the_roles_can_be_exchanged(models):
    one = ask(models, masks=(CAT,))
    other = of.QUESTION.run(
        models["B"],
        SoftTargetsRequest(TEXT, masks=(CAT,)),
        Context(models={"teacher": models["B"], "student": models["A"]}),
    )
    assert (other.model, other.other) == (one.other, one.model)
    np.testing.assert_array_equal(one.masks[0].teacher, other.masks[0].student)


def test_rows_are_the_union_of_both_tops_with_true_ranks(models):
    result = ask(models, masks=(CAT,), top_k=5)
    (mask,) = result.masks
    for logits, name in ((mask.teacher, "teacher_rank"), (mask.student, "student_rank")):
        order = sorted(range(len(logits)), key=lambda i: -logits[i])
        for row in mask.rows:
            assert order.index(row.index) + 1 == getattr(row, name)
        shown = {row.index for row in mask.rows}
        assert set(order[:5]) <= shown
    assert [row.teacher_rank for row in mask.rows] == sorted(r.teacher_rank for r in mask.rows)


def test_every_cell_of_the_table_is_the_formula(models):
    result = ask(models, masks=(CAT,), temperatures=TEMPERATURES)
    table = QUESTION.table(result)
    taught, learnt = (plain_logits(models[slot], result, 2) for slot in "AB")
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert {row["temperature"] for row in rows} == set(TEMPERATURES)
    for row in rows:
        p, q = (softened(logits, row["temperature"]) for logits in (taught, learnt))
        index = models["A"].tokenizer.convert_tokens_to_ids(row["token"])
        assert row["teacher"] == pytest.approx(p[index], rel=1e-4)
        assert row["student"] == pytest.approx(q[index], rel=1e-4)
        assert row["difference"] == pytest.approx(q[index] - p[index], abs=1e-5)
        assert row["is_original"] == (row["token"] == "cat")
        pairs = list(zip(p, q, strict=True))
        assert row["teacher_entropy"] == pytest.approx(-sum(a * math.log(a) for a in p), rel=1e-4)
        assert row["student_entropy"] == pytest.approx(-sum(b * math.log(b) for b in q), rel=1e-4)
        forth = sum(a * math.log(a / b) for a, b in pairs)
        back = sum(b * math.log(b / a) for a, b in pairs)
        crossed = -sum(a * math.log(b) for a, b in pairs)
        assert row["kl_teacher_student"] == pytest.approx(forth, rel=1e-3, abs=1e-6)
        assert row["kl_student_teacher"] == pytest.approx(back, rel=1e-3, abs=1e-6)
        assert row["cross_entropy"] == pytest.approx(crossed, rel=1e-4)


def test_a_restriction_is_renormalised_and_said(models):
    result = ask(models, masks=(CAT,), words=("dog", "Cat", "elephant", "dog"))
    (mask,) = result.masks
    assert [one.target and one.target.word for one in mask.words] == ["dog", "cat", None, None]
    assert "elephant" in mask.words[2].why
    assert "twice" in mask.words[3].why
    ids = models["A"].tokenizer.convert_tokens_to_ids(["dog", "cat"])
    taught = plain_logits(models["A"], result, 2)
    whole = softened(taught, 1.0)
    expected = softened([taught[i] for i in ids], 2.0)
    rows = Table.of(TargetRow, rows_at(result, (2.0,))).rows
    assert [row[3] for row in rows] == ["dog", "cat"]
    assert [row[7] for row in rows] == pytest.approx(expected, rel=1e-4)
    assert sum(row[7] for row in rows) == pytest.approx(1.0)
    share = sum(whole[i] for i in ids)
    assert f"{share:.1%} for the teacher" in result.notes[-1]


def test_every_number_of_a_restriction_is_of_the_words_asked_for(models):
    """The log and the files of results said what the page and the table did not."""
    words = ("dog", "movie", "great")
    result = ask(models, masks=(CAT,), words=words)
    (mask,) = result.masks
    indices = [one.target.index for one in mask.words]
    taught, learnt = ([z[i] for i in indices] for z in (mask.teacher, mask.student))
    for t in (1.0, 4.0):
        p, q = softened(taught, t), softened(learnt, t)
        kl = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
        assert QUESTION.summary(result)[f"kl_t{t:g}"] == pytest.approx(kl, rel=1e-6)
        table = Table.of(TargetRow, rows_at(result, (t,)))
        assert table.column("kl_teacher_student") == pytest.approx([kl] * 3, rel=1e-6)
        first = str(QUESTION.headline(result, temperature=t).sentence)
        assert first.startswith(f"At T = {t:g}, ")
        most = max(range(3), key=lambda i: abs(q[i] - p[i]))
        assert words[most] in first
        assert in_percent(q[most]) in first
    same = max(range(3), key=taught.__getitem__) == max(range(3), key=learnt.__getitem__)
    assert QUESTION.summary(result)["agreement_top_1"] == same
    assert QUESTION.summary(result)["agreement_top_5"] == 1.0
    assert QUESTION.summary(result)["words"] == 3


def test_words_that_nobody_knows_leave_the_whole_vocabulary(models):
    result = ask(models, masks=(CAT,), words=("elephant",))
    assert result.masks[0].only is None
    assert result.masks[0].shown() == result.masks[0].rows
    assert "None of these words" in result.notes[-1]


def test_several_masks_and_typed_ones(models):
    result = ask(models, text="the [MASK] sat on the mat .", masks=(Mask(22, 25),))
    assert [mask.position for mask in result.masks] == [2, 6]
    assert [mask.original and mask.original.word for mask in result.masks] == [None, "mat"]


def test_a_summary_is_a_mean_over_the_masks(models):
    result = ask(models, masks=(CAT, Mask(19, 22)), temperatures=(1.0, 4.0))
    found = QUESTION.summary(result)
    agree, overlap, kls = [], [], {1.0: [], 4.0: []}
    for mask in result.masks:
        taught, learnt = mask.teacher.tolist(), mask.student.tolist()
        tops = [sorted(range(len(z)), key=lambda i, z=z: -z[i])[:5] for z in (taught, learnt)]
        agree.append(tops[0][0] == tops[1][0])
        overlap.append(len(set(tops[0]) & set(tops[1])) / 5)
        for t, collected in kls.items():
            p, q = softened(taught, t), softened(learnt, t)
            collected.append(sum(a * math.log(a / b) for a, b in zip(p, q, strict=True)))
    assert found["masks"] == 2
    assert found["agreement_top_1"] == np.mean(agree)
    assert found["agreement_top_5"] == pytest.approx(np.mean(overlap))
    assert found["kl_t1"] == pytest.approx(np.mean(kls[1.0]), rel=1e-6)
    assert found["kl_t4"] == pytest.approx(np.mean(kls[4.0]), rel=1e-6)


def test_an_answer_comes_back_from_json(models):
    result = ask(models, masks=(CAT,), words=("dog", "cat"))
    back = from_json(SoftTargetsResult, to_json(result))
    np.testing.assert_array_equal(back.masks[0].teacher, result.masks[0].teacher)
    assert back.masks[0].rows == result.masks[0].rows
    assert QUESTION.table(back) == QUESTION.table(result)


def test_no_more_scores_are_kept_than_have_room(models, monkeypatch):
    from explorer.questions.distillation.soft_targets import compute as soft_targets

    size = len(tiny.VOCABULARY)
    monkeypatch.setattr(soft_targets, "KEPT_LOGITS", 4 * size)
    request = {"text": "[MASK] [MASK] [MASK]"}
    result = ask(models, **request)
    assert len(result.masks) == 2
    assert "first 2 of 3 masks" in result.notes[-1]
    assert len(ask(models, **request, keep_all=True).masks) == 3
    monkeypatch.setattr(soft_targets, "KEPT_LOGITS", 1)
    assert len(ask(models, **request).masks) == 1


def test_different_vocabularies_are_laid_on_their_common_words(models, other_words):
    both = {"A": models["A"], "B": other_words}
    result = ask(both, masks=(CAT,), least_share=0.0)
    assert not result.vocabulary.same
    (mask,) = result.masks
    words = {row.word for row in ask(both, masks=(CAT,), least_share=0.0, top_k=999).masks[0].rows}
    # After a space the byte-level vocabulary writes "Ġcat"; its letters continue words.
    assert {"the", "cat"} <= words
    assert "dog" not in words
    assert result.vocabulary.shared == len(words) == len(mask.teacher)
    taught = plain_logits(models["A"], result, 2)
    ids = models["A"].tokenizer.convert_tokens_to_ids(sorted(words))
    whole = softened(taught, 1.0)
    assert mask.teacher_mass == pytest.approx(sum(whole[i] for i in ids), rel=1e-4)
    cat = next(row for row in mask.rows if row.word == "cat")
    chance = whole[ids[sorted(words).index("cat")]]
    assert mask.teacher[cat.index] == pytest.approx(math.log(chance), abs=1e-5)
    assert mask.original.word == "cat"
    assert "vocabularies differ" in result.notes[0]
    assert result.vocabulary.shared_mass == min(mask.teacher_mass, mask.student_mass)


def test_a_comparison_that_would_say_little_is_refused(models, other_words):
    both = {"A": models["A"], "B": other_words}
    with pytest.raises(UserMistake, match=r"hold \d+% of the (teacher|student)'s probability"):
        ask(both, masks=(CAT,), least_share=0.999)


def test_a_word_cut_differently_is_one_mask_in_either(models, other_words):
    both = {"A": models["A"], "B": other_words}
    result = ask(both, text="the cats sat", masks=(Mask(4, 8),), least_share=0.0)
    assert [mask.position for mask in result.masks] == [2]
    assert any("one mask in either" in note for note in result.notes)


def test_next_sentences_are_compared_where_nothing_is_masked(models):
    result = ask(models, pair="the dog run .")
    assert result.what == CLASSES
    (mask,) = result.masks
    assert mask.position == -1
    import torch

    for model, logits in ((models["A"], mask.teacher), (models["B"], mask.student)):
        ids = torch.tensor([[token.id for token in result.tokens]])
        types = torch.tensor([[token.part for token in result.tokens]])
        types[0, len([t for t in result.tokens if t.part == 0]) :] = 1
        with torch.no_grad():
            own = model.module(ids, token_type_ids=types).seq_relationship_logits[0]
        np.testing.assert_allclose(logits, own.numpy(), atol=1e-5)
    assert {row.word for row in mask.rows} == {"is next", "is not next"}


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"text": "  "}, "no text"),
        ({}, "Nothing is masked"),
        ({"what": "classes"}, "pairs"),
    ],
)
def test_what_can_not_be_asked(models, request_, words):
    with pytest.raises(UserMistake, match=words):
        ask(models, **request_)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"temperatures": (0.0,)}, r"--temperatures can't be \[0.0\]"),
        ({"temperatures": ()}, "--temperatures can't be"),
        ({"top_k": 0}, "--top-k can't be 0"),
        ({"what": "layers"}, "--what can't be layers"),
    ],
)
def test_what_is_none_of_an_options_values_is_refused(request_, words):
    with pytest.raises(UserMistake, match=words):
        SoftTargetsRequest(TEXT, masks=(CAT,), **request_).check()


def test_it_takes_a_student(models):
    with pytest.raises(UserMistake, match="No model plays the student"):
        of.QUESTION.run(
            models["A"],
            SoftTargetsRequest(TEXT, masks=(CAT,)),
            Context(models={"teacher": models["A"]}),
        )


def test_a_model_without_a_head_is_named(models):
    headless = replace(models["B"], ports={})
    with pytest.raises(Unavailable, match="no masked-LM head that sees both sides"):
        ask({"A": models["A"], "B": headless}, masks=(CAT,))
    none = replace(models["B"], ports={})
    with pytest.raises(Unavailable, match="no classifier"):
        ask({"A": models["A"], "B": none}, what="classes", pair="a dog")


def test_a_piece_that_continues_a_word_says_so(models):
    (targets,) = ask(models, masks=(CAT,), top_k=10_000).masks
    parts = [one for one in targets.rows if one.token.startswith("##")]
    assert parts
    assert all((one.word, one.glue) == (one.token[2:], "before") for one in parts)
    (whole,) = (one for one in targets.rows if one.token == "cat")
    assert (whole.word, whole.glue) == ("cat", "")
