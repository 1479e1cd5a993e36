"""A checkpoint of several files, larger than the memory that the system leaves the process."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hf import tiny

resource = pytest.importorskip("resource", reason="Windows has no limit of this kind")
if not sys.platform.startswith("linux"):
    pytest.skip("only Linux counts what a process may write to", allow_module_level=True)

ROOT = Path(__file__).resolve().parents[3]
LAYERS, WIDTH = 16, 512
LEFT = 120_000_000
"""Bytes that the process may still write to; the weights take 210 million as float32."""


def write_layer_by_layer(folder: Path) -> int:
    """A BERT as it is published, in float16, two layers a file; no more of it is in memory.

    Returns:
        Bytes of the weights as float32.
    """
    import torch
    from safetensors.torch import save_file

    config = tiny.bert_config(
        hidden_size=WIDTH, num_hidden_layers=LAYERS, intermediate_size=4 * WIDTH
    )
    config.architectures = ["BertForMaskedLM"]
    folder.mkdir()
    config.save_pretrained(folder)
    tiny.bert_tokenizer().save_pretrained(folder)
    one = tiny.bert_module(
        "BertForMaskedLM", hidden_size=WIDTH, num_hidden_layers=1, intermediate_size=4 * WIDTH
    )
    layer, rest = {}, {}
    for name, tensor in one.state_dict().items():
        if name.startswith("bert.encoder.layer.0."):
            layer[name.removeprefix("bert.encoder.layer.0.")] = tensor
        elif "decoder" not in name:  # tied
            rest[name] = tensor.half()
    names, numbers = {}, sum(tensor.numel() for tensor in rest.values())
    for number in range(0, LAYERS, 2):
        generator = torch.Generator().manual_seed(number)
        # Norms and biases differ as well, so that a layer in another's place would show.
        tensors = {
            f"bert.encoder.layer.{number + n}.{name}": (
                tensor * 0.2 + torch.randn(tensor.shape, generator=generator) * 0.02
            ).half()
            for n in (0, 1)
            for name, tensor in layer.items()
        }
        tensors |= rest if not number else {}
        numbers += sum(tensor.numel() for name, tensor in tensors.items() if name not in rest)
        file = f"model-{number // 2 + 1:05d}-of-{LAYERS // 2:05d}.safetensors"
        save_file(tensors, folder / file, metadata={"format": "pt"})
        names |= dict.fromkeys(tensors, file)
    index = {"metadata": {"total_size": numbers * 2}, "weight_map": names}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    return numbers * 4


CODE = """
import gc, json, resource, sys
from pathlib import Path
import accelerate, numpy, psutil, torch
from explorer.api.family import Attentions, Context, LoadOptions, NeedsRoom
from explorer.api.family import HiddenStates, Predictor, Query
from tests.hf import tiny

if __name__ == "__main__":
    torch.set_num_threads(1)
    folder, warm, cache = map(Path, sys.argv[1:4])
    context = Context(cache=cache)
    told = {}

    def load(folder, **options):
        from explorer.engine.library.inspection import inspect_folder
        files = inspect_folder(folder)
        family, _ = tiny.families().family_of(files)
        return family.load(str(folder), files, LoadOptions(**options), context)

    def answers(model):
        encoded = model.encode("the cat sat on the [MASK]")
        query = Query(encoded, encoded.mask_positions)
        rows, = model.port(Predictor).log_probabilities([query], context)
        seen = model.port(Attentions).capture(encoded, context)
        states, = model.port(HiddenStates).states([encoded], context)
        stacks = [numpy.stack(one.weights) for one in seen.values()]
        return [rows.numpy(), states.float().numpy(), *stacks]

    answers(load(warm, device="offload"))  # what libraries keep for good
    before = resource.getrlimit(resource.RLIMIT_DATA)
    limit = psutil.Process().memory_info().data + int(sys.argv[4])
    resource.setrlimit(resource.RLIMIT_DATA, (limit, before[1]))
    try:
        load(folder, device="cpu")
    except NeedsRoom as refused:
        told["refused"], told["fitting"] = refused.message, refused.values["fitting"]
    model = load(folder, device="offload")
    told["stamp"] = [model.stamp.device, model.stamp.dtype]
    offloaded = answers(model)
    told["kept"] = len(list(cache.glob("offload/*/*.safetensors")))
    del model
    gc.collect()
    told["left"] = len(list(cache.glob("offload/*")))
    resource.setrlimit(resource.RLIMIT_DATA, before)
    whole = load(folder, device="cpu")
    told["in memory"] = sum(p.numel() * p.element_size() for p in whole.module.parameters())
    told["shapes"] = [list(one.shape) for one in offloaded]
    told["off"] = [float(abs(a - b).max()) for a, b in zip(offloaded, answers(whole), strict=True)]
    print(json.dumps(told))
"""


def test_a_checkpoint_larger_than_memory_answers_as_in_memory(tmp_path: Path) -> None:
    size = write_layer_by_layer(tmp_path / "large")
    assert size > LEFT * 1.5
    code = tmp_path / "larger.py"
    code.write_text(CODE, encoding="utf-8")
    given = (tmp_path / "large", tiny.save_bert(tmp_path / "warm"), tmp_path / "cache", LEFT)
    ended = subprocess.run(
        [sys.executable, str(code), *map(str, given)],
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    told = json.loads(ended.stdout.splitlines()[-1])
    assert "not enough memory for large" in told["refused"]
    assert told["fitting"].endswith("offload")
    assert told["stamp"] == ["cpu + disk", "float32"]
    assert told["kept"] > LAYERS
    assert told["left"] == 0, "the folder goes with the model"
    assert told["in memory"] == size
    rows, states, attentions = told["shapes"]
    assert rows[0] == 1
    assert states[0] == LAYERS + 1
    assert attentions[0] == LAYERS
    assert max(told["off"]) <= 1e-5, told["off"]
