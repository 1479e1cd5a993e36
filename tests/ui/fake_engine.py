"""An engine that answers at once from data, or when and as a test says."""

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.api.family import Head, LoadReport
from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import (
    Entity,
    Failure,
    MachineFault,
    MaskPredictions,
    ModelCard,
    ModelStamp,
    Prediction,
    Token,
    UserMistake,
)
from explorer.document import Document, Mask
from explorer.engine.downloads.offered import DownloadSize, FoundModel, Revision
from explorer.engine.messages import (
    Answer,
    Ask,
    Call,
    Died,
    Download,
    EngineRequest,
    Event,
    Failed,
    Find,
    Inspect,
    ListCheckpoints,
    ListPlugins,
    ListRevisions,
    LoadModel,
    MeasureDownloads,
    MeasureTime,
    NameEntities,
    PartialResult,
    PluginRecord,
    Progress,
    ReadSeries,
    Ready,
    SearchHub,
    Stopped,
    Unresponsive,
)
from explorer.engine.process.boundary import encode, owned
from explorer.engine.process.call_tracker import CallTracker
from explorer.questions.masking.masked_tokens.question import (
    MaskedTokensRequest,
    MaskedTokensResult,
)
from explorer.questions.tokenizers.tokens.question import TokensRequest, TokensResult
from explorer.series.series import CheckpointSeries

MEMORY = 383_000_000
VERSIONS = {"python": "3.11.0", "torch": "2.13.0", "transformers": "5.0.0"}
GUESSES = ("cooked", "made", "ate", "served", "ruined", "saw", "bought", "liked", "had", "left")

MINIATURE = Checkpoint(
    "bert-miniature",
    "BERT miniature",
    Source.BUNDLED,
    "/models/bert-miniature",
    "bert",
    "config.json says bert.",
    "BERT · 4 layers × 128 wide × 4 heads · 1,600 pieces",
    1_049_922,
    2_100_000,
    {"float32": 4_200_000, "float16": 2_100_000},
    {128: 1_000_000, 512: 16_800_000},
    (
        Head("masked_lm", "Masked language model", present=True),
        Head("next_sentence", "Next sentence", present=False, missing=("cls.seq.weight",)),
    ),
    ("masked_tokens", "tokens"),
    max_length=128,
    languages="English",
)
CACHED = replace(
    MINIATURE,
    id="google-bert/bert-base-uncased",
    title="BERT base, uncased",
    source=Source.CACHE,
    folder="/cache/bert-base-uncased",
    licence="Apache-2.0",
)
HUB = replace(
    MINIATURE,
    id="google-bert/bert-large-uncased",
    title="BERT large, uncased",
    source=Source.HUB,
    folder=None,
    size_bytes=1_300_000_000,
    heads=(),
)
PICKLED = replace(
    MINIATURE,
    id="/home/me/old",
    title="old",
    source=Source.FOLDER,
    folder="/home/me/old",
    pickled=True,
)
DAMAGED = replace(
    MINIATURE,
    id="/home/me/damaged",
    title="damaged",
    source=Source.FOLDER,
    folder="/home/me/damaged",
    problem="model.safetensors is cut off.",
    hint="Download it again.",
)
CATALOGUE = (MINIATURE, CACHED, HUB, PICKLED, DAMAGED)

PLUGINS = (
    PluginRecord("bert", "BERT", "bundled", "plugins/bert", "1.0", ("bert",)),
    PluginRecord(
        "broken",
        "broken",
        "folder",
        "/home/me/plugins/broken",
        problem="Its module raised ZeroDivisionError.",
        traceback="Traceback (most recent call last):\nZeroDivisionError: division by zero",
    ),
)


