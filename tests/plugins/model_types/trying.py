"""One model type: made, opened as the program opens it, asked everything, set against transformers.

Whatever is raised that is no refusal in words is a fault of the program.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from explorer.api.family import (
    BidirectionalPredictor,
    Context,
    ExplorerError,
    LoadOptions,
    Predictor,
    UserMistake,
)
from explorer.api.question import Blame
from explorer.document import Mask
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.conformance.answering import answers_of
from explorer.engine.plugins.conformance.asking import SLOT
from explorer.engine.plugins.conformance.fault import told
from explorer.engine.runner import Runner
from explorer.hf import NOT_THEIRS
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.text import said
from tests.hf import tiny
from tests.plugins.model_types.making import save_small, usual_config

TEXT = "the cat sat on the mat"
WORD = Mask(8, 11)
EVERY_PIECE = 10**6


@dataclass(frozen=True)
class TriedType:
    """What came of a model type.

    Attributes:
        kind: The model_type.
        title: What opened it, as the library has it.
        saved: The class that was saved; "" where none was made.
        ports: Names of the ports it has.
        refused: Why others that such a model could have are not there, in sentences, by port.
        off: How far at most a number is from transformers' own forward; None where nothing was
            compared.
        answered: How many questions it answered.
        problem: Why it is not opened, in words; "" where it is.
        faults: What ended otherwise than in words.
    """

    kind: str
    title: str = ""
    saved: str = ""
    ports: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    off: float | None = None
    answered: int = 0
    problem: str = ""
    faults: tuple[str, ...] = ()


def try_type(kind: str, place: Path) -> TriedType:
    """Make, open and ask one.

    Args:
        kind: A model_type of transformers.
        place: An empty folder.
    """
    if reads_more_than_text(kind):
        return TriedType(kind, problem="its config describes more than a model of text")
    try:
        folder = place / "checkpoint"
        module = save_small(folder, kind)
    except Exception as error:  # noqa: BLE001 - transformers can raise anything
        return TriedType(kind, problem=f"not made: {told(error)}")
    saved = type(module).__name__
    families = tiny.families()
    catalogue = Catalogue(families, place / "none", place / "none", offline=True)
    runner = Runner(families, catalogue)
    try:
        row = catalogue.find(str(folder))
        if row.problem:
            return TriedType(kind, saved=saved, problem=said(row.problem))
        runner.load(SLOT, str(folder), LoadOptions(device="cpu"), Context())
    except ExplorerError as error:
        fault = () if error.blame is Blame.USER else (f"load: {error.message}",)
        return TriedType(kind, saved=saved, problem=error.message, faults=fault)
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        return TriedType(kind, saved=saved, faults=(f"load: {told(error)}",))
    model = runner.models[SLOT]
    answers, findings = answers_of(runner, kind, place)
    faults = [f"{one.check}: {one.message}" for one in findings if one.failed]
    measured = [
        one.margin.off
        for one in runner.proved[SLOT]
        if one.margin.off is not None and not one.margin.wrong
    ]
    try:
        measured += list(_distances(model, module))
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        faults.append(f"against transformers: {told(error)}")
    return TriedType(
        kind,
        title=said(row.architecture).partition(" · ")[0],
        saved=saved,
        ports=tuple(sorted(port.__name__ for port in model.ports)),
        refused={
            port.__name__: said(why)
            for port, why in sorted(model.refused.items(), key=lambda one: one[0].__name__)
            if port not in model.ports and why != NOT_THEIRS.get(port)
        },
        off=max(measured, default=None),
        answered=len(answers),
        faults=tuple(faults),
    )


def _distances(model: Any, module: Any) -> Iterator[float]:
    """The largest differences of a probability at one place from the class's own forward."""
    import torch

    if Predictor not in model.ports:
        return
    try:
        answer = tiny.ask(model, MaskedTokensRequest(TEXT, masks=(WORD,), top_k=EVERY_PIECE))
    except UserMistake:
        return
    ids = [token.id for token in answer.tokens]
    for mask in answer.masks:
        left = BidirectionalPredictor not in model.ports
        read = ids[: mask.position] if left else ids
        with torch.inference_mode():
            logits = module(input_ids=torch.tensor([read])).logits[0]
        row = logits[-1 if left else mask.position].double().softmax(-1).numpy()
        given = np.full(len(row), np.nan)
        for one in mask.predictions:
            given[one.id] = one.probability
        yield float(np.nanmax(np.abs(given - row)))


def reads_more_than_text(kind: str) -> bool:
    """Whether its config nests others, as of models that see or hear."""
    nested = {"text_config", "vision_config", "audio_config", "encoder"}
    return bool(nested & set(usual_config(kind).to_dict()))
