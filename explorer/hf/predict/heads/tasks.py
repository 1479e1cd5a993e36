"""Ports of heads that were put on an encoder for a task: classes of texts, of tokens, spans."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api.family import Context, Encoded, LoadedModel, Query, SpanLogits
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.passes.copies import copied_inputs, numbers_of
from explorer.hf.predict.rows import must_be_numbers
from explorer.text import N_

NEXT_SENTENCE_LABELS = (N_("is next"), N_("is not next"))
"""The task is that of Devlin et al. 2019, section 3.1; the order is that of their released code."""
SENTENCE_ORDER_LABELS = (N_("right order"), N_("swapped"))
"""The task is that of Lan et al. 2020, section 3.1; the order is that of their released code."""


def labels_of(config: Any) -> tuple[str, ...]:
    """The names of a config's classes, in the order of the scores.

    Args:
        config: The model's, with its `id2label`.
    """
    names = config.id2label
    return tuple(str(names[index]) for index in sorted(names))


class HeadOnCopies:
    """A head that answers for copies of an input, and so for one.

    Args:
        model: Whose.
    """

    def __init__(self, model: LoadedModel) -> None:
        self._model = model

    def pieces_read(self, query: Query) -> tuple[int, ...]:
        """As `explorer.hf.predict.passes.copies.BatchedForward.pieces_read`."""
        return numbers_of(query.encoded.input_ids)

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        raise NotImplementedError

    def _once(self, query: Query, context: Context) -> Any:
        """The answer to the input as it stands.

        Raises:
            MachineFault: It is no numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """
        import torch

        with torch.inference_mode(), cancellable(context):
            found = self.of_copies(query, 1)[0]
        must_be_numbers(self._model, found)
        return found


class SequenceHead(HeadOnCopies):
    """A head that judges a text, or two, as a whole."""

    def logits(self, encoded: Encoded, context: Context) -> Any:
        """As `PairClassifier.logits`."""
        return self._once(Query(encoded, ()), context)


class ModuleClassifier(SequenceHead):
    """The classifier of a transformers class made for it."""

    judges_pairs = False

    def __init__(self, model: LoadedModel) -> None:
        super().__init__(model)
        self.labels = labels_of(model.config)

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        return self._model.module(**copied_inputs(query.encoded, count)).logits.float()


class LastTokenClassifier(ModuleClassifier):
    """A classifier of a model that reads from the left: it judges by the last token.

    Its class in transformers refuses several texts at once where no token is for padding.

    Args:
        model: Whose.
        head: From states (batch x hidden) to scores (batch x classes).
    """

    def __init__(self, model: LoadedModel, head: Callable[[Any], Any]) -> None:
        super().__init__(model)
        self._head = head

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        padding = self._model.config.pad_token_id
        read = [n for n, piece in enumerate(self.pieces_read(query)) if piece != padding]
        states = self._model.encoder(**copied_inputs(query.encoded, count))
        return self._head(states[:, read[-1] if read else 0]).float()


class PooledPairClassifier(SequenceHead):
    """A head that judges two texts by the pooled first token: next sentence, sentence order.

    Args:
        model: Whose encoder has a pooler.
        head: From pooled states (batch x hidden) to scores (batch x labels).
        labels: What the scores are for.
    """

    judges_pairs = True

    def __init__(
        self, model: LoadedModel, head: Callable[[Any], Any], labels: tuple[str, ...]
    ) -> None:
        super().__init__(model)
        self._head, self.labels = head, labels

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        inputs = copied_inputs(query.encoded, count)
        return self._head(self._model.module.base_model(**inputs).pooler_output).float()


class ModuleMultipleChoice:
    """The scores of a transformers class made to choose, sequence by sequence.

    Args:
        model: Whose.
    """

    def __init__(self, model: LoadedModel) -> None:
        self._model = model

    def logits(self, sequences: Sequence[Encoded], context: Context) -> Any:
        """As `MultipleChoice.logits`; no sequence is padded to the length of another."""
        import torch

        with torch.inference_mode(), cancellable(context):
            found = torch.stack([self._score(one).float() for one in sequences])
        must_be_numbers(self._model, found)
        return found

    def _score(self, encoded: Encoded) -> Any:
        """Of one sequence, a tensor without axes."""
        inputs = {name: rows[None] for name, rows in encoded.inputs.items()}
        return self._model.module(**inputs).logits[0, 0]


class LastTokenMultipleChoice(ModuleMultipleChoice):
    """The head for choices of a model that reads from the left: it judges by the last token.

    Args:
        model: Whose.
        head: From states (batch x tokens x hidden) to scores (batch x 1).
    """

    def __init__(self, model: LoadedModel, head: Callable[[Any], Any]) -> None:
        super().__init__(model)
        self._head = head

    def _score(self, encoded: Encoded) -> Any:
        """Of one sequence, a tensor without axes."""
        return self._head(self._model.encoder(**encoded.inputs)).reshape(())


class ModuleTokenClassifier(HeadOnCopies):
    """The token classifier of a transformers class made for it."""

    def __init__(self, model: LoadedModel) -> None:
        super().__init__(model)
        self.labels = labels_of(model.config)

    def logits(self, encoded: Encoded, context: Context) -> Any:
        """As `TokenClassifier.logits`."""
        return self._once(Query(encoded, tuple(range(len(encoded.tokens)))), context)

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        logits = self._model.module(**copied_inputs(query.encoded, count)).logits
        return logits[:, list(query.asked)].float()


class ModuleSpanExtractor(HeadOnCopies):
    """The two scores a token of a transformers class made for answers."""

    def logits(self, encoded: Encoded, context: Context) -> SpanLogits:
        """As `SpanExtractor.logits`."""
        starts, ends = self._once(Query(encoded, ()), context)
        return SpanLogits(starts, ends)

    def null(self, encoded: Encoded) -> int | None:
        """As `SpanExtractor.null`: the first of the tokens that stand for the whole text."""
        return first_position_of(encoded, self._model.tokenizer.cls_token_id)

    def of_copies(self, query: Query, count: int) -> Any:
        """As `explorer.hf.predict.passes.copies.BatchedForward.of_copies`."""
        import torch

        said = self._model.module(**copied_inputs(query.encoded, count))
        return torch.stack([said.start_logits, said.end_logits], dim=1).float()


def first_position_of(encoded: Encoded, number: int | None) -> int | None:
    """The first position of a piece among those that the model adds; None where there is none.

    Args:
        encoded: The input.
        number: The piece's number, as that of a tokenizer's [CLS]; None for none.
    """
    found = (n for n, one in enumerate(encoded.tokens) if one.special and one.id == number)
    return next(found, None)
