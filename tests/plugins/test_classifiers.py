"""Fine-tuned classifiers of five families: loaded with their own heads, compared two by two."""

import csv

import numpy as np
import pytest

from explorer import cli
from explorer.api.family import Context, PairClassifier, Unavailable
from explorer.document import Mask
from explorer.questions.distillation.distillation_losses import question as distillation
from explorer.questions.distillation.distillation_losses.question import DistillationLossesRequest
from explorer.questions.distillation.soft_targets import question as soft_targets
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.pairs.sentence_pair import question as sentence_pair
from tests.hf import tiny

TEXT = "the movie was great"
LABELS = {0: "bad", 1: "dull", 2: "great"}
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}


def made(folder, prefix, seed=0, name="ForSequenceClassification", order=None, **values):
    """A random classifier's folder.

    Args:
        order: Where each class of the same function stands; None for where it was drawn.
    """
    import torch
    import transformers

    torch.manual_seed(seed)
    tokenizer = tiny.byte_level() if prefix == "Roberta" else tiny.bert_tokenizer()
    sizes = {
        "vocab_size": len(tokenizer),
        "intermediate_size": 48,
        "max_position_embeddings": 40,
        "id2label": LABELS,
        "label2id": {label: number for number, label in LABELS.items()},
        **SIZES,
        **values,
    }
    if prefix == "DistilBert":
        sizes = {
            **{k: v for k, v in sizes.items() if k not in SIZES and k != "intermediate_size"},
            "dim": 32,
            "n_layers": 2,
            "n_heads": 4,
            "hidden_dim": 48,
        }
    if prefix == "MobileBert":
        sizes |= {"embedding_size": 16, "intra_bottleneck_size": 16, "intermediate_size": 16}
    if prefix == "Roberta":
        sizes |= {"type_vocab_size": 1, "pad_token_id": 1}
    config = getattr(transformers, f"{prefix}Config")(**sizes, initializer_range=0.3)
    module = getattr(transformers, prefix + name)(config).eval()
    if order is not None:
        for one in (module.classifier.weight, module.classifier.bias):
            one.data = one.data[list(order)]
    content = {**config.to_dict(), "architectures": [prefix + name]}
    return tiny.write(folder, content, tiny.weights_of(module), tokenizer), module


@pytest.mark.parametrize("prefix", ["Bert", "DistilBert", "MobileBert", "Roberta", "TinyBert"])
def test_classes_are_the_modules_own(tmp_path, prefix):
    import torch

    name = "tinybert" if prefix == "TinyBert" else "toy"
    own = "Bert" if prefix == "TinyBert" else prefix
    folder, module = made(tmp_path / name, own)
    model = tiny.load(folder)
    assert model.stamp.family == prefix.lower()
    assert {head.name for head in model.heads if head.present} == {"classifier"}
    assert tiny.answers(model, SoftTargetsRequest)
    models = {"teacher": model, "student": model}
    result = soft_targets.QUESTION.run(model, SoftTargetsRequest(TEXT), Context(models=models))
    assert result.what == "classes"
    (found,) = result.masks
    ids = torch.tensor([[token.id for token in result.tokens]])
    with torch.no_grad():
        expected = module(ids).logits[0]
    np.testing.assert_allclose(found.teacher, expected.numpy(), atol=1e-5)
    assert {row.word for row in found.rows} == set(LABELS.values())


def test_two_classifiers_have_losses_of_their_classes(tmp_path):
    teacher = tiny.load(made(tmp_path / "teacher", "Bert", num_hidden_layers=4)[0])
    student = tiny.load(made(tmp_path / "student", "Bert", seed=1)[0])
    context = Context(models={"teacher": teacher, "student": student})
    soft = soft_targets.QUESTION.run(teacher, SoftTargetsRequest(TEXT), context).masks[0]
    result = distillation.QUESTION.run(
        teacher, DistillationLossesRequest(TEXT, temperature=3.0), context
    )
    p, q = (np.exp(z / 3.0) / np.exp(z / 3.0).sum() for z in (soft.teacher, soft.student))
    found = result.predictions
    assert found.classes == 3
    assert found.cross_entropy == pytest.approx(float(-(p * np.log(q)).sum()), rel=1e-5)
    assert found.student is None
    assert "those of the classes" in result.notes[0]
    assert result.layers.hidden_mse.shape == (3, 5)


def test_what_else_has_a_classifier_is_none(tmp_path):
    """A token classifier's tensors have the same names."""
    model = tiny.load(made(tmp_path / "toy", "Bert", name="ForTokenClassification")[0])
    assert [head.name for head in model.heads if head.present] == ["token_classifier"]
    assert PairClassifier not in model.ports
    assert not tiny.answers(model, SoftTargetsRequest)


def test_a_random_pooler_never_answers(tmp_path):
    folder, module = made(tmp_path / "whole", "Bert")
    weights = {n: t for n, t in tiny.weights_of(module).items() if "pooler" not in n}
    content = {**module.config.to_dict(), "architectures": ["BertForSequenceClassification"]}
    model = tiny.load(tiny.write(tmp_path / "part", content, weights))
    assert not any(head.present for head in model.heads)
    whole = tiny.load(folder)
    with pytest.raises(Unavailable, match="no classifier"):
        soft_targets.QUESTION.run(
            whole,
            SoftTargetsRequest(TEXT, what="classes"),
            Context(models={"teacher": whole, "student": model}),
        )


