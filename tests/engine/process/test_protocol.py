"""What the window may rely on, whoever answers: the engine's process, and the fake of the tests.

Every test runs against both, through the interface alone, so that the fake can't drift from the
real one.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import gated
import pytest
from listening import Listener

from explorer.api.family import LoadOptions
from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import Blame, ModelCard
from explorer.document import Mask
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.interface import Engine
from explorer.engine.messages import (
    Answer,
    Ask,
    Died,
    EngineRequest,
    Failed,
    Inspect,
    ListCheckpoints,
    ListPlugins,
    LoadModel,
    PluginRecord,
    Progress,
    Ready,
    Stopped,
    Unload,
)
from explorer.engine.process.client import EngineProcess
from explorer.paths import Paths
from explorer.questions.masking.masked_tokens.question import (
    MaskedTokensRequest,
    MaskedTokensResult,
)
from explorer.questions.tokenizers.tokens.question import TokensRequest, TokensResult
from tests import warm_engine
from tests.ui.fake_engine import MINIATURE, FakeEngine, answer_of

TEXT = "The chef cooked the meal."
FILL = Ask(MaskedTokensRequest(TEXT, masks=(Mask(20, 24),)))
TOKENS = Ask(TokensRequest(TEXT))
ID = "bert-miniature"
LOAD = LoadModel("A", ID, LoadOptions(device="cpu"))


class Driven(Protocol):
    """An engine with what a test does to it from outside.

    Attributes:
        engine: The engine.
        told: What it told.
        folder: Of the miniature.
    """

    engine: Engine
    told: Listener
    folder: str

    def start(self) -> None:
        """Begin."""

    def shut(self) -> None:
        """Let no question be answered."""

    def open(self) -> None:
        """Let questions be answered again, those that wait first."""

    def works_at(self, lane: str, number: int) -> None:
        """Wait until a call has begun to be answered, which is not let through."""

    def kill(self) -> None:
        """End the process from outside."""

    def kill_for_good(self) -> None:
        """End it until no other is started."""


class Fake:
    """The fake of the window's tests."""

    def __init__(self) -> None:
        self.engine = FakeEngine()
        self.told = Listener()
        self.folder = MINIATURE.folder or ""

        def answer(request: Any, card: ModelCard) -> Any:
            gated.raise_fault_of(request.text)
            return answer_of(request, card)

        self.engine.answers = {MaskedTokensRequest: answer, TokensRequest: answer}

    def start(self) -> None:
        self.engine.start(self.told)

    def shut(self) -> None:
        self.engine.held |= {"view", "detail"}

    def open(self) -> None:
        self.engine.held.clear()
        for lane in list(self.engine.waiting):
            self.engine.release(lane)

    def works_at(self, lane: str, number: int) -> None:
        assert self.engine.waiting[lane].number == number
        self.engine.progress(lane, "waiting", 1.0, 2.0)

    def kill(self) -> None:
        self.engine.die("The system stopped the engine.")

    def kill_for_good(self) -> None:
        self.engine.die("The system stopped the engine.", restarting=False)


class Real:
    """The engine's process, with the program's own parts."""

    def __init__(self, logs: Path, *, with_torch: bool = True) -> None:
        paths = Paths.profile(logs / "profile")
        self.engine = EngineProcess(
            EngineConfiguration(
                paths.bundled_plugins,
                paths.bundled_models,
                logs=logs,
                device="cpu",
                with_torch=with_torch,
                build=gated.build,
            )
        )
        self.told = Listener()
        self.folder = str(paths.bundled_models / ID)
        self._gate = logs / gated.GATE

    def start(self) -> None:
        self.engine.start(self.told)

    def shut(self) -> None:
        self._gate.touch()

    def open(self) -> None:
        self._gate.unlink(missing_ok=True)

    def works_at(self, lane: str, number: int) -> None:
        self.told.wait_for(Progress, lambda e: (e.lane, e.number) == (lane, number))

    def kill(self) -> None:
        pid = self.engine.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    def kill_for_good(self) -> None:
        for number in range(1, 10):
            self.kill()
            died = self._nth_death(number)
            if not died.restarting:
                return
            self.told.wait_for(Ready, after=self.told.events.index(died))
        raise AssertionError("it goes on starting processes")

    def _nth_death(self, number: int) -> Died:
        after = 0
        for _ in range(number):
            died = self.told.wait_for(Died, after=after)
            after = next(n for n, e in enumerate(self.told.events) if e is died) + 1
        return died


