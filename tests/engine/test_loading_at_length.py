"""Loads that would take very long or more memory than there is: refused early, or stopped."""

import json
import shutil
import struct
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from listening import Listener

from explorer.api.question import Blame
from explorer.document import Document
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.messages import Answer, Ask, Failed, LoadModel, Progress, Stopped, Unload
from explorer.engine.process.client import EngineProcess
from explorer.paths import Paths
from explorer.questions.architecture.architecture.question import ArchitectureRequest
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests import warm_engine

MAPPABLE = psutil.virtual_memory().total * 2 // 3
"""Bytes of a file that the system agrees to map, though it could not hold them."""

HASHED_A_SECOND = 1_500_000_000
"""Bytes, at most."""

QUESTION = MaskedTokensRequest.of(Document("The teacher reads a [MASK] in the library .", top_k=5))
SOON = 15.0
"""Seconds within which a cancelled or refused load has ended, on a busy machine too."""


def memory_of(engine: EngineProcess) -> int:
    return int(psutil.Process(engine.pid).memory_info().rss)


@contextmanager
def started(folder: Path) -> Iterator[tuple[EngineProcess, Listener]]:
    """The real one, with a model in slot B."""
    running = EngineProcess(EngineConfiguration.of(Paths.profile(folder), threads=1))
    listener = Listener()
    with closing(running):
        with pytest.MonkeyPatch.context() as patch:
            warm_engine.use(patch)
            running.start(listener)
            number = running.submit("load:B", LoadModel("B", "bert-miniature"))
            loaded = listener.end_of("load:B", number)
        assert isinstance(loaded, Answer), loaded
        yield running, listener


@pytest.fixture(scope="module")
def shared(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[EngineProcess, Listener, int]]:
    """One for all tests that leave it as it was, and the bytes it held at first."""
    with started(tmp_path_factory.mktemp("profile")) as (running, listener):
        yield running, listener, memory_of(running)


@pytest.fixture
def engine(shared: tuple[EngineProcess, Listener, int]) -> tuple[EngineProcess, Listener]:
    return shared[:2]


@pytest.fixture
def own_engine(tmp_path: Path) -> Iterator[tuple[EngineProcess, Listener]]:
    """One whose memory nothing else has used before."""
    with started(tmp_path / "profile") as own:
        yield own


@pytest.fixture
def copied(paths: Paths, tmp_path: Path) -> Callable[..., Path]:
    """Copies a miniature, with other values in its config."""

    def copy(name: str, **values: Any) -> Path:
        folder = tmp_path / f"changed-{name}"
        shutil.copytree(Path(paths.bundled_models) / name, folder)
        config = json.loads((folder / "config.json").read_text("utf-8"))
        (folder / "config.json").write_text(json.dumps({**config, **values}), "utf-8")
        return folder

    return copy


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("bert-miniature", {"num_hidden_layers": 10_000}),
        ("bert-miniature", {"num_hidden_layers": 10**9}),
        ("bert-miniature", {"intermediate_size": 10**8}),
        ("gpt2-miniature", {"n_layer": 100_000}),
        ("t5-miniature", {"num_decoder_layers": 100_000}),
        ("mobilebert-miniature", {"num_feedforward_networks": 100_000}),
    ],
)
def test_a_config_far_larger_than_its_weights_is_refused_early(
    shared: tuple[Any, Any, int], copied: Callable[..., Path], name: str, values: dict[str, int]
) -> None:
    running, listener, before = shared
    folder = copied(name, **values)
    for lane, request in (
        ("load:A", LoadModel("A", str(folder))),
        ("view:architecture", Ask(ArchitectureRequest(str(folder)), {})),
    ):
        failed = listener.end_of(lane, running.submit(lane, request), timeout=SOON)
        assert isinstance(failed, Failed), failed
        assert failed.failure.blame is Blame.CHECKPOINT
        assert "far too large" in failed.failure.message
        assert "the files hold" in failed.failure.message
        assert "config.json" in failed.failure.hint
    assert memory_of(running) - before < 400_000_000
    answer = listener.end_of("view", running.submit("view", Ask(QUESTION, {"model": "B"})))
    assert isinstance(answer, Answer)


def test_the_anatomy_of_a_config_alone_can_be_cancelled_and_has_an_end(
    engine: tuple[Any, Any], copied: Callable[..., Path]
) -> None:
    running, listener = engine
    folder = copied("bert-miniature", num_hidden_layers=10**7)
    (folder / "model.safetensors").unlink()
    question = Ask(ArchitectureRequest(str(folder / "config.json")), {})
    number = running.submit("view:architecture", question)
    lane = "view:architecture"
    listener.wait_for(Progress, lambda event: (event.lane, event.number) == (lane, number))
    running.cancel("view:architecture")
    assert isinstance(listener.end_of("view:architecture", number, timeout=SOON), Stopped)
    failed = listener.end_of("view:architecture", running.submit("view:architecture", question))
    assert isinstance(failed, Failed)
    assert "10,000,000 layers" in failed.failure.message


