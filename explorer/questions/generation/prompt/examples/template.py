"""How examples and a question are written into one prompt."""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api.question import UserMistake
from explorer.text import N_

QUESTION, ANSWER = "{question}", "{answer}"


@dataclass(frozen=True, slots=True)
class WrittenPrompt:
    """A prompt around the place of its answer.

    Attributes:
        before: What stands before the answer, the space before it included.
        after: What closes it, for models that read both sides.
    """

    before: str
    after: str

    def with_answer(self, answer: str) -> str:
        """The whole text."""
        return f"{self.before}{answer}{self.after}"


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """One line of a prompt.

    Attributes:
        text: With {question} and, behind it, {answer}.
        description: What stands before the first example; "" for nothing.
    """

    text: str
    description: str = ""

    def check(self) -> None:
        """Refuse what is no template.

        Raises:
            UserMistake: A place is missing, there twice, or the answer stands before the question.
        """
        once = self.text.count(QUESTION) == 1 == self.text.count(ANSWER)
        if not once or self.text.index(QUESTION) > self.text.index(ANSWER):
            raise UserMistake(
                N_("A template needs {question} once and, after it, {answer} once."),
                N_("Write it like this: {example}"),
                question=QUESTION,
                answer=ANSWER,
                example="{question} -> {answer}.",
            )

    def example(self, question: str, answer: str) -> str:
        """A question with its answer."""
        return self.text.replace(QUESTION, question).replace(ANSWER, answer)

    def write(self, examples: Sequence[tuple[str, str]], question: str) -> WrittenPrompt:
        """Examples, and a question whose answer is open."""
        before, _, after = self.text.partition(ANSWER)
        told = [self.description] if self.description else []
        told += [self.example(*one) for one in examples]
        return WrittenPrompt(" ".join([*told, before.replace(QUESTION, question)]), after)

    def neutral(self, prompt: str) -> WrittenPrompt:
        """A prompt that asks nothing, with the answer where the template has it."""
        before, _, after = self.text.partition(ANSWER)
        space = before[len(before.rstrip()) :]
        return WrittenPrompt(f"{prompt}{space}", after)