def card_of(checkpoint: Checkpoint, slot: str, device: str = "cpu") -> ModelCard:
    """What a load of a checkpoint answers."""
    fingerprint = f"{abs(hash(checkpoint.id)):032x}"[:32]
    return ModelCard(
        slot=slot,
        stamp=ModelStamp(checkpoint.id, checkpoint.family, fingerprint, device, "float32"),
        title=checkpoint.title,
        architecture=checkpoint.architecture,
        folder=checkpoint.folder or "",
        parameters=checkpoint.parameters or 0,
        weights_bytes=4_200_000,
        max_length=checkpoint.max_length,
        mask_token="[MASK]",
        vocabulary_size=1600,
        heads=checkpoint.heads,
        operations=checkpoint.operations,
        unavailable={}
        if "masked_tokens" in checkpoint.operations
        else {"masked_tokens": "This checkpoint has no masked-LM head."},
        report=LoadReport(70),
        duration=0.02,
        languages=("en", "ko") if checkpoint.family == "xlm" else (),
    )


def number_of(word: str) -> int:
    """A made-up id of a word in the vocabulary."""
    return 100 + sum(ord(c) * (i + 1) for i, c in enumerate(word)) % 1500


def tokens_of(text: str, pair: str | None, masks: tuple[Mask, ...]) -> tuple[Token, ...]:
    """Words and signs as tokens, as BERT's input has them."""
    document = Document(text, pair, masks)
    tokens = [Token("[CLS]", 2, 0, 0, special=True)]
    for part, words in enumerate((text,) if pair is None else (text, pair)):
        for match in re.finditer(r"\[MASK\]|\w+|[^\w\s]", words):
            typed = match.group() == "[MASK]"
            masked = typed or document.is_masked(match.start(), match.end(), part)
            tokens.append(
                Token(
                    "[MASK]" if masked else match.group().lower(),
                    4 if masked else number_of(match.group().lower()),
                    match.start(),
                    match.end(),
                    special=False,
                    part=part,
                    masked=masked,
                    original=number_of(match.group().lower()) if masked and not typed else None,
                )
            )
        tokens.append(Token("[SEP]", 3, len(words), len(words), special=True, part=part))
    return tuple(tokens)


def answer_of(request: Any, card: ModelCard) -> Any:
    """What the fake model answers."""
    if not request.text.strip():
        raise UserMistake("There is no text yet.", "Type a sentence.")
    tokens = tokens_of(request.text, request.pair, request.masks)
    if isinstance(request, TokensRequest):
        return TokensResult(card.stamp, tokens)
    assert isinstance(request, MaskedTokensRequest)
    masks = []
    for position, token in enumerate(tokens):
        if token.masked:
            guesses = [
                Prediction(word, number_of(word), 0.5 / 2**rank, word, rank + 1)
                for rank, word in enumerate(GUESSES[: request.top_k])
            ]
            word = request.text[token.start : token.end].lower()
            original = next((g for g in guesses if g.id == token.original), None)
            if original is None and token.original is not None:
                original = Prediction(word, token.original, 0.0001, word, 321)
            masks.append(MaskPredictions(position, tuple(guesses), original, 1.5))
    return MaskedTokensResult(card.stamp, tokens, tuple(masks))


