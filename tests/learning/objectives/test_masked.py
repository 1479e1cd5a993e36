import dataclasses
import math

import pytest
import torch

from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import Fate, PairObjective, SelectionUnit
from explorer.objectives import IGNORED
from tests.learning.tiny_plans import TINY


@pytest.mark.parametrize("pairs", list(PairObjective))
def test_the_losses_are_those_of_transformers(pairs):
    run = recipe_of(dataclasses.replace(TINY, pairs=pairs, selected=0.3)).begin()
    batch = next(one for one in map(run.batches.batch, range(64)) if _is_paired(one, pairs))
    with torch.no_grad():
        found = run.recipe.losses(run.model, batch)
        whole = run.model(
            **{name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
        )
    if pairs is PairObjective.NONE:
        scores = whole.logits
        assert set(found) == {"loss_mlm", "mlm_accuracy"}
    else:
        scores = whole.prediction_logits
        labels = batch["next_sentence_label"]
        asked = labels != IGNORED
        chance = whole.seq_relationship_logits[asked].log_softmax(-1)
        expected = -chance[range(int(asked.sum())), labels[asked]].mean()
        name = "nsp" if pairs is PairObjective.NEXT else "sop"
        assert float(found[f"loss_{name}"]) == pytest.approx(float(expected), abs=1e-6)
    labels = batch["labels"]
    asked = labels != IGNORED
    chances = scores[asked].log_softmax(-1)
    expected = -chances[range(int(asked.sum())), labels[asked]].mean()
    assert float(found["loss_mlm"]) == pytest.approx(float(expected), abs=1e-6)


def _is_paired(batch, pairs):
    return pairs is PairObjective.NONE or int((batch["next_sentence_label"] != IGNORED).sum()) > 2


@pytest.mark.parametrize("selected", [0.05, 0.15, 0.6])
@pytest.mark.parametrize("unit", [SelectionUnit.PIECES, SelectionUnit.WORDS])
def test_so_many_pieces_are_selected(unit, selected):
    plan = dataclasses.replace(TINY, unit=unit, selected=selected, fate=Fate.MASK, batch=64)
    batches = recipe_of(plan).begin().batches
    rates = []
    for step in range(8):
        batch = batches.batch(step)
        asked = batch["labels"] != IGNORED
        assert (batch["input_ids"][asked] == batches.mask_token).all(), "all are [MASK]"
        counts, lengths = asked.sum(1), batch["attention_mask"].sum(1) - 2
        for count, length in zip(counts.tolist(), lengths.tolist(), strict=True):
            room = max(1, round(selected * length))
            # A first word is taken whole even where it is longer; a last one may have no room.
            assert count == room or (unit is SelectionUnit.WORDS and 1 <= count <= max(room, 6))
            rates.append(count / length)
    assert sum(rates) / len(rates) == pytest.approx(selected, abs=0.06)


def test_eighty_ten_ten():
    batches = recipe_of(dataclasses.replace(TINY, batch=256)).begin().batches
    masked = same = every = 0
    for step in range(20):
        batch = batches.batch(step)
        asked = batch["labels"] != IGNORED
        read, was = batch["input_ids"][asked], batch["labels"][asked]
        masked += int((read == batches.mask_token).sum())
        same += int((read == was).sum())
        every += len(was)
    slack = 4 * math.sqrt(0.25 / every)
    assert masked / every == pytest.approx(0.8, abs=slack)
    assert same / every == pytest.approx(0.1, abs=slack)


def test_whole_words_are_selected_whole():
    plan = dataclasses.replace(TINY, unit=SelectionUnit.WORDS, vocabulary=160, fate=Fate.MASK)
    run = recipe_of(plan).begin()
    batch, begins = run.batches.batch(1), run.batches.begins
    asked = (batch["labels"] != IGNORED).numpy()
    inside = 0
    for row, text in enumerate(batch["labels"].numpy()):
        whole = [place for place in range(1, len(text)) if text[place] != IGNORED]
        for place in whole:
            if not begins[text[place]]:
                inside += 1
                assert asked[row, place - 1], "the piece before is of the same word"
    assert inside > 5


@pytest.mark.parametrize(("dynamic", "same"), [(False, True), (True, False)])
def test_static_masks_come_again(dynamic, same):
    plan = dataclasses.replace(TINY, documents=16, dynamic=dynamic)
    batches = recipe_of(plan).begin().batches
    example = next(one for step in range(9) for one in _examples(batches, step))
    patterns = [
        batches.mask(
            _laid(batches, example), example, batches.reading.masking.generator(1, example.text, at)
        ).inputs.tolist()
        for at in (0, 10)
    ]
    assert (patterns[0] == patterns[1]) is same


def _examples(batches, step):
    batches.batch(step)
    rows = [row for rows in batches._chunk[1] for row in rows]
    return [row for row in rows if len(row.pair.first) > 10]


def _laid(batches, example):
    from explorer.objectives.pairs.next_sentence import lay_out

    return lay_out(example.pair, batches.cls_token, batches.sep_token)


def test_no_text_is_longer_than_the_model_reads():
    plan = dataclasses.replace(TINY, length=16, pairs=PairObjective.NEXT, batch=32)
    batches = recipe_of(plan).begin().batches
    assert max(batches.batch(step)["input_ids"].shape[1] for step in range(64)) == 16
