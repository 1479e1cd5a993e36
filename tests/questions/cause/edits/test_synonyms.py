"""The synonym of a word: by cosines and masked probabilities of transformers alone."""

import math
import re

import pytest

from explorer.api.question import UserMistake
from explorer.questions.cause.edits import pooling
from explorer.questions.cause.edits.question import EditsRequest, kept
from explorer.questions.cause.edits.rules import EVERY_RULE, SYNONYM
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXT = "The [MASK] cooked the hot soup for the guests ."


@pytest.fixture(scope="module")
def model():
    return miniature("bert-miniature")


def by_hand(text):
    """For every word the first of its twelve nearest that is half to twice as likely there."""
    folder = MODELS / "bert-miniature"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    plain = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    table = plain.get_input_embeddings().weight.detach().double()
    table = table / table.norm(dim=-1, keepdim=True)
    known = {n: word for word, n in tokenizer.vocab.items() if re.fullmatch("[a-z]+", word)}
    ids = tokenizer(text, return_tensors="pt").input_ids
    found = {}
    for at, number in enumerate(ids[0].tolist()):
        # A word of several pieces has none.
        if known.get(number) not in text.casefold().split():
            continue
        hidden = ids.clone()
        hidden[0, at] = tokenizer.mask_token_id
        with torch.inference_mode():
            logs = plain(hidden).logits[0, at].log_softmax(-1).double()
        cosines = table @ table[number]
        near = sorted((n for n in known if n != number), key=lambda n: -cosines[n])[:12]
        alike = [n for n in near if abs(float(logs[n] - logs[number])) <= math.log(2)]
        if alike:
            found[known[number]] = known[alike[0]], float(cosines[alike[0]])
    return found


def test_a_synonym_is_near_and_about_as_likely(model):
    result = tiny.ask(model, EditsRequest(TEXT, rule=SYNONYM))
    expected = by_hand(TEXT)
    assert len(expected) >= 3
    found = {result.words[one.place].word: (one.put, one.cosine) for one in result.edits}
    assert found.keys() == expected.keys()
    for word, (put, cosine) in expected.items():
        assert found[word] == (put, pytest.approx(cosine, abs=1e-5))
    assert {one.rule for one in result.edits} == {SYNONYM}


def test_every_rule_has_synonyms_too_and_a_file_tells_what_they_do(model):
    alone = tiny.ask(model, EditsRequest(TEXT, rule=SYNONYM))
    every = tiny.ask(model, EditsRequest(TEXT, rule=EVERY_RULE))
    assert [one for one in every.edits if one.rule == SYNONYM] == list(alone.edits)
    assert {one.rule for one in every.edits} > {SYNONYM}
    places = [one.place for one in every.edits]
    assert places == sorted(places)
    found = pooling.gather([tuple(kept(alone).values()), tuple(kept(every).values())])
    flips = sum(one.best != alone.best for one in alone.edits)
    assert (found[SYNONYM].edits, found[SYNONYM].flips) == (2 * len(alone.edits), 2 * flips)
    mean = sum(one.divergence for one in alone.edits) / len(alone.edits)
    assert found[SYNONYM].divergence.mean == pytest.approx(mean, rel=1e-5)


def test_who_predicts_no_words_has_no_synonyms():
    judge = miniature("electra-miniature-discriminator")
    with pytest.raises(UserMistake, match="can't say which neighbours are as likely"):
        tiny.ask(judge, EditsRequest("The chef cooked the soup .", rule=SYNONYM))
    every = tiny.ask(judge, EditsRequest("The chef cooked the soup .", rule=EVERY_RULE))
    assert SYNONYM not in {one.rule for one in every.edits}
    assert every.edits
