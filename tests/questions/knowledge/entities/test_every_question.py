"""Every question of a model that reads entities reads them, or its page says that it does not."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Context, Mention, ReadsEntities
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.questions import all_questions
from explorer.serialise import from_json, to_json
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[4] / "resources" / "models"
TEXT = "Anna used a [MASK]. She cooked the meal in the kitchen."
BAKER, BUILDER = (Mention(0, 4, entity) for entity in ("Q10", "Q40"))
OWN = {
    "candidate_words": {"words": ("tray", "hammer")},
    "exact_answers": {"text": "Anna drank [MASK] at home."},
    "prompt": {"examples": 0, "asked": 0, "options": ("tray", "hammer")},
    "query_key": {"layer": 3},
    "word_journey": {"word": "used"},
}
"""What a question needs besides the text."""
BY_MEASURING = {"cost", "weights"}
BY_TRAINING = {"contexts", "neurons", "probe"}


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    host, cache = tiny.families(), tmp_path_factory.mktemp("cache")
    found = Runner(host, Catalogue(host, MODELS, cache))
    folder = MODELS / "ernie-thu-miniature"
    found.load("A", str(folder), LoadOptions(device="cpu"), Context(cache=cache))
    return found


def asked_of_text(runner):
    """The questions about a text that its ports are needed for."""
    (card,) = runner.cards.values()
    every = (all_questions()[name] for name in card.operations)
    return {one.name: one for one in every if one.reads_text and any(one.roles.values())}


def ask(runner, request):
    question = next(o for o in all_questions().values() if o.request is type(request))
    return runner.ask(request, dict.fromkeys(question.roles, "A"), Context())


def request_of(question, entities, text=TEXT):
    takes = {one.name for one in fields(question.request)}
    given = {"text": text, "pair": "Tom slept." if question.name == "sentence_pair" else None}
    given |= {"entities": entities, **OWN.get(question.name, {})}
    return question.request(**{name: given[name] for name in given if name in takes})


def test_only_what_is_measured_or_trained_leaves_them_out(runner):
    without = {
        name
        for name, one in asked_of_text(runner).items()
        if not issubclass(one.request, ReadsEntities)
    }
    assert without == BY_MEASURING | BY_TRAINING
    said = {all_questions()[name].leaves_out_entities for name in without}
    assert len(said) == len(without)
    assert all("entities on the text are left out" in one for one in said)


@pytest.mark.parametrize(
    "name",
    [
        "attention",
        "exact_answers",
        "head_ablation",
        "joint_decoding",
        "layer_similarity",
        "logit_lens",
        "masking_policy",
        "prompt",
        "query_key",
        "surprisal",
        "word_journey",
    ],
)
def test_a_question_answers_otherwise_beside_another_entity(runner, name):
    question = asked_of_text(runner)[name]
    every = ((), (BAKER,), (BUILDER,))
    assert len({to_json(ask(runner, request_of(question, some))) for some in every}) == 3


@pytest.mark.parametrize("name", ["prompt", "masking_policy", "word_journey", "layer_similarity"])
def test_requests_of_before_stay_readable_and_are_written_as_they_were(name):
    question = all_questions()[name]
    request = request_of(question, ())
    written = to_json(request)
    assert "entities" not in written
    assert from_json(question.request, written) == request
    beside = replace(request, entities=(BAKER,))
    assert from_json(question.request, to_json(beside)) == beside


def test_a_sentence_of_a_text_keeps_its_own_entities(runner):
    question = all_questions()["word_journey"]
    text = "Anna used a tray. Tom slept. Anna used a tray."
    second = text.rindex("Anna")

    def states(entities):
        request = replace(request_of(question, entities, text), word="Anna")
        return ask(runner, request).coordinates

    def apart(coordinates, layer=-4):  # the last layer; means and sums of layers come behind it
        words = coordinates[layer]
        return abs(words[0] - words[-4]).max()

    alike = (BAKER, replace(BAKER, start=second, end=second + 4))
    differing = (BAKER, replace(BUILDER, start=second, end=second + 4))
    assert apart(states(())) < 1e-4
    assert apart(states(alike)) < 1e-4
    assert apart(states(differing)) > 1e-2


def test_what_is_asked_of_no_text_takes_none_along():
    question = all_questions()["layer_similarity"]
    document = Document(TEXT).with_entity(BAKER)
    assert question.request_of(document).entities == ()
