"""`models`: a line a checkpoint, those that are looked for."""

import json

import pytest


@pytest.fixture
def ids(run):
    def listed(*words):
        status, out, err = run("models", *words, "--json")
        assert status == 0, err
        return [one["id"] for one in json.loads(out)]

    return listed


def test_a_line_tells_what_a_checkpoint_is_and_not_all_it_is_asked(told, ids):
    out = told("models", "--where", "bundled")
    head, *rows = out.splitlines()
    assert head.split() == ["ID", "FAMILY", "WHERE", "SIZE", "QUESTIONS", "ARCHITECTURE"]
    assert [row.split()[0] for row in rows] == ids("--where", "bundled")
    (row,) = (row for row in rows if row.startswith("bert-miniature "))
    assert row.endswith("BERT · 4 layers × 128 wide × 4 heads · 1,600 pieces")
    assert max(map(len, rows)) < 200


def test_filters_narrow_what_is_listed(ids):
    family = ids("--family", "DeBERTa")
    assert "deberta-v1-miniature" in family
    assert all("deberta" in one for one in family)
    answering = ids("--answers", "replaced-tokens", "--family", "deberta")
    assert "deberta-v3-miniature" in answering
    assert "deberta-v1-miniature" not in answering
    assert set(answering) < set(family)
    both = ids("--answers", "replaced_tokens", "--answers", "soft_targets", "--where", "bundled")
    assert both == []
    # Words of its architecture and of its heads, whatever their case.
    assert ids("--search", "span boundary") == ["spanbert-miniature"]
    assert "google/electra-small-generator" in ids("--search", "ELECTRA small")


def test_where_nothing_fits_the_families_are_named(run):
    status, out, err = run("models", "--family", "barte")
    assert (status, out) == (0, "")
    assert err.startswith("No checkpoint fits. The families are albert, bert, ")
    status, _out, err = run("models", "--answers", "nonsense")
    assert status == 2
    assert 'There is no question "nonsense"' in err
