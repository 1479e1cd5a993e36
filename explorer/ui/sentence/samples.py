"""Sentences to begin with: each shows one thing a language model has or has not learned."""

from dataclasses import dataclass

from explorer.document import Document


@dataclass(frozen=True)
class Sample:
    """A sentence with something masked.

    Attributes:
        title: What the menu calls it.
        text: The sentence.
        masked: Words of it that are masked, the first occurrence of each.
        pair: A second sentence, or None.
        pair_masked: Words of the second sentence that are masked.
        options: What it sets views' tools to, as Document.with_option takes them.
        view: The operation whose view it is made for; "" leaves the view.
    """

    title: str
    text: str
    masked: tuple[str, ...] = ()
    pair: str | None = None
    pair_masked: tuple[str, ...] = ()
    options: tuple[tuple[str, object], ...] = ()
    view: str = ""

    def document(self) -> Document:
        """The document it stands for."""
        document = Document(self.text, self.pair)
        for part, words in enumerate((self.masked, self.pair_masked)):
            for word in words:
                start = document.part(part).index(word)
                document = document.with_mask(start, start + len(word), part)
        return document


SAMPLES = (
    Sample("The chef cooked", "the chef cooked the meal in the kitchen.", ("cooked",)),
    Sample("What did the chef cook?", "The chef cooked the meal in the kitchen.", ("meal",)),
    Sample(
        "Dark knowledge: a film that was liked",
        "I liked the movie that I watched yesterday. The movie was fun.",
        ("fun",),
    ),
    Sample(
        "Dark knowledge: a film that was hated",
        "I hated the movie that I watched yesterday. The movie was boring.",
        ("boring",),
    ),
    Sample(
        "Dug with what? Flowers",
        "I will plant flowers, so I dug the ground. I used a trowel.",
        ("trowel",),
    ),
    Sample(
        "Dug with what? A house",
        "I will build a house, so I dug the ground. I used an excavator.",
        ("excavator",),
    ),
    Sample("Two masks, each filled alone", "The name of the engineer is [MASK] [MASK]."),
    Sample("Agreement in number", "The pilots fly the plane every day.", ("fly",)),
    Sample("Who is her brother?", "Anna is the sister of Tom. Tom is her brother.", ("her",)),
    Sample("Days in order", "Today is Friday. Tomorrow is Saturday.", ("Saturday",)),
    Sample("Opposites", "The opposite of deep is shallow.", ("shallow",)),
    Sample(
        "Two texts",
        "The chef went to the kitchen.",
        (),
        "The chef cooked the meal.",
        ("meal",),
    ),
    Sample("Pieces of words", "Deep learning disentangles representations.", ("disentangles",)),
    Sample(
        "Whose name is it? Names that do not belong together",
        "The name of the writer is [MASK] [MASK].",
        options=(("fill_jointly.method", None), ("fill_jointly.order", None)),
        view="fill_jointly",
    ),
    Sample(
        "Today and tomorrow, the same day",
        "Today is Friday. Tomorrow is Saturday.",
        ("Friday", "Saturday"),
        options=(("fill_jointly.method", None), ("fill_jointly.order", None)),
        view="fill_jointly",
    ),
    Sample(
        "A word that is its own opposite",
        "The opposite of deep is shallow.",
        ("deep", "shallow"),
        options=(("fill_jointly.method", None), ("fill_jointly.order", None)),
        view="fill_jointly",
    ),
    Sample(
        "What may be cooked: words of one piece and of several",
        "The chef cooked the meal in the kitchen.",
        ("meal",),
        options=(("score_words.words", "soup, fried rice, dinner, tea, excavators"),),
        view="score_words",
    ),
    Sample(
        "Five words for a film that was hated",
        "I hated the movie that I watched yesterday. The movie was boring.",
        ("boring",),
        options=(("score_words.words", "boring, fun, happy, sad, heavy"),),
        view="score_words",
    ),
    Sample(
        "A span of three words (load SpanBERT)",
        "The chef cooked the meal in the kitchen.",
        ("cooked the meal",),
        view="span_boundary",
    ),
    Sample(
        "A chef ate the meal: two words replaced",
        "the chef cooked the meal",
        ("the", "cooked"),
        options=(
            (
                "detect_replaced.corruption",
                {
                    "seed": 0,
                    "words": [
                        {"start": 0, "end": 3, "part": 0, "was": "the", "word": "a"},
                        {"start": 9, "end": 15, "part": 0, "was": "cooked", "word": "ate"},
                    ],
                },
            ),
            ("detect_replaced.without_generator", None),
        ),
        view="detect_replaced",
    ),
    Sample(
        "A word that does not belong",
        "The chef cooked the meal in the kitchen.",
        options=(
            (
                "detect_replaced.corruption",
                {
                    "seed": 0,
                    "words": [
                        {"start": 20, "end": 24, "part": 0, "was": "meal", "word": "telescope"}
                    ],
                },
            ),
            ("detect_replaced.without_generator", True),
        ),
        view="detect_replaced",
    ),
    Sample(
        "15 % of the tokens, drawn by the generator",
        "I liked the movie that I watched yesterday. The movie was fun.",
        options=(
            ("detect_replaced.corruption", None),
            ("detect_replaced.without_generator", None),
        ),
        view="detect_replaced",
    ),
    Sample(
        "Teacher and student: five words for a film",
        "I liked the movie that I watched yesterday. The movie was fun.",
        ("fun",),
        options=(("soft_targets.words", ["boring", "fun", "happy", "sad", "heavy"]),),
        view="soft_targets",
    ),
    Sample(
        "Teacher and student: where they disagree",
        "Today is Friday. Tomorrow is Saturday.",
        ("Saturday",),
        options=(("soft_targets.words", None),),
        view="soft_targets",
    ),
    Sample(
        "Deep learning: two words side by side",
        "The student likes deep learning. It needs data and a computer.",
        ("data",),
        options=(
            ("disentangle.layer", 1),
            ("disentangle.head", 1),
            ("disentangle.step", None),
            ("disentangle.off", None),
            ("disentangle.pair", [4, 5]),
        ),
        view="disentangle",
    ),
    Sample(
        "Deep, learning: the same two words far apart",
        "The sea is deep. The child is learning to swim.",
        ("swim",),
        options=(
            ("disentangle.layer", 1),
            ("disentangle.head", 1),
            ("disentangle.step", None),
            ("disentangle.off", None),
            ("disentangle.pair", [4, 9]),
        ),
        view="disentangle",
    ),
    Sample(
        "Positions switched off: a bag of words is left",
        "The student likes deep learning. It needs data and a computer.",
        ("learning", "data"),
        options=(
            ("disentangle.step", None),
            ("disentangle.off", [["c2p", None, None], ["p2c", None, None]]),
            ("disentangle.pair", None),
        ),
        view="disentangle",
    ),
    Sample(
        "A head that looks at the word before",
        "The chef cooked the meal in the kitchen.",
        options=(
            ("query_key.layer", 1),
            ("query_key.head", 2),
            ("query_key.pair", [5, 4]),
        ),
        view="query_key",
    ),
    Sample(
        "A head switched off: what did the chef cook?",
        "The chef cooked the meal in the kitchen.",
        ("meal",),
        options=(("switch_off.heads", [["encoder", 1, 2]]), ("switch_off.every", None)),
        view="switch_off",
    ),
    Sample(
        "Every token: which word surprises?",
        "The chef cooked the hospital in the kitchen.",
        view="sweep",
    ),
    Sample(
        "Training mask: static beside dynamic",
        "The doctor works in the hospital, and the chef cooked the meal in the kitchen.",
        options=(("training_mask.epochs", 12), ("training_mask.draw", None)),
        view="training_mask",
    ),
    Sample(
        "What if pieces were 64 wide? 30,000 x 64 + 64 x 768",
        "the chef cooked the meal in the kitchen.",
        options=(
            ("anatomy.page", "what_if"),
            ("anatomy.what_if", {"base": "notes", "embedding_size": 64}),
        ),
        view="anatomy",
    ),
    Sample(
        "GPT-3 without its weights",
        "the chef cooked the meal in the kitchen.",
        options=(("anatomy.page", "picture"), ("anatomy.checkpoint", "gpt3-175b")),
        view="anatomy",
    ),
    Sample(
        "Heads that look at the token before",
        "The waiter brought the soup, which was delicious and hot.",
        options=(("attention.rank", "previous"),),
        view="attention",
    ),
    Sample("Korean and emoji", "나는 영화를 좋아한다 🎬", ()),
)

FIRST = SAMPLES[0]
"""What a first start shows."""
