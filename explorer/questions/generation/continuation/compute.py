"""The new tokens: written one behind the other, searched with beams, or drawn by Gibbs sampling."""

from collections.abc import Sequence
from math import exp
from typing import Any

from explorer.api.question import (
    BidirectionalPredictor,
    CausalLM,
    Context,
    Encoded,
    GenerationState,
    check_text,
)
from explorer.hf.generate.beams import Search, Tree, beam_search
from explorer.hf.generate.looks import StepDistribution, look
from explorer.hf.generate.loop import write
from explorer.hf.generate.rules import first_of
from explorer.hf.generate.texts import Spelling
from explorer.hf.generate.warping import Sampling
from explorer.hf.text.vocabularies.pieces import written
from explorer.questions.generation.continuation.drawing import draw_masks
from explorer.questions.generation.continuation.options import CUTS, Strategy
from explorer.questions.generation.continuation.question import (
    BeamToken,
    ContinuationRequest,
    ContinuationResult,
    WrittenToken,
)
from explorer.questions.generation.continuation.same_texts import same_texts
from explorer.questions.generation.continuation.tokens import token_of
from explorer.text import N_, Phrase

FROM_FIRST_MASK = N_(
    "The model reads from the left: it continues what comes before the first mask."
)
ANEW = N_(
    "The decoder writes the whole text anew, with what a mask hides in its place: one mask may "
    "stand for several words, or for none (Lewis et al. 2020)."
)
OTHER_VOCABULARY = N_(
    "This model's vocabulary has no “{piece}”: what was chosen before that is kept."
)
SPACE_AT_END = N_(
    "The text ends with a space. In this vocabulary words begin with theirs, so that few tokens "
    "follow one: leave it out."
)


