"""What a plugin's family is good for: the questions that its models can be asked."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from explorer.api.family import Files
from explorer.api.question import Question
from explorer.engine.plugins.plugin import Plugin
from explorer.questions import all_questions, answered_with

HEADS = frozenset(
    {
        *("masked_lm", "next_token", "replaced_token", "next_sentence", "sentence_order"),
        *("classifier", "multiple_choice", "token_classifier", "span_extractor"),
    }
)
"""Names of heads that families have in common (docs/plugins.md)."""


def asked_of(plugin: Plugin, answered: Collection[str]) -> tuple[str, ...]:
    """Titles of the questions that need ports and that some model of a plugin's family answers.

    It is what the family says of the ports that come with its heads: no model is loaded.

    Args:
        plugin: Whose family.
        answered: Names of what checkpoints that are here answer, with all that lies beside them.
    """
    family, manifest = plugin.family, plugin.manifest
    if family is None or manifest is None:
        return ()
    try:
        config = {"model_type": next(iter(manifest.model_types), "")}
        nothing = Files(Path(), "", config, {}, (), False, (), 0)
        heads = {*HEADS, *(head for one in manifest.published for head in one.heads)}
        heads.update(head.name for head in family.heads(nothing))
        ports = family.offers(nothing) | family.offers_with(heads)
        names = {*answered, *answered_with(ports)}
        return tuple(one.title for one in needing_ports() if one.name in names)
    except Exception:  # noqa: BLE001 - a plugin's code; it is told of where it is asked in earnest
        return ()


def needing_ports() -> Iterator[Question[Any, Any]]:
    """The questions that some models can't be asked; the others need no model, or take any."""
    return (one for one in all_questions().values() if one.first_needs)
