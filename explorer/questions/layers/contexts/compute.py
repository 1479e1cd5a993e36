"""Makes the index of a corpus where it is missing, and searches it for every token of a text."""

import hashlib
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from explorer.api.question import (
    Context,
    HiddenStates,
    LoadedModel,
    MachineFault,
    UserMistake,
    check_text,
)
from explorer.hf.kept import kept
from explorer.hf.states.rows import row_names
from explorer.questions.layers.contexts.corpus import CorpusText, digest_of, texts_of
from explorer.questions.layers.contexts.index import IndexBlock, StatesIndex
from explorer.questions.layers.contexts.question import (
    MOST_PLACES,
    ContextsRequest,
    ContextsResult,
    NearPlace,
    TokenContexts,
)
from explorer.questions.layers.contexts.search import nearest, unit
from explorer.text import N_

FOLDER = "contexts"
BLOCK_TEXTS = 64
"""Texts of a block: what shares a pass does not depend on where a run was stopped."""
AT_ONCE = 8
"""Texts whose states of all layers are in memory at once."""
AROUND = 60
"""Characters that are shown to each side of a place."""
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def run(model: LoadedModel, request: ContextsRequest, context: Context) -> ContextsResult:
    """The places of the corpus whose states are nearest to those of the text's tokens.

    Raises:
        UserMistake: The text is empty, the layer is not there, or the file can't be read.
        MachineFault: The disk has no room for the index, or another program is making it.
        Cancelled: The run was cancelled; what was read so far is kept.
    """
    check_text(request.text)
    context.check()
    encoded = model.encode(request.text)
    rows = model.port(HiddenStates).states([encoded], context)[0]
    row = request.layer + 1
    if not 0 <= row < len(rows):
        raise UserMistake(
            N_("There is no layer {layer}: this model has {layers}, counted from 0."),
            N_("Choose one that is there."),
            layer=request.layer,
            layers=len(rows) - 1,
        )
    places = [n for n, token in enumerate(encoded.tokens) if not token.special][:MOST_PLACES]
    wanted = unit(rows[row].cpu().numpy())[places]
    with _folder(context) as cache:
        index = index_of(model, request, wanted.shape[1], cache)
        end = index.reaching(request.most)
        if end is None and request.build:
            end = build(model, request, index, row, context)
        answer: tuple[TokenContexts, ...] = ()
        if end is not None:
            answer = _answer(index, end, wanted, places, request.count, context)
    return ContextsResult(
        model=model.stamp,
        tokens=encoded.tokens,
        layers=row_names(len(rows)),
        layer=row_names(len(rows))[row],
        source=Path(request.path).name,
        searched=0 if end is None else end.tokens,
        texts=0 if end is None else end.texts,
        needed=index.bytes_for(request.most) - index.bytes_for(index.end.tokens),
        nearest=answer,
        left_out=encoded.left_out,
    )


@contextmanager
def _folder(context: Context) -> Iterator[Path]:
    """Where indexes are kept; a temporary folder where nothing is."""
    if context.cache is not None:
        yield context.cache / FOLDER
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def index_of(model: LoadedModel, request: ContextsRequest, width: int, cache: Path) -> StatesIndex:
    """The index of a model, a corpus and a layer, as far as it was made.

    Raises:
        UserMistake: The file can't be read.
    """
    stamp = model.stamp
    about = f"{stamp.fingerprint} {stamp.dtype} {digest_of(request.path)} {request.layer}"
    whose = hashlib.blake2b(about.encode(), digest_size=20).hexdigest()
    made = StatesIndex(cache / whose, whose, width, read=False)
    try:
        # Checksums of a large one take a second: they are taken again where a file has changed.
        made.blocks = kept("contexts index", made.whole_blocks, of=made.paths)
    except OSError:
        made.blocks = ()
    return made


def build(
    model: LoadedModel, request: ContextsRequest, index: StatesIndex, row: int, context: Context
) -> IndexBlock:
    """Read the corpus until the index has enough tokens, from where it was stopped.

    Raises:
        MachineFault: The disk has no room, or another program is making it.
        Cancelled: The run was cancelled between two blocks.
    """
    from filelock import FileLock, Timeout

    index.make_room(request.most)
    index.folder.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(f"{index.folder}.lock")
    try:
        with lock.acquire(blocking=False):
            texts = islice(texts_of(request.path), index.end.texts, None)
            while (found := index.reaching(request.most)) is None:
                tokens = float(index.end.tokens)
                context.progress(N_("reading the corpus"), tokens, float(request.most))
                context.check()
                block = list(islice(texts, BLOCK_TEXTS))
                if not block and not index.end.tokens:
                    raise UserMistake(
                        N_("There is no sentence in {name}."),
                        N_("Choose another file."),
                        name=Path(request.path).name,
                    )
                index.add(block, *states_of(model, block, row, context))
                context.give_way()
            return found
    except Timeout:
        raise MachineFault(
            N_("Another window or program is making this index."),
            N_("Wait for it, and ask again."),
        ) from None


def states_of(
    model: LoadedModel, texts: list[CorpusText], row: int, context: Context
) -> tuple[Any, Any]:
    """Where the tokens of some texts are ([tokens, 3]), and their states in a row (float16)."""
    encoded = [model.encode(one.text) for one in texts]
    port = model.port(HiddenStates)
    parts = (encoded[n : n + AT_ONCE] for n in range(0, len(encoded), AT_ONCE))
    found = (rows for part in parts for rows in port.states(part, context))
    places: list[tuple[int, int, int]] = []
    states = []
    for number, (one, rows) in enumerate(zip(encoded, found, strict=True)):
        own = [n for n, token in enumerate(one.tokens) if not token.special]
        places += [(number, one.tokens[n].start, one.tokens[n].end) for n in own]
        states.append(unit(rows[row].cpu().numpy())[own].astype(np.float16))
    if not states:  # the corpus has no more
        return np.zeros((0, 3), np.int64), np.zeros((0, 0), np.float16)
    return np.array(places, np.int64).reshape(-1, 3), np.concatenate(states)


def _answer(
    index: StatesIndex,
    end: IndexBlock,
    wanted: Any,
    places: list[int],
    count: int,
    context: Context,
) -> tuple[TokenContexts, ...]:
    where, cosines = nearest(index.states(end), wanted, count, context.check)
    found = {n: near_place(*index.place(n)) for n in np.unique(where).tolist()}
    return tuple(
        TokenContexts(
            place,
            tuple(found[n] for n in numbers),
            tuple(float(one) for one in own),
        )
        for place, numbers, own in zip(places, where.tolist(), cosines, strict=True)
    )


def near_place(text: CorpusText, start: int, end: int) -> NearPlace:
    """A place as it is shown: the whole word, what is around it, what comes next, its labels."""
    words = [(one.start(), one.end()) for one in _WORD.finditer(text.text)]
    own = [n for n, (first, last) in enumerate(words) if first < end and start < last]
    if own:
        start, end = words[own[0]][0], words[own[-1]][1]
    after = [one for one in words if one[0] >= end]
    following = text.text[slice(*after[0])] if after else ""
    before, behind = text.text[:start], text.text[end:]
    return NearPlace(
        before=before if len(before) <= AROUND else "…" + before[-AROUND:],
        word=text.text[start:end],
        after=behind if len(behind) <= AROUND else behind[:AROUND] + "…",
        following=following,
        labels=tuple(
            (kind, label)
            for first, last, kind, label in text.labels
            if first < end and start < last
        ),
    )
