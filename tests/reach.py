"""What a test file stands on: all of the program, of the tests and of their data that it reaches.

It is read from the source. Imports are followed, those inside functions too; those for types alone
never run. Modules that are named in a string, in code that another process is handed as well, are
followed like imported ones. What is imported by a name made up while the program runs is in LOADS,
and a test holds that every module that does so is. Files of data are those that a string names,
and those beside a test. What starts a process of the program stands on all of it.

Where it can't be known it is taken for yes: a test that runs once more than it had to has cost a
little time, one that did not run has cost its purpose.
"""

import ast
import fnmatch
import functools
import posixpath
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.asking import computes, is_told
from tests.loads import LOADS, QUESTIONS, REGISTRY, VIEWS

PROGRAM = ("explorer", "plugins", "resources", "main.py", "pyproject.toml")
"""What a process of the program may read."""
OVER_ALL = re.compile(
    r"explorer\.(questions\.all_questions|ui\.views\.(listed|views)|commands\.(check|scenes|tour)"
    r"|tour\b(?!\.hands).*|engine\.plugins\.conformance\b.*)"
)
"""What tests import that go over all questions; who goes over some names them."""
TOLD_OF_ALL = frozenset({"check", "scenes", "tour"})
"""Commands that ask all of them."""
ALL = "all_questions"
OF_THEM_ALL = f"explorer.questions.{ALL}"
REGISTRY_NAMES = frozenset(
    {ALL, "own_questions", "answered_with", "question_folders", "own_folders"}
)
"""Functions that give all questions."""
LOADING = re.compile(r"\b(import_module|spec_from_file_location|iter_modules|__import__)\b")
BEGINS = "explorer/engine/process/engine_handle.py"
"""Names what the engine's process begins with: for whom that is one of STARTS stands on all."""
APART = ("explorer/pretraining/", "explorer/installers/")
"""What the program itself never imports, as a contract holds, though it may name it."""
STUB = "/__init__.pyi"
"""Of a face, as `explorer.api`: says which module each of its names is read from, when it is first
used. Who takes one stands on that module, and on another one as soon as the stub names another."""
OF_ALL = frozenset({REGISTRY, VIEWS})
"""Modules that load all questions, or their pages: a test stands on those that it names."""
COMPUTE = "compute.py"
"""Of a question's folder the file that runs where it is asked of a model. Those beside it are
imported when they are first needed, whatever they are called; page.py by the window."""
FILES = "explorer/files_of_sentences/"
OVER_FILES = f"{QUESTIONS}many/file_of_sentences"
RUNNERS = f"{FILES}runners"
"""What asks questions over files: it runs where a test asks questions by their names."""
HANDED = frozenset({"tests/hf/tiny.py", "tests/hf/kept.py", "tests/ui/pages.py"})
"""Helpers that know of all questions, and ask or find those that a test names; or lend models to
what a test starts by its own import."""
STARTS = re.compile(
    r"\b(executable|EngineProcess|warm_engine|warm_program|Popen|spawn|forkserver|main\.py)\b"
)
"""How tests start a process of the program."""
KOREAN = re.compile(r"\b(ko|speak|speaking|catalogues|locale|LANGUAGE)\b")
NAME = re.compile(r"[a-z]\w{3,}")
SENTENCE = re.compile(r"^(?=.{4}).*([A-Z ]|[^\x00-\x7f])")
"""What a question may say of itself, as its title, and no word of the program's own."""
PATH = re.compile(r"[\w.-]+(/[\w.-]+)*/?")
LOCALE = "resources/locale"
"""It changes with every sentence; a test that speaks no Korean does not read it."""
BY_NAME = ("getfixturevalue", "usefixtures")
"""How fixtures are asked for by their names; where those are made up, any string may be one."""
FIXTURES = "tests/windows.py"
"""Fixtures that every test may ask for, beside the conftests above it."""
HANDS_OUT = frozenset(
    {
        *("explorer/engine/plugins/conformance/reading.py", "explorer/faces.py"),
        *("explorer/licences.py", "explorer/paths.py", "tests/ui/fake_engine.py"),
    }
)
"""Modules that name files, languages or faces, and read none of them for those who import them."""
NET = "tests/conftest.py"
"""What it does and imports for every test is tried by the spine, which always runs."""
DOTTED = re.compile(r"\b(?:explorer|tests|plugins|benchmarks)(?:\.\w+)+")


