"""What to look at first: the token with the surest label, and the one where the model wavers."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from explorer.api import Headline
from explorer.api.question.standing_out import is_close, largest_cell
from explorer.api.tokens import alone
from explorer.questions.pairs.token_labels.question import OUTSIDE, TokenLabelsResult
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING


def headline(result: TokenLabelsResult) -> Headline:
    """The surest label that is one, and the smallest lead of a label over the next."""
    places = np.array(result.places, dtype=np.int64)
    if not len(places) or not result.labels:
        return Headline(NOTHING)
    chances = result.probabilities[places]
    if not result.labelled:
        return _of_none(result, places)
    labelled = np.isin(places, result.labelled)
    surest = int(np.where(labelled, chances.max(axis=1), -1.0).argmax())
    ranked = np.sort(chances, axis=1)[:, ::-1]
    values = {
        "word": alone(result.tokens[places[surest]]),
        "label": result.labels[int(chances[surest].argmax())],
        "share": in_percent(float(ranked[surest, 0])),
    }
    if len(result.labels) == 1:
        sentence = Phrase(N_("“{word}” has the only label there is, {label}."), **values)
        return Headline(sentence, int(places[surest]))
    wavering = int((ranked[:, 0] - ranked[:, 1]).argmin())
    first, second = np.argsort(-chances[wavering], kind="stable")[:2].tolist()
    values |= {
        "other": alone(result.tokens[places[wavering]]),
        "first": result.labels[first],
        "its": in_percent(float(chances[wavering, first])),
    }
    if not is_close(chances[wavering, first], chances[wavering, second]):
        sentence = _all_clear(values, wavering == surest)
    elif wavering == surest:
        sentence = Phrase(
            N_("The model hesitates at “{other}”, between {first} ({its}) and {second} ({that})."),
            second=result.labels[second],
            that=in_percent(float(chances[wavering, second])),
            **values,
        )
    else:
        sentence = Phrase(
            N_(
                "“{word}” has the surest label, {label} ({share}), while the model hesitates at "
                "“{other}” between {first} ({its}) and {second} ({that})."
            ),
            second=result.labels[second],
            that=in_percent(float(chances[wavering, second])),
            **values,
        )
    return Headline(sentence, int(places[wavering]))


def _all_clear(values: Mapping[str, str], is_one: bool) -> Phrase:
    if is_one:
        return Phrase(
            N_(
                "Every label is clear: even “{other}”, the least sure token, has {first} with "
                "{its}."
            ),
            **values,
        )
    return Phrase(
        N_(
            "Every label is clear: “{word}” has {label} with {share}, and even “{other}”, the "
            "least sure token, has {first} with {its}."
        ),
        **values,
    )


def _of_none(result: TokenLabelsResult, places: NDArray[np.int64]) -> Headline:
    """The token that comes nearest to a label."""
    some = [n for n, label in enumerate(result.labels) if label != OUTSIDE]
    if not some:
        return Headline(NOTHING)
    chances = result.probabilities[places][:, some]
    at, label = largest_cell(chances)
    place = int(places[at])
    sentence = Phrase(
        N_("No token has a label: “{word}” comes nearest to one, with {share} for {label}."),
        word=alone(result.tokens[place]),
        share=in_percent(float(chances[at, label])),
        label=result.labels[some[label]],
    )
    return Headline(sentence, place)