def test_a_classifier_has_nothing_to_say_at_a_mask(tmp_path):
    model = tiny.load(made(tmp_path / "toy", "Bert")[0])
    with pytest.raises(Unavailable, match="no masked-LM head"):
        soft_targets.QUESTION.run(
            model,
            SoftTargetsRequest(TEXT, masks=(Mask(4, 9),)),
            Context(models={"teacher": model, "student": model}),
        )


def test_other_numbers_of_classes_are_refused(tmp_path):
    from explorer.api.family import UserMistake

    two = {"id2label": {0: "no", 1: "yes"}, "label2id": {"no": 0, "yes": 1}}
    models = {
        "teacher": tiny.load(made(tmp_path / "three", "Bert")[0]),
        "student": tiny.load(made(tmp_path / "two", "Bert", **two)[0]),
    }
    with pytest.raises(UserMistake, match="3 classes apart and the student 2"):
        soft_targets.QUESTION.run(
            models["teacher"], SoftTargetsRequest(TEXT), Context(models=models)
        )


def labelled(*names):
    """A config's names of classes."""
    return {
        "id2label": dict(enumerate(names)),
        "label2id": {name: number for number, name in enumerate(names)},
    }


def test_classes_are_compared_by_their_names_in_whatever_order(tmp_path):
    """The same function, saved twice with its classes in another order, is the same function."""
    turned = labelled("GREAT", "Bad", "dull")
    folders = (
        made(tmp_path / "one", "Bert")[0],
        made(tmp_path / "other", "Bert", order=(2, 0, 1), **turned)[0],
    )
    teacher, student = map(tiny.load, folders)
    context = Context(models={"teacher": teacher, "student": student})
    result = soft_targets.QUESTION.run(teacher, SoftTargetsRequest(TEXT), context)
    (found,) = result.masks
    np.testing.assert_allclose(found.teacher, found.student, atol=1e-5)
    assert [row.word for row in sorted(found.rows, key=lambda row: row.index)] == [*LABELS.values()]
    summary = soft_targets.QUESTION.summary(result)
    assert summary["kl_t1"] == pytest.approx(0.0, abs=1e-6)
    assert (summary["agreement_top_1"], summary["matched_by"], summary["masks"]) == (1, "name", 0)
    assert "nearly equals its teacher" in soft_targets.QUESTION.headline(result).sentence
    table = soft_targets.QUESTION.table(result)
    np.testing.assert_allclose(table.column("difference"), 0.0, atol=1e-6)
    assert not result.notes
    losses = distillation.QUESTION.run(teacher, DistillationLossesRequest(TEXT), context)
    assert losses.predictions.kl_teacher_student == pytest.approx(0.0, abs=1e-6)
    assert distillation.QUESTION.summary(losses)["matched_by"] == "name"
    pair = sentence_pair.QUESTION.run(
        teacher,
        sentence_pair.SentencePairRequest(TEXT),
        Context(models={"model": teacher, "second": student}),
    )
    assert "Both models say" in sentence_pair.QUESTION.headline(pair).sentence


def test_classes_of_other_names_are_never_compared_in_silence(tmp_path):
    names = labelled("LABEL_0", "LABEL_1", "LABEL_2")
    teacher = tiny.load(made(tmp_path / "one", "Bert")[0])
    student = tiny.load(made(tmp_path / "other", "Bert", seed=1, **names)[0])
    context = Context(models={"teacher": teacher, "student": student})
    result = soft_targets.QUESTION.run(teacher, SoftTargetsRequest(TEXT), context)
    assert "compared by number" in result.notes[0]
    rows = {"bad | LABEL_0", "dull | LABEL_1", "great | LABEL_2"}
    assert {*soft_targets.QUESTION.table(result).column("word")} == rows
    assert soft_targets.QUESTION.summary(result)["matched_by"] == "number"
    assert "the same number" in soft_targets.QUESTION.headline(result).sentence
    losses = distillation.QUESTION.run(teacher, DistillationLossesRequest(TEXT), context)
    assert any("compared by number" in one for one in losses.notes)
    assert distillation.QUESTION.summary(losses)["matched_by"] == "number"


def test_a_file_of_sentences_compares_classes_by_name(tmp_path, capsys):
    made(tmp_path / "one", "Bert")
    made(tmp_path / "other", "Bert", order=(2, 0, 1), **labelled("great", "bad", "dull"))
    (tmp_path / "some.txt").write_text(f"{TEXT}.\ni liked it.\n", encoding="utf-8")
    file, rows, one, other, profile = (
        str(tmp_path / name) for name in ("some.txt", "rows.csv", "one", "other", "profile")
    )
    words = ["over", file, "--ask", "soft_targets", "--model", one, "--second", other]
    assert cli.main(["--profile", profile, "--device", "cpu", *words, "--csv", rows]) == 0
    capsys.readouterr()
    with (tmp_path / "rows.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2
    for row in rows:
        assert float(row["kl_t1"]) == pytest.approx(0.0, abs=1e-6)
        assert row["matched_by"] == "name"