@dataclass
class Facts:
    """What a part of a file names.

    Attributes:
        modules: Full names of what it imports, or may mean by a string.
        paths: Strings in it that may be paths; chains of `/` as one.
        names: Of a file of the tests: fixtures that its tests and its own fixtures ask for; of a
            conftest all that it calls.
        starts: Whether it may start a process of the program.
        korean: Whether it may speak Korean.
        loads: Whether it imports by names made up at run time.
        words: Of a file of the tests: words in its strings, which may name questions.
        sentences: Of a file of the tests, and of a question's: what may be a title, as digests.
        functions: Of a conftest: its functions one by one, as their users have them.
    """

    modules: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    starts: bool = False
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
    if not _holds_fixtures(path):
        return _facts(path, tree.body)
    apart = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    found = _facts(path, [one for one in tree.body if one not in apart])
    found.functions = {one.name: _facts(path, [one]) for one in apart}
    return found


def _holds_fixtures(path: str) -> bool:
    return path.endswith("/conftest.py") or path == "tests/windows.py"


def _facts(path: str, body: list[ast.stmt]) -> Facts:
    package = path.split("/")[:-1]
    modules, strings, names, asked = set[str](), set[str](), set[str](), set[str]()
    of_all, looked_up, is_any_asked = 0, 0, False
    for node in _nodes(body):
        found = _imported(node, package)
        modules |= found
        if isinstance(node, ast.ImportFrom):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            strings.add(_chain(node))
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
    if _holds_fixtures(path):
        asked |= names
    is_test = path.startswith("tests/")
    says = {one for one in strings if SENTENCE.search(one)}
    return Facts(
        sorted(one for one in modules if DOTTED.fullmatch(one) or one in ("explorer", "tests")),
        sorted(one for one in strings if PATH.fullmatch(one)),
        sorted(asked) if is_test else [],
        bool(STARTS.search(words)),
        bool(KOREAN.search(words)),
        bool(LOADING.search(words)),
        sorted(_names_in(strings)) if is_test else [],
        sorted({zlib.crc32(one.encode("utf-8", "surrogatepass")) for one in says})
        if is_test or _folder_of_question(path)
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


def _chain(node: ast.expr) -> str:
    """`ROOT / "resources" / "models"` as "resources/models"; "" for what is no string."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return f"{_chain(node.left)}/{_chain(node.right)}".strip("/")
    if isinstance(node, ast.JoinedStr) and node.values:
        return _chain(node.values[0]).rpartition("/")[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


class Reach:
    """What each test file of a repository stands on.

    Args:
        files: All files, relative to the repository.
        facts: Of a Python file, by its path.
    """

    def __init__(self, files: Iterable[str], facts: Callable[[str], Facts]) -> None:
        self.files = sorted(files)
        self._facts = functools.cache(facts)
        self._bits = {file: 1 << number for number, file in enumerate(self.files)}
        self._under: dict[str, int] = defaultdict(int)
        for file in self.files:
            parts = file.split("/")
            for depth in range(1, len(parts) + 1):
                self._under["/".join(parts[:depth])] |= self._bits[file]
        self._names: dict[int, int] = {}
        self._homes: dict[str, str] = {}
        self._file_of = functools.cache(self._found_file)
        self._direct = functools.cache(self._found_directly)
        self._program = self._below(PROGRAM)
        self._folders = sorted({_folder_of_question(file) for file in self.files} - {""})
        self._questions = self._below(self._folders) | self._under[RUNNERS]
        self._titles: dict[str, frozenset[int]] = {}
        self._faces = [one.removesuffix(STUB) for one in self.files if one.endswith(STUB)]
        for folder in self._faces:
            for name, home in self._shown(folder).items():
                self._homes[f"{folder.replace('/', '.')}.{name}"] = home
        self._locale = self._below([LOCALE])

    def of(self, test: str) -> frozenset[str]:
        """All that a test file stands on, itself among it."""
        parts = self._parts(test)
        found = self._below([path for path, _ in parts]) | self._beside(test)
        for path, facts in parts:
            found |= self._named(path, facts)
        asked = self._asked(parts)
        if not computes(parts):
            asked &= ~self._below(f"{folder}/{COMPUTE}" for folder in self._folders)
        if is_told(parts):
            found |= self._below(f"{folder}/question.py" for folder in self._folders)
        found = self._closed(found, asked)
        if any(facts.starts for _, facts in parts):
            found |= self._program & ~(self._questions & ~asked)
        elif not any(facts.korean for path, facts in parts if path not in HANDS_OUT):
            found &= ~self._locale
        return frozenset(self._members(found))

    def _shown(self, folder: str) -> dict[str, str]:
        """Names of a face, each with its file; with those of a face that it shows all of."""
        named, found = set(self._facts(folder + STUB).modules), dict[str, str]()
        for one in named:
            module, _, name = one.rpartition(".")
            if module in named:
                found[name] = self._file_of(module)
            elif (inner := one.replace(".", "/")) in self._faces:
                found |= self._shown(inner)
        return found

    def _asked(self, parts: Collection[tuple[str, Facts]]) -> int:
        """Files of the questions that a test names, of all where it goes over all of them."""
        asked, words, sentences, is_over_all = set[str](), set[str](), set[int](), False
        told = is_told(parts)
        for path, facts in parts:
            is_over_all |= told and not TOLD_OF_ALL.isdisjoint(facts.words)
            for module in facts.modules:
                is_over_all |= bool(OVER_ALL.fullmatch(module)) and path not in HANDED
                file = self._file_of(module)
                asked.add(OVER_FILES if file.startswith(FILES) else _folder_of_question(file))
            words.update(facts.words)
            sentences.update(facts.sentences)
        for folder in self._folders:
            if folder.rpartition("/")[2] in words or not sentences.isdisjoint(self._said(folder)):
                asked.add(folder)
        over_files = self._under[RUNNERS] if OVER_FILES in asked else 0
        return over_files | self._below(self._folders if is_over_all else asked)

    def _said(self, folder: str) -> frozenset[int]:
        """What a question says of itself: its title, what its options are called, and the like."""
        if folder not in self._titles:
            file = f"{folder}/question.py"
            own = self._facts(file).sentences if file in self._bits else ()
            self._titles[folder] = frozenset(own)
        return self._titles[folder]

    def _members(self, found: int) -> Iterator[str]:
        while found:
            lowest = found & -found
            yield self.files[lowest.bit_length() - 1]
            found ^= lowest

    def _below(self, paths: Iterable[str]) -> int:
        return functools.reduce(lambda all_, path: all_ | self._under.get(path, 0), paths, 0)

    def _beside(self, test: str) -> int:
        """The data in a test's folder."""
        folder = test.rpartition("/")[0]
        return sum(
            self._bits[file]
            for file in self._members(self._under[folder])
            if file.rpartition("/")[0] == folder and not file.endswith(".py")
        )

    def _parts(self, test: str) -> list[tuple[str, Facts]]:
        """The test's own file, the helpers that it imports, and the fixtures that it gets."""
        folders = test.split("/")[:-1]
        conftests = ["/".join([*folders[:depth], "conftest.py"]) for depth in range(1, 9)]
        fixtures = [one for one in dict.fromkeys([*conftests, FIXTURES]) if one in self._bits]
        todo, parts, names = [test, *fixtures], {}, set[str]()
        while todo:
            path = todo.pop()
            if path in parts:
                continue
            facts = self._facts(path)
            parts[path] = [NOTHING if path == NET else facts]
            names.update(*(one.names for one in parts[path]))
            todo += self._helpers(path, parts[path][0])
            for file in {*fixtures, *parts} & {one for one in parts if self._facts(one).functions}:
                for name, own in self._facts(file).functions.items():
                    if own not in parts[file] and (name in names or _is_for_all(file, name, own)):
                        parts[file].append(own)
                        names.update(own.names)
                        todo += self._helpers(file, own)
        return [(path, one) for path, ones in parts.items() for one in ones]

    def _helpers(self, path: str, facts: Facts) -> list[str]:
        """Files of the tests that another one imports, or names."""
        if path == NET:
            return []
        found = {self._file_of(module) for module in facts.modules}
        found |= {one for name in facts.paths for one in self._places(path, name)}
        return [one for one in found if one in self._bits and _is_helper(one)]

    def _found_file(self, module: str) -> str:
        """The file of a module, or of the one that a name is in; "" for another package's."""
        parts = module.split(".")
        for length in range(len(parts), 0, -1):
            base = "/".join(parts[:length])
            for file in (f"{base}.py", f"{base}/__init__.py"):
                if file in self._bits:
                    return file
        return ""

    def _places(self, path: str, name: str) -> list[str]:
        """What a string may name, seen from the root, from the resources and from its own file."""
        folder = path.rpartition("/")[0]
        tests = path.startswith("tests/")
        seen_from = (folder, "", "resources", *(["tests"] if "/" in name else []))
        places = (posixpath.normpath(posixpath.join(one, name)) for one in seen_from)
        named = [one for one in places if one in self._under and one not in folder]
        if tests:
            return named
        # Of the program's own words many are called as its folders are.
        return [one for one in named if "/" in one or "." in one]

    def _named(self, path: str, facts: Facts) -> int:
        """What a part of a file names: modules with the packages they are in, and data."""
        if id(facts) in self._names:
            return self._names[id(facts)]
        found, apart = 0, path.startswith("explorer/") and not path.startswith(APART)
        for folder in self._faces if path not in HANDS_OUT else ():
            face = folder.replace("/", ".")
            if face in facts.modules and not any(m.startswith(f"{face}.") for m in facts.modules):
                found |= self._below([folder])  # whichever of its names it takes
        for module in facts.modules:
            file = self._homes.get(module) or self._file_of(module)
            if path == BEGINS or (apart and file.startswith(APART)):
                continue
            while file:
                found |= self._bits[file]
                package = f"{file.removesuffix('/__init__.py').rpartition('/')[0]}/__init__.py"
                file = package if package in self._bits else ""
        if path not in HANDS_OUT:
            for name in facts.paths:
                found |= self._below(self._places(path, name))
        self._names[id(facts)] = found
        return found

    def _found_directly(self, path: str) -> tuple[int, int]:
        """What a file names, and what it has imported where its question is asked."""
        if not path.endswith(".py"):
            return 0, 0
        found, asked = self._named(path, self._facts(path)), 0
        for pattern in LOADS.get(path, ()):
            loaded = sum(self._bits[one] for one in self.files if fnmatch.fnmatch(one, pattern))
            if path in OF_ALL:
                asked |= loaded
            else:
                found |= loaded
        folder = _folder_of_question(path)
        if path == f"{folder}/question.py":
            apart = {f"{folder}/{COMPUTE}", f"{folder}/page.py"}
            beside = {one for one in self._members(self._under[folder]) if one.count("/") == 4}
            found |= self._below(
                one for one in beside - apart if one.endswith(".py") and not self._is_drawn(one)
            )
            asked |= self._under[f"{folder}/{COMPUTE}"]
        if folder or path.startswith(FILES):
            runners = self._under[RUNNERS]
            found, asked = found & ~runners, asked | found & runners
        return found, asked

    def _is_drawn(self, file: str) -> bool:
        """Whether a file is of the window, which imports it from there."""
        return any(module.startswith("explorer.ui") for module in self._facts(file).modules)

    def _closed(self, found: int, asked: int) -> int:
        """With all that those stand on.

        Args:
            found: Files.
            asked: Files of the questions that are named.
        """
        done, todo = 0, found
        while todo:
            new = 0
            for file in self._members(todo):
                if not file.startswith("tests/"):
                    direct, where_asked = self._direct(file)
                    new |= direct | where_asked & asked
            done |= todo
            todo = new & ~done
        return done


def _is_helper(file: str) -> bool:
    return file.startswith("tests/") and file.endswith(".py") and not _holds_fixtures(file)


def _is_for_all(path: str, name: str, facts: Facts) -> bool:
    return "autouse" in facts.names or (name.startswith("pytest_") and path != NET)


def _folder_of_question(file: str) -> str:
    """The folder of the question that a file is of; "" if it is of none."""
    parts = file.split("/")
    return "/".join(parts[:4]) if file.startswith(QUESTIONS) and len(parts) > 4 else ""
