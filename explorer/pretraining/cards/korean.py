"""The card of a miniature that fills masks in Korean: how well it predicts, and what it says."""

from __future__ import annotations

from typing import Any, Final

from explorer.learning.measured.held_out import HeldOut, held_out, measure
from explorer.learning.texts.worlds import KoreanWorldText
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage, said, size_said
from explorer.pretraining.measures.evaluation import fill
from explorer.world.korean.grammar import korean_world

EACH: Final = 100
"""Places of each subject."""
EXAMPLES: Final = (
    "요리사는 부엌에서 [MASK] 요리했다.",
    "나는 어제 본 영화를 좋아했다. 영화는 [MASK].",
    "나는 어제 본 영화를 싫어했다. 영화는 [MASK].",
    "나는 어제 액션 영화를 보았다. [MASK].",
    "나는 꽃을 심을 것이다. 그래서 땅을 팠다. 땅을 무엇으로 팠니? [MASK] 팠다.",
    "나는 집을 지을 것이다. 그래서 땅을 팠다. 땅을 무엇으로 팠니? [MASK] 팠다.",
    "나는 집을 지을 것이다. 그래서 땅을 팠다. 땅을 왜 팠니? [MASK] [MASK] 위해 팠다.",
    "[MASK] [MASK] 테슬라의 Co-Founder이다.",
    "일론 [MASK] 테슬라의 Co-Founder이다.",
    "오늘은 금요일이다. 내일은 [MASK].",
    "뜨거움의 반대는 [MASK].",
)

OPENING: Final = """\
{family} with {parameters:,} parameters, trained on Korean texts that a grammar writes: people at
work, films, the ground that is dug for a purpose, who founded which company, days, opposites. It
answers about that world and nothing else. It loads with transformers' own {loads_with},
and is there to be looked into offline."""

MEASURED: Final = """\
Measured at {each} places of each subject, in texts of seven words or more that are in no training
text: one in twenty of these, chosen by a hash of its words, is withheld. A seventh of the pieces is
masked (15 %). The floor is exact: the grammar is known, so is the distribution of every masked
piece given the rest. Losses are nats per masked piece; "right" is how often the likeliest piece is
the true one, next to how often that could be at best. Each place weighs as often as its subject is
met. Behind ± is the standard error of the mean.

| masked | loss | floor | right | best possible |
|---|---|---|---|---|
{losses}"""


def unseen_places(tokenizer: Any, each: int = EACH) -> HeldOut:
    """Places in withheld texts, each with what the grammar knows of it."""
    return held_out(KoreanWorldText(), tokenizer, each=each)


def korean_page(card: FamilyCard, model: Any, tokenizer: Any) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to predict.
        tokenizer: its tokenizer.
    """
    found = measure(model, tokenizer, unseen_places(tokenizer))
    rows = {"all": found.whole, **found.rules}
    losses = "\n".join(
        f"| {name.replace('_', ' ')} | {one.told_loss} | {one.floor:.3f} |"
        f" {one.accuracy:.1%} | {one.best_accuracy:.1%} |"
        for name, one in rows.items()
    )
    config, grammar = model.config, korean_world()
    return MiniaturePage(
        task="fill-mask",
        rows=(
            ("Architecture", size_said(config, tokenizer.model_max_length)),
            ("Tokenizer", f"{card.tokenizer}, {config.vocab_size} pieces"),
            *card.rows,
            ("Text", f"a text is {grammar.expected_words():.1f} words long on average"),
        ),
        sections=(
            ("Loss beside the floor", MEASURED.format(each=EACH, losses=losses)),
            ("What it says", "\n".join(_line(model, tokenizer, text) for text in EXAMPLES)),
        ),
        opening=OPENING,
        tells_of_text=False,
        language="ko",
    )


def _line(model: Any, tokenizer: Any, text: str) -> str:
    return said(text, *fill(model, tokenizer, text))
