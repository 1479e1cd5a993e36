"""What T5's head reads in every layer of its decoder."""

from collections.abc import Sequence
from typing import Any

from explorer.api.family import Context, LoadedModel, Query
from explorer.hf import FinalNorm, cancellable, log_rows

from .predictor import SentinelPredictor


class DecoderReadout:
    """As `explorer.api.LayerReadout`: the rows are the decoder's, behind each asked piece's place.

    The states go through the decoder's final norm, and where the output matrix is the table of
    embeddings they are scaled by the root of their width (Raffel et al. 2020, section 3.1.1's
    released code).
    """

    passes = 0

    def __init__(self, model: LoadedModel, predictor: SentinelPredictor) -> None:
        self._model, self._predictor = model, predictor
        self._norm = FinalNorm(model.module.decoder)

    def states(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """As `explorer.api.LayerReadout.states`."""
        import torch

        device = torch.device(self._model.device)
        found = []
        with torch.inference_mode(), cancellable(context):
            for query in queries:
                context.check()
                task = self._predictor.task_of(query)
                with self._norm.watched() as seen:
                    output = self._model.module(
                        input_ids=torch.tensor([task.inputs], device=device),
                        decoder_input_ids=torch.tensor([task.target], device=device),
                        output_hidden_states=True,
                    )
                rows = self._norm.before(output.decoder_hidden_states, seen)
                found.append(torch.cat(rows)[:, list(task.read)].float())
        return [one.clone() for one in found]

    def log_probabilities(self, states: Any) -> Any:
        """As `explorer.api.LayerReadout.log_probabilities`."""
        import torch

        module = self._model.module
        with torch.set_grad_enabled(states.requires_grad):
            states = self._norm(states.to(getattr(torch, self._model.dtype)))
            if module.config.scale_decoder_outputs:
                states = states * module.model_dim**-0.5
            return log_rows(self._model, module.lm_head, states)
