"""The samples show what they promise, on the bundled miniature."""

import math

import pytest

from explorer.api.question import Context
from explorer.questions.masking.candidate_words.compute import run as score
from explorer.questions.masking.candidate_words.question import CandidateWordsRequest
from explorer.questions.masking.joint_decoding.compute import run
from explorer.questions.masking.joint_decoding.question import JointDecodingRequest
from explorer.samples.samples import samples
from tests.hf.kept import miniature


@pytest.fixture(scope="module")
def bert():
    return miniature("bert-miniature")


def documents(view):
    found = []
    for sample in samples():
        if sample.view == view:
            document = sample.document()
            for key, value in sample.options:
                document = document.with_option(key, value)
            found.append(pytest.param(document, id=sample.title))
    return found


@pytest.mark.parametrize("document", documents("joint_decoding"))
def test_each_mask_alone_says_words_that_do_not_go_together(bert, document):
    """Filled together the words are at least ten times as probable as those of each mask alone."""
    result = run(bert, JointDecodingRequest.of(document), Context())
    best, alone = result.fillings[0], result.independent
    assert best.words != alone.words
    assert best.log_joint > alone.log_joint + math.log(10)
    assert alone.log_independent > best.log_independent


@pytest.mark.parametrize("document", documents("candidate_words"))
def test_own_words_all_have_a_number(bert, document):
    result = score(bert, CandidateWordsRequest.of(document), Context())
    assert all(one.problem == "" for one in result.gaps[0].scores)
    assert len(result.gaps[0].scores) == 5
