import numpy as np
import pytest

from explorer.learning.batches.chunked import CHUNK
from explorer.learning.batches.next_tokens import NextTokenBatches
from explorer.objectives import IGNORED

END = 0
TEXTS = [[number, *range(10, 10 + number % 9)] for number in range(1, 9)]


@pytest.fixture
def batches():
    return NextTokenBatches(TEXTS, examples=4, seed=1, length=40, boundary=END)


def rows_of(batch):
    for inputs, labels in zip(batch["input_ids"], batch["labels"], strict=True):
        kept = labels != IGNORED
        assert labels[kept].tolist() == inputs[kept].tolist()
        assert kept.tolist() == sorted(kept.tolist(), reverse=True), "padding lies to the right"
        yield labels[kept].tolist()


def test_a_row_is_a_text_with_its_boundary_or_many_texts(batches):
    single, begun, long = 0, 0, 0
    for step in range(CHUNK):
        for row in rows_of(batches.batch(step)):
            begun += row[0] == END
            whole = row[1:] if row[0] == END else row
            if len(row) == 40:
                long += 1
                assert row.count(END) > 2
            else:
                single += 1
                assert whole[-1] == END
                assert whole[:-1] in TEXTS
    assert single
    assert long
    assert 0.35 < begun / (single + long) < 0.65


def test_a_step_does_not_depend_on_the_steps_before_it(batches):
    batches.batch(3)
    again = NextTokenBatches(TEXTS, examples=4, seed=1, length=40, boundary=END)
    found, expected = again.batch(70), batches.batch(70)
    assert np.array_equal(found["input_ids"], expected["input_ids"])
    assert np.array_equal(found["labels"], expected["labels"])


def test_without_a_boundary_rows_are_the_texts_alone():
    batches = NextTokenBatches(TEXTS, examples=4, seed=1, length=40)
    rows = [row for step in range(CHUNK) for row in rows_of(batches.batch(step))]
    assert all(row in TEXTS for row in rows if len(row) < 20)
    assert any(len(row) == 40 for row in rows)
