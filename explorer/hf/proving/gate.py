"""The gate: what a plugin says of a loaded model is tried, and what is not so is no longer offered.

A plugin states where queries and keys are, how many layers and heads there are, what leaves a
layer, what a tensor is for. Nobody can see from a page whether that is so, and a number that is
wrong looks like any other. So every model is let read a few tokens when it is loaded, whoever's
plugin it is; what fails is taken away, and the model says by how much it was off.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from explorer.api.errors import is_out_of_memory
from explorer.api.family import Cancelled, ExplorerError, LoadedModel
from explorer.hf.proving.claim import ArchitectureClaim, Margin
from explorer.hf.proving.claims import CLAIMS
from explorer.hf.proving.trial import ModelTrial
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class ProvedFacts:
    """A claim that was tried."""

    claim: ArchitectureClaim
    margin: Margin


def keep_proved(model: LoadedModel, *, guessed: bool = False) -> tuple[ProvedFacts, ...]:
    """Take away what is said of a model and is not so, whichever plugin it comes from.

    Layers that are fetched from a disk are not run for that: it would take as long as a question.

    Args:
        model: As its family loaded it.
        guessed: Its family guesses: claims are tried that take runs of their own too.

    Returns:
        Every claim that was tried.
    """
    if model.stamp.is_offloaded:
        return ()
    return prove(model, [one for one in CLAIMS if guessed or not one.dear])


def guesses(family: Any) -> bool:
    """Whether a family guesses what its models are like, as one does for whatever comes."""
    return bool(getattr(family, "guesses", False))


def prove(model: LoadedModel, claims: Iterable[ArchitectureClaim]) -> tuple[ProvedFacts, ...]:
    """Try claims, and take away the ports of those that are wrong."""
    trial, found = ModelTrial(model), list[ProvedFacts]()
    refused: dict[type, str] = {}
    for claim in claims:
        if claim.kinds[0] not in model.ports:
            continue
        margin = _tried(claim, trial)
        if margin is None:
            continue
        found.append(ProvedFacts(claim, margin))
        if margin.instead is not None:
            model.ports[claim.kinds[0]] = margin.instead
            continue
        for kind in claim.kinds if margin.wrong else ():
            if model.ports.pop(kind, None) is not None:
                refused[kind] = margin.wrong
    if refused:
        model.refused = {**model.refused, **refused}
    return tuple(found)


def _tried(claim: ArchitectureClaim, trial: ModelTrial) -> Margin | None:
    """What comes of a claim; one that raises is wrong."""
    try:
        return claim.proof(trial)
    except Cancelled:
        raise
    except ExplorerError as error:
        return Margin(wrong=error.problem)
    except Exception as error:
        if is_out_of_memory(error):
            raise
        base = type(trial.model.module.base_model).__name__
        if isinstance(error, TypeError) and f"{base}.forward() missing" in str(error):
            return Margin(wrong=N_("Its class reads other inputs than the tokens of a text."))
        told = str(error).strip().splitlines()
        return Margin(
            wrong=Phrase(
                N_("It failed when it was tried ({error})."),
                error=told[0][:160] if told else type(error).__name__,
            )
        )
