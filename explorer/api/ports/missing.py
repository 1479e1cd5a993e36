"""What is said of a model that lacks a port, where nothing more is known of its heads."""

from collections.abc import Mapping

from explorer.api.entities import Knowledge
from explorer.api.ports.attention import AttentionModules
from explorer.api.ports.graph_reasoner import GraphReasoner
from explorer.api.ports.heads import (
    BidirectionalPredictor,
    BoundaryPredictor,
    Discriminator,
    MultipleChoice,
    PairClassifier,
    Predictor,
    SpanExtractor,
    TokenClassifier,
)
from explorer.api.ports.inner import (
    AttentionDecomposition,
    EmbeddingMatrices,
    HiddenStates,
    InputEmbeddings,
    LayerReadout,
    LayerTrace,
)
from explorer.api.ports.neurons import Neurons
from explorer.api.ports.next_tokens import CausalLM, GenerativeQA
from explorer.api.ports.passes import StepwisePass
from explorer.api.ports.patches import ActivationPatching
from explorer.api.ports.written import LogitParts
from explorer.text import N_

NOT_THEIRS: Mapping[type, str] = {
    Predictor: N_("This model has no head that predicts tokens."),
    BidirectionalPredictor: N_("This model has no head that fills masks."),
    PairClassifier: N_("This model is no classifier: it has no head for classes."),
    MultipleChoice: N_("This model has no head that chooses among texts."),
    TokenClassifier: N_(
        "This model labels no tokens: load bert-labels-miniature, or a model of your own that was "
        "fine-tuned to label them."
    ),
    SpanExtractor: N_(
        "This model has no head for answers: load bert-answers-miniature, or a model of your own "
        "that was fine-tuned to find the answer to a question in a passage."
    ),
    GenerativeQA: N_("This model has no decoder that could write an answer."),
    CausalLM: N_(
        "This model does not write: load one that reads from the left, such as gpt2-miniature."
    ),
    Discriminator: N_(
        "This model does not detect replaced tokens: load a discriminator, such as "
        "electra-miniature-discriminator."
    ),
    BoundaryPredictor: N_(
        "Only SpanBERT was trained to predict a masked span from the two words next "
        "to it: load spanbert-miniature, or a SpanBERT with its own head."
    ),
    AttentionDecomposition: N_(
        "Only DeBERTa's attention is a sum of content and position: load deberta-v1-miniature, or "
        "a DeBERTa of your own."
    ),
    GraphReasoner: N_(
        "This model reads no graph: load kagnet-miniature, or a KagNet of your own, "
        "together with an encoder."
    ),
    Knowledge: N_(
        "This model reads no entities of a knowledge graph: load ernie-thu-miniature, or an ERNIE "
        "(Tsinghua) of your own."
    ),
    AttentionModules: N_("This model's attention is of a kind that can't be taken apart."),
    LayerReadout: N_("This model has no head that reads its layers."),
    InputEmbeddings: N_("This model has no head whose answer could be traced back to its words."),
    ActivationPatching: N_("This model has no head that states could be put back for."),
    LogitParts: N_("This model has no head whose words' logits could be taken apart."),
    EmbeddingMatrices: N_("This model reads its pieces from no table with a row for each."),
    HiddenStates: N_("This model exposes no hidden states."),
    StepwisePass: N_("This model's layers can't be followed step by step."),
    Neurons: N_("Neither this model's neurons nor its heads can be told apart."),
    LayerTrace: N_("The layers of this model can't be compared with another's."),
}
"""Why models of a family lack a port that none of its heads gives."""
