"""A scene: what a lecture shows and says about one thing, in steps that are asked of models."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from explorer.document import Document
from explorer.lectures.lessons.ask import LessonAsk
from explorer.lectures.words import in_language
from explorer.samples.typed_documents import document_of
from explorer.text.sources import checked

TOP_K = Document().top_k
"""How many predictions a mask gets where a scene says nothing else."""


@dataclass(frozen=True)
class StepWords:
    """What a step says in one language.

    Attributes:
        look: What to look at, a sentence each.
        claim: Its claims in words; "" where it claims nothing.
    """

    look: tuple[str, ...] = ()
    claim: str = ""


@dataclass(frozen=True)
class Control:
    """A setting without what a step shows, in which claims of the step must fail.

    Attributes:
        step: What is asked in it; it claims and says nothing of its own.
        fails: Which of the step's claims fail, counted from 0.
    """

    step: "Step"
    fails: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """One question asked of one document; everything in it, what a file left out as well.

    Attributes:
        question: The name of the question that is asked.
        models: Checkpoints in the slots A and B; none where the question needs none.
        text: The sentence.
        masked: What is masked in it: words, or characters as in "4-8".
        pair: A second sentence, or None.
        pair_masked: What is masked in the second sentence.
        entities: Which words name which entity of a knowledge graph, as "Anna=Q7".
        options: What questions are set to, by "question.option".
        top_k: How many predictions a mask gets.
        claims: What must hold of the answer.
        words: What is said, by language.
        scroll_to: The heading on the page, in English, that it is scrolled to; "" for its top.
        focus: What of the page the step is about, by its titles in English: the stage shows that
            alone. The whole page where there is none.
        controls: Where its claims must fail: what holds there too says nothing of this step.
        ask: What it asks of whoever looks at it; None where it asks nothing.
        solution: A step in which what is to be done is done; None where nothing is.
    """

    question: str
    models: tuple[str, ...] = ()
    text: str = ""
    masked: tuple[str, ...] = ()
    pair: str | None = None
    pair_masked: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    top_k: int = TOP_K
    claims: tuple[str, ...] = ()
    words: Mapping[str, StepWords] = field(default_factory=dict)
    scroll_to: str = ""
    focus: tuple[str, ...] = ()
    controls: tuple[Control, ...] = ()
    ask: LessonAsk | None = None
    solution: "Step | None" = None

    @property
    def heading(self) -> str:
        """The title, in English, that the page is scrolled to; "" for its top."""
        return self.scroll_to or next(iter(self.focus), "")

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages it speaks."""
        return tuple(self.words)

    def look(self, language: str = "") -> tuple[str, ...]:
        """What to look at, a sentence each.

        Args:
            language: A code; "" for the language in use. English where there are no words in it.
        """
        return in_language(self.words, language, StepWords()).look

    def claim(self, language: str = "") -> str:
        """Its claims in words, in a language as `look` takes it; without words, as written."""
        said = {code: one.claim for code, one in self.words.items() if one.claim}
        return in_language(said, language, "; ".join(self.claims))

    def document(self, before: Document | None = None) -> Document:
        """The document that asks.

        Args:
            before: What is on screen: what other questions are set to stays. What this step's
                question is set to is the step's alone, so that it shows the same everywhere.

        Raises:
            UserMistake: What is to be masked is not in the text.
        """
        asks = document_of(self.text, self.pair, self.masked, self.pair_masked, self.entities)
        kept = () if before is None else before.options
        options = tuple((key, value) for key, value in kept if not self._sets(key))
        asks = replace(asks, top_k=self.top_k, options=options)
        for key, value in self.options.items():
            asks = asks.with_option(key, value)
        return asks

    def _sets(self, key: str) -> bool:
        """Whether an option is one of this step's question, in whoever's name it is kept."""
        from explorer.questions import all_questions

        question = all_questions().get(self.question)
        own = () if question is None else question.options
        return key.startswith(f"{self.question}.") or any(one.key == key for one in own)


@dataclass(frozen=True)
class Scene:
    """One thing that a lecture shows.

    Attributes:
        name: Its file's, without the ending; no other of its lecture has it.
        steps: One or more, in order.
        chapter: The key of the chapter it belongs to; "" for none.
        order: Its place in the chapter; of the same place, the names decide.
        shows: Which systems or ideas of the lecture notes, as "S1" and "I6".
        sources: Papers with their sections; what nobody has looked up is marked "(not checked)".
        titles: What it is called, by language.
        minutes: How long it takes whoever goes through it alone; 0 where nobody says.
    """

    name: str
    steps: tuple[Step, ...]
    chapter: str = ""
    order: int = 0
    shows: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    minutes: int = 0

    @property
    def asks(self) -> tuple[int, ...]:
        """The steps that ask something, from 0; a scene with some is a lesson."""
        return tuple(number for number, step in enumerate(self.steps) if step.ask is not None)

    @property
    def cited(self) -> str:
        """The sources that somebody has looked up, in one line; "" where there are none."""
        return "; ".join(filter(None, map(checked, self.sources)))

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages that its title is in."""
        return tuple(self.titles)

    def title(self, language: str = "") -> str:
        """What it is called.

        Args:
            language: A code; "" for the language in use. English where it has no title in it.
        """
        return in_language(self.titles, language, self.name)
