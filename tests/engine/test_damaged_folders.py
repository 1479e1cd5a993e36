"""Random changes of small checkpoints: each works, or is told in one sentence, as its own fault.

Fifty folders are tried by default; `--all` tries two thousand.
"""

import gc
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from damaged_folders import Damage, write_sound

from explorer.api.family import Context, LoadOptions
from explorer.api.question import Blame, Failure
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.questions import all_questions
from explorer.questions.architecture.architecture.question import ArchitectureRequest
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.hf import tiny

TEXT = "the [MASK] sat on the mat ."
BLOCK, BLOCKS = 50, 40
BY_DEFAULT = 1
"""Blocks."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "block" in metafunc.fixturenames:
        blocks = BLOCKS if metafunc.config.option.all else BY_DEFAULT
        metafunc.parametrize("block", range(blocks))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Path]]:
    folders = write_sound(tmp_path_factory.mktemp("sound"))
    # A model that is unloaded is collected at once, which takes longer than all the rest of it
    # where everything that was ever imported is looked at again.
    gc.collect()
    gc.freeze()
    yield folders
    gc.unfreeze()


class Asked:
    """Everything that a person may do with a folder, in the order it is done."""

    def __init__(self, nowhere: Path) -> None:
        host = tiny.families()
        self.catalogue = Catalogue(host, nowhere, nowhere)
        self.runner = Runner(host, self.catalogue)

    def faults(self, folder: Path) -> list[Failure]:
        """What was told, each once."""
        told: list[Failure] = []

        def attempt(work: Any) -> Any:
            try:
                return work()
            except Exception as error:  # noqa: BLE001 - of any kind: that is what is tried
                told.append(Failure.of(error))
                return None

        row = attempt(lambda: self.catalogue.find(str(folder)))
        if row is not None and row.problem:
            told.append(Failure(Blame.CHECKPOINT, row.problem, row.hint))
        attempt(lambda: self.runner.ask(ArchitectureRequest(str(folder), length=16), {}, Context()))
        options = LoadOptions(device="cpu", allow_pickle=True)
        card = attempt(lambda: self.runner.load("A", str(folder), options, Context()))
        if card is not None:
            document = Document(TEXT)
            for request in (TokensRequest, MaskedTokensRequest, AttentionRequest):
                one = request.of(document)
                question = next(o for o in all_questions().values() if o.request is request)
                if question.name in card.operations:
                    attempt(lambda one=one: self.runner.ask(one, {"model": "A"}, Context()))
        self.runner.unload("A")
        return told


NO_MODEL = re.compile(r"^No \w+ can be made of|^config.json describes|^config.json does not")
ALSO_CALLED = {"hidden_size": "d_model"}
"""T5's config takes either name."""
CLEAR = re.compile(r"[^\n\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]{10,400}[.)?]")


def wrong_with(failure: Failure, damage: Damage) -> str:
    """Why a failure is not told as it should be; "" where it is."""
    if failure.blame not in {Blame.CHECKPOINT, Blame.USER, Blame.MACHINE}:
        return f"the blame is the {failure.blame}'s"
    if not CLEAR.fullmatch(failure.message):
        return "it is no clear sentence"
    if re.search("[Tt]he plugin", failure.message):
        return "a plugin is blamed"
    # Of weights that do not fit, nobody can say which of the two is wrong.
    said = failure.message
    if damage.is_config_alone and NO_MODEL.search(said):
        (field,) = damage.fields
        if f"{field} is " not in said and f"{ALSO_CALLED.get(field)} is " not in said:
            return f"{field} is not named"
    return ""


def test_every_damaged_folder_works_or_is_told(block: int, sound: list[Path], tmp_path: Path):
    asked = Asked(tmp_path / "nowhere")
    wrong = []
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        damage = Damage(sound, tmp_path / "damaged", seed)
        wrong += [
            f"{damage}:\n  {why}: {failure.message}\n{failure.traceback[-600:]}"
            for failure in asked.faults(damage.folder)
            if (why := wrong_with(failure, damage))
        ]
        shutil.rmtree(damage.folder)
    assert not wrong, "\n".join(wrong)
