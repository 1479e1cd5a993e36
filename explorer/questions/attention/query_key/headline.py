"""What to look at first: the dimension that makes the strongest pair of tokens so strong."""

from typing import Any

from explorer.api.question import Headline, alone, beyond, outlying
from explorer.api.question.standing_out import OUTLYING
from explorer.questions.attention.query_key.question import PAIR, QueryKeyResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import signed
from explorer.text.formatting.probabilities import in_percent


def headline(result: QueryKeyResult, **_looked_at: Any) -> Headline:
    """Of the pair of different tokens with most attention, the dimension that adds most."""
    query, key = result.strongest
    if result.cap:
        return Headline()  # what is bent is no sum of dimensions
    products = result.products(query, key) * result.scale
    dimension = int(products.argmax())
    far = outlying(products, (dimension,))
    if far <= OUTLYING:
        return Headline()  # the score is the sum of many, and no dimension makes it
    sentence = Phrase(
        N_(
            "The strongest attention goes from “{query}” to “{key}” ({share}); dimension "
            "{dimension} adds most to it, {product} of a score of {score}."
        ),
        query=alone(result.query_tokens[query]),
        key=alone(result.key_tokens[key]),
        share=in_percent(float(result.attention[query, key])),
        dimension=str(dimension),
        product=signed(float(products[dimension]), 2),
        score=signed(result.score(query, key)[2], 2),
    )
    return Headline(sentence, points_at={PAIR.key: (query, key)}, strength=beyond(far, OUTLYING))
