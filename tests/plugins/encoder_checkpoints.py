"""Tiny checkpoints of the encoder families in their published layouts, and questions to them."""

import json
import shutil
from pathlib import Path
from typing import Any

from explorer.api.family import Context, LoadOptions
from explorer.document import Mask
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.questions.masking.masked_tokens.question import (
    MaskedTokensRequest,
    MaskedTokensResult,
)
from tests.hf import tiny

ROOT = Path(__file__).resolve().parents[2]
CPU = LoadOptions(device="cpu")
ONE = "the cat [MASK] on the mat"
SEVERAL = "[MASK] cat sat [MASK] the [MASK]."


def families() -> PluginHost:
    """The program's own plugins, all of them."""
    return tiny.families()


def runner(host: PluginHost | None = None) -> Runner:
    """A runner that knows no other checkpoints."""
    host = host or families()
    nowhere = ROOT / "tests" / "nowhere"
    return Runner(host, Catalogue(host, nowhere, nowhere))


def row(folder: Path) -> Any:
    """What the library shows of a folder."""
    nowhere = ROOT / "tests" / "nowhere"
    return Catalogue(families(), nowhere, nowhere).find(str(folder))


def loaded(folder: Path, **options: Any) -> Runner:
    """A runner with the folder's model in slot A."""
    made = runner()
    made.load("A", str(folder), LoadOptions(**{"device": "cpu", **options}), Context())
    return made


def fill(
    answering: Runner, text: str, *masks: tuple[int, int], **fields: Any
) -> MaskedTokensResult:
    """Fill masks; all pieces of the vocabulary come back."""
    ranges = tuple(Mask(start, end) for start, end in masks)
    request = MaskedTokensRequest(text, masks=ranges, **{"top_k": 10**6, **fields})
    result: MaskedTokensResult = answering.ask(request, {"model": "A"}, Context())
    return result


def ids(result: MaskedTokensResult) -> list[int]:
    return [token.id for token in result.tokens]


def agree(result: MaskedTokensResult, logits: Any, tolerance: float = 1e-4) -> None:
    """Every probability at every mask against the softmax of logits (tokens x vocabulary)."""
    import torch

    assert result.masks
    for mask in result.masks:
        expected = torch.softmax(logits[mask.position].double(), dim=-1)
        given = torch.full_like(expected, float("nan"))
        for one in mask.predictions:
            given[one.id] = one.probability
        assert float((given - expected).abs().max()) < tolerance  # NaN fails too
        assert float(expected.max()) > 2 / len(expected)  # otherwise anything would agree


def plain_logits(class_name: str, folder: Path, result: MaskedTokensResult, **inputs: Any) -> Any:
    """transformers' own class on the same ids: logits (tokens x vocabulary)."""
    import torch
    import transformers

    from explorer.hf.loading.checkpoint import quiet_transformers

    quiet_transformers()
    module = getattr(transformers, class_name).from_pretrained(str(folder), local_files_only=True)
    with torch.inference_mode():
        answer = module.eval()(input_ids=torch.tensor([ids(result)]), **inputs)
    return (answer.logits if hasattr(answer, "logits") else answer.prediction_logits)[0]


def state(folder: Path) -> dict[str, Any]:
    """A checkpoint's tensors by name."""
    from safetensors.torch import load_file

    return dict(load_file(folder / "model.safetensors"))


def changed(folder: Path, to: Path, weights: dict[str, Any] | None = None, **config: Any) -> Path:
    """A copy with other weights or config values; a value of None takes the key away."""
    from safetensors.torch import save_file

    shutil.copytree(folder, to)
    if weights is not None:
        save_file(weights, to / "model.safetensors", metadata={"format": "pt"})
    path = to / "config.json"
    content = {**json.loads(path.read_text("utf-8")), **config}
    content = {key: value for key, value in content.items() if value is not None}
    path.write_text(json.dumps(content), encoding="utf-8")
    return to


def claim(folder: Path) -> tuple[str, int, str]:
    """Which family takes a folder, with which score, and why."""
    family, recognition = families().family_of(inspect_folder(folder))
    assert family.id == recognition.family
    return family.id, recognition.score, recognition.reason


def published(family: str) -> list[Any]:
    return [one for name, one in families().published if name == family]


def counted(module_class: Any, config: Any, **options: Any) -> int:
    """Parameters of a class on the meta device, tied ones once."""
    import torch

    with torch.device("meta"):
        module = module_class(config, **options)
    module.tie_weights()
    return sum({id(p): p.numel() for p in module.parameters()}.values())
