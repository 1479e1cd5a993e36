"""What is kept between questions is kept by `explorer.hf.kept`, and by nothing else.

So no module that answers questions may have a container of its own that is filled while the program
runs, nor let functools keep what comes of a model, a tokenizer, a file or a request.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
KEPT = "explorer/hf/kept.py"
SOURCES = sorted(
    path
    for folder in ("explorer", "plugins")
    for path in (ROOT / folder).rglob("*.py")
    # The window has no model; the factory's programs answer nobody.
    if not path.relative_to(ROOT).as_posix().startswith(("explorer/ui/", "explorer/pretraining/"))
)
CONTAINERS = {"dict", "list", "set", "OrderedDict", "defaultdict", "Counter", "deque"}
WEAK = {"WeakKeyDictionary", "WeakValueDictionary", "WeakSet"}
ALLOWED = {
    # What a torch operation on the meta device gives: a function of shapes, thousands of times in
    # one pass, with an end of its own.
    "explorer/hf/family/shapes.py: _KNOWN",
    # Who is told when plugins are at work, not what came of it.
    "explorer/engine/plugins/border/looks.py: _listeners",
    # The empty one, which nobody fills.
    "explorer/world/exact/inside.py: NOTHING",
    # The models that a script has open, which it closes.
    "explorer/scripting/process.py: _CURRENT",
    # Of this process: who rests, and which other ones it has begun.
    "explorer/processes/collector.py: _resting",
    "explorer/processes/own_processes.py: _also",
    "explorer/learning/runs/trainings.py: begun",
}
"""Containers that are filled and are no cache of answers."""
OF_CONSTANTS = {
    # Of a number or a letter, without a look at a file.
    "explorer/hf/generate/looks.py: kept_ranks": "size of a vocabulary",
    "explorer/hf/text/alone.py: _seen": "the characters of one text",
    "explorer/questions/attention/bertviz/question.py: _begun": "what all pages begin with",
    "explorer/questions/tokenizers/vocabulary/scripts.py: _kind_of": "one character",
    "explorer/text/formatting/numbers.py: _percent_pattern": "a language",
    "explorer/text/formatting/numbers.py: _signs": "a language",
    "explorer/text/formatting/reading.py: _number": "a cell as it is written",
    "explorer/text/formatting/scripts.py: _named": "a script's name in a language",
    "explorer/text/glossary.py: _written": "a term",
    "explorer/text/korean/last_sound.py: last_sound": "a word's end",
    "plugins/xlm/tokenizer.py: _folded": "a word's letters",
    # Of the program's own code and files.
    "explorer/api/question/rows/rows.py: columns_of": "a class of rows",
    "explorer/api/family/tensors.py: _pattern": "a rule's pattern",
    "explorer/faces.py: homes": "a stub of the program",
    "explorer/engine/plugins/installed.py: _installed": "packages of this environment",
    "explorer/engine/plugins/manifest.py: manifest_of": "the text of a manifest",
    "explorer/engine/plugins/manifest.py: _version_of": "a package of this environment",
    "explorer/engine/plugins/border/types_of_values.py: _fields": "a class",
    "explorer/engine/environment/bundle.py: _read": "a file of the environment",
    "explorer/questions/architecture/architecture/published/parts.py: _kind": "a file of ours",
    "explorer/text/every_language.py: _read": "a catalogue of the program",
    "plugins/auto/known.py: classes_of": "a class of transformers",
    "plugins/auto/known.py: ties_embeddings": "a class of transformers",
    "explorer/hf/family/shapes.py: _makes_anew": "a torch operation's signature",
    "explorer/processes/listed_once.py: lists": "a folder of transformers' own",
    "explorer/licences.py: _found": "a licence in the program's folder",
    "plugins/deberta/modules.py: model_class": "a class made of a choice of heads",
    "plugins/ernie_thu/graph.py: _home": "the folder of this process",
    # Of the small world's grammar, which is code.
    "explorer/learning/experiments/measuring.py: _places": "a text, in the process of experiments",
    "explorer/learning/experiments/measuring.py: _unmet": "a text, in the process of experiments",
    "explorer/learning/experiments/measuring.py: lambda": "one model that was trained",
    "explorer/learning/distilling/teachers/teacher.py: loaded_teacher": "a folder",
    "explorer/learning/distilling/teachers/teacher.py: trained_teacher": "a plan",
    "explorer/learning/experiments/one_training.py: pace_of": "a plan",
    "explorer/learning/objectives/vocabularies.py: _written": "what the grammar writes from a seed",
    "explorer/learning/measured/held_out.py: _drawn": "what the grammar writes, in named pieces",
    "explorer/learning/tuning/labelled.py: labelled_task": "what the grammar writes from a seed",
    "explorer/learning/models/span_boundary.py: plugin_module": "a module of a bundled plugin",
    "explorer/learning/texts/worlds.py: lambda": "a word, of one reader",
    "explorer/world/corpus.py: is_withheld": "a sentence",
    "explorer/world/small/corpus.py: is_withheld_text": "a text",
    "explorer/world/tasks/films.py: exact_sentiment": "a grammar",
    "explorer/world/exact/readers.py: split": "a word, of one reader",
    "explorer/world/exact/truth.py: _placed": "the grammar",
    "explorer/world/exact/truth.py: split": "a word, of one reader",
    "explorer/world/exact/truth.py: lambda": "a word, of one reader",
    "explorer/world/exact/truth.py: self._answer": "a whole pattern, of one reader",
    "explorer/world/exact/truth.py: self._reading": "a whole pattern, of one reader",
    "explorer/world/grammar.py: _symbol": "a symbol's name",
    "explorer/world/small/grammar.py: smallest_world": "a strength of what goes together",
    "explorer/world/small/korean.py: smallest_world_in_korean": "a strength of what goes together",
    "explorer/world/tasks/bias_pairs.py: pronoun_pairs": "how many pairs",
    "explorer/world/graph.py: sentences": "a job",
    "explorer/world/graph.py: _of_age": "an age",
    "explorer/world/graph.py: _drawn_from": "a job",
    "explorer/world/language/lexicon.py: lexicon": "a language",
}
"""Functions of arguments that functools may keep, and what these are; none needs leave that has no
arguments, for it gives a constant."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def last(node: ast.expr) -> str:
    """The last name of "a.b.c", or of what is called or subscripted."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def containers(tree: ast.Module) -> Iterator[str]:
    """Module-level containers that begin empty, weak ones, and names that functions exchange."""
    for line in tree.body:
        if isinstance(line, ast.Assign | ast.AnnAssign) and line.value is not None:
            target = line.targets[0] if isinstance(line, ast.Assign) else line.target
            value = line.value
            empty = isinstance(value, ast.Dict | ast.List | ast.Set) and not ast.unparse(
                value
            ).strip("[]{}")
            made = isinstance(value, ast.Call) and (
                last(value) in WEAK or (last(value) in CONTAINERS and not value.args)
            )
            if empty or made:
                yield ast.unparse(target)


def remembered(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Functions of arguments that functools keeps, and whether there is any argument."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(
            last(one) in {"cache", "lru_cache"} for one in node.decorator_list
        ):
            yield node.name, bool(ast.unparse(node.args))
        if isinstance(node, ast.Call):
            is_made = isinstance(node.func, ast.Call) and last(node.func) == "lru_cache"
            is_plain = last(node.func) == "cache" and isinstance(
                node.func, ast.Name | ast.Attribute
            )
            if (is_made or is_plain) and node.args:
                inner = node.args[0]
                yield ("lambda" if isinstance(inner, ast.Lambda) else ast.unparse(inner)), True


def by_hand(tree: ast.Module) -> Iterator[str]:
    """What is written onto an object of somebody else's for later: `tokenizer._explorer_words`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_explorer_"):
            yield node.attr


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {name_of(path): ast.parse(path.read_text("utf-8")) for path in SOURCES}


