"""What comes from others and what is started: each through one door, which no file goes round."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APART = {"bootstrap", "installers", "pretraining"}
"""What sets the program up, packs it, and made its miniatures: it reads the program's own files."""

PARSERS = {
    *("json.load", "json.loads", "json.JSONDecoder", "msgspec.json.decode"),
    *("tomllib.load", "tomllib.loads", "msgspec.toml.decode"),
}
PARSING = {
    "the door": {"explorer/files/foreign.py"},
    "what is read as a type of the program's, and no deeper than that": {
        "explorer/program.py",
        "explorer/serialise.py",
    },
    "what comes with the program": {
        "explorer/engine/environment/bundle.py",
        "explorer/licences.py",
        "explorer/published/learning_curves.py",
        "explorer/published/literature.py",
        "explorer/published/pair_objectives.py",
        "explorer/published/training_figures.py",
        "explorer/questions/cause/attribution_benchmark/places.py",
        "explorer/questions/cause/attribution_benchmark/recorded.py",
        "explorer/questions/masking/calibration/bundled.py",
        "explorer/text/catalogues/__init__.py",
        "explorer/text/glossary.py",
        "explorer/text/message_files.py",
        "explorer/ui/theme/icons.py",
    },
    "what the program has just written itself, or one of its processes": {
        "explorer/command_line/run_commands.py",
        "explorer/engine/environment/place.py",
        "explorer/engine/plugins/conformance/reading.py",
        "explorer/learning/models/span_boundary.py",
        "explorer/learning/tokenizers/byte_bpe.py",
        "explorer/learning/tokenizers/sentencepiece_file.py",
        "explorer/learning/tokenizers/word_bpe.py",
        "explorer/questions/attention/bertviz/question.py",
        "explorer/questions/layers/tuned_lens/lens.py",
        "explorer/questions/tokenizers/merge_steps/compute.py",
        "explorer/questions/tokenizers/side_by_side/pooling.py",
        "explorer/questions/tokenizers/train_tokenizer/compute.py",
        "explorer/questions/tokenizers/train_tokenizer/trainer/apart.py",
        "explorer/questions/tokenizers/train_tokenizer/trainer/training.py",
        "explorer/questions/tokenizers/train_tokenizer/trainer/worker.py",
        "explorer/sessions/log/rows.py",
        "explorer/processes/own_work.py",
        "explorer/ui/own_process.py",
        "explorer/ui/web/drawing.py",
        "explorer/ui/web/picture.py",
        "plugins/ernie_thu/__init__.py",
        "plugins/ernie_thu/graph.py",
    },
    "where whatever is raised is told": {
        "explorer/sessions/change/merging.py",
        "explorer/sessions/read/reader.py",
        "plugins/xlm/__init__.py",
    },
}

STARTING = {
    "the door, for processes of the program's own code": {"explorer/processes/piped.py"},
    "processes of the program's own code, in ways of their own": {
        "explorer/engine/plugins/conformance/reading.py",
        "explorer/processes/detached.py",
        "explorer/ui/own_process.py",
    },
    "copies of this process, which have its environment": {"explorer/processes/forked.py"},
    "programs of the system, which end by themselves": {
        "explorer/desktop/installing.py",
        "explorer/engine/environment/machine.py",
        "explorer/engine/environment/making.py",
        "explorer/ui/export/film/images.py",
        "explorer/updates/newest.py",
    },
}
OWN_CODE = set().union(*(list(STARTING.values())[:2]))


LOOKED_FOR = re.compile(
    r"json|toml|msgspec|subprocess|multiprocessing|\bos\.|QProcess|command_line|environment"
)
"""To read all files as Python does takes seconds; most name nothing of this."""


def calls(path: Path) -> Iterator[str]:
    """What a file calls or makes classes of, as it is written; nothing where nothing is named."""
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if LOOKED_FOR.search(text) else ():
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)
        elif isinstance(node, ast.ClassDef):
            yield from map(ast.unparse, node.bases)


@pytest.fixture(scope="module")
def called() -> dict[str, set[str]]:
    """What every file of the program and its plugins calls."""
    files = [*(ROOT / "explorer").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]
    kept = (path for path in files if path.relative_to(ROOT).parts[1] not in APART)
    return {path.relative_to(ROOT).as_posix(): set(calls(path)) for path in kept}


def test_json_and_toml_of_others_are_read_through_one_door(called):
    """explorer/files/foreign.py measures what is in them before it is taken apart."""
    parsing = {file for file, names in called.items() if names & PARSERS}
    assert parsing == set().union(*PARSING.values())


def test_processes_are_started_in_one_way(called):
    """One of the program's own code has its environment, and with it ends with its parent."""
    ways = ("subprocess.", "multiprocessing.", "os.fork", "os.spawn", "os.posix_spawn", "os.popen")
    starting = {
        file
        for file, names in called.items()
        if any(name.startswith(ways) or name in {"QProcess", "os.system"} for name in names)
    }
    assert starting == set().union(*STARTING.values())
    own = {file for file, names in called.items() if "command_line" in names}
    assert own == OWN_CODE
    assert all({"environment", "_environment"} & called[file] for file in own)
