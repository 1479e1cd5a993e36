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
    """

    title: str
    text: str
    masked: tuple[str, ...] = ()
    pair: str | None = None
    pair_masked: tuple[str, ...] = ()

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
    Sample("Who cooked?", "the chef cooked the meal in the kitchen.", ("chef",)),
    Sample("The movie was exciting", "I liked the movie. The movie was exciting.", ("exciting",)),
    Sample("The movie was not", "I hated the movie. The movie was boring.", ("boring",)),
    Sample("A verb and its object", "the teacher read the book.", ("read", "book")),
    Sample("Two masks at once", "Elon Musk founded the company.", ("Elon", "Musk")),
    Sample("A typed mask", "the doctor went to the [MASK]."),
    Sample(
        "Two sentences",
        "the chef went to the kitchen.",
        (),
        "the chef cooked the meal.",
        ("meal",),
    ),
    Sample("Pieces of words", "Deep learning disentangles representations.", ("disentangles",)),
    Sample("Korean and emoji", "나는 영화를 좋아한다 🎬", ()),
)

FIRST = SAMPLES[0]
"""What a first start shows."""
