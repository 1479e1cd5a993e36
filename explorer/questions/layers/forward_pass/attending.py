"""Scenes of one head: query, products, scores, weights, values."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.question import PassAttention, PassScene, PassStep, SceneRow, alone
from explorer.questions.layers.forward_pass.wording import angle, row_said
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal, percent, signed, with_minus

ROTATION = "↻"
SHOWN = 9
"""Tokens of one scene: those with most weight."""


def attending_scenes(
    attention: PassAttention,
    step: PassStep,
    number: int,
    inputs: tuple[SceneRow, ...],
    place: int,
) -> Iterator[PassScene]:
    """How one head looks at tokens, one thing after the other (Vaswani et al. 2017, section 3.2.1).

    Args:
        attention: The numbers.
        step: In which all heads are put side by side.
        number: Its own.
        inputs: What the attention is given.
        place: Of the token that looks.
    """
    head = attention.head
    shown = np.argsort(-attention.weights[head], kind="stable")[:SHOWN]
    shown = np.sort(shown)
    labels = [alone(attention.tokens[n]) for n in shown]
    prefix = "cross." if attention.kind == "cross" else ""
    where = Phrase(N_("head {head}"), head=str(head))
    query = _vector(f"query {number}", N_("query"), attention.queries[head])
    begun, before = query, attention.queries_before
    if before is not None:
        begun = _vector(f"unturned {number}", N_("query"), before[head])

    def scene(name: str, title: str, said: Phrase, **how: Any) -> PassScene:
        code = N_("{what}, {where}")
        if prefix:
            code = N_("Cross attention: {what}, {where}")
        what = Phrase(code, what=Phrase(title), where=where)
        return PassScene(
            f"{prefix}{name}", step.row, row_said(step.row), what, said, head=head, **how
        )

    width = str(len(attention.queries[head]))
    asked = Phrase(N_("The head's query: {width} numbers that say what it looks for."), width=width)
    if attention.turned and before is None:
        # An answer of an older version.
        asked = Phrase.joined((asked, Phrase(N_("It is turned by the token's place (rotary)."))))
    yield scene(
        "query",
        N_("Query"),
        asked,
        operation="× W",
        rows=inputs,
        result=begun,
        has_own_scales=True,
    )

    def rows(
        values: Any, amounts: Any, written: list[str], weights: Any = None
    ) -> tuple[SceneRow, ...]:
        return tuple(
            SceneRow(
                f"token {number} {n}",
                label,
                None if values is None else values[n],
                float(amounts[n]),
                text,
                1.0 if weights is None else float(weights[n]),
            )
            for label, n, text in zip(labels, shown.tolist(), written, strict=True)
        )

    if before is not None and attention.keys_before is not None:
        turned = decimal(angle(before[head], attention.queries[head]), 0)
        yield scene(
            "turn",
            N_("Query, turned (rotary)"),
            Phrase(
                N_(
                    "Its numbers are turned in pairs, like the hands of clocks, by the token's "
                    "place {place}: by {angle}° in all. It stays as long as it was."
                ),
                place=str(place),
                angle=turned,
            ),
            operation=ROTATION,
            rows=(replace(begun, label=Phrase(N_("before"))),),
            result=query,
        )
        lengths = np.linalg.norm(attention.keys_before, axis=-1)
        yield scene(
            "keys",
            N_("Keys, before they are turned"),
            Phrase(
                N_(
                    "Each token's key is turned by its own place, so that a query and a key are "
                    "turned against each other by how far apart they are."
                )
            ),
            operation=ROTATION,
            rows=tuple(
                replace(one, amount=None)
                for one in rows(
                    attention.keys_before, lengths, [decimal(float(lengths[n]), 2) for n in shown]
                )
            ),
        )
    products = attention.products[head]
    yield scene(
        "products",
        N_("Query × key"),
        Phrase.joined(
            (
                Phrase(
                    N_("Each token has a key; query times key says how well it fits the query.")
                ),
                *_left_out(attention, len(shown)),
            )
        ),
        operation="·",
        rows=(
            query,
            *rows(attention.keys, products, [signed(float(products[n]), 1) for n in shown]),
        ),
        has_own_scales=True,
    )
    scores = attention.scores()[head]
    finite = np.where(np.isfinite(scores), scores, 0.0)
    yield scene(
        "scores",
        N_("Scores"),
        _scores_said(attention),
        operation=_scores_operation(attention),
        rows=rows(
            None,
            finite,
            [_score_written(attention, int(n)) for n in shown],
        ),
    )
    weights = attention.weights[head]
    yield scene(
        "weights",
        N_("Softmax: weights"),
        _weights_said(attention),
        operation="softmax",
        rows=rows(None, weights, [percent(float(weights[n]), 1) for n in shown]),
    )
    yield scene(
        "values",
        N_("Weighted values"),
        Phrase(
            N_("Each token's value counts by its weight; added up they are what the head takes.")
        ),
        operation="Σ",
        rows=rows(
            attention.values,
            weights,
            [percent(float(weights[n]), 1) for n in shown],
            weights / (float(weights.max()) or 1.0),
        ),
        result=SceneRow(
            f"head {head}",
            where,
            attention.results[head],
            None,
            decimal(float(np.linalg.norm(attention.results[head])), 2),
        ),
    )


def _weights_said(attention: PassAttention) -> Phrase:
    weights = attention.weights[attention.head]
    most = int(weights.argmax())
    told = {
        "token": alone(attention.tokens[most]),
        "share": percent(float(weights[most]), 0),
    }
    if attention.sink is not None:
        return Phrase(
            N_(
                "The softmax makes shares of the scores and of a sink, a number of the head's own, "
                "which takes {rest}: “{token}” has {share}."
            ),
            rest=percent(1 - float(weights.sum()), 0),
            **told,
        )
    return Phrase(
        N_("The softmax makes shares of the scores, 100 % together: “{token}” has {share}."), **told
    )


def _vector(key: str, label: str, values: Any) -> SceneRow:
    return SceneRow(key, Phrase(label), values, None, decimal(float(np.linalg.norm(values)), 2))


def _left_out(attention: PassAttention, shown: int) -> tuple[Phrase, ...]:
    if len(attention.tokens) <= shown:
        return ()
    return (
        Phrase(
            N_("Shown are the {shown} of {count} tokens that get most."),
            shown=str(shown),
            count=str(len(attention.tokens)),
        ),
    )


def _scores_operation(attention: PassAttention) -> str:
    said = "" if attention.scale == 1.0 else f"× {decimal(attention.scale, 3)}"
    if attention.cap:
        said = f"{said} tanh".strip()
    return f"{said} + b".strip() if attention.positions is not None else said


def _score_written(attention: PassAttention, token: int) -> str:
    """A token's score; where distances add to it, what it is the sum of."""
    head = attention.head
    if attention.hidden[token]:
        return "−∞"
    score = float(attention.scores()[head, token])
    if attention.positions is None:
        return signed(score, 2)
    content = float(attention.products[head, token]) * attention.scale
    position = float(attention.positions[head, token])
    return f"{signed(content, 1)} {signed(position, 1)} = {signed(score, 1)}"


def _scores_said(attention: PassAttention) -> Phrase:
    head = attention.head
    said = [
        Phrase(N_("Products are not scaled here."))
        if attention.scale == 1.0
        else Phrase(
            N_("Products times {scale}, so that they do not grow with the width."),
            scale=decimal(attention.scale, 3),
        )
    ]
    if attention.cap:
        said.append(
            Phrase(
                N_("They are bent: each is {cap} × tanh(score / {cap})."),
                cap=decimal(attention.cap, 0),
            )
        )
    if attention.positions is not None:
        own = attention.positions[head]
        said.append(
            Phrase(
                N_("The head adds a number for each distance, from {low} to {high}."),
                low=with_minus(float(own.min()), 2),
                high=with_minus(float(own.max()), 2),
            )
        )
    hidden = int(attention.hidden.sum())
    if hidden:
        said.append(
            Phrase(
                NN_("{count} token is hidden from it.", "{count} tokens are hidden from it."),
                count=hidden,
            )
        )
    elif attention.kind == "decoder":
        said.append(Phrase(N_("Later tokens would be hidden; there are none.")))
    return Phrase.joined(said)
