"""The way into a plugin's code and out of it again: its prints, its exceptions, its values."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any, NoReturn, TypeVar

from explorer.api.errors import is_out_of_memory
from explorer.api.family import (
    Cancelled,
    Context,
    ExplorerError,
    Family,
    Files,
    Head,
    LoadedModel,
    LoadOptions,
    PluginFault,
    Recognition,
)
from explorer.engine.plugins.border.answer_check import wrong_answer
from explorer.engine.plugins.border.looks import Interrupted, look_of
from explorer.engine.plugins.border.ports import check_ports
from explorer.engine.plugins.border.types_of_values import mismatch
from explorer.faces import FACES, not_shown
from explorer.text import N_, _

T = TypeVar("T")

HINT = N_("Update or switch off the plugin; the Plugins dialog has the details.")


def run_plugin(title: str, work: Callable[[], T]) -> T:
    """Run a plugin's code: what it prints goes to stderr, what it raises is its own fault.

    Raises:
        PluginFault: It raised something that is no ExplorerError; SystemExit and
            KeyboardInterrupt are no better than others.
    """
    with _quiet_stdout(), _own_interrupts(title):
        try:
            return work()
        except (Cancelled, MemoryError, Interrupted):
            raise
        except ExplorerError as error:
            if isinstance(error.message, str) and isinstance(error.hint, str):
                raise
            raise PluginFault(
                N_("The plugin {title} failed without saying why."), HINT, title=title
            ) from error
        except BaseException as error:
            if is_out_of_memory(error):
                raise
            raise failure_of(title, error) from error


def passes_through(error: BaseException, package: str) -> bool:
    """Whether an exception came out of a package's code."""
    trace = error.__traceback__
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if module == package or module.startswith(f"{package}."):
            return True
        trace = trace.tb_next
    return False


def in_words(error: BaseException) -> str:
    """An exception in one line, however odd it is."""
    try:
        said = str(error)
    except Exception:  # noqa: BLE001 - an exception of a plugin's that cannot even be printed
        said = ""
    kind = type(error).__name__
    package = (error.name or "") if isinstance(error, ImportError) else ""
    if package in FACES and "'" in said:
        said = not_shown(package, said.split("'")[1])
    return f"{kind}: {said.splitlines()[0]}" if said.strip() else kind


def answer_of_plugin(title: str, package: str, run: Callable[[], Any], request: Any) -> Any:
    """Let a plugin have its part in an answer, and look at the answer.

    Args:
        title: The plugin's.
        package: The module that its code is in.
        run: Answers.
        request: What was asked.

    Raises:
        PluginFault: Its code failed, or the answer is none.
    """
    answer = blamed(title, package, run)
    wrong = run_plugin(title, lambda: wrong_answer(request, answer))
    if wrong:
        refuse(title, wrong)
    return answer


def blamed(title: str, package: str, run: Callable[[], T]) -> T:
    """Run what a plugin has a part in; what its own code raises is its own fault.

    Raises:
        PluginFault: Its code failed.
    """
    try:
        return run()
    except (ExplorerError, Cancelled, MemoryError, Interrupted):
        raise
    except BaseException as error:
        # The machine's, or the program's own code, which may have called back into the plugin's.
        if is_out_of_memory(error) or not passes_through(error, package):
            raise
        raise failure_of(title, error) from error


def failure_of(title: str, error: BaseException) -> PluginFault:
    """What a plugin raised, as its own fault."""
    return PluginFault(
        N_("The plugin {title} failed ({in_words})."), HINT, title=title, in_words=in_words(error)
    )


def refuse(title: str, wrong: str) -> NoReturn:
    """Tell what is wrong as a plugin's fault."""
    raise PluginFault(
        N_("The plugin {title} breaks its contract: {wrong}."), HINT, title=title, wrong=wrong
    )


