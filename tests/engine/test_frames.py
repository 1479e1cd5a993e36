"""Another frame's weights in the module that is loaded: the same as loading that frame."""

from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from explorer.api.family import CheckpointFault, Context, LoadOptions, Mask
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.hf import kept as kept_work
from explorer.hf.kept import kept
from explorer.paths import Paths
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.series.moments import damage, frames_of, trained

CPU = LoadOptions(device="cpu")
PATHS = Paths.standard()
TEXT = "The chef cooked the meal."


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost(PATHS.bundled_plugins, None)


@pytest.fixture
def runner(host: PluginHost, tmp_path: Path) -> Runner:
    return Runner(host, Catalogue(host, PATHS.bundled_models, tmp_path / "hub"))


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return frames_of("bert-miniature", tmp_path_factory.mktemp("run"), (10, 100, 1000))


def load(runner: Runner, frame: Path, slot: str = "A", options: LoadOptions = CPU) -> Any:
    return runner.load(slot, str(frame), options, Context())


def numbers(runner: Runner, slot: str) -> dict[str, Any]:
    module = runner.models[slot].module
    return {**module.state_dict(), **dict(module.named_buffers())}


def answer(runner: Runner, slot: str = "A", context: Context | None = None) -> Any:
    at = TEXT.index("cooked")
    request = MaskedTokensRequest(text=TEXT, masks=(Mask(at, at + len("cooked")),))
    return runner.ask(request, {"model": slot}, context or Context())


def answered_by(model: Any) -> set[Any]:
    """Who the model's own ports say that they are."""
    inside = [getattr(port, "_model", None) for port in model.ports.values()]
    return {one.stamp for one in inside if one is not None}