@dataclass
class FakeEngine:
    """Answers from data; a test may make it hold, fail, progress or die.

    It keeps its books with the ledger of the real engine, and takes nothing that could not cross
    to a process. Unlike that one it tells events at once, on the thread of whoever calls it. What
    the two have in common is held by tests/engine/process/test_protocol.py.

    Attributes:
        catalogue: What ListCheckpoints, Find and Inspect know.
        plugins: What ListPlugins answers.
        entities: What NameEntities looks through.
        series: What ReadSeries answers.
        revisions: What ListRevisions answers.
        sizes: What MeasureDownloads answers of each.
        found: What SearchHub answers.
        times: What MeasureTime answers.
        calls: Everything submitted.
        cancelled: Lanes that were cancelled.
        held: Beginnings of lanes whose calls wait for `release`.
        failures: By beginning of a lane: the next calls fail so.
        answers: By type of request: what answers it, given the request and the slot's card, or None
            where no model plays a role.
    """

    catalogue: tuple[Checkpoint, ...] = CATALOGUE
    plugins: tuple[PluginRecord, ...] = PLUGINS
    entities: tuple[Entity, ...] = ()
    series: CheckpointSeries | None = None
    revisions: tuple[Revision, ...] = ()
    sizes: Callable[[str], DownloadSize] = lambda name: DownloadSize(name, 0, 0)
    found: tuple[FoundModel, ...] = ()
    times: Callable[[MeasureTime], Any] = lambda request: request
    calls: list[Call] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    failures: dict[str, Failure] = field(default_factory=dict)
    answers: dict[type, Callable[[Any, Any], Any]] = field(default_factory=dict)
    restarts: int = 0
    is_started: bool = False
    is_closed: bool = False
    is_down: bool = False
    ready: Ready = field(default_factory=lambda: Ready(4242, ("cpu", "cuda:0"), VERSIONS))
    listener: Callable[[Event], None] = lambda _event: None
    _processes: int = 0
    _ledger: CallTracker = field(default_factory=CallTracker)
    _waiting: dict[str, Call] = field(default_factory=dict)
    _cards: dict[str, ModelCard] = field(default_factory=dict)

    # ---- the interface -----------------------------------------------------------------------

    def start(self, listener: Callable[[Event], None]) -> None:
        self.is_started = True
        self.listener = listener
        self._run_process()

    def submit(self, lane: str, request: EngineRequest) -> int:
        call = self._ledger.open(lane, request)
        self.calls.append(call)
        if self.is_closed:
            return call.number
        if self.is_down:
            self._fail(call, MachineFault("The engine is down.", "Restart it."))
            return call.number
        self._waiting[lane] = call
        if self.is_started:
            self._take(call)
        return call.number

    def cancel(self, lane: str) -> None:
        self.cancelled.append(lane)
        call = self._waiting.pop(lane, None)
        if call is not None:
            self._tell(Stopped(lane, call.number))

    def restart(self) -> None:
        self.restarts += 1
        if self.is_closed or not self.is_started:
            return
        if self.is_down:
            self.is_down = False
            self._run_process()
        else:
            self.die("The engine was restarted.")

    def close(self) -> None:
        self.is_closed = True
        self.is_started = False
        self._waiting.clear()

    # ---- what tests do with it ---------------------------------------------------------------

    def requests(self, kind: type) -> list[Any]:
        """Requests of a type, oldest first; a question's request is found in its Ask."""
        asked = [c.request.request if isinstance(c.request, Ask) else c.request for c in self.calls]
        return [request for request in asked if isinstance(request, kind)]

    def release(self, lane: str) -> None:
        """Answer the call a lane holds; whatever comes next in it is held again."""
        self._answer(self._waiting[lane])

    @property
    def waiting(self) -> Mapping[str, Call]:
        """The calls that are held, by lane."""
        return self._waiting

    def progress(self, lane: str, stage: str, done: float, total: float) -> None:
        """Tell how far a held call is."""
        self._tell(Progress(lane, self._waiting[lane].number, stage, done, total))

    def part(self, lane: str, result: Any) -> None:
        """Tell what there is so far of the answer to a held call."""
        self._tell(PartialResult(lane, self._waiting[lane].number, result))

    def die(self, reason: str = "The engine was killed.", *, restarting: bool = True) -> None:
        """End as a process does; held calls are lost, loaded models are loaded again."""
        self._waiting.clear()
        self._cards.clear()
        self.is_down = not restarting
        lost = self._ledger.lose(unsent_too=not restarting)
        self._tell(Died(reason, restarting, lost))
        if restarting:
            self._run_process()

    def reopen(self) -> None:
        """Be the engine of another program that is started; what it was asked is still known."""
        self.is_closed = self.is_started = self.is_down = False
        self._ledger = CallTracker()
        self._waiting.clear()
        self._cards.clear()

    def hang(self, reason: str) -> None:
        """Be noticed to hang."""
        self._tell(Unresponsive(reason))

    # ---- a process ---------------------------------------------------------------------------

    def _run_process(self) -> None:
        """Begin, load again what was loaded, take what waits."""
        self._processes += 1
        ready = replace(self.ready, pid=self.ready.pid + self._processes)
        self._tell(Ready(ready.pid))
        self._tell(ready)
        for call in self._ledger.reloads():
            self._waiting[call.lane] = call
        for call in list(self._waiting.values()):
            self._take(call)

    def _take(self, call: Call) -> None:
        """The process is given a call."""
        try:
            encode(call)
        except TypeError as error:
            self._fail(call, error)
            return
        if self._ledger.send(call) and not self._is_held(call.lane):
            self._answer(call)

    def _tell(self, event: Event) -> None:
        if not self.is_closed and self._ledger.take(event):
            self.listener(event)

    def _fail(self, call: Call, error: Exception) -> None:
        self._waiting.pop(call.lane, None)
        self._tell(Failed(call.lane, call.number, Failure.of(error)))

    def _is_held(self, lane: str) -> bool:
        return any(lane.startswith(held) for held in self.held)

    def _answer(self, call: Call) -> None:
        self._waiting.pop(call.lane, None)
        failure = next((f for k, f in self.failures.items() if call.lane.startswith(k)), None)
        if failure is not None:
            self._tell(Failed(call.lane, call.number, failure))
            return
        try:
            answer = Answer(
                call.lane, call.number, owned(self._result(call.request)), 0.012, MEMORY
            )
            encode(answer)
        except Exception as error:  # noqa: BLE001  as in the engine, a fault is told and not died of
            self._fail(call, error)
        else:
            self._tell(answer)

    def _find(self, wanted: str) -> Checkpoint:
        for checkpoint in self.catalogue:
            if wanted in {checkpoint.id, checkpoint.folder}:
                return checkpoint
        raise UserMistake("There is no checkpoint in this folder.", "Choose another folder.")

    def _result(self, request: EngineRequest) -> Any:
        if isinstance(request, Ask):
            for slot in request.models.values():
                if slot not in self._cards:
                    raise UserMistake(f"No model is loaded as {slot}.", "Load one.")
            answer = self.answers.get(type(request.request), answer_of)
            # The model of the first role answers, as in the engine; without any, the library does.
            first = next(iter(request.models.values()), "")
            return answer(request.request, self._cards.get(first))
        if isinstance(request, LoadModel):
            checkpoint = self._find(request.checkpoint_id)
            device = "cpu" if request.options.device == "auto" else request.options.device
            self._cards[request.slot] = card_of(checkpoint, request.slot, device)
            return self._cards[request.slot]
        known = {
            ListCheckpoints: self.catalogue,
            ReadSeries: self.series,
            ListRevisions: self.revisions,
            ListPlugins: self.plugins,
            SearchHub: self.found,
        }
        if type(request) in known:
            return known[type(request)]
        if isinstance(request, MeasureDownloads | MeasureTime):
            measured = isinstance(request, MeasureTime)
            return (
                self.times(request) if measured else tuple(map(self.sizes, request.checkpoint_ids))
            )
        if isinstance(request, Find):
            return self._find(request.checkpoint_id)
        if isinstance(request, Inspect):
            return self._find(request.path)
        if isinstance(request, NameEntities):
            begun = (one for one in self.entities if one.name.startswith(request.beginning))
            return tuple(itertools.islice(begun, request.most))
        if isinstance(request, Download):
            found = self._find(request.checkpoint_id)
            if request.tokenizer_only:
                return replace(found, tokenizer_folder="/cache/tokenizer")
            return replace(found, source=Source.CACHE, folder=f"/cache/{found.title}")
        self._cards.pop(request.slot, None)
        return None
