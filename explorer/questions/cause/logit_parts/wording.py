"""What the page says of parts, and what each is called."""

from explorer.api.question import WrittenBy
from explorer.questions.cause.logit_parts.question import LogitPartsResult, WrittenPart
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import signed, significant, with_minus
from explorer.text.formatting.probabilities import in_percent
from explorer.text.pieces import visible

BIASES = {
    WrittenBy.ATTENTION_BIAS: N_("Biases of attention"),
    WrittenBy.NORM_BIAS: N_("Biases of norms"),
    WrittenBy.OTHER_BIAS: N_("Biases between layers"),
    WrittenBy.HEAD_BIAS: N_("Biases of the output head"),
}
"""Parts that one bar holds together, by what they are of."""
ALONE = {
    WrittenBy.EMBEDDINGS: N_("Embeddings"),
    WrittenBy.POSITIONS: N_("Positions, added later"),
    WrittenBy.CONVOLUTION: N_("Convolution"),
}
"""Parts that there is one of."""
DIRECT = N_("Direct paths only: what a part changes in later layers counts as theirs.")
HEAD = N_("Head {layer}.{head}")
CROSS_HEAD = N_("Cross-attention head {layer}.{head}")
ATTENTION = N_("Attention {layer}")
CROSS_ATTENTION = N_("Cross-attention {layer}")
FEED_FORWARD = N_("Feed-forward {layer}")
HEAD_OF_PASS = N_("Head {head} of decoder pass {number}")
ATTENTION_OF_PASS = N_("Attention of decoder pass {number}")
FEED_FORWARD_OF_PASS = N_("Feed-forward of decoder pass {number}")


def part_said(part: WrittenPart) -> Phrase:
    """What a part is called; of a bias what it is of."""
    by = WrittenBy(part.by)
    if by in BIASES:
        return Phrase(BIASES[by])
    if by in ALONE:
        return Phrase(ALONE[by])
    is_cross = part.kind == "cross"
    if part.row.startswith("decoder"):
        return _of_pass(by, part.row)
    if by is WrittenBy.HEAD:
        layer, _dot, head = part.row.rpartition(".")
        code = CROSS_HEAD if is_cross else HEAD
        return Phrase(code, layer=layer, head=head)
    if by is WrittenBy.ATTENTION:
        return Phrase(CROSS_ATTENTION if is_cross else ATTENTION, layer=part.row)
    return Phrase(FEED_FORWARD, layer=part.row)


def _of_pass(by: WrittenBy, row: str) -> Phrase:
    """A part of a decoder that applies the last layer again: "decoder 2.3" is a head's."""
    layer, _dot, head = row.partition(".")
    number = layer.split()[1]
    if by is WrittenBy.HEAD:
        return Phrase(HEAD_OF_PASS, head=head, number=number)
    code = ATTENTION_OF_PASS if by is WrittenBy.ATTENTION else FEED_FORWARD_OF_PASS
    return Phrase(code, number=number)


def both_said(result: LogitPartsResult) -> Phrase:
    """What is taken apart, and how probable both words are."""
    first, second = map(visible, result.words)
    return Phrase(
        N_(
            "“{first}” ({share}) against “{second}” ({other}): {nats} nats, the difference of "
            "their logits."
        ),
        first=first,
        second=second,
        share=in_percent(result.chances[0]),
        other=in_percent(result.chances[1]),
        nats=with_minus(result.difference, 2),
    )


def checked_said(result: LogitPartsResult) -> Phrase:
    """That the parts are the whole."""
    return Phrase(
        N_("Checked: the {count} parts add up to the difference, but for {missing} nats."),
        count=len(result.parts),
        missing=significant(abs(result.missing), 1),
    )


def correlation_said(result: LogitPartsResult) -> Phrase:
    """How far direct and total effects put the parts into one order."""
    if result.correlation is None:
        return Phrase("")
    return Phrase(
        N_("Rank correlation of direct and total effects, over {count} parts: {value}."),
        count=sum(one.total is not None for one in result.parts),
        value=with_minus(result.correlation, 2),
    )


def nats(value: float) -> str:
    """With its sign, to two digits; nothing where it is about nothing."""
    return signed(value, 2) if round(value, 2) else "0"
