"""A teacher that its plugin alone reads: what it says of numbered pieces, through its ports.

It is asked as the page of predictions asks it. The log-probabilities that its `Predictor` gives are
its logits but for one number a place, which no softmax at any temperature shows.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from explorer.api.context import Context
from explorer.api.encoded import Encoded
from explorer.api.family import (
    BidirectionalPredictor,
    Blueprint,
    Direction,
    Family,
    Files,
    HiddenStates,
    LoadedModel,
    LoadOptions,
    Predictor,
    Query,
    SpanPredictor,
    UserMistake,
    Weights,
)
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.plugins.host import PluginHost
from explorer.learning.devices import CPU
from explorer.learning.tokenizers.word_bpe import written_word_bpe
from explorer.objectives import IGNORED
from explorer.paths import Paths
from explorer.text import N_

WORD = "a"
"""Whose input shows what a model reads besides the numbers of pieces."""
COMPARED = 500
"""Texts that are cut twice, where a tokenizer is written in another form than it is read."""


@dataclass(frozen=True, slots=True)
class PortedOutline:
    """What a plugin says of a teacher before it is loaded.

    Attributes:
        predicts: From both sides, or from what is before; None where it names no pieces.
        writes_spans: It fills a mask with any number of pieces, which no student does.
        shows_states: The states of its layers can be had.
        layers: How many; 0 where it is not said, as below.
        width: Of its states.
        heads: In a layer.
        length: Tokens that it reads at most; 0 for no limit.
        pieces: In its vocabulary.
    """

    predicts: Direction | None
    writes_spans: bool
    shows_states: bool
    layers: int
    width: int
    heads: int
    length: int
    pieces: int


@functools.cache
def _host() -> PluginHost:
    return PluginHost(Paths.standard().bundled_plugins, entry_points=False)


def _family_of(folder: Path) -> tuple[Family, Files]:
    """The family of a folder's model, with what the folder holds.

    Raises:
        CheckpointFault: No plugin knows it, or it is damaged.
    """
    files = inspect_folder(folder)
    return _host().family_of(files)[0], files


def ported_outline(folder: Path) -> PortedOutline:
    """What the plugin of a model says of it, without loading it.

    Raises:
        CheckpointFault: No plugin knows it, or it is damaged.
    """
    family, files = _family_of(folder)
    offered = family.offers(files)
    predicts = None
    if Predictor in offered:
        predicts = Direction.BOTH if BidirectionalPredictor in offered else Direction.CAUSAL
    drawn = family.blueprint(files.config) if isinstance(family, Weights) else _UNKNOWN
    layers, heads = family.attention_shape(files.config)
    return PortedOutline(
        predicts,
        SpanPredictor in offered,
        HiddenStates in offered,
        layers,
        drawn.hidden_size,
        heads,
        family.max_length(files.config) or 0,
        drawn.vocabulary,
    )


_UNKNOWN = Blueprint(0, 0, 0, 0, 0, 0)


class PortedModel:
    """A loaded model in the place of one of transformers: it is asked for numbered pieces.

    Args:
        loaded: With a Predictor.

    Attributes:
        config: Its sizes, as transformers calls them.
        training: Never.

    Raises:
        UserMistake: It reads more than the numbers of pieces.
    """

    training = False
    device = CPU

    def __init__(self, loaded: LoadedModel, layers: int, width: int) -> None:
        self.loaded = loaded
        self._predictor = loaded.port(Predictor)
        self._read: Encoded = loaded.encode(WORD)
        self._refuse_what_differs()
        pieces = self._log_probabilities([self._query([0, 0], (1,))])[0].shape[-1]
        self.config = SimpleNamespace(
            num_hidden_layers=layers,
            hidden_size=width,
            vocab_size=pieces,
            is_encoder_decoder=False,
        )

    def _refuse_what_differs(self) -> None:
        for name, tensor in self._read.inputs.items():
            if name != "input_ids" and (tensor != tensor[:, :1]).any():
                raise UserMistake(
                    N_(
                        "{name} reads {input} next to the pieces of a text, and a student’s texts "
                        "have pieces alone: choose another teacher."
                    ),
                    name=self.loaded.title,
                    input=name,
                )

    def to(self, device: Any) -> PortedModel:  # noqa: ARG002 - torch's
        """It stays on the CPU, where its plugin has it."""
        return self

    def eval(self) -> PortedModel:
        """As it is."""
        return self

    def train(self, mode: bool = True) -> PortedModel:  # noqa: ARG002 - torch's
        """It learns no more."""
        return self

    def can_generate(self) -> bool:
        """Whether it reads from the left."""
        return self._predictor.direction is Direction.CAUSAL

    def __call__(self, input_ids: Any, **_more: Any) -> Any:
        """Logits over the pieces at every place of texts of one length, as transformers has them.

        Args:
            input_ids: Numbers of pieces, shape [batch, length].
        """
        import torch

        left = self.can_generate()
        asked = tuple(range(int(left), input_ids.shape[1] + int(left)))
        rows = [self._query(row, asked) for row in input_ids.tolist()]
        return SimpleNamespace(logits=torch.stack(self._log_probabilities(rows)))

    def scores(self, batch: Mapping[str, Any], labels: Any) -> Any:
        """Logits of what is asked of a batch, shape [asked, vocabulary], row by row.

        Args:
            batch: "input_ids", and "attention_mask" where texts are padded.
            labels: `IGNORED` where nothing is asked, shape [batch, length].
        """
        import torch

        queries = []
        for row, own in zip(_rows(batch), labels.tolist(), strict=True):
            asked = tuple(place for place, label in enumerate(own) if label != IGNORED)
            if asked:
                queries.append(self._query(row, asked))
        return torch.cat(self._log_probabilities(queries))

    def states(self, batch: Mapping[str, Any]) -> tuple[Any, ...]:
        """What its layers read and what each leaves, [batch, length, width] each; 0 at padding."""
        import torch
        from torch.nn.utils.rnn import pad_sequence

        encoded = []
        for row in _rows(batch):
            made = self._encoded(len(row))
            encoded.append(
                Encoded({**made.inputs, "input_ids": torch.tensor([row])}, made.tokens, (), None)
            )
        found = self.loaded.port(HiddenStates).states(encoded, Context())
        padded = pad_sequence([one.transpose(0, 1) for one in found], batch_first=True)
        return tuple(padded.unbind(2))

    def _query(self, row: Sequence[int], asked: tuple[int, ...]) -> Query:
        length = max(len(row), asked[-1] + 1)
        return Query(self._encoded(length), asked, dict(enumerate(row)))

    def _encoded(self, length: int) -> Encoded:
        """An input of so many tokens, whose pieces are exchanged."""
        last = len(self._read.tokens) - 1
        places = [min(place, last) for place in range(length)]
        inputs = {name: tensor[:, places] for name, tensor in self._read.inputs.items()}
        return Encoded(inputs, tuple(self._read.tokens[place] for place in places), (), None)

    def _log_probabilities(self, queries: Sequence[Query]) -> list[Any]:
        # What was made without gradients could not be used where others have them.
        return [one.clone() for one in self._predictor.log_probabilities(queries, Context())]


def _rows(batch: Mapping[str, Any]) -> list[list[int]]:
    """The numbers of each text, without padding."""
    seen = batch.get("attention_mask")
    rows: list[list[int]] = batch["input_ids"].tolist()
    if seen is None:
        return rows
    return [row[:length] for row, length in zip(rows, seen.sum(-1).tolist(), strict=True)]


def ported_teacher(name: str, folder: Path) -> tuple[PortedModel, Any]:
    """A teacher as its plugin loads it, in float32 on the CPU, and the tokenizer of its students.

    Args:
        name: What people call it.
        folder: Of its files.

    Raises:
        UserMistake: It has no Predictor after all, or its students could not use its pieces.
        CheckpointFault: It is damaged.
    """
    family, files = _family_of(folder)
    loaded = family.load(name, files, LoadOptions(device="cpu", dtype="float32"), Context())
    if Predictor not in loaded.ports:
        raise UserMistake(
            N_("{name} has no logits to learn from: {why}"),
            name=name,
            why=loaded.refused.get(Predictor, ""),
        )
    # It learns no more; gradients that nobody wants can't be looked at where a step is reckoned.
    loaded.module.requires_grad_(False)
    outline = ported_outline(folder)
    tokenizer = _written(loaded.tokenizer, folder)
    _begin_as_read(tokenizer)
    for missing in ("cls_token", "sep_token", "pad_token", "mask_token"):
        needed = outline.predicts is Direction.BOTH or missing == "pad_token"
        if needed and getattr(tokenizer, missing) is None:
            raise UserMistake(
                N_("The tokenizer of {name} has no {token}, which a student’s texts need."),
                name=name,
                token=missing,
            )
    return PortedModel(loaded, outline.layers, outline.width), tokenizer


def _begin_as_read(tokenizer: Any) -> None:
    """Have the first token of a text be called [CLS]'s, whatever its files call so (XLM's)."""
    around = tokenizer("")["input_ids"]
    if len(around) == 2:
        first, last = tokenizer.convert_ids_to_tokens(around)
        tokenizer.cls_token, tokenizer.sep_token = first, last


def _written(tokenizer: Any, folder: Path) -> Any:
    """A tokenizer that can be written next to a student, with the same pieces.

    Raises:
        UserMistake: There is none.
    """
    try:
        tokenizer.backend_tokenizer.to_str()
    except Exception as error:
        if not (folder / "merges.txt").is_file():
            raise UserMistake(
                N_("The tokenizer of {name} is code, which can’t be written with a student."),
                name=folder.name,
            ) from error
        return written_word_bpe(tokenizer, folder / "merges.txt")
    return tokenizer


def refuse_other_cuts(name: str, own: Any, written: Any, texts: Iterable[str]) -> None:
    """Refuse a text that a teacher's own tokenizer cuts otherwise than the one of its students.

    Args:
        name: Of the teacher.
        own: As its plugin reads it.
        written: The students'.
        texts: Of those that are learnt from.

    Raises:
        UserMistake: There is such a text.
    """
    if own is written:
        return
    for text in itertools.islice(texts, COMPARED):
        if own.tokenize(text) != written.tokenize(text):
            raise UserMistake(
                N_(
                    "The tokenizer of {name} is code, and a student could only be given rules that "
                    "split “{text}” otherwise: choose another teacher or text."
                ),
                name=name,
                text=text,
            )