@pytest.fixture(scope="module")
def shared_real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Real]:
    made = Real(tmp_path_factory.mktemp("engine"))
    with closing(made.engine):
        with pytest.MonkeyPatch.context() as patch:
            warm_engine.use(patch)
            made.start()
            end(made, "load:A", LOAD)
        yield made


KINDS = pytest.mark.parametrize("kind", ["fake", "real"])


@pytest.fixture(params=["fake", "real"])
def driven(request: pytest.FixtureRequest, shared_real: Real) -> Iterator[Driven]:
    """One of the two, with the miniature in slot A; tests leave it as it was."""
    made: Driven
    if request.param == "real":
        made = shared_real
    else:
        made = Fake()
        made.start()
        end(made, "load:A", LOAD)
    yield made
    made.open()


@pytest.fixture
def make(tmp_path: Path, warm_engine: None) -> Iterator[Callable[..., Driven]]:
    """Makes one of the two for a test alone; it is not started."""
    made: list[Driven] = []

    def of(kind: str, **options: Any) -> Driven:
        if kind == "real" and sys.platform == "win32":
            pytest.skip("signals are POSIX's")
        made.append(Fake() if kind == "fake" else Real(tmp_path, **options))
        return made[-1]

    yield of
    for one in made:
        one.engine.close()


def end(driven: Driven, lane: str, request: EngineRequest) -> Any:
    """How a call ends."""
    return driven.told.end_of(lane, driven.engine.submit(lane, request))


def ends_in(driven: Driven, lane: str, begun: int) -> list[tuple[type, int]]:
    """The ends of calls in a lane that were told from an event on."""
    ended = [e for e in driven.told.events[begun:] if isinstance(e, Answer | Failed | Stopped)]
    return [(type(e), e.number) for e in ended if e.lane == lane]


# ---- asking and answering ------------------------------------------------------------------


def test_every_kind_of_request_has_its_kind_of_answer(driven: Driven) -> None:
    rows = end(driven, "library", ListCheckpoints()).result
    assert ID in {row.id for row in rows}
    assert isinstance(rows, tuple)
    assert all(isinstance(row, Checkpoint) for row in rows)
    inspected = end(driven, "inspect", Inspect(driven.folder)).result
    assert isinstance(inspected, Checkpoint)
    plugins = end(driven, "plugins", ListPlugins()).result
    assert isinstance(plugins, tuple)
    assert all(isinstance(row, PluginRecord) for row in plugins)
    card = end(driven, "load:B", LoadModel("B", ID, LoadOptions(device="cpu"))).result
    assert isinstance(card, ModelCard)
    assert (card.slot, card.stamp.id, card.stamp.device) == ("B", ID, "cpu")
    assert {"masked_tokens", "tokens"} <= set(card.operations)
    filled = end(driven, "view", Ask(FILL.request, {"model": "B"}))
    assert isinstance(filled.result, MaskedTokensResult)
    assert filled.result.model == card.stamp
    assert len(filled.result.masks) == 1
    assert filled.memory_bytes > 0
    assert isinstance(end(driven, "view", TOKENS).result, TokensResult)
    assert end(driven, "load:B", Unload("B")).result is None


def test_numbers_grow_by_one_in_each_lane(driven: Driven) -> None:
    numbers = [driven.engine.submit("numbers", ListPlugins()) for _ in range(3)]
    assert numbers == [1, 2, 3]
    assert driven.engine.submit("other numbers", ListPlugins()) == 1
    assert isinstance(driven.told.end_of("numbers", 3), Answer)
    assert isinstance(driven.told.end_of("other numbers", 1), Answer)