@pytest.mark.parametrize(
    "miniature",
    [
        "albert-miniature",
        "bert-miniature",
        "deberta-v3-miniature",
        "electra-miniature-discriminator",
        "gpt2-miniature",
        "roberta-miniature",
        "spanbert-miniature",
        "t5-miniature",
        "tinybert-miniature",
        "xlm-miniature",
    ],
)
def test_a_frame_is_what_loading_it_gives(runner: Runner, tmp_path: Path, miniature: str) -> None:
    import torch

    run = frames_of(miniature, tmp_path / "run", (10, 1000))
    load(runner, run / "checkpoint-10")
    module, ports = runner.models["A"].module, dict(runner.models["A"].ports)
    places = [one.data_ptr() for one in module.parameters()]
    shown = load(runner, run / "checkpoint-1000")
    fresh = load(runner, run / "checkpoint-1000", "B")
    assert runner.models["A"].module is module
    assert runner.models["A"].ports == ports
    assert [one.data_ptr() for one in module.parameters()] == places
    assert shown.stamp == fresh.stamp == runner.models["A"].stamp
    assert answered_by(runner.models["A"]) == {shown.stamp}
    assert (shown.title, shown.folder) == (fresh.title, fresh.folder)
    assert shown.report == fresh.report
    one, other = numbers(runner, "A"), numbers(runner, "B")
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_its_answer_is_that_of_from_pretrained_of_a_trainers_folder(
    runner: Runner, tmp_path: Path
) -> None:
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    run = trained(tmp_path / "run", steps=6, every=2)
    found = {}
    for step in (2, 6, 4):
        card = load(runner, run / f"checkpoint-{step}")
        assert card.stamp.id == str(run / f"checkpoint-{step}")
        (place,) = answer(runner).masks
        found[step] = {one.token: one.probability for one in place.predictions}
    assert len({tuple(one.values()) for one in found.values()}) == 3
    for step, told in found.items():
        folder = run / f"checkpoint-{step}"
        tokenizer = AutoTokenizer.from_pretrained(folder)
        ids = tokenizer(TEXT.replace("cooked", "[MASK]"), return_tensors="pt")
        with torch.no_grad():
            logits = AutoModelForMaskedLM.from_pretrained(folder).eval()(**ids).logits
        at = (ids["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0, 0]
        probabilities = logits[0, at].softmax(-1)
        for token, probability in told.items():
            number = tokenizer.convert_tokens_to_ids(token)
            assert probability == pytest.approx(probabilities[number].item(), abs=1e-5)


def test_both_slots_hold_moments_of_one_series(runner: Runner, series: Path) -> None:
    load(runner, series / "checkpoint-10", "A")
    load(runner, series / "checkpoint-1000", "B")
    before = answer(runner, "B")
    load(runner, series / "checkpoint-100", "A")
    assert answer(runner, "B") == before != answer(runner, "A")
    load(runner, series / "checkpoint-1000", "A")
    assert answer(runner, "A").masks == before.masks


def test_nothing_of_the_frame_before_is_kept(runner: Runner, series: Path) -> None:
    load(runner, series / "checkpoint-10")
    model = runner.models["A"]
    assert kept("a test of frames", lambda: "ten", of=model) == "ten"
    load(runner, series / "checkpoint-100")
    assert not any(key for key in kept_work._results["a test of frames"])
    assert kept("a test of frames", lambda: "hundred", of=model) == "hundred"


def test_memory_stays_flat_over_many_moves(runner: Runner, series: Path) -> None:
    from explorer.engine.process.surroundings import resident_bytes

    steps = (10, 100, 1000)
    for step in steps * 5:
        load(runner, series / f"checkpoint-{step}")
    module, before = runner.models["A"].module, resident_bytes()
    for number in range(200):
        load(runner, series / f"checkpoint-{steps[number % 3]}")
    assert runner.models["A"].module is module
    assert resident_bytes() - before < 4_000_000


def test_a_damaged_frame_leaves_the_model_as_it_was(
    runner: Runner, tmp_path: Path, host: PluginHost
) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    run = frames_of("bert-miniature", tmp_path / "run", (10, 100, 1000, 10_000))
    damage(run / "checkpoint-100")
    path = run / "checkpoint-1000" / "model.safetensors"
    weights = load_file(path)
    weights["bert.pooler.dense.bias"][0] = torch.nan
    save_file(weights, path, metadata={"format": "pt"})
    card = load(runner, run / "checkpoint-10")
    before = answer(runner)
    for step in (100, 1000):
        with pytest.raises(CheckpointFault):
            load(runner, run / f"checkpoint-{step}")
        assert runner.cards["A"] == card
        assert answer(runner) == before
    assert load(runner, run / "checkpoint-10000").stamp != card.stamp


def test_a_run_that_gave_way_keeps_the_weights_that_it_began_with(
    runner: Runner, series: Path
) -> None:
    load(runner, series / "checkpoint-10")
    module, before = runner.models["A"].module, answer(runner)
    others: list[Any] = []

    def look() -> bool:
        if runner._at_work and not others:
            elsewhere = Thread(target=load, args=(runner, series / "checkpoint-100"))
            elsewhere.start()
            elsewhere.join()
            others.append(runner.models["A"].module)
        return False

    assert answer(runner, context=Context(is_cancelled=look)).masks == before.masks
    assert others
    assert others[0] is not module
    assert answer(runner).masks != before.masks


def test_another_config_or_other_options_make_another_model(runner: Runner, tmp_path: Path) -> None:
    run = frames_of("bert-miniature", tmp_path / "run", (10, 100, 1000))
    config = run / "checkpoint-100" / "config.json"
    config.write_text(
        config.read_text().replace('"layer_norm_eps": 1e-12', '"layer_norm_eps": 1e-3')
    )
    load(runner, run / "checkpoint-10")
    module = runner.models["A"].module
    load(runner, run / "checkpoint-100")
    assert runner.models["A"].module is not module
    module = runner.models["A"].module
    load(runner, run / "checkpoint-1000", options=LoadOptions("cpu", "float16"))
    assert runner.models["A"].module is not module
    assert runner.cards["A"].stamp.dtype == "float16"


TWO = {
    "soft_targets": ("teacher", "student"),
    "distillation_losses": ("teacher", "student"),
    "layer_similarity": ("first", "second"),
    "compare_architectures": ("first", "second"),
}
"""Questions about two models, and who plays what in them."""


def compared(runner: Runner, question: str) -> Any:
    """The rows of a question about both slots."""
    from explorer.questions import all_questions

    of, at = all_questions()[question], TEXT.index("cooked")
    document = Document(TEXT, masks=(Mask(at, at + len("cooked")),))
    document = document.with_option("layer_similarity.text", "typed")
    request = of.request_among(document, runner.cards, "A")
    models = dict(zip(TWO[question], "AB", strict=True))
    return of.table(runner.ask(request, models, Context()))


@pytest.mark.parametrize("question", TWO)
def test_before_and_after_are_compared_by_every_page_of_two_models(
    host: PluginHost, runner: Runner, series: Path, tmp_path: Path, question: str
) -> None:
    load(runner, series / "checkpoint-1000", "A")
    load(runner, series / "checkpoint-100", "B")
    far = compared(runner, question)
    module = runner.models["B"].module
    load(runner, series / "checkpoint-10", "B")
    assert runner.models["B"].module is module
    moved = compared(runner, question)
    fresh = Runner(host, Catalogue(host, PATHS.bundled_models, tmp_path / "hub"))
    load(fresh, series / "checkpoint-1000", "A")
    load(fresh, series / "checkpoint-10", "B")
    assert moved == compared(fresh, question)
    # Frames differ in their weights alone, and so all but their architectures.
    assert (far != moved) == (question != "compare_architectures")


def test_a_moment_is_no_different_from_itself(runner: Runner, series: Path) -> None:
    for slot in "AB":
        load(runner, series / "checkpoint-1000", slot)
    rows = compared(runner, "soft_targets")
    sides = [at for at, name in enumerate(rows.columns) if name in {"teacher", "student"}]
    assert len(sides) == 2, rows.columns
    assert all(row[sides[0]] == row[sides[1]] for row in rows.rows)