def test_a_load_is_cancelled_while_its_files_are_hashed(
    engine: tuple[Any, Any], copied: Callable[..., Path]
) -> None:
    running, listener = engine
    folder = copied("bert-miniature")
    # What has no room is refused before it is hashed, and other programs may have taken some.
    size = min(MAPPABLE, psutil.virtual_memory().available * 3 // 4)
    append_tensor(folder / "model.safetensors", size)
    number = running.submit("load:A", LoadModel("A", str(folder)))
    begun = ("load:A", number, "making the model")
    listener.wait_for(Progress, lambda e: (e.lane, e.number, e.stage) == begun)
    running.cancel("load:A")
    hashed = size / HASHED_A_SECOND
    assert isinstance(listener.end_of("load:A", number, timeout=hashed / 2), Stopped)


def test_a_load_that_fails_does_not_wait_for_the_hash(
    engine: tuple[Any, Any], copied: Callable[..., Path]
) -> None:
    running, listener = engine
    folder = copied("bert-miniature")
    fits = psutil.virtual_memory().available // 2
    append_tensor(folder / "model.safetensors", fits)
    (folder / "tokenizer.json").write_text("{", encoding="utf-8")
    number = running.submit("load:A", LoadModel("A", str(folder)))
    failed = listener.end_of("load:A", number, timeout=fits / HASHED_A_SECOND)
    assert isinstance(failed, Failed)
    assert "tokenizer" in failed.failure.message


def test_unloading_gives_the_memory_of_the_attention_back(
    own_engine: tuple[Any, Any], paths: Paths, tmp_path: Path
) -> None:
    running, listener = own_engine
    folder = tmp_path / "many-heads"
    write_many_heads(Path(paths.bundled_models) / "bert-miniature", folder)
    loaded = listener.end_of("load:A", running.submit("load:A", LoadModel("A", str(folder))))
    assert isinstance(loaded, Answer), loaded
    before = memory_of(running)
    for number in range(5):
        text = " ".join(["teacher"] * (480 + number))
        asked = running.submit("view", Ask(AttentionRequest.of(Document(text))))
        assert isinstance(listener.end_of("view", asked), Answer)
    kept = memory_of(running) - before
    assert kept > 200_000_000, "nothing is kept any more: this test shows nothing"
    listener.end_of("unload", running.submit("unload", Unload("A")))
    assert memory_of(running) - before < kept / 3


def append_tensor(path: Path, size: int, dtype: str = "U8") -> None:
    """Add a tensor of so many zero bytes to a safetensors file; it takes no room on the disk."""
    size -= size % 4
    content = path.read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
    header["bulk"] = {
        "dtype": dtype,
        "shape": [size // 4 if dtype == "F32" else size],
        "data_offsets": [len(data), len(data) + size],
    }
    written = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(written)) + written + data)
        file.truncate(8 + len(written) + len(data) + size)


def write_many_heads(source: Path, folder: Path) -> None:
    """A random BERT whose attention to a long text is large: 3 layers of 32 heads."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    shutil.copytree(source, folder)
    config = json.loads((source / "config.json").read_text("utf-8"))
    torch.manual_seed(0)
    module = BertForMaskedLM(
        BertConfig(
            vocab_size=config["vocab_size"],
            hidden_size=64,
            num_hidden_layers=3,
            num_attention_heads=32,
            intermediate_size=64,
            max_position_embeddings=512,
        )
    )
    module.save_pretrained(folder)
    settings = folder / "tokenizer_config.json"
    changed = {**json.loads(settings.read_text("utf-8")), "model_max_length": 512}
    settings.write_text(json.dumps(changed), encoding="utf-8")


@pytest.mark.skipif(MAPPABLE > 200_000_000_000, reason="there is memory for it")
def test_a_file_larger_than_the_memory_is_the_machines_limit(
    engine: tuple[Any, Any], copied: Callable[..., Path]
) -> None:
    running, listener = engine
    folder = copied("bert-miniature")
    append_tensor(folder / "model.safetensors", 400_000_000_000)
    number = running.submit("load:A", LoadModel("A", str(folder)))
    failed = listener.end_of("load:A", number, timeout=SOON)
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.MACHINE
    assert "not enough memory" in failed.failure.message