def test_a_cancelled_question_stops_and_nothing_else_comes_of_it(driven: Driven) -> None:
    driven.shut()
    begun = len(driven.told.events)
    number = driven.engine.submit("view", FILL)
    driven.works_at("view", number)
    driven.engine.cancel("view")
    assert isinstance(driven.told.end_of("view", number), Stopped)
    driven.engine.cancel("view")
    driven.engine.cancel("a lane where nothing was ever asked")
    driven.open()
    assert isinstance(end(driven, "view", FILL), Answer)
    assert ends_in(driven, "view", begun) == [(Stopped, number), (Answer, number + 1)]


def test_a_newer_question_takes_the_place_of_the_older_ones(driven: Driven) -> None:
    driven.shut()
    begun = len(driven.told.events)
    first = driven.engine.submit("view", FILL)
    driven.works_at("view", first)
    driven.engine.submit("view", FILL)
    newest = driven.engine.submit("view", TOKENS)
    driven.open()
    answer = driven.told.end_of("view", newest)
    assert isinstance(answer.result, TokensResult)
    # Whatever is asked later is answered later: nothing of the older ones comes after it either.
    end(driven, "view of later", TOKENS)
    assert ends_in(driven, "view", begun) == [(Answer, newest)]
    assert newest == first + 2


def test_a_detail_leaves_the_view_alone(driven: Driven) -> None:
    driven.shut()
    begun = len(driven.told.events)
    view = driven.engine.submit("view:attention", FILL)
    driven.works_at("view:attention", view)
    first = driven.engine.submit("detail:attention:", TOKENS)
    second = driven.engine.submit("detail:attention:", TOKENS)
    other = driven.engine.submit("detail:attention:other head", TOKENS)
    driven.engine.cancel("detail:attention:other head")
    assert isinstance(driven.told.end_of("detail:attention:other head", other), Stopped)
    driven.open()
    assert isinstance(driven.told.end_of("view:attention", view), Answer)
    assert isinstance(driven.told.end_of("detail:attention:", second), Answer)
    assert ends_in(driven, "detail:attention:", begun) == [(Answer, second)]
    assert first == second - 1


def test_progress_is_told_of_the_question_that_is_worked_at(driven: Driven) -> None:
    driven.shut()
    begun = len(driven.told.events)
    number = driven.engine.submit("view", FILL)
    driven.works_at("view", number)
    told = [e for e in driven.told.events[begun:] if isinstance(e, Progress)]
    assert {(e.lane, e.number, e.stage, e.total) for e in told} == {("view", number, "waiting", 2)}


# ---- what goes wrong -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "blame"),
    [
        ("fault of the user", Blame.USER),
        ("fault of the checkpoint", Blame.CHECKPOINT),
        ("fault of the plugin", Blame.PLUGIN),
        ("fault of the machine", Blame.MACHINE),
        ("not there", Blame.USER),
        ("bug", Blame.BUG),
    ],
)
def test_a_fault_comes_as_data_and_leaves_the_engine_as_it_was(
    driven: Driven, text: str, blame: Blame
) -> None:
    failed = end(driven, "view", Ask(TokensRequest(text)))
    assert isinstance(failed, Failed)
    assert failed.failure.blame is blame
    if blame is not Blame.BUG:
        assert failed.failure.said == str(gated.FAULTS[text].args[0])
    assert isinstance(end(driven, "view", TOKENS), Answer)


def test_what_cannot_be_sent_fails(driven: Driven) -> None:
    failed = end(driven, "view", Ask(lambda: None))
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.BUG
    assert isinstance(end(driven, "view", TOKENS), Answer)


def test_an_empty_slot_answers_nothing(driven: Driven) -> None:
    asked = Ask(TokensRequest(TEXT), {"model": "B"})
    for _ in range(2):
        failed = end(driven, "view", asked)
        assert isinstance(failed, Failed)
        assert failed.failure.blame is Blame.USER
        assert "No model is loaded as B" in failed.failure.said
        end(driven, "load:B", LoadModel("B", ID, LoadOptions(device="cpu")))
        assert isinstance(end(driven, "view", asked), Answer)
        end(driven, "load:B", Unload("B"))
        end(driven, "load:B", Unload("B"))


