import copy

import pytest
import torch

from explorer.api.question import UserMistake
from explorer.learning.distilling.choices import NamedLosses, StudentStart, TaughtBy
from explorer.learning.distilling.recipes import begin
from explorer.learning.distilling.teachers.exact_targets import TARGETS
from explorer.learning.distilling.teachers.teacher import refuse_other_pieces, scored
from explorer.learning.plan.choices import Objective
from explorer.objectives import IGNORED
from explorer.objectives.distillation.soft_targets import soft_target_loss
from tests.learning.distilling.small_plans import begun, planned


def losses_of(run, step=0):
    return run.recipe.losses(run.model, run.batches.batch(step))


def names(measured):
    return {name for name in measured if name.startswith("loss")}


def test_a_student_learns_its_teachers_whole_distribution():
    run = begun(temperature=2.0)
    batch = run.batches.batch(0)
    asked = batch["labels"] != IGNORED
    with torch.no_grad():
        inputs = {name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
        student, teacher = (
            model(**inputs).logits[asked] for model in (run.model, run.recipe.teacher.model)
        )
    expected = soft_target_loss(student, teacher, 2.0)
    assert losses_of(run)["loss_soft"].item() == pytest.approx(expected.item(), rel=1e-6)
    assert (batch["input_ids"][asked] == run.tokenizer.mask_token_id).all()


def test_exact_answers_are_those_of_the_grammar():
    run = begun(targets=TaughtBy.EXACT)
    batch = run.batches.batch(0)
    reader, tokenizer = run.recipe.reader(run.tokenizer), run.tokenizer
    row = 0
    for numbers, labels, seen in zip(
        batch["input_ids"], batch["labels"], batch["attention_mask"], strict=True
    ):
        pieces = tokenizer.convert_ids_to_tokens(numbers[: int(seen.sum())])[1:-1]
        pattern = [None if piece == tokenizer.mask_token else piece for piece in pieces]
        for place in (number for number, piece in enumerate(pattern) if piece is None):
            exact = reader.posterior(pattern, place)
            told = batch[TARGETS][row].softmax(-1)
            assert told.sum().item() == pytest.approx(1.0)
            for piece, share in exact.items():
                number = tokenizer.convert_tokens_to_ids(piece)
                assert told[number].item() == pytest.approx(share, abs=1e-6)
            assert exact[tokenizer.convert_ids_to_tokens(int(labels[place + 1]))] > 0
            row += 1
    assert row == len(batch[TARGETS])
    assert names(losses_of(run)) == {"loss_soft"}


def test_all_three_read_the_same_batches():
    read = [begun(targets=one).batches.batch(3) for one in TaughtBy]
    for name in ("input_ids", "labels"):
        assert all(torch.equal(one[name], read[0][name]) for one in read)


def test_the_same_plan_comes_to_the_same_losses():
    curves = []
    for _ in range(2):
        run = begun(losses=NamedLosses.TINYBERT, width=8)
        curves.append([run.advance() for _ in range(5)])
    assert curves[0] == curves[1]


def test_two_stages_match_layers_first_and_predictions_then():
    run = begun(losses=NamedLosses.TINYBERT, width=8)
    layers = {"loss_embedding", "loss_hidden_0", "loss_attention_0"}
    assert [names(losses_of(run, step)) for step in range(5)] == [
        layers,
        layers,
        {"loss_soft"},
        {"loss_soft"},
        {"loss_soft"},
    ]
    assert names(losses_of(begun(losses=NamedLosses.TINYBERT_AT_ONCE))) == {*layers, "loss_soft"}


def test_what_the_student_maps_its_states_with_is_learnt_and_not_written():
    run = begun(losses=NamedLosses.TINYBERT, width=8)
    before = run.model.fits[1].weight.clone()
    run.advance()
    assert not torch.equal(run.model.fits[1].weight, before)
    written = run.recipe.parts(run.model)[""]
    assert not hasattr(written, "fits")
    batch = run.batches.batch(0)
    ours, theirs = (
        scored(model.eval(), batch, Objective.MASKED).scores for model in (run.model, written)
    )
    assert torch.equal(ours, theirs)


@pytest.mark.parametrize(("start", "layers"), [("every", (0, 2)), ("first", (0, 1))])
def test_a_student_begins_with_layers_of_its_teacher(start, layers):
    run = begun(start=StudentStart(start), teacher_layers=4, layers=2)
    teacher = run.recipe.teacher.model
    own, taught = run.model.state_dict(), teacher.state_dict()
    for layer, source in enumerate(layers):
        name = "bert.encoder.layer.{}.attention.self.query.weight"
        assert torch.equal(own[name.format(layer)], taught[name.format(source)])
    for name in ("bert.embeddings.word_embeddings.weight", "cls.predictions.bias"):
        assert torch.equal(own[name], taught[name])


def test_a_student_as_deep_as_its_teacher_says_what_it_says_at_first():
    run = begun(start=StudentStart.FIRST, layers=2)
    measured = losses_of(run)
    assert measured["kl"].item() == pytest.approx(0.0, abs=1e-6)
    assert measured["agreement"].item() == 1.0
    assert begun(layers=2) is not None


def test_a_student_of_gpt2_learns_what_comes_next():
    run = begun(objective=Objective.CAUSAL, hidden=1.0)
    measured = run.advance()
    assert names(measured) == {"loss_soft", "loss_hidden_0"}
    assert measured["kl"] > 0


def test_a_bundled_teacher_lends_its_pieces():
    plan = planned(teacher="albert-miniature", hidden=1.0, corpus="world")
    run = begin(plan)
    assert run.tokenizer.get_vocab() == run.recipe.teacher.tokenizer.get_vocab()
    assert run.model.fits[0].out_features == 192
    assert names(run.advance()) == {"loss_soft", "loss_hidden_0"}


def test_pieces_that_know_spaces_have_no_exact_answers():
    plan = planned(teacher="roberta-miniature", corpus="world")
    assert begin(plan).recipe.measures(begin(plan)).held_out.places == ()
    with pytest.raises(UserMistake, match="know spaces or capitals"):
        begin(planned(teacher="roberta-miniature", corpus="world", targets=TaughtBy.EXACT))


def test_logits_of_other_pieces_are_refused():
    run = begun()
    more = copy.deepcopy(run.tokenizer)
    more.add_tokens(["<new>"])
    with pytest.raises(UserMistake, match="tokenizers of x and of a student differ: it has 201"):
        refuse_other_pieces("x", more, run.model)


def test_a_frame_is_laid_beside_the_floor_and_beside_the_teacher():
    run = begun()
    sentence = "the [MASK] cooked the soup"
    row = run.recipe.measures(run).row((sentence, "no mask"))
    assert row["excess"] > 0
    assert row["teacher"]["floor"] == row["floor"]
    assert row["to_teacher"] > 0
    assert list(row["watched_teacher"]) == list(row["watched"]) == [sentence]
    same = begun(start=StudentStart.FIRST, layers=2)
    told = same.recipe.measures(same).row((sentence,))
    assert told["to_teacher"] == pytest.approx(0.0, abs=1e-6)
    assert told["teacher"]["excess"] == pytest.approx(told["excess"], abs=1e-5)
    assert told["watched"] == told["watched_teacher"]
    assert told["exact"] == told["exact_teacher"]
    alone = begun(targets=TaughtBy.LABELS)
    assert "teacher" not in alone.recipe.measures(alone).row(())
