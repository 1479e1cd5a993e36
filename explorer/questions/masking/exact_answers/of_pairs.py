"""Whether a second text exactly follows, or both stand in their order, beside what a head says."""

from explorer.api.question import Context, Encoded, LoadedModel, UserMistake
from explorer.exact_answers.answers import ExactAnswersResult
from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.hf.predict.heads.classes import class_logits
from explorer.numerics.distributions.temperature import log_softmax
from explorer.questions.masking.exact_answers.outcomes import PossibleOutcome, place_of, word_at
from explorer.questions.pairs.sentence_pair.wording import Judges
from explorer.text import N_
from explorer.world.exact.pairs import Outside, PairTruth, follows, in_order
from explorer.world.exact.truth import Truth

NO_PAIR = N_("This model's classes are not of pairs that the world's texts were cut into.")
WHY = {
    Outside.FIRST_OPEN: N_(
        "The first text ends inside a sentence; the miniatures were shown pairs of whole sentences."
    ),
    Outside.FIRST_LAST: N_("No text of the miniatures' world goes on after the first one."),
    Outside.SECOND_OPEN: N_("No text of the miniatures' world ends with the second one."),
    Outside.NO_ORDER: N_("In neither order are both a text of the miniatures' world."),
}


def of_pair(
    model: LoadedModel, request: ExactAnswersRequest, truth: Truth, context: Context
) -> ExactAnswersResult:
    """Lay the exact posterior beside the model's classes.

    Raises:
        Unavailable: The model has no head for pairs.
        UserMistake: There is no second text.
        Cancelled: The run was cancelled.
    """
    if not (request.pair or "").strip():
        raise UserMistake(N_("The next sentence is judged of pairs."), N_("Add a second text."))
    encoded = model.encode(request.text, request.pair)
    labels, logits = class_logits(model, encoded, context, pair=True)
    heads = {head.name for head in model.heads if head.present}
    if heads.isdisjoint((Judges.NEXT, Judges.ORDER)):
        return ExactAnswersResult(model.stamp, encoded.tokens, (), why=NO_PAIR)
    parts = [
        [n for n, one in enumerate(encoded.tokens) if not one.special and one.part == part]
        for part in (0, 1)
    ]
    first, second = (
        model.tokenizer.convert_ids_to_tokens([encoded.tokens[n].id for n in part])
        for part in parts
    )
    context.progress(N_("summing over texts"), 0.0, 1.0)
    read = follows if Judges.NEXT in heads else in_order
    found = read(truth, first, second) if first and second else PairTruth(None, Outside.NO_ORDER)
    if found.probability is None:
        return _outside(model, request, encoded, found, parts)
    exact = (found.probability, 1.0 - found.probability)
    each = zip(labels, exact, log_softmax(logits).tolist(), strict=True)
    outcomes = [PossibleOutcome(label, n, mass, log) for n, (label, mass, log) in enumerate(each)]
    place = place_of(About.PAIR, outcomes, len(outcomes))
    return ExactAnswersResult(model.stamp, encoded.tokens, (place,), left_out=encoded.left_out)


def _outside(
    model: LoadedModel,
    request: ExactAnswersRequest,
    encoded: Encoded,
    found: PairTruth,
    parts: list[list[int]],
) -> ExactAnswersResult:
    """Where the pair leaves the world."""
    outside, word, why = None, "", WHY.get(found.outside) if found.outside else None
    if why is None:
        outside = parts[found.outside is Outside.SECOND][found.reach]
        word = word_at(encoded.tokens[outside], request)
    return ExactAnswersResult(
        model.stamp, encoded.tokens, (), outside, word, why=why or "", left_out=encoded.left_out
    )
