"""Claims about heads: what a port answers, against what the model's own class gives."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    CausalLM,
    Component,
    Context,
    Direction,
    Discriminator,
    InputEmbeddings,
    LayerReadout,
    LoadedModel,
    MultipleChoice,
    PairClassifier,
    Predictor,
    Query,
    SpanExtractor,
    StatePlace,
    TokenClassifier,
)
from explorer.hf.proving.claim import RIGHT, Margin
from explorer.hf.proving.trial import ModelTrial
from explorer.hf.states.patching import HookedPatching
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant

CLOSE = {"float32": 1e-5, "bfloat16": 5e-2, "float16": 1e-2}
"""How far a probability may be from that of the plain forward, by the type of the numbers."""

OTHERS = N_("What its head predicts alone is not what transformers' own forward does.")


def predicts(trial: ModelTrial) -> Margin | None:
    """The port's distribution at one token against the softmax of the class's own logits.

    A class that gives no scores of pieces says nothing of them, nor does one whose forward sees the
    tokens that its predictor hides from it (`hides_asked`, as XLNet's permutation masks).
    """
    return _predicted(trial, slice(-1, None))


def predicts_everywhere(trial: ModelTrial) -> Margin | None:
    """The same at every token."""
    return _predicted(trial, slice(None))


def _predicted(trial: ModelTrial, which: slice) -> Margin | None:
    model = trial.model
    port = model.ports[Predictor]
    fills = port.direction is Direction.BOTH
    if fills and model.tokenizer.mask_token is None:
        return Margin(wrong=N_("This model's tokenizer has no mask token."))
    if port.direction is Direction.SPANS or getattr(port, "hides_asked", False):
        return None
    encoded, before = trial.encoded, 0 if fills else 1
    places = range(before, len(encoded.tokens))[which]
    if not places:
        wrong = N_("Its tokenizer makes no tokens of English, so that nothing could be tried.")
        return Margin(wrong=wrong)
    given, *_ = port.log_probabilities([Query(encoded, tuple(places))], Context())
    logits = _scores(trial.outputs, given.shape[-1])
    if logits is None:
        return None
    expected = logits.softmax(-1)[[place - before for place in places]]
    far = float((given.exp() - expected).abs().max())
    close = _close(model)
    if far <= close:
        return Margin(far, close)
    off = Phrase(N_("A probability is off by {far}."), far=significant(far, 2))
    return Margin(far, close, Phrase.joined([OTHERS, off]))


def _scores(outputs: Mapping[str, Any], pieces: int) -> Any:
    """Those of pieces at every token; None without any."""
    named = (value for name, value in outputs.items() if name.endswith("logits"))
    return next((one for one in named if one.dim() == 2 and one.shape[-1] == pieces), None)


def _writes(model: LoadedModel) -> bool:
    """Whether what it predicts is no token of the text that it reads."""
    return bool(getattr(model.config, "is_encoder_decoder", False))


def _close(model: LoadedModel) -> float:
    return CLOSE.get(model.dtype, 1e-2)


def labels(trial: ModelTrial) -> Margin | None:
    """A classifier's scores of its classes, against those that the class gives."""
    port = trial.model.ports[PairClassifier]
    with trial.known():
        found = port.logits(trial.encoded, Context())
    if found.shape != (len(port.labels),):
        wrong = N_("Its config names {number} classes, and its head gives others.")
        return Margin(wrong=Phrase(wrong, number=len(port.labels)))
    return _as_own(trial, [found])


def labels_tokens(trial: ModelTrial) -> Margin | None:
    """A score a class for every token, against those that the class gives."""
    port = trial.model.ports[TokenClassifier]
    with trial.known():
        found = port.logits(trial.encoded, Context())
    if found.shape != (len(trial.encoded.tokens), len(port.labels)):
        return Margin(wrong=N_("Its head gives no score a class for every token."))
    return _as_own(trial, [found])


def finds_answers(trial: ModelTrial) -> Margin | None:
    """Scores of an answer's start and end at every token, against those that the class gives."""
    with trial.known():
        found = trial.model.ports[SpanExtractor].logits(trial.encoded, Context())
    both = [found.starts, found.ends]
    if any(one.shape != (len(trial.encoded.tokens),) for one in both):
        return Margin(wrong=N_("Its head gives no score of start and end for every token."))
    return _as_own(trial, both)


def chooses(trial: ModelTrial) -> Margin:
    """A score a text, against those that the class gives of the same texts side by side."""
    import torch

    model, encoded = trial.model, trial.plain
    ids = encoded.inputs["input_ids"]
    middle = ids.shape[-1] // 2
    turned = torch.cat([ids[:, :1], ids[:, 1:-1].roll(middle, -1), ids[:, -1:]], -1)
    other = replace(encoded, inputs={**encoded.inputs, "input_ids": turned})
    found = model.ports[MultipleChoice].logits([encoded, other], Context())
    if found.shape != (2,):
        return Margin(wrong=N_("Its head gives no score a text."))
    both = {
        name: torch.stack([rows, other.inputs[name]], 1) for name, rows in encoded.inputs.items()
    }
    with torch.inference_mode():
        gave = model.module(**both)
    own = next(gave[name] for name in ("mc_logits", "logits") if name in gave)[0].float()
    far, close = float((found - own).abs().max()), 10 * _close(model)
    if far <= close * max(1.0, float(own.abs().max())):
        return Margin(far, close)
    wrong = N_("A score of its head is off by {far} from what transformers' own forward gives.")
    return Margin(far, close, Phrase(wrong, far=significant(far, 2)))


def _as_own(trial: ModelTrial, given: Sequence[Any]) -> Margin:
    """Scores against those of the class that have their shape, where it gives any."""
    own = [one for one in trial.outputs.values() if one.shape == given[0].shape]
    if len(own) < len(given):
        return RIGHT
    sizes = [float(one.abs().max()) for one in own]
    close = 10 * _close(trial.model) * max(1.0, *sizes)
    far = max(min(float((one - other).abs().max()) for other in own) for one in given)
    if far <= close:
        return Margin(far, close)
    wrong = N_("A score of its head is off by {far} from what transformers' own forward gives.")
    return Margin(far, close, Phrase(wrong, far=significant(far, 2)))


def goes_on(trial: ModelTrial) -> Margin:
    """The logits behind a text that grows against those of the class's own forward.

    Where they are others with keys and values that were kept, everything is read anew each time.
    """
    import torch

    model = trial.model
    port, encoded = model.ports[CausalLM], trial.plain
    if port.apart and has_two_vocabularies(model.config.to_dict()):
        return Margin(wrong=N_("Its decoder writes with other pieces than its encoder reads."))
    opening = port.writing(encoded).opening
    ids = opening.ids
    more = [one.id for one in opening.tokens if not one.special][-2:]
    read = {"input_ids": torch.tensor([[*ids, *more]], device=model.device)}
    if port.apart:
        read = {**encoded.inputs, "decoder_input_ids": read["input_ids"]}
    with torch.inference_mode():
        logits = model.module(**read).logits[0, len(ids) - 1 :]
    expected = logits.float().softmax(-1)
    far, close = float("inf"), _close(model)
    for keeps in dict.fromkeys((port.goes_on, False)):
        port.goes_on = keeps
        with suppress(AttributeError, IndexError, KeyError, TypeError, ValueError, RuntimeError):
            writing = port.writing(encoded)
            rows = [writing.logits([more[:count]], Context()) for count in range(len(more) + 1)]
            far = float((torch.cat(rows).softmax(-1) - expected).abs().max())
            if far <= close:
                return Margin(far, close)
    if port.apart:
        wrong = N_(
            "What its decoder writes token by token is not what transformers' own forward gives of "
            "the whole text."
        )
        return Margin(far, close, wrong)
    return Margin(far, close, OTHERS)


def has_two_vocabularies(config: Mapping[str, Any]) -> bool:
    """Whether a decoder may write with other pieces than its encoder reads."""
    if config.get("share_encoder_decoder_embeddings") is False:
        return True
    sizes = (
        ("src_vocab_size", "tgt_vocab_size"),
        ("vocab_size", "decoder_vocab_size"),
    )
    return any(
        config.get(read) is not None
        and config.get(wrote) is not None
        and config[read] != config[wrote]
        for read, wrote in sizes
    )


def reads_vectors(trial: ModelTrial) -> Margin | None:
    """What it answers for its own pieces' vectors against what it answers for the pieces."""
    import torch

    model = trial.model
    if _writes(model):
        return None
    port, encoded = model.ports[InputEmbeddings], trial.plain
    query = Query(encoded, (len(encoded.tokens) - 2,))
    worst, close = 0.0, _close(model)
    for kind in port.answered:
        if kind not in model.ports:
            unproved = N_("Its head's answers could not be proved.")
            return Margin(wrong=model.refused.get(kind, "") or unproved)
        own_vectors = port.vectors(port.pieces(kind, query))
        given = port.answers(kind, query, own_vectors[None], Context())[0]
        if kind is Predictor:
            own = model.ports[kind].log_probabilities([query], Context())[0]
        else:
            own = model.ports[kind].logits(encoded, Context())
        if kind is SpanExtractor:
            own = torch.stack([own.starts, own.ends])
        if kind in {TokenClassifier, Discriminator}:
            own = own[list(query.asked)]
        shares = torch.sigmoid if kind is Discriminator else torch.nn.Softmax(-1)
        far = float((shares(given) - shares(own)).abs().max())
        worst = max(worst, far)
        if not far <= close:
            wrong = N_("It does not read its pieces from one table of vectors.")
            return Margin(far, close, wrong)
    return Margin(worst, close)


def reads_out(trial: ModelTrial) -> Margin | None:
    """What the head reads in the last layer's states against the prediction itself."""
    port, readout = trial.model.ports[Predictor], trial.model.ports[LayerReadout]
    if port.direction is Direction.SPANS:
        return None
    encoded = trial.plain
    query = Query(encoded, (len(encoded.tokens) - 2,))
    states = readout.states([query], Context())[0]
    found = readout.log_probabilities(states[-1]).exp()
    own = port.log_probabilities([query], Context())[0].exp()
    far, close = float(abs(found - own).max()), _close(trial.model)
    if far <= close:
        return Margin(far, close)
    wrong = N_("What its head reads in its last layer's states is not its prediction.")
    return Margin(far, close, wrong)


def puts_back(trial: ModelTrial) -> Margin | None:
    """The other text's prediction with all of a row of its states, and its own with none."""
    model = trial.model
    port = model.ports[ActivationPatching]
    if not isinstance(port, HookedPatching) or _writes(model):
        return None
    encoded = trial.plain
    place, ids = len(encoded.tokens) - 2, [token.id for token in encoded.tokens]
    other = next((one for one in ids if one != ids[1]), None)
    if place < 2 or other is None:
        wrong = N_("Its tokenizer makes too few tokens of English, so that nothing could be tried.")
        return Margin(wrong=wrong)
    reads_left = model.ports[Predictor].direction is Direction.CAUSAL
    hidden = {} if reads_left else {place: None}
    into = Query(encoded, (place,), hidden)
    source = Query(encoded, (place,), {**hidden, 1: other})
    runs = port.between(into, source, Context())
    (stream,) = [one for one in port.stacks() if one.component is Component.RESIDUAL]
    # What passes of a decoder read is not in one state a token alone.
    numbers = [n for n, name in enumerate(stream.rows) if not name.startswith("decoder")]
    rows = [(StatePlace(stream.component, stream.kind, n),) for n in numbers]
    given = runs.log_probabilities([(), *rows]).exp()
    expected = [runs.into, *[runs.source] * len(rows)]
    apart = [float((row - own.exp()).abs().max()) for row, own in zip(given, expected, strict=True)]
    far, close = max(apart), _close(model)
    if far <= close:
        return Margin(far, close)
    return Margin(far, close, N_("Its layers pass on more than one state a token."))