def test_a_load_that_fails_leaves_the_model_that_was_there(driven: Driven) -> None:
    failed = end(driven, "load:A", LoadModel("A", "/nowhere/at/all"))
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.USER
    assert isinstance(end(driven, "view", FILL), Answer)
    failed = end(driven, "inspect", Inspect("/nowhere/at/all"))
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.USER


# ---- beginning, dying, ending --------------------------------------------------------------


@KINDS
def test_it_is_ready_twice_and_answers_what_was_asked_before(
    make: Callable[..., Driven], kind: str
) -> None:
    driven = make(kind)
    early = driven.engine.submit("plugins", ListPlugins())
    driven.start()
    assert isinstance(driven.told.end_of("plugins", early), Answer)
    second = driven.told.wait_for(Ready, lambda e: bool(e.devices))
    first = driven.told.wait_for(Ready)
    assert (first.devices, first.pid, first.problem) == ((), second.pid, None)
    assert "cpu" in second.devices
    assert {"python", "torch", "transformers"} <= set(second.versions)
    assert len([e for e in driven.told.events if isinstance(e, Ready)]) == 2


@KINDS
@pytest.mark.parametrize("wanted", [False, True])
def test_a_new_process_has_the_models_of_the_old_one(
    make: Callable[..., Driven], kind: str, wanted: bool
) -> None:
    driven = make(kind)
    driven.start()
    lane = "load:the first of a demonstration"
    card = end(driven, lane, LOAD).result
    end(driven, "load:B", LoadModel("B", ID, LoadOptions(device="cpu")))
    end(driven, "load:B", Unload("B"))
    pid = driven.told.wait_for(Ready).pid
    driven.shut()
    driven.works_at("view", driven.engine.submit("view", FILL))
    lost = driven.engine.submit("view", TOKENS)
    begun = len(driven.told.events)
    if wanted:
        driven.engine.restart()
    else:
        driven.kill()
    died = driven.told.wait_for(Died, after=begun)
    assert died.restarting
    assert (died.reason == "The engine was restarted.") is wanted
    assert [(call.lane, call.number, call.request) for call in died.lost] == [
        ("view", lost, TOKENS)
    ]
    driven.open()
    again = driven.told.wait_for(Answer, after=begun)
    assert (again.lane, again.number) == (lane, 2)
    assert again.result.stamp == card.stamp
    assert driven.told.wait_for(Ready, after=begun).pid != pid
    assert len([e for e in driven.told.events[begun:] if isinstance(e, Ready)]) == 2
    assert end(driven, "view", FILL).result.model == card.stamp
    assert isinstance(end(driven, "view", Ask(TokensRequest(TEXT), {"model": "B"})), Failed)
    assert driven.engine.submit(lane, Unload("A")) == 3
    assert ends_in(driven, "view", begun) == [(Answer, lost + 1), (Failed, lost + 2)]


@KINDS
def test_an_engine_that_is_down_says_so_until_it_is_restarted(
    make: Callable[..., Driven], kind: str
) -> None:
    driven = make(kind, with_torch=False)
    driven.start()
    assert isinstance(end(driven, "plugins", ListPlugins()), Answer)
    driven.kill_for_good()
    failed = end(driven, "plugins", ListPlugins())
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.MACHINE
    begun = len(driven.told.events)
    driven.engine.restart()
    driven.told.wait_for(Ready, after=begun)
    assert isinstance(end(driven, "plugins", ListPlugins()), Answer)
    assert not [e for e in driven.told.events[begun:] if isinstance(e, Died)]


@KINDS
def test_a_closed_engine_tells_nothing(make: Callable[..., Driven], kind: str) -> None:
    driven = make(kind, with_torch=False)
    driven.start()
    end(driven, "plugins", ListPlugins())
    driven.engine.close()
    told = len(driven.told.events)
    driven.engine.close()
    assert driven.engine.submit("plugins", ListPlugins()) == 2
    driven.engine.cancel("plugins")
    driven.engine.restart()
    assert len(driven.told.events) == told