class CheckedFamily:
    """A family of somebody else's; each of its answers is looked at where it arrives.

    Attributes:
        id: The plugin's id.
        title: What a user reads.
        package: The module that the plugin's code is in.
    """

    def __init__(self, family: Family, package: str) -> None:
        self._family = family
        self.package = package
        self.id, self.title = family.id, family.title

    def __getattr__(self, name: str) -> Any:
        """Whatever else the family has, for handlers that ask for it."""
        member = getattr(self._family, name)
        if not callable(member):
            return member
        return lambda *args, **kwargs: run_plugin(self.title, lambda: member(*args, **kwargs))

    def recognise(self, files: Files) -> Recognition | None:
        """Claim a checkpoint folder, or not."""
        claim: Recognition | None = self._ask("recognise", Recognition | None, files)
        if claim is not None and claim.family != self.id:
            self._refuse(f"recognise() names the family {claim.family[:40]}, not {self.id}")
        return claim

    def heads(self, files: Files) -> tuple[Head, ...]:
        """Which of the family's heads these files hold."""
        heads: tuple[Head, ...] = self._ask("heads", tuple[Head, ...], files)
        return heads

    def offers(self, files: Files) -> frozenset[type]:
        """Ports that a model loaded from these files will have."""
        return self._ports("offers", files)

    def offers_with(self, present: set[str]) -> frozenset[type]:
        """Ports that come with some heads."""
        return self._ports("offers_with", present)

    def _ports(self, name: str, of: Any) -> frozenset[type]:
        with look_of(self.id, self.title):
            answer = run_plugin(self.title, lambda: getattr(self._family, name)(of))
        if not isinstance(answer, frozenset) or not all(isinstance(one, type) for one in answer):
            self._refuse(f"{name}() returns no frozenset of ports")
        ports: frozenset[type] = answer
        return ports

    def architecture(self, config: Mapping[str, Any]) -> str:
        """One line a person reads."""
        line: str = self._ask("architecture", str, config)
        return line

    def attention_shape(self, config: Mapping[str, Any]) -> tuple[int, int]:
        """Number of layers and of heads a layer."""
        shape: tuple[int, int] = self._ask("attention_shape", tuple[int, int], config)
        return shape

    def max_length(self, config: Mapping[str, Any]) -> int | None:
        """Longest input in tokens."""
        length: int | None = self._ask("max_length", int | None, config)
        return length

    def parameters(self, files: Files) -> int:
        """Number of weights in the files."""
        count: int = self._ask("parameters", int, files)
        return count

    def load(
        self, checkpoint_id: str, files: Files, options: LoadOptions, context: Context
    ) -> LoadedModel:
        """Load the checkpoint."""
        args = (checkpoint_id, files, options, context)
        model: LoadedModel = self._answer("load", LoadedModel, *args)
        check_ports(model, lambda work: run_plugin(self.title, work), self._refuse)
        return model

    def ask(
        self, run: Callable[..., Any], model: LoadedModel, request: Any, context: Context
    ) -> Any:
        """Let a question be answered with the family's model, and look at the answer.

        Raises:
            PluginFault: Its code failed, or the answer is none.
        """
        return answer_of_plugin(
            self.title, self.package, lambda: run(model, request, context), request
        )

    def check(self, value: Any, wanted: Any, where: str) -> None:
        """Look at a value that comes from the plugin.

        Raises:
            PluginFault: It is not of the type that is wanted.
        """
        wrong = run_plugin(self.title, lambda: mismatch(value, wanted, where))
        if wrong:
            self._refuse(wrong)

    def _ask(self, name: str, wanted: Any, *args: Any) -> Any:
        with look_of(self.id, self.title):
            return self._answer(name, wanted, *args)

    def _answer(self, name: str, wanted: Any, *args: Any) -> Any:
        member = getattr(self._family, name)
        answer = run_plugin(self.title, lambda: member(*args))
        self.check(answer, wanted, f"what {name}() returns")
        return answer

    def _refuse(self, wrong: str) -> NoReturn:
        refuse(self.title, wrong)


@contextlib.contextmanager
def _quiet_stdout() -> Iterator[None]:
    """Standard output is for answers alone."""
    if sys.stdout is sys.stderr:
        yield
        return
    with contextlib.redirect_stdout(sys.stderr):
        yield


@contextlib.contextmanager
def _own_interrupts(title: str) -> Iterator[None]:
    """Tell Ctrl-C from a KeyboardInterrupt that a plugin raises; the second one ends the program.

    Args:
        title: The plugin's, which may catch the first as it may catch everything.
    """
    usual = signal.default_int_handler
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not usual
    ):
        yield
        return
    is_second = False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal is_second
        if is_second:
            sys.stderr.write(_("The plugin {title} does not stop: it is ended.\n", title=title))
            sys.stderr.flush()
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
        is_second = True
        raise Interrupted

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
