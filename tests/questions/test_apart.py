"""A question takes of another one what is named here, and nothing else of its insides.

What more than two need moves to a room of its own, as have the words at masks
(`explorer/hf/predict/masked_text.py`) and the exact answer beside a model's
(`explorer/exact_answers/`).
"""

from pathlib import Path

from tests.source_facts import facts_of

QUESTIONS = Path(__file__).resolve().parents[2] / "explorer/questions"

OFFERED = {
    "attention.attention.entity_stack": "heads between a text and its entities",
    "cause.edits.places": "places of words that are exchanged",
    "detection.replaced_tokens.question": "one draw, of which many draws are made",
    "distillation.soft_targets.rows": "which of their classes are told",
    "distillation.soft_targets.scored": "two distributions compared",
    "distillation.soft_targets.settings": "which model teaches",
    "distillation.soft_targets.targets": "soft targets, which losses are made of",
    "generation.continuation.compute": "a text that is begun",
    "generation.continuation.question": "a continuation, asked again with examples",
    "layers.logit_lens.question": "what both lenses share",
    "layers.probe.compute": "how a probe's features are standardised",
    "layers.probe.question": "the labels of words",
    "layers.probe.regression": "a linear probe",
    "layers.probe.splits": "halves of texts",
    "layers.probe.texts": "texts whose words have labels",
    "learning.training_curves.charts": "which curves share a chart",
    "masking.joint_decoding.compute": "masks between kept words",
    "masking.masked_tokens.question": "the answer that others are held against",
    "pairs.answer_span.compute": "an answer in a passage",
    "pairs.answer_span.question": "its spans",
    "pairs.sentence_pair.wording": "what classes of pairs are called",
    "pairs.token_labels.question": "the label of what has none",
    "tokenizers.side_by_side.compute": "a text that is cut",
    "tokenizers.side_by_side.parts": "its pieces in numbers",
    "tokenizers.side_by_side.question": "tokenizers to choose from",
}
"""Modules of questions that others import, and what for."""


def test_questions_take_nothing_else_of_each_other():
    modules = {path.relative_to(QUESTIONS).with_suffix("").parts for path in _sources()}
    taken = {}
    for path in _sources():
        own = path.relative_to(QUESTIONS).parts[:2]
        for one in facts_of(path).imports:
            for name in one.names:
                parts = tuple(name.split(".")[2:]) if name.startswith("explorer.questions.") else ()
                module = parts if parts in modules else parts[:-1]
                if module in modules and module[:2] != own and len(module) > 2:
                    taken.setdefault(".".join(module), set()).add("/".join(own))
    assert set(taken) == set(OFFERED), {
        name: users for name, users in taken.items() if name not in OFFERED
    }


def _sources():
    return [path for path in QUESTIONS.rglob("*.py") if len(path.relative_to(QUESTIONS).parts) > 2]
