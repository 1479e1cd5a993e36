"""No sentence that a person reads stands in the code outside of the catalogue."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = (
    "explorer/ui",
    "explorer/questions",
    "explorer/files_of_sentences",
    "explorer/engine",
    "explorer/hf",
    "plugins",
)
WORDS = re.compile(r"[A-Za-z]{2,}[,:;]? [a-z]{2,}")
CITATION = re.compile(r"([A-Z]\w+( et al\.| and [A-Z]\w+)? \d{4}(; )?)+")
"""Authors and a year are the same in every language."""
OF_MACHINES = re.compile(r"[<>{};=]|[A-Z]{4,} |^\s*//", re.MULTILINE)
"""HTML, style sheets, scripts and SQL."""
TRANSLATED = {"_", "N_", "NN_", "ngettext", "explain", "meaning", "said", "heading_of"}
TRANSLATED |= {"sentence_of"}
FOR_PROGRAMMERS = {"ValueError", "TypeError", "KeyError", "RuntimeError", "NotImplementedError"}
FOR_PROGRAMMERS |= {"cast", "debug", "info", "warning", "error", "exception"}
NAMES = {
    "explorer/ui/charts/drawing.py": {"dash dot"},
    "explorer/ui/charts/description.py": {"dash dot"},
    "explorer/ui/theme/icons.py": {"QtAwesome is not installed, so there are no icons."},
    "explorer/ui/views/__init__.py": {"Its page.py holds no PAGE."},
    "explorer/ui/matrices/heads/cells.py": {"looked at"},
    "explorer/ui/runs/ask_and_log.py": {"file session"},
    "explorer/ui/web/page.py": {"Qt WebEngine can't be loaded here (0)."},
    "explorer/questions/masking/joint_decoding/compute.py": {
        "np.ndarray[Any, np.dtype[np.float32]]"
    },
    "explorer/ui/session_log/queries.py": {"session reader"},
    "explorer/ui/saved_documents/file.py": {"plm-explorer document"},
    "explorer/ui/sentence/entity_names.py": {"entity names"},
    "explorer/ui/workbench/settings_store.py": {"settings writer"},
    "explorer/published/learning_curves.py": {"dash dot"},
    "explorer/questions/learning/training_curves/charts.py": {"dash dot"},
    "explorer/questions/learning/distil/parts.py": {"dash dot"},
    "explorer/questions/learning/over_steps/drawing.py": {"dash dot"},
    "explorer/questions/learning/run_options.py": {"the [MASK] cooked the soup"},
    "explorer/ui/parts/matrices/layer_predictions.py": {"dash dot"},
    "explorer/questions/generation/continuation/cut_chart.py": {"dash dot"},
    "explorer/questions/generation/prompt/charts.py": {"dash dot"},
    "explorer/questions/layers/tuned_lens/lens.py": {"plm-explorer tuned lens 1"},
    "explorer/questions/attention/attention/question.py": {"mean entropy"},
    "explorer/questions/cause/edits/rules/negation.py": {"did not 0", "does not 0"},
    "explorer/questions/masking/calibration/word_classes.py": {
        "content word",
        "function word",
        "further piece",
    },
    "explorer/ui/export/handout/site.py": {"'self' file: data:"},
    "explorer/files_of_sentences/answering.py": {
        "device-side assert",
        "CUDA error:",
        "HIP error:",
    },
    "explorer/files_of_sentences/rows.py": {
        "unknown tokens",
        "not in the means",
    },
    "explorer/engine/library/inspection.py": {"model_type is 0", "architectures is 0"},
    "explorer/engine/plugins/border/code.py": {
        "recognise() names the family 0, not 0",
        "0() returns no frozenset of ports",
    },
    "explorer/engine/process/server.py": {"0, or 0 which it needs,"},
    "explorer/engine/runner.py": {"what load() returns"},
    "explorer/hf/attention/layout.py": {"by part", "by head"},
    "explorer/hf/cancelling.py": {"run a model works for"},
    "explorer/hf/loading/checkpoint.py": {"a single number"},
    "explorer/hf/loading/config_fields.py": {"num_labels is 0", "a value that can't be written"},
    "explorer/hf/predict/masked.py": {"This model"},
    "explorer/hf/proving/trial.py": {"the cat sat on the mat"},
    "explorer/questions/pairs/sentence_pair/wording.py": {"is next", "is not next", "right order"},
    "explorer/text/sources.py": {"(not checked)"},
    "plugins/auto/family.py": {"This model"},
    "plugins/auto/writers.py": {"This model"},
    "plugins/auto/holding.py": {"the output matrix", "every tensor of the head"},
    "plugins/xlm/__init__.py": {"lang2id is 0", "lang_id is 0"},
    "plugins/xlm/languages.py": {"none it was told apart by"},
    "plugins/xlm/tokenizer.py": {"language of the text that is cut"},
}
"""What no person reads: names of styles, marks and threads, columns of files, log files; and what
stands in a place of a sentence as files and programs have it; and what is looked for in what torch
says."""
KEYS = (
    "explorer/questions/architecture/compare_architectures/likeness.py",
    "explorer/architecture/wording.py",
    "explorer/questions/architecture/architecture/what_if/parts.py",
    "explorer/questions/architecture/architecture/compute.py",
    "explorer/questions/attention/disentangled_attention/compute.py",
    "explorer/questions/detection/replaced_tokens/compute.py",
    "explorer/questions/distillation/cost/question.py",
    "explorer/engine/plugins/border/answer_check.py",
    "explorer/engine/plugins/conformance",
    "explorer/engine/plugins/manifest.py",
    "explorer/engine/plugins/border/ports.py",
    "explorer/engine/plugins/border/types_of_values.py",
    "explorer/hf/attention/modules.py",
    "explorer/hf/proving/claims.py",
)
"""Files and folders whose sentences are names of rows and cells of files, or parts of errors that
the author of a plugin reads."""
IN_FILES = {"table", "summary", "table_of", "table_at"}
"""Functions that make tables for files: columns have one name in every language."""
TITLES = "COLUMN_TITLES"
"""What those columns are called on screen, by their names."""
TYPED = {"found_by", "EVERYDAY"}
"""What people type when they look for something, in every language at once: it is never shown."""


NAMED = {"kept": 1}
"""Functions whose first arguments are names, and how many are."""
LOOKED_FOR = {"LayersFrom0"}
"""What takes patterns that are looked for in stored sentences."""


def name_of(called):
    return getattr(called, "id", getattr(called, "attr", ""))


def sentences(node):
    """Every literal sentence below a node that is neither marked nor for programmers."""
    if isinstance(node, ast.FunctionDef) and node.name in IN_FILES:
        return
    if isinstance(node, ast.Call) and name_of(node.func) == "Thread":
        return
    if isinstance(node, ast.Call) and name_of(node.func) in TRANSLATED | FOR_PROGRAMMERS:
        for given in node.keywords:
            yield from sentences(given.value)
        return
    if isinstance(node, ast.Call) and name_of(node.func) in LOOKED_FOR:
        return
    if isinstance(node, ast.Call) and name_of(node.func) in NAMED:
        given = [*node.args[NAMED[name_of(node.func)] :], *(one.value for one in node.keywords)]
        yield from (found for one in given for found in sentences(one))
        return
    if isinstance(node, ast.Compare | ast.Subscript | ast.arg):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.Constant | ast.JoinedStr):
        text = told(node)
        if WORDS.search(text) and not (OF_MACHINES.search(text) or CITATION.fullmatch(text)):
            yield node.lineno, text
    for child in children_of(node):
        yield from sentences(child)


def children_of(node):
    """What stands below a node, without types and the names that titles belong to."""
    if isinstance(node, ast.JoinedStr):
        return [one.value for one in node.values if isinstance(one, ast.FormattedValue)]
    if isinstance(node, ast.keyword) and node.arg in TYPED:
        return []
    if isinstance(node, ast.AnnAssign) and name_of(node.target) in TYPED:
        return []
    if isinstance(node, ast.AnnAssign):
        return [node.value] if node.value is not None else []
    if isinstance(node, ast.Assign) and [name_of(one) for one in node.targets] == [TITLES]:
        return node.value.values
    returned = getattr(node, "returns", None)
    return [one for one in ast.iter_child_nodes(node) if one is not returned]


def told(node):
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(one.value if isinstance(one, ast.Constant) else "0" for one in node.values)


def test_every_sentence_is_in_the_catalogue():
    found = []
    for path in sorted(one for place in PLACES for one in (ROOT / place).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(KEYS):
            continue
        for line, text in sentences(ast.parse(path.read_text("utf-8"))):
            if text not in NAMES.get(name, ()):
                found.append(f"{name}:{line} {text!r}")
    assert not found, "\n".join(found)


def test_exceptions_are_still_needed():
    for name, texts in NAMES.items():
        code = (ROOT / name).read_text("utf-8")
        assert [text for text in texts if text.split("0")[0] not in code] == [], name


@pytest.mark.parametrize(
    "code",
    [
        "box.setText('Two words')",
        "note(f'{count} words are left')",
        "Column('first token')",
        "words = 'is left' if one else 'are left'",
        "_('{a}', a='on average')",
    ],
)
def test_what_is_not_marked_is_found(code):
    assert list(sentences(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "box.setText(_('Two words'))",
        "raise ValueError('this is for programmers')",
        "def f():\n    'A docstring of words.'",
        "if kind == 'two words': pass",
        "style('a { color: red }')",
    ],
)
def test_what_need_not_be_marked_is_left_alone(code):
    assert list(sentences(ast.parse(code))) == []
