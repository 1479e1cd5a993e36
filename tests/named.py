"""What a Python file names: modules, files of data, fixtures, questions; read from its source."""

import ast
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.loads import QUESTIONS

ALL = "all_questions"
OF_THEM_ALL = f"explorer.questions.{ALL}"
REGISTRY_NAMES = frozenset(
    {ALL, "own_questions", "answered_with", "question_folders", "own_folders"}
)
"""Functions that give all questions."""
LOADING = re.compile(r"\b(import_module|spec_from_file_location|iter_modules|__import__)\b")
STARTS = re.compile(r"\b(executable|warm_program|Popen|spawn|forkserver|main\.py)\b")
"""How tests start a process of the program."""
ENGINES = re.compile(r"\b(EngineProcess|warm_engine)\b")
"""How they begin an engine of its own, which never imports the window, as a contract holds."""
FORKS = "tests/warm_engine.py"
"""Forks engines alone; who has a program forked says so itself."""
KOREAN = re.compile(r"\b(ko(_KR)?|speak|speaking|catalogues|locale|LANGUAGE)\b")
NAME = re.compile(r"[a-z]\w{3,}")
SENTENCE = re.compile(r"^(?=.{4}).*([A-Z ]|[^\x00-\x7f])")
"""What a question may say of itself, as its title, and no word of the program's own."""
RESOURCES = "resources"
JOINING = ("joinpath", "Path", "PurePath", "with_name")
"""Calls that join paths, as `/` does."""
PATH = re.compile(r"(?=.*\w)[\w.-]+(/[\w.-]+)*/?")
BY_NAME = ("getfixturevalue", "usefixtures")
"""How fixtures are asked for by their names; where those are made up, any string may be one."""
DOTTED = re.compile(r"\b(?:explorer|tests|plugins|benchmarks)(?:\.\w+)+")


@dataclass
class Facts:
    """What a part of a file names.

    Attributes:
        modules: Full names of what it imports, or may mean by a string.
        paths: Strings in it that may be paths.
        chains: What is joined to paths, by `/` or by a call, with `/` between its parts.
        names: Of a file of the tests: fixtures that its tests and its own fixtures ask for; of a
            conftest all that it calls.
        starts: Whether it may start a process of the program.
        engine: Whether it may begin an engine.
        korean: Whether it may speak Korean.
        loads: Whether it imports by names made up at run time.
        words: Of a file of the tests: words in its strings, which may name questions.
        sentences: Of a file of the tests, and of a question's: what may be a title, as digests.
        functions: Of a conftest: its functions one by one, as their users have them.
    """

    modules: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    chains: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    starts: bool = False
    engine: bool = False
    korean: bool = False
    loads: bool = False
    words: list[str] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    functions: dict[str, "Facts"] = field(default_factory=dict)

    @staticmethod
    def of(kept: Mapping[str, Any]) -> "Facts":
        """What `dataclasses.asdict` made of them."""
        functions = {name: Facts.of(one) for name, one in kept["functions"].items()}
        return Facts(**{**kept, "functions": functions})


NOTHING = Facts()


def facts_of(path: str, text: str) -> Facts:
    """What a Python file names.

    Args:
        path: Relative to the repository.
        text: What it holds.

    Raises:
        SyntaxError: It is none.
    """
    tree = ast.parse(text)
    if not holds_fixtures(path):
        return _facts(path, tree.body)
    apart = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    found = _facts(path, [one for one in tree.body if one not in apart])
    found.functions = {one.name: _facts(path, [one]) for one in apart}
    return found


def holds_fixtures(path: str) -> bool:
    return path.endswith("/conftest.py") or path == "tests/windows.py"


def _facts(path: str, body: list[ast.stmt]) -> Facts:
    package = path.split("/")[:-1]
    modules, names, asked = set[str](), set[str](), set[str]()
    strings, plain = set[str](), set[str]()
    of_all, looked_up, is_any_asked = 0, 0, False
    joined = _Joined(body)
    for node in _nodes(body):
        joined.look(node)
        found = _imported(node, package)
        modules |= found
        if isinstance(node, ast.ImportFrom):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
            if not joined.has(node):
                plain.add(node.value)
        elif isinstance(node, ast.Name | ast.Attribute):
            names.add(name := node.id if isinstance(node, ast.Name) else node.attr)
            of_all += name in REGISTRY_NAMES
        fixtures = _fixtures(node)
        asked |= fixtures or set()
        is_any_asked |= fixtures is None
        looked_up += _is_looked_up(node)
    if of_all:
        (modules.add if of_all > looked_up else modules.discard)(OF_THEM_ALL)
    words = " ".join((*modules, *strings, *names))
    modules |= set(DOTTED.findall(words))
    if is_any_asked:
        asked |= {one for one in strings if one.isidentifier()}
    if holds_fixtures(path):
        asked |= names
    is_test = path.startswith("tests/")
    says = {one for one in strings if SENTENCE.search(one)}
    return Facts(
        sorted(one for one in modules if DOTTED.fullmatch(one) or one in ("explorer", "tests")),
        sorted(one for one in plain if PATH.fullmatch(one)),
        sorted(joined.chains),
        sorted(asked) if is_test else [],
        bool(STARTS.search(words)) and path != FORKS,
        bool(ENGINES.search(words)),
        bool(KOREAN.search(words)),
        bool(LOADING.search(words)),
        sorted(_names_in(strings)) if is_test else [],
        sorted({zlib.crc32(one.encode("utf-8", "surrogatepass")) for one in says})
        if is_test or folder_of_question(path)
        else [],
    )


