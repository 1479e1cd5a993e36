import pytest
import torch

from explorer.learning.batches.chunked import CHUNK
from explorer.learning.batches.pairs import PairBatches, PairReading
from explorer.objectives import IGNORED


@pytest.fixture(scope="module")
def batches(tokenizer, texts):
    return PairBatches(tokenizer, texts, 16, 1, PairReading(length=128))


def test_a_step_has_one_batch_whatever_was_read_before(tokenizer, texts, batches):
    fresh = PairBatches(tokenizer, texts, 16, 1, PairReading(length=128))
    for step in (CHUNK + 3, 5, 4):
        one, other = batches.batch(step), fresh.batch(step)
        assert all(torch.equal(one[name], other[name]) for name in one)
    assert not torch.equal(batches.batch(4)["labels"], batches.batch(5)["labels"])


def test_another_seed_gives_other_batches(tokenizer, texts, batches):
    other = PairBatches(tokenizer, texts, 16, 2, PairReading(length=128)).batch(0)["input_ids"]
    own = batches.batch(0)["input_ids"]
    assert own.shape != other.shape or not torch.equal(own, other)


def test_labels_give_the_text_back(tokenizer, batches):
    batch = batches.batch(2)
    selected = batch["labels"] != IGNORED
    restored = torch.where(selected, batch["labels"], batch["input_ids"])
    assert not (restored == tokenizer.mask_token_id).any()
    assert (restored[:, 0] == tokenizer.cls_token_id).all()
    assert selected.any(dim=1).all()
    assert not (selected & (batch["attention_mask"] == 0)).any()


def test_pairs_are_balanced_and_shaped(tokenizer, batches):
    labels, longest = [], 0
    for step in range(CHUNK):
        batch = batches.batch(step)
        order = batch["next_sentence_label"]
        segments = batch["token_type_ids"]
        assert (segments.any(dim=1) == (order != IGNORED)).all()
        ends = (batch["input_ids"] == tokenizer.sep_token_id).sum(dim=1)
        assert (ends == 1 + (order != IGNORED)).all()
        labels += order[order != IGNORED].tolist()
        longest = max(longest, segments.shape[1])
    assert sum(labels) / len(labels) == pytest.approx(0.5, abs=0.08)
    assert 100 < longest <= 128, "late positions are trained, and none past the model's length"
