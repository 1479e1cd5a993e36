"""What each objective's batches hold, beside the documents that they were drawn from."""

import pytest

from explorer.learning.plan.choices import Objective, PairObjective
from explorer.objectives import IGNORED
from tests.learning.tiny_plans import begun

STEPS = 64


def documents_of(run):
    return {
        tuple(token for sentence in sentences for token in sentence)
        for sentences in run.batches.documents
    }


def rows(run, *names):
    for step in range(STEPS):
        batch = run.batches.batch(step)
        yield from zip(*(batch[name].tolist() for name in names), strict=True)


def original(read, labels):
    return [one if told == IGNORED else told for one, told in zip(read, labels, strict=True)]


@pytest.fixture(scope="module")
def replaced():
    return begun(objective=Objective.REPLACED, selected=0.3)


def test_a_generator_reads_masks_alone(replaced):
    seen = 0
    for read, labels in rows(replaced, "input_ids", "labels"):
        for one, told in zip(read, labels, strict=True):
            assert (one == replaced.batches.mask_token) == (told != IGNORED)
            seen += told != IGNORED
    assert seen > 1000


def test_masked_texts_are_those_of_the_corpus(replaced):
    known, special = documents_of(replaced), {0, 2, 3}
    whole = 0
    for read, labels in rows(replaced, "input_ids", "labels"):
        text = tuple(one for one in original(read, labels) if one not in special)
        whole += text in known
    assert whole > STEPS * 6, "most rows hold a document"


@pytest.mark.parametrize("pairs", [PairObjective.NEXT, PairObjective.ORDER])
def test_pairs_are_labelled_as_they_were_drawn(pairs):
    run = begun(pairs=pairs, length=64)
    known = documents_of(run)
    seen = {0: 0, 1: 0}
    kept = dict(seen)
    names = ("input_ids", "labels", "token_type_ids", "attention_mask", "next_sentence_label")
    for read, labels, segments, real, label in rows(run, *names):
        if label == IGNORED:
            continue
        text = [one for one, there in zip(original(read, labels), real, strict=True) if there]
        cut = segments.index(1)
        first, second = tuple(text[1 : cut - 1]), tuple(text[cut:-1])
        seen[label] += 1
        swapped = pairs is PairObjective.ORDER and label == 1
        kept[label] += (second + first if swapped else first + second) in known
    assert seen[0] == pytest.approx(seen[1], rel=0.3), "half of each"
    assert kept[0] == seen[0], "what follows is of the same document"
    # Another document's end seldom makes a document of it; a swapped one always does.
    assert kept[1] == seen[1] if pairs is PairObjective.ORDER else kept[1] < seen[1] / 4


def test_spans_are_whole_words_that_do_not_touch():
    run = begun(objective=Objective.BOUNDARY, selected=0.3, vocabulary=200)
    begins, long = run.batches.begins, 0
    for read, labels in rows(run, "input_ids", "labels"):
        told = [one != IGNORED for one in labels]
        whole = original(read, labels)
        for place, chosen in enumerate(told):
            if chosen and not told[place - 1]:
                assert begins[whole[place]] or whole[place - 1] in (2, 3), "begins with a word"
            long += chosen and told[place - 1]
    assert long > 200


def test_texts_that_are_read_from_the_left_end():
    run = begun(objective=Objective.CAUSAL)
    end, known = run.batches.end[0], {tuple(one) for one in run.batches.texts}
    began = whole = 0
    for read, labels in rows(run, "input_ids", "labels"):
        text = [one for one in labels if one != IGNORED]
        assert read[: len(text)] == text, "padding is at the right"
        began += text[0] == end
        whole += tuple(one for one in text if one != end) in known and text[-1] == end
    assert began == pytest.approx(STEPS * 8 * 31 / 32 / 2, rel=0.2), "every other row"
    assert whole > STEPS * 6


@pytest.mark.parametrize("selected", [0.15, 0.4])
def test_what_was_dropped_is_written(selected):
    run = begun(objective=Objective.DROPPED, selected=selected)
    known, special = {tuple(one) for one in run.batches.texts}, set(run.batches.sentinels)
    end, whole, dropped, every = run.batches.end, 0, 0, 0
    for read, told in rows(run, "input_ids", "labels"):
        spans = {}
        for one in told:
            if one in special:
                last = spans.setdefault(one, [])
            elif one not in (IGNORED, end):
                last.append(one)
        text = []
        for one in read:
            text += spans.pop(one) if one in special else [one] if one not in (0, end) else []
        assert [*spans.values()] == [[]], "a last sentinel ends what is written"
        whole += tuple(text) in known
        every += len(text)
        dropped += sum(one not in special and one not in (IGNORED, end) for one in told)
    assert whole > STEPS * 6
    assert dropped / every == pytest.approx(selected, abs=0.08)