def _imported(node: ast.AST, package: list[str]) -> set[str]:
    if isinstance(node, ast.Import):
        return {one.name for one in node.names}
    if not isinstance(node, ast.ImportFrom):
        return set()
    base = package[: len(package) - node.level + 1] if node.level else []
    module = ".".join([*base, *filter(None, [node.module])])
    return {module, *(f"{module}.{one.name}" for one in node.names)}


def _fixtures(node: ast.AST) -> set[str] | None:
    """Those that a test or a fixture asks for; None where their names are made up."""
    if isinstance(node, ast.FunctionDef):
        marks = (ast.unparse(one) for one in node.decorator_list)
        if node.name.startswith("test_") or any("fixture" in one for one in marks):
            return {one.arg for one in (*node.args.args, *node.args.kwonlyargs)}
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in BY_NAME:
        given = [one.value for one in node.args if isinstance(one, ast.Constant)]
        return {str(one) for one in given} if len(given) == len(node.args) else None
    return set()


def _names_in(strings: Iterable[str]) -> set[str]:
    """What may name a question: of sentences only what is no word of English."""
    found = set[str]()
    for one in strings:
        found |= {name for name in NAME.findall(one) if " " not in one or "_" in name}
    return found


def _is_looked_up(node: ast.AST) -> bool:
    """Whether a registry is asked for a question by its name, or told to forget."""
    if isinstance(node, ast.Subscript):
        return _is_registry(node.value)
    is_one = isinstance(node, ast.Attribute) and node.attr in ("get", "cache_clear")
    return is_one and (_is_registry(node.value) or getattr(node.value, "id", "") == ALL)


def _is_registry(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == ALL


def _nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All that can run: no explanations, and nothing that is there for types alone."""
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            todo.extend(node.orelse)
        else:
            todo.extend(ast.iter_child_nodes(node))


class _Joined:
    """What a part of a file joins to paths: `ROOT / "resources" / "models"`.

    Args:
        body: The part.
    """

    def __init__(self, body: Iterable[ast.stmt]) -> None:
        self.chains: set[str] = set()
        self._seen: set[int] = set()
        self._constants = {
            name.id: one.value.value
            for one in body
            if isinstance(one, ast.Assign | ast.AnnAssign)
            and isinstance(
                name := one.targets[0] if isinstance(one, ast.Assign) else one.target, ast.Name
            )
            and isinstance(one.value, ast.Constant)
            and isinstance(one.value.value, str)
        }

    def look(self, node: ast.AST) -> None:
        """Add what a node joins; what is around it has been looked at before it."""
        if id(node) in self._seen:
            return
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            self._join(self._operands(node))
        elif isinstance(node, ast.Call) and node.args and _called(node) in JOINING:
            base = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            self._join([*base, *node.args])
        elif _gives_resources(node):
            self.chains.add(RESOURCES)
        elif isinstance(node, ast.Attribute) and node.attr == "bundled_models":
            self.chains.add(f"{RESOURCES}/models")

    def has(self, node: ast.AST) -> bool:
        """Whether a string is a part of what is joined."""
        return id(node) in self._seen

    def _operands(self, node: ast.expr) -> list[ast.expr]:
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
            return [node]
        self._seen.add(id(node))
        return [*self._operands(node.left), node.right]

    def _join(self, operands: list[ast.expr]) -> None:
        base, texts = operands[0], [self._text(one) for one in operands]
        if texts[0] is None:
            operands, texts = operands[1:], texts[1:]
        if isinstance(base, ast.Name) and base.id == "tmp_path":
            self._seen.update(map(id, operands))  # a test has it to itself
            return
        known = texts.index(None) if None in texts else len(texts)
        if known:
            self._seen.update({id(base), *map(id, operands[:known])})
            self.chains.add("/".join(map(str, texts[:known])))
        for one, text in list(zip(operands, texts, strict=True))[known:]:
            if text:
                self._seen.add(id(one))
                self.chains.add(text)

    def _text(self, node: ast.expr) -> str | None:
        """What is known of an operand; None where nothing is."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value or None
        if isinstance(node, ast.Name):
            return self._constants.get(node.id) or None
        if isinstance(node, ast.JoinedStr) and node.values:
            first = node.values[0]
            text = str(first.value) if isinstance(first, ast.Constant) else ""
            return text.rpartition("/")[0] or None
        return None


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _gives_resources(node: ast.AST) -> bool:
    """Whether it is the folder of all data, of which nobody can say here what is taken."""
    if isinstance(node, ast.Call):
        return _called(node) == "own_resources"
    return isinstance(node, ast.Attribute) and node.attr == RESOURCES


def folder_of_question(file: str) -> str:
    """The folder of the question that a file is of; "" if it is of none."""
    parts = file.split("/")
    return "/".join(parts[:4]) if file.startswith(QUESTIONS) and len(parts) > 4 else ""
