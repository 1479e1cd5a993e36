import numpy as np
import pytest

from explorer.objectives import IGNORED
from explorer.objectives.masking.knowledge_masking import ENTITY, PHRASE
from explorer.pretraining.recipes.encoders.ernie import RECIPE
from explorer.world.labelling.knowledge_spans import entities, phrases


@pytest.fixture(scope="module")
def tokenizer():
    return RECIPE.make_tokenizer([])


def test_known_units_of_a_document_are_masked_whole(tokenizer, texts):
    batches = RECIPE.make_batches(tokenizer, texts[:400], 0)
    for index, document in enumerate(texts[:400]):
        known = batches.known[index]
        for level, spans in ((ENTITY, entities(document)), (PHRASE, phrases(document))):
            tokens = [token for sentence in batches.documents[index] for token in sentence]
            shown = [tokenizer.decode(tokens[start:end]) for start, end in known[level]]
            named = [document.text[span.start : span.end].lower() for span in spans]
            assert [text.replace(" ", "") for text in shown] == [
                text.replace(" ", "") for text in named
            ]

    whole = 0
    for step in range(10):
        batch = batches.batch(step)
        for tokens, labels in zip(batch["input_ids"], batch["labels"], strict=True):
            original = np.where(labels == IGNORED, tokens, labels)
            selected = np.flatnonzero(labels != IGNORED)
            assert 0 < len(selected) < len(original)
            whole += len(selected) > 1 and (np.diff(selected) == 1).all()
    assert whole > 50, "several pieces in a row are one phrase or name"