def test_no_module_keeps_answers_in_a_container_of_its_own(trees):
    found = {
        f"{name}: {one}" for name, tree in trees.items() if name != KEPT for one in containers(tree)
    }
    assert found - ALLOWED == set(), "keep it by explorer.hf.kept"
    assert ALLOWED - found == set(), "these are gone: take them off the list"


def test_functools_keeps_constants_alone(trees):
    found = {
        f"{name}: {one}"
        for name, tree in trees.items()
        for one, has_arguments in remembered(tree)
        if has_arguments
    }
    assert found - OF_CONSTANTS.keys() == set(), "keep it by explorer.hf.kept"
    assert OF_CONSTANTS.keys() - found == set(), "these are gone: take them off the list"


def test_nothing_is_hung_onto_a_tokenizer_by_hand(trees):
    assert {name: found for name, tree in trees.items() if (found := list(by_hand(tree)))} == {}


def test_every_kind_of_work_has_a_name_of_its_own(trees):
    names: Counter[str] = Counter()
    for tree in trees.values():
        imported = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)]
        if all(one.module != "explorer.hf.kept" for one in imported):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "kept":
                assert isinstance(node.args[0], ast.Constant), ast.unparse(node)
                names[node.args[0].value] += 1
    assert len(names) >= 15
    assert {name for name, count in names.items() if count > 1} == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("_kept: dict[str, int] = {}", ["_kept"]),
        ("_kept = OrderedDict()", ["_kept"]),
        ("_kept: 'WeakKeyDictionary[A, B]' = weakref.WeakKeyDictionary()", ["_kept"]),
        ("_LAST = []", ["_LAST"]),
        ("NAMES = {'a': 1}", []),
        ("def a():\n    known = {}", []),
    ],
)
def test_what_a_container_is(text, found):
    assert list(containers(ast.parse(text))) == found
