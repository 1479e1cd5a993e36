"""One model type: made, opened as the program opens it, asked everything, set against transformers.

Whatever is raised that is no refusal in words is a fault of the program.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from explorer.api.family import Context, ExplorerError, LoadOptions
from explorer.api.question import Blame
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.conformance.answering import answers_of
from explorer.engine.plugins.conformance.asking import SLOT
from explorer.engine.plugins.conformance.fault import told
from explorer.engine.runner import Runner
from explorer.hf import NOT_THEIRS
from explorer.text import said
from plugins.auto.known import NESTED
from tests.hf import tiny
from tests.plugins.model_types.comparing import distances
from tests.plugins.model_types.making import save_small, usual_config

CLOSE = 1e-4
"""How far a probability, a share of attention or a state's share of the largest may be off."""


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
    folder = place / "checkpoint"
    if nests_models(kind):
        return TriedType(kind, problem=_refused_type(kind, folder))
    try:
        module = save_small(folder, kind)
    except Exception as error:  # noqa: BLE001 - transformers can raise anything
        return TriedType(kind, problem=f"not made: {one_line(error)}")
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
    measured: list[float] = []
    try:
        measured += list(distances(model, module, folder))
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        faults.append(f"against transformers: {told(error)}")
    else:
        if measured and not max(measured) < CLOSE:
            faults.append(f"it is off by {max(measured):.1g} from transformers' own forward")
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


def one_line(error: Exception) -> str:
    """What was raised, for a cell of a table."""
    return " ".join(told(error).split()).replace("|", "/")


def _refused_type(kind: str, folder: Path) -> str:
    """What the library says of a folder with the config of such models."""
    folder.mkdir()
    text = json.dumps({**usual_config(kind).to_dict(), "model_type": kind}, default=str)
    (folder / "config.json").write_text(text, "utf-8")
    nowhere = folder / "none"
    return said(
        Catalogue(tiny.families(), nowhere, nowhere, offline=True).find(str(folder)).problem
    )


def nests_models(kind: str) -> bool:
    """Whether its config describes several models, as of those that see or hear."""
    return bool(NESTED & set(usual_config(kind).to_dict()))