def run(model: Any, request: ContinuationRequest, context: Context) -> ContinuationResult:
    """Go on with a text.

    Raises:
        UserMistake: The text is empty, leaves no room, or begins with a mask; or beams are asked of
            a masked model.
        Unavailable: The model neither writes nor fills masks.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    context.check()
    if CausalLM not in model.ports:
        return draw_masks(model, request, sampling_of(request), context)
    encoded, notes = beginning(model, request)
    writing = model.port(CausalLM).writing(encoded)
    taken, missing = _taken(model, request.taken)
    if missing:
        notes.append(Phrase(OTHER_VOCABULARY, piece=missing))
    progress = _GrowingText(model, request, writing, encoded, tuple(notes), taken)
    if request.strategy is Strategy.BEAM:
        return progress.search(context)
    return progress.write(context)


def beginning(model: Any, request: ContinuationRequest) -> tuple[Encoded, list[Phrase]]:
    """What is gone on with: what stands before the first mask, of a model that reads no masks."""
    encoded: Encoded = model.encode(request.text, None, request.masks)
    notes = list(encoded.notes)
    reads_masks = BidirectionalPredictor in model.ports or model.port(CausalLM).apart
    port = model.ports.get(CausalLM)
    if port is not None and port.denoises and encoded.mask_positions:
        notes.append(Phrase(ANEW))
    text = request.text
    if encoded.mask_positions and not reads_masks:
        first = encoded.tokens[encoded.mask_positions[0]]
        text = request.text[: first.start].rstrip()
        encoded = model.encode(text, None, (), begin=not text)
        notes = [*encoded.notes, Phrase(FROM_FIRST_MASK)]
    own = [token for token in encoded.tokens if not token.special]
    if not reads_masks and own and not written(model.tokenizer, own[-1].text).strip("Ġ▁ "):
        notes.append(Phrase(SPACE_AT_END))
    return encoded, notes


def _taken(model: Any, pieces: Sequence[str]) -> tuple[tuple[int, ...], str]:
    """Numbers of pieces up to the first that the vocabulary has not, and that one."""
    number_of = model.tokenizer.backend_tokenizer.token_to_id
    found: list[int] = []
    for piece in pieces:
        number = number_of(piece)
        if number is None:
            return tuple(found), piece
        found.append(number)
    return tuple(found), ""


def sampling_of(request: ContinuationRequest) -> Sampling:
    """Temperature, and the cuts that the strategy uses."""
    if request.strategy in (Strategy.GREEDY, Strategy.BEAM):
        return Sampling()
    used = {name: getattr(request, name) for name, of in CUTS.items() if request.strategy in of}
    return Sampling(temperature=request.temperature, **used)


class _GrowingText:
    """A text that grows, and the answer so far for those who look on."""

    def __init__(
        self,
        model: Any,
        request: ContinuationRequest,
        writing: GenerationState,
        encoded: Encoded,
        notes: tuple[Phrase, ...],
        taken: tuple[int, ...],
    ) -> None:
        self._model, self._request, self._writing = model, request, writing
        self._left_out, self._notes, self._taken = encoded.left_out, notes, taken
        opening = writing.opening
        before = () if opening.apart else opening.ids
        silent = (*opening.ends, *first_of(opening))
        self._spelling = Spelling(model.tokenizer, before, silent)
        self._most = len(taken) + request.max_new_tokens

    def write(self, context: Context) -> ContinuationResult:
        """Token by token."""
        request, tokens = self._request, list[WrittenToken]()
        draws = request.strategy is not Strategy.GREEDY
        for step in write(
            self._writing,
            self._most,
            context,
            sampling=sampling_of(request),
            seed=request.seed if draws else None,
            taken=self._taken,
        ):
            text = self._spelling.add(step.id)
            seen = look(step.warped, request.alternatives, step.id)
            tokens.append(
                token_of(self._model, step.id, text, seen, taken=step.taken, ends=step.ends)
            )
            context.show(lambda: self._result(tuple(tokens)))
        return self._result(tuple(tokens))

    def search(self, context: Context) -> ContinuationResult:
        """With beams."""
        request = self._request
        search = Search(
            beams=request.num_beams,
            most=self._most,
            length_penalty=request.length_penalty,
            early=request.early_stopping,
            taken=self._taken,
        )
        tree = beam_search(
            self._writing,
            search,
            lambda warped, next_ids: look(warped, request.alternatives, *next_ids),
            context,
            lambda tree: context.show(lambda: self._found(tree)),
        )
        return self._found(tree)

    def _found(self, tree: Tree[StepDistribution]) -> ContinuationResult:
        tokens, spelling = [], self._spelling.again()
        for number in tree.path(tree.best):
            branch = tree.branches[number]
            seen = tree.seen[branch.parent]
            tokens.append(
                token_of(
                    self._model,
                    branch.id,
                    spelling.add(branch.id),
                    seen,
                    taken=branch.step < len(self._taken),
                    ends=branch.id in self._writing.opening.ends,
                )
            )
        found = self._model.tokenizer.convert_ids_to_tokens([one.id for one in tree.branches])
        # Rows of the matrix that no piece has have numbers.
        pieces = [
            f"<{one.id}>" if piece is None else piece
            for one, piece in zip(tree.branches, found, strict=True)
        ]
        same = same_texts(
            [one.parent for one in tree.branches], pieces, [one.sum for one in tree.branches]
        )
        beams = tuple(
            BeamToken(
                one.parent,
                one.step,
                piece,
                written(self._model.tokenizer, piece),
                exp(one.log_probability),
                one.sum,
                one.fate.value,
                one.score,
                alike,
            )
            for one, piece, alike in zip(tree.branches, pieces, same, strict=True)
        )
        return self._result(tuple(tokens), beams, tree.best)

    def _result(
        self,
        tokens: tuple[WrittenToken, ...],
        tree: tuple[BeamToken, ...] = (),
        best: int | None = None,
    ) -> ContinuationResult:
        return ContinuationResult(
            model=self._model.stamp,
            strategy=self._request.strategy,
            gibbs=False,
            prompt=self._writing.opening.tokens,
            apart=self._writing.opening.apart,
            text="".join(one.text for one in tokens),
            tokens=tokens,
            ended=bool(tokens) and tokens[-1].ends,
            tree=tree,
            best=best,
            notes=self._notes,
            left_out=self._left_out,
        )
