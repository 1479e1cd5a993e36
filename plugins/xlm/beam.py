"""XLM's head for answers, which looks for the end where it knows the start.

It is that of Yang et al. 2019 (XLNet, appendix A.3), which XLM's released code took over.
"""

from typing import Any

from explorer.api.family import Context, Encoded, LoadedModel, Query, SpanLogits
from explorer.hf import HeadOnCopies, cancellable, copied_inputs, first_position_of, must_be_numbers


class BeamSpanExtractor(HeadOnCopies):
    """Ends for every start, where transformers' own forward follows a few starts only.

    Args:
        model: Whose.
        head: Its module, with `start_logits`, `end_logits` and `answer_class`.
    """

    def __init__(self, model: LoadedModel, head: Any) -> None:
        super().__init__(model)
        self._head = head

    def logits(self, encoded: Encoded, context: Context) -> SpanLogits:
        """As `SpanExtractor.logits`."""
        import torch

        with torch.inference_mode(), cancellable(context):
            states = self._model.encoder(**encoded.inputs)
            starts = self._head.start_logits(states)[0].float()
            ends = [self._ends(states, place)[0] for place in range(states.shape[1])]
            mean = starts.softmax(-1).to(states.dtype) @ states
            place = states.new_tensor([self._judged(encoded)], dtype=torch.long)
            judged = self._head.answer_class(states, start_states=mean, cls_index=place)
        found = SpanLogits(starts, torch.stack(ends), float(judged))
        must_be_numbers(self._model, found.starts)
        must_be_numbers(self._model, found.ends)
        return found

    def null(self, encoded: Encoded) -> int | None:  # noqa: ARG002 - as the port has it
        """As `SpanExtractor.null`: a class of its own says that there is no answer."""
        return None

    def of_copies(self, query: Query, count: int) -> Any:
        """Starts, and the ends of an answer that begins at the asked position."""
        import torch

        states = self._model.encoder(**copied_inputs(query.encoded, count))
        starts = self._head.start_logits(states).float()
        return torch.stack([starts, self._ends(states, query.asked[0])], dim=1)

    def _ends(self, states: Any, start: int) -> Any:
        """Scores of every token as the end (batch x tokens), given the start."""
        begun = states[:, start : start + 1].expand_as(states)
        return self._head.end_logits(states, start_states=begun).float()

    def _judged(self, encoded: Encoded) -> int:
        """The token by whose state it is judged whether there is an answer."""
        found = first_position_of(encoded, self._model.tokenizer.cls_token_id)
        return len(encoded.tokens) - 1 if found is None else found
