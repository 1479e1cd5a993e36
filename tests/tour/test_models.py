"""The tour takes its models from what the library says that each answers."""

import pytest

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths
from explorer.questions import all_questions
from explorer.samples.samples import sample_of, samples
from explorer.shown_models import models_for
from tests.questions.answers import UNANSWERED

PATHS = Paths.standard()
ELECTRA = ("electra-miniature-discriminator", "electra-miniature-generator")


@pytest.fixture(scope="module")
def library() -> tuple[Checkpoint, ...]:
    host = PluginHost(PATHS.bundled_plugins, entry_points=False)
    return Catalogue(host, PATHS.bundled_models, PATHS.hub_cache, offline=True).list()


def test_every_question_is_shown_with_models_that_answer_it(library):
    rows = {one.id: one for one in library if one.source is Source.BUNDLED}
    for name, question in all_questions().items():
        first, *others = models_for(name, library)
        answers = any(name in row.operations for row in rows.values())
        # Of the others the tour shows what the page says then.
        assert answers == (name not in UNANSWERED)
        assert name in rows[first].operations or not question.roles or not answers
        # Who plays the second role is there too, as far as any model is made for it.
        assert others or len(question.roles) < 2, name


def test_the_usual_ones_where_they_answer_and_who_was_made_for_it_elsewhere(library):
    assert models_for("masked_tokens", library) == ("bert-miniature", "distilbert-miniature")
    assert models_for("replaced_tokens", library) == ELECTRA
    assert models_for("span_boundary", library) == ("spanbert-miniature",)
    assert models_for("answer_span", library)[0].endswith("-answers-miniature")
    assert models_for("disentangled_attention", library)[0].startswith("deberta")
    assert models_for("graph_question", library) == ("kagnet-miniature", "bert-miniature")


def test_a_sample_that_is_made_for_a_model_is_shown_with_it(library):
    made = [one for one in samples() if one.model]
    assert "prompt" in {one.view for one in made}
    for one in made:
        assert models_for(one.view, library, one.model)[0] == one.model
    assert sample_of("prompt").model == "gpt2-prompts-miniature"
