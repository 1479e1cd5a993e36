"""Texts as tokens, each with the label of its word."""

import pytest

from explorer.learning.batches.labels import NOT_ASKED, LabelBatches, read
from explorer.world.labelling.tags import TAGGED, TAGS, tags

LENGTH = 128


@pytest.fixture(scope="module")
def batches(tokenizer, texts):
    return LabelBatches(tokenizer, texts, 4, 3, LENGTH)


def test_the_first_piece_of_a_word_has_its_label_and_the_others_are_inside(tokenizer, texts):
    chosen = [one for one in texts if one.kind in TAGGED][:60]
    split = 0
    for at in range(0, len(chosen), 2):
        pair = chosen[at : at + 2]
        row = read(tokenizer, pair, 512)
        right = [tag for one in pair for tag in tags(one)]
        seen = set()
        for word, label in zip(row.words, row.labels, strict=True):
            if word is None:
                assert label == NOT_ASKED
            elif word in seen:
                split += 1
                assert TAGS[label] == (
                    right[word] if right[word] == "O" else f"I-{right[word][2:]}"
                )
            else:
                assert TAGS[label] == right[word]
                seen.add(word)
        assert seen == set(range(len(right)))
    assert split, "no word was cut"


def test_batches_are_padded_and_the_same_for_a_seed(batches, tokenizer, texts):
    batch = batches.batch(5)
    again = LabelBatches(tokenizer, texts, 4, 3, LENGTH).batch(5)
    assert all(value.equal(again[name]) for name, value in batch.items())
    asked = batch["labels"] != NOT_ASKED
    assert not (asked & (batch["attention_mask"] == 0)).any()
    assert batch["labels"][asked].unique().numel() > 3
    lengths = {batches.batch(step)["input_ids"].shape[1] for step in range(64)}
    assert 60 < max(lengths) <= LENGTH
