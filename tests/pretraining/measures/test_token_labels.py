"""How labels are judged."""

import pytest

from explorer.numerics.evaluation.label_ranges import ranges
from explorer.pretraining.measures.token_labels import (
    best_possible,
    compare,
    unseen_documents,
    usual_labels,
)
from explorer.world.corpus import has_withheld, training_documents
from explorer.world.labelling.tags import tags


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("O B-JOB O", [(1, 2, "JOB")]),
        ("B-PERSON I-PERSON O", [(0, 2, "PERSON")]),
        ("B-PERSON B-PERSON", [(0, 1, "PERSON"), (1, 2, "PERSON")]),
        ("B-JOB I-PERSON", [(0, 1, "JOB"), (1, 2, "PERSON")]),
        ("B-DATE O I-DATE", [(0, 1, "DATE"), (2, 3, "DATE")]),
        ("O O", []),
    ],
)
def test_ranges_are_those_of_conll(labels, found):
    assert ranges(tuple(labels.split())) == found


def test_figures_are_shares_of_words_of_ranges_and_of_documents():
    documents = unseen_documents(3)
    right = [tags(one) for one in documents]
    perfect = compare(documents, right)
    assert (perfect.accuracy, perfect.f1, perfect.whole) == (1.0, 1.0, 1.0)
    nothing = compare(documents, [("O",) * len(one) for one in right])
    words = [label for one in right for label in one]
    assert nothing.accuracy == words.count("O") / len(words)
    assert nothing.f1 == 0.0
    # One range of those there are is missed.
    at = right[1].index("B-JOB")
    missed = [right[0], (*right[1][:at], "O", *right[1][at + 1 :]), right[2]]
    count = sum(len(ranges(one)) for one in right)
    found = compare(documents, missed)
    assert found.f1 == pytest.approx(2 * (count - 1) / (2 * count - 1))
    assert found.whole == pytest.approx(2 / 3)
    assert found.kinds["JOB"] < 1.0
    assert found.kinds["TOOL"] == 1.0


def test_the_text_tells_all_and_words_by_themselves_do_not():
    documents = unseen_documents(25)
    assert all(map(has_withheld, documents))
    assert best_possible(documents) == 1.0
    usual = usual_labels(training_documents(3000))
    alone = compare(documents, [tuple(usual.get(w, "O") for w in one.words) for one in documents])
    assert alone.kinds["PERSON"] == 1.0
    assert alone.kinds["OBJECT"] < 0.9
