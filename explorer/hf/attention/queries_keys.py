"""One layer's queries, keys and values, and the scores and shares that follow from them."""

from dataclasses import dataclass
from typing import Any

from explorer.api.family import Token
from explorer.hf.attention.layout import AttentionKind


@dataclass(frozen=True)
class QueriesKeys:
    """One layer's.

    Attributes:
        kind: Who attends to whom.
        layer: Its number within the kind, from 0.
        queries: Tensor (heads x query tokens x width), float32; as they are multiplied, so behind
            a rotation.
        keys: Tensor (heads x key tokens x width), float32; likewise, and where heads share keys
            each has a copy.
        values: Tensor (heads x key tokens x width), float32; likewise.
        scale: What the product of a query and a key is multiplied with.
        bias: Tensor (heads or 1 x query tokens x key tokens), float32: what positions add to the
            scores (T5, DeBERTa); None where they add nothing.
        window: How far a token sees to each side; None for all the text.
        query_tokens: Those that look.
        key_tokens: Those that are looked at.
        unturned: Queries and keys before a rotation; None where nothing is rotated.
        seen: Tensor (heads or 1 x query tokens x key tokens): which tokens may be looked at, as the
            run's own mask has it; None for what the kind and the window say.
        cap: Scores are bent below this number, cap * tanh(score / cap); 0 where they are not
            (Gemma Team 2024, "Gemma 2", section 2).
        sink: Tensor (heads x query tokens x 1): a score beside those of the tokens, whose share no
            token gets (gpt-oss); None without.
    """

    kind: AttentionKind
    layer: int
    queries: Any
    keys: Any
    values: Any
    scale: float
    bias: Any = None
    window: int | None = None
    query_tokens: tuple[Token, ...] = ()
    key_tokens: tuple[Token, ...] = ()
    unturned: tuple[Any, Any] | None = None
    seen: Any = None
    cap: float = 0.0
    sink: Any = None

    def shares(self) -> Any:
        """After the softmax: tensor (heads x query tokens x key tokens), float32.

        Where there is a sink, a row is less than 1 by what that gets.
        """
        import torch

        scores = self.scores()
        if self.sink is None:
            return scores.softmax(-1)
        return torch.cat((scores, self.sink), dim=-1).softmax(-1)[..., :-1]

    def scores(self) -> Any:
        """Before softmax: tensor (heads x query tokens x key tokens), float32.

        scale * query . key, with the positions' part where there is one (Vaswani et al. 2017,
        section 3.2.1); minus infinity where a token may not look.
        """
        import torch

        scores = self.queries @ self.keys.transpose(-1, -2) * self.scale
        if self.cap:
            scores = self.cap * (scores / self.cap).tanh()
        if self.bias is not None:
            scores = scores + self.bias
        if self.seen is not None:
            return scores.masked_fill(~self.seen, float("-inf"))
        seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device)
        if self.window is not None:
            seen = seen.triu(-self.window).tril(self.window)
        if self.kind is AttentionKind.DECODER:
            seen = seen.tril()
        return scores.masked_fill(~seen, float("-inf"))
