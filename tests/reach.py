"""What a test file stands on: all of the program, of the tests and of their data that it reaches.

It is read from the source. Imports are followed, those inside functions too; those for types alone
never run. Modules that are named in a string, in code that another process is handed as well, are
followed like imported ones. What is imported by a name made up while the program runs is in LOADS,
and a test holds that every module that does so is. Files of data are those that a string names,
and those beside a test. What starts a process of the program stands on all of it, what begins an
engine on all but the window.

Where it can't be known it is taken for yes: a test that runs once more than it had to has cost a
little time, one that did not run has cost its purpose.
"""

import fnmatch
import functools
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator

from tests.asking import computes, is_told
from tests.loads import LOADS, QUESTIONS, REGISTRY, VIEWS
from tests.named import NOTHING, Facts, folder_of_question, holds_fixtures

PROGRAM = ("explorer", "plugins", "resources", "main.py", "pyproject.toml")
"""What a process of the program may read."""
OVER_ALL = re.compile(
    r"explorer\.(questions\.all_questions|ui\.views\.(listed|views)|commands\.(check|scenes|tour)"
    r"|tour\b(?!\.hands).*|engine\.plugins\.conformance\b.*)"
)
"""What tests import that go over all questions; who goes over some names them."""
TOLD_OF_ALL = frozenset({"check", "scenes", "tour"})
"""Commands that ask all of them."""
BEGINS = "explorer/engine/process/engine_handle.py"
"""Names what the engine's process begins with: for whom that is started stands on all."""
WINDOW = ("explorer/ui", "explorer/tour", "explorer/app.py", "resources/icons", "resources/styles")
"""What an engine never imports or reads."""
APART = ("explorer/pretraining", "explorer/installers")
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
DATA = ("resources", "docs")
"""Folders that the program gives out, for what is in them to be joined."""
LOCALE = "resources/locale"
"""It changes with every sentence; a test that speaks no Korean does not read it."""
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
        self._program = self._below(PROGRAM) & ~self._below(APART)
        self._window = self._below(WINDOW)
        self._folders = sorted({folder_of_question(file) for file in self.files} - {""})
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
        elif any(facts.engine for _, facts in parts):
            found |= self._program & ~(self._questions & ~asked) & ~self._window
        if not any(facts.korean for path, facts in parts if path not in HANDS_OUT):
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
                asked.add(OVER_FILES if file.startswith(FILES) else folder_of_question(file))
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
        found.update(self._places(path, facts))
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

    def _places(self, path: str, facts: Facts) -> Iterator[str]:
        """What strings may name, seen from the root, from the resources and from their own file."""
        folder = path.rpartition("/")[0]
        tests = path.startswith("tests/")
        for name in facts.paths:
            # Of the program's own words many are called as its folders are.
            if tests or "/" in name or "." in name:
                seen_from = (folder, "", "resources", *(["tests"] if "/" in name else []))
                yield from self._seen(name, folder, seen_from)
        above = [path[: at.start()] for at in re.finditer("/", path)] if tests else [folder]
        for chain in facts.chains:
            # What is not there may come: then the folder that it is in has changed.
            parts = chain.split("/")
            ahead = filter(None, ("/".join(parts[:one]) for one in range(len(parts), 0, -1)))
            found = (list(self._seen(one, folder, (*above, "", *DATA))) for one in ahead)
            yield from next(filter(None, found), ())

    def _seen(self, name: str, folder: str, seen_from: Iterable[str]) -> Iterator[str]:
        for place in seen_from:
            one = posixpath.normpath(posixpath.join(place, name))
            if one in self._under and one not in folder:
                yield one

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
            found |= self._below(self._places(path, facts))
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
        folder = folder_of_question(path)
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
    return file.startswith("tests/") and file.endswith(".py") and not holds_fixtures(file)


def _is_for_all(path: str, name: str, facts: Facts) -> bool:
    return "autouse" in facts.names or (name.startswith("pytest_") and path != NET)
