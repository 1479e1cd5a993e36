"""Files of minimal pairs: as BLiMP has them, as CrowS-Pairs, two columns, and what is refused."""

import json

import pytest

from explorer.api.question import UserMistake
from explorer.questions.pairs.pair_files import (
    PairOfSentences,
    pairs_of,
    spread,
    world_pairs,
)

BLIMP = {
    "sentence_good": "The cats sleep.",
    "sentence_bad": "The cats sleeps.",
    "field": "morphology",
    "linguistics_term": "subject_verb_agreement",
    "UID": "regular_plural_subject_verb_agreement_1",
}


def test_a_file_as_blimp_has_them(tmp_path):
    path = tmp_path / "blimp.jsonl"
    path.write_text(json.dumps(BLIMP) + "\n")
    (pair,), there = pairs_of(str(path), 10)
    assert pair == PairOfSentences("The cats sleep.", "The cats sleeps.", BLIMP["UID"])
    assert there == 1


def test_a_file_as_crows_pairs_has_them(tmp_path):
    path = tmp_path / "crows.csv"
    path.write_text(
        ",sent_more,sent_less,stereo_antistereo,bias_type\n"
        "0,He is a doctor.,She is a doctor.,stereo,gender\n"
    )
    (pair,), _there = pairs_of(str(path), 10)
    assert pair == PairOfSentences("He is a doctor.", "She is a doctor.", "gender")


def test_two_columns_without_names(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("The cats sleep.\tThe cats sleeps.\nAn apple fell.\tA apple fell.\n")
    pairs, _there = pairs_of(str(path), 10)
    assert pairs[1] == PairOfSentences("An apple fell.", "A apple fell.")
    assert len(pairs) == 2


def test_a_third_column_says_the_phenomenon(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("The cats sleep.\tThe cats sleeps.\tagreement\n")
    assert pairs_of(str(path), 10)[0][0].phenomenon == "agreement"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("one.csv", "sentence\nThe cats sleep.\n", "has no two columns of sentences"),
        ("half.csv", "sentence_good,other\nThe cats sleep.,x\n", "has no two columns of sentences"),
        ("empty.csv", "sentence_good,sentence_bad\n", "no"),
        ("odd.csv", "sentence_good,sentence_bad\nThe cats sleep.,\n", "no pair of sentences"),
    ],
)
def test_what_is_no_file_of_pairs_is_refused_in_a_sentence(tmp_path, name, text, problem):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UserMistake) as caught:
        pairs_of(str(path), 10)
    assert problem in str(caught.value)


def test_a_row_without_a_bad_sentence_is_passed_over(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("sentence_good,sentence_bad\nA cat.,\nThe cats sleep.,The cats sleeps.\n")
    pairs, there = pairs_of(str(path), 10)
    assert ([one.good for one in pairs], there) == (["The cats sleep."], 1)


def test_few_of_many_are_of_each_phenomenon_in_the_order_of_the_file():
    made = [PairOfSentences(str(n), "x", "rare" if n > 97 else "often") for n in range(100)]
    taken = [*spread(made, 4, lambda one: one.phenomenon)]
    assert [one.good for one in taken] == ["0", "1", "98", "99"]


def test_the_small_worlds_own():
    pairs, there = pairs_of("", 16)
    assert there == len(world_pairs()) == 320
    names = [one.phenomenon for one in pairs]
    assert {names.count(name) for name in names} == {2}
