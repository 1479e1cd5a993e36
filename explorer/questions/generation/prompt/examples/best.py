"""What the best learner of the small world's prompts answers, where a prompt is one of these."""

from collections.abc import Callable, Mapping, Sequence

from explorer.questions.generation.prompt.examples.template import Template
from explorer.world.tasks.prompts import KINDS, best_answers, kind_of

Pairs = Sequence[tuple[str, str]]
Learner = Callable[[Pairs, str], Mapping[str, float]]
"""From examples and a question to probabilities of answers; none where it knows no such prompt."""


def learner(template: Template) -> Learner:
    """The best learner that reads what a template says before the first example."""

    def answers(examples: Pairs, question: str) -> Mapping[str, float]:
        return best_answers_to(template, examples, question)

    return answers


def best_answers_to(template: Template, examples: Pairs, question: str) -> Mapping[str, float]:
    """What it answers; none where the prompt is none of the small world's."""
    kind = kind_of(question)
    if kind is None or any(kind_of(word) is None for word, _ in examples):
        return {}
    named: str | None = None
    if template.description:
        known = {f"{one.name}: {name}.": (one, name) for one in KINDS for name in one.relations}
        if template.description not in known:
            return {}
        told, name = known[template.description]
        named = name if told is kind else None
    return best_answers(examples, question, named)
