"""A number that a model's answer comes down to, as a function of the vectors that it reads.

Every method of attribution is a function of one of these and of two sets of vectors: those of the
text, and those of a baseline in which nothing is said.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.api.question import (
    Attentions,
    Context,
    Encoded,
    InputEmbeddings,
    LoadedModel,
    Predictor,
    Query,
)
from explorer.attribution.attending import AttendedLayer, attending
from explorer.hf.predict.passes.batching import copies_at_once
from explorer.hf.predict.traced import followed_back
from explorer.text import N_

NO_GRADIENTS = N_("This model gives no gradients.")
WITHOUT_THEM = N_("Choose a method without gradients, such as occlusion.")

Scalar = Callable[[Any], Any]
"""From a port's answers to copies (copies x ...) to a number of each (copies)."""

AttentionFlow = Sequence[tuple[AttendedLayer, Any]]
"""Every attention that the number depends on, in the order of the pass, with the gradient of the
number (both copies x heads x queries x keys)."""

Units = Sequence[tuple[int, ...]]
"""What is scored: positions of tokens that are taken together, as those of a word."""


@dataclass(frozen=True)
class ExplainedAnswer:
    """What is explained.

    Attributes:
        model: Who answers.
        port: The port that is asked.
        query: What it is asked.
        scalar: Which number of its answer is meant.
        context: Can stop it, and is told how far it is.
    """

    model: LoadedModel
    port: type
    query: Query
    scalar: Scalar
    context: Context
    _at_once: dict[tuple[int, bool], int] = field(default_factory=dict, repr=False, compare=False)
    # Of this query alone: whoever replaces it begins anew.
    _sloped: list[tuple[Any, Any]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )
    _once: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def pieces(self) -> tuple[int, ...]:
        """Numbers of the pieces that are read."""
        return self.model.port(InputEmbeddings).pieces(self.port, self.query)

    def own(self) -> Any:
        """Their vectors (pieces x width), float32."""
        return self.model.port(InputEmbeddings).vectors(self.pieces())

    def values(self, vectors: Any) -> Any:
        """The number for each of some copies (copies x pieces x width), without gradients.

        Returns:
            Tensor (copies), float64 on the CPU: Apple's GPUs have no float64.

        Raises:
            MachineFault: The answers are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """
        import torch

        found = [self.read(some.detach()).cpu().double() for some in self._parts(vectors, False)]
        return torch.cat(found)

    def gradients(self, vectors: Any) -> Any:
        """How the number of each copy changes with its vectors.

        Returns:
            Tensor (copies x pieces x width), float64 on the CPU.

        Raises:
            UserMistake: The model's number type is too coarse for gradients.
            Unavailable: It gives none.
            MachineFault: The answers are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """
        import torch

        found = []
        for some in self._parts(vectors, True):
            with torch.enable_grad(), followed_back(NO_GRADIENTS, WITHOUT_THEM):
                leaf = some.detach().requires_grad_()
                (one,) = torch.autograd.grad(self.read(leaf).sum(), leaf)
            found.append(one.cpu().double())
        return torch.cat(found)

    def gradient(self, own: Any) -> Any:
        """`gradients` of one text (pieces x width), once for all methods that begin with it."""
        if not self._sloped or self._sloped[0][0] is not own:
            self._sloped[:] = [(own, self.gradients(own[None])[0])]
        return self._sloped[0][1]

    def attention(self) -> Mapping[str, Any]:
        """The attention of the text as it stands, once for all methods that look at it.

        Raises:
            Unavailable: The model's can't be had.
            MachineFault: The weights are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """
        port = self.model.port(Attentions)
        found: Mapping[str, Any] = self.once(
            "attention", lambda: port.capture(self.query.encoded, self.context)
        )
        return found

    def flow(self) -> AttentionFlow:
        """The attention of the text with the gradients of the number, once for all methods.

        Raises:
            UserMistake: The model's number type is too coarse for gradients.
            Unavailable: It gives none, or its attention can't be taken apart.
            Cancelled: The run was cancelled; checked before every layer.
        """
        found: AttentionFlow = self.once("flow", self._flow)
        return found

    def _flow(self) -> AttentionFlow:
        import torch

        with torch.enable_grad(), followed_back(NO_GRADIENTS, WITHOUT_THEM):
            with attending(self.model) as layers:
                value = self.read(self.own()[None].detach().requires_grad_()).sum()
            weights = [one.weights for one in layers]
            slopes = torch.autograd.grad(value, weights, allow_unused=True)
        kept = zip(layers, slopes, strict=True)
        return [(one, slope) for one, slope in kept if slope is not None]

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """What several methods begin with, of this query and as it stands."""
        if name not in self._once:
            self._once[name] = make()
        return self._once[name]

    def at_once(self, length: int, *, traced: bool = False) -> int:
        """As `copies_at_once`; what is free is asked once, for a method reads again and again."""
        key = length, traced
        if key not in self._at_once:
            self._at_once[key] = copies_at_once(self.model, length, traced=traced)
        return self._at_once[key]

    def read(self, vectors: Any) -> Any:
        """The number for some copies (copies x pieces x width), in one pass, with its gradients."""
        port = self.model.port(InputEmbeddings)
        return self.scalar(port.answers(self.port, self.query, vectors, self.context))

    def _parts(self, vectors: Any, traced: bool) -> Iterator[Any]:
        """As many copies at once as are quick and fit."""
        size = self.at_once(vectors.shape[1], traced=traced)
        for start in range(0, len(vectors), size):
            self.context.check()
            if len(vectors) > size:
                self.context.progress(N_("explaining"), float(start), float(len(vectors)))
            yield vectors[start : start + size]


# ---- which number -------------------------------------------------------------------------------


def log_probability(word: int) -> Scalar:
    """Of a piece, or of a label, behind the softmax."""
    return lambda answers: _only(answers).log_softmax(-1)[:, word]


def difference(word: int, against: int) -> Scalar:
    """Of the logits of two pieces, or labels: it has no end at which it is saturated."""
    return lambda answers: _only(answers)[:, word] - _only(answers)[:, against]


def entropy() -> Scalar:
    """Of the whole distribution, in nats."""

    def of(answers: Any) -> Any:
        logs = _only(answers).log_softmax(-1)
        return -(logs.exp() * logs.clamp(min=-1e4)).sum(-1)

    return of


def log_odds() -> Scalar:
    """That a token was replaced: the logit itself."""
    return _only


def doubt() -> Scalar:
    """The entropy of whether a token was replaced, in nats."""

    def of(answers: Any) -> Any:
        from torch.nn.functional import softplus

        logit = _only(answers)
        return softplus(logit) - logit * logit.sigmoid()

    return of


def _only(answers: Any) -> Any:
    """The answer to the one position that is asked, where it is asked of positions."""
    return answers[:, 0] if answers.dim() == 3 or answers.shape[1] == 1 else answers


def explained_word(
    model: LoadedModel, encoded: Encoded, place: int, word: int, context: Context
) -> ExplainedAnswer:
    """The log-probability of a piece at a place, which is the commonest thing to explain.

    Args:
        model: Who predicts.
        encoded: The input; a model that sees both sides has a mask at the place.
        place: A position; of a model that reads from the left, also the one behind the last.
        word: A piece's number.
        context: Can stop it.
    """
    return ExplainedAnswer(
        model, Predictor, Query(encoded, (place,)), log_probability(word), context
    )
