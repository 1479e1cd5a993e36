"""Tiny random DeBERTas of every kind there is, without files."""

from functools import partial
from typing import Any

from explorer.api.family import (
    AttentionDecomposition,
    BidirectionalPredictor,
    LoadedModel,
    LoadReport,
    ModelStamp,
    Predictor,
)
from explorer.hf.family.tiny import wordpiece_vocabulary

SMALL = {
    "vocab_size": 100,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 24,
    "relative_attention": True,
    "type_vocab_size": 0,
    "position_biased_input": False,
    "initializer_range": 0.3,
}


TEXT = "the cat sat on the mat, it was a great movie"


def ask(model: LoadedModel, **fields: Any) -> Any:
    """The model's answer to Disentangle."""
    from explorer.api.family import Context
    from explorer.questions.attention.disentangled_attention.question import (
        QUESTION,
        DisentangledAttentionRequest,
    )

    return QUESTION.run(model, DisentangledAttentionRequest(TEXT, **fields), Context())


def plugin(name: str) -> Any:
    """One of the plugin's modules, as the host imports them."""
    import importlib
    import sys

    from explorer.engine.plugins.plugin import MODULE_PREFIX
    from tests.hf import tiny

    package = f"{MODULE_PREFIX}bundled_deberta"
    if package not in sys.modules:
        tiny.families().family("deberta")
    return importlib.import_module(f"{package}.{name}")


def model_of(*, v1: bool, enhanced: bool = False, seed: int = 0, **config: Any) -> LoadedModel:
    """A model that answers Disentangle, and FillMask where it is enhanced."""
    import torch
    import transformers

    from explorer.hf.loading.checkpoint import quiet_transformers
    from explorer.hf.predict.masked import MaskedPredictor
    from explorer.hf.text.encoding import encode_text

    quiet_transformers()
    made = transformers.DebertaConfig if v1 else transformers.DebertaV2Config
    settings = made(**{**SMALL, **config})
    layouts, modules = plugin("layouts"), plugin("modules")
    layout = layouts.HeadLayout.ENHANCED if enhanced else None
    torch.manual_seed(seed)
    module = modules.model_class(v1, layout, False)(settings).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter) * 0.1)
    words = wordpiece_vocabulary()
    model = LoadedModel(
        stamp=ModelStamp("tiny", "deberta", "0" * 32, "cpu", "float32"),
        module=module,
        tokenizer=transformers.BertTokenizer(vocab=words),
        config=settings,
        encoder=lambda **inputs: module.deberta(**inputs).last_hidden_state,
        encode=lambda *given, **asked: encode_text(model, *given),
        heads=(),
        report=LoadReport(0),
        max_length=24,
    )
    model.ports = {AttentionDecomposition: plugin("scores").DisentangledScores(model)}
    if enhanced:

        def head(states: Any) -> Any:
            table = module.deberta.embeddings.word_embeddings.weight
            return module.lm_predictions["lm_head"](states, table)

        states_of = partial(modules.decoded_states, module)
        predictor = MaskedPredictor(model, states_of, head)
        model.ports |= {Predictor: predictor, BidirectionalPredictor: predictor}
    return model
