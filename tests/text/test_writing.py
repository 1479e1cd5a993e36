"""How texts are written in the code, checked: what the catalogue's tool and gettext rely on."""

import ast
import functools
import itertools
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CALLED = {"_": 1, "N_": 1, "NN_": 2, "ngettext": 2}
NAMED_BY_ID = "names a model by its id"
EXEMPT = {("explorer/commands/sessions.py", NAMED_BY_ID)}
"""A logged run's model that is not here has an id and nothing else."""


def sources():
    return [path for top in ("explorer", "plugins") for path in sorted((ROOT / top).rglob("*.py"))]


def imports_texts(tree):
    return any(
        isinstance(node, ast.ImportFrom) and node.module == "explorer.text" for node in tree.body
    )


def faults(tree):
    """Lines where a text is written so that it is not found, or translated too early."""
    yield from not_literal(tree)
    yield from too_early(tree)
    yield from hidden_name(tree)
    yield from inside_f_string(tree)
    yield from own_percent(tree)
    yield from named_by_id(tree)


@functools.lru_cache(maxsize=1)
def nodes_of(tree):
    """All of a file's, found once for all that is asked of them."""
    return tuple(ast.walk(tree))


def calls(nodes, names):
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


def not_literal(tree):
    for node in calls(nodes_of(tree), {"N_", "NN_", "ngettext"}):
        for one in node.args[: CALLED[node.func.id]]:
            if not (isinstance(one, ast.Constant) and isinstance(one.value, str)):
                yield node.lineno, "is no literal text"
    for node in calls(nodes_of(tree), {"_"}):
        first = node.args[0]
        is_method = isinstance(first, ast.Call) and isinstance(first.func, ast.Attribute)
        joined = is_method and first.func.attr in {"format", "join"}
        if joined or isinstance(first, ast.JoinedStr | ast.BinOp):
            yield node.lineno, "is glued of parts"


def too_early(tree):
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]
            continue
        if node is None or isinstance(node, ast.Lambda):
            continue
        named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if named and node.func.id in {"_", "ngettext"}:
            yield node.lineno, "is translated at import: mark it with N_"
        waiting += ast.iter_child_nodes(node)


def inside_f_string(tree):
    """Before Python 3.12 the catalogue's tool does not look into these."""
    for node in nodes_of(tree):
        if isinstance(node, ast.JoinedStr):
            for call in calls(ast.walk(node), CALLED):
                if isinstance(call.args[0], ast.Constant):
                    yield call.lineno, "is not found inside an f-string"


def named_by_id(tree):
    """A page calls a model by its title, so what else is said of it does, too.

    A caption tells which it was exactly: it has the fingerprint besides.
    """
    for call in nodes_of(tree):
        if isinstance(call, ast.Call) and any(calls((call, *call.args), CALLED)):
            if any(place.arg == "fingerprint" for place in call.keywords):
                continue
            for place in call.keywords:
                if ast.unparse(place.value).endswith("stamp.id"):
                    yield place.value.lineno, NAMED_BY_ID


def own_percent(tree):
    """Each language writes a share in its own way; a Phrase or a failure is worded later."""
    later = {
        id(place.value)
        for call in nodes_of(tree)
        if isinstance(call, ast.Call)
        and any(any(calls(ast.walk(one), {"N_", "NN_"})) for one in call.args)
        for place in call.keywords
    }
    for node in nodes_of(tree):
        if not isinstance(node, ast.JoinedStr) or id(node) in later:
            continue
        for part, behind in itertools.pairwise((*node.values, None)):
            if not isinstance(part, ast.FormattedValue):
                continue
            spec = ast.unparse(part.format_spec) if part.format_spec is not None else ""
            text = behind.value if isinstance(behind, ast.Constant) else ""
            # A pattern of LIKE has a percent sign behind what is not formatted.
            if spec.rstrip("'\"").endswith("%") or (spec and text.lstrip().startswith("%")):
                yield part.lineno, "writes a share by itself: numbers.percent does"


def hidden_name(tree):
    for function in nodes_of(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        bound = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Store)
        ]
        if bound and any(calls(ast.walk(function), {"_"})):
            yield bound[0].lineno, "hides the function _ behind a value nobody needs"


def test_texts_are_written_so_that_they_can_be_translated():
    found = []
    for path in sources():
        tree = ast.parse(path.read_text("utf-8"))
        if imports_texts(tree):
            name = path.relative_to(ROOT).as_posix()
            found += [
                f"{name}:{line} {what}" for line, what in faults(tree) if (name, what) not in EXEMPT
            ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("_('a' + b)", "glued"),
        ("def f():\n    _(f'{a}')", "glued"),
        ("def f():\n    _('{}'.format(a))", "glued"),
        ("N_(title)", "no literal"),
        ("class A:\n    title = _('a')", "at import"),
        ("def f(a=_('b')): ...", "at import"),
        ("def f():\n    return f'<p>{_(\"b\")}</p>'", "inside an f-string"),
        ("f'{share:.1%} of all'", "by itself"),
        ("f'{100 * share:.0f} %'", "by itself"),
        ("def f():\n    for _ in a:\n        _('b')", "hides"),
        ("Unavailable(N_('{model}'), model=one.stamp.id)", "by its id"),
        ("def f():\n    _('{model}', model=stamp.id)", "by its id"),
    ],
)
def test_what_is_written_wrongly_is_found(code, said):
    assert any(said in what for _, what in faults(ast.parse(code)))


def test_what_is_written_well_is_left_alone():
    code = "T = N_('a')\ndef f(a):\n    return _(T) + _(a.title) + ngettext('b', 'c', 2)"
    assert list(faults(ast.parse(code))) == []


def test_the_line_of_the_log_is_worded_by_whoever_reads_it():
    """The engine knows no language: what it words itself stays English in every window."""
    found = []
    for path in sorted((ROOT / "explorer" / "questions").rglob("question.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == "headline":
                found += [
                    f"{path.relative_to(ROOT)}:{call.lineno}"
                    for call in calls(ast.walk(node), {"_", "ngettext"})
                ]
    assert not found
