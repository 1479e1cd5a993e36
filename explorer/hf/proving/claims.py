"""All claims, in the order in which they are tried: one that stands on another comes after it."""

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Attentions,
    BidirectionalPredictor,
    CausalLM,
    GenerativeQA,
    HiddenStates,
    InputEmbeddings,
    LayerReadout,
    LayerTrace,
    LogitParts,
    MultipleChoice,
    Neurons,
    PairClassifier,
    Predictor,
    SpanExtractor,
    StepwisePass,
    TokenClassifier,
    Weights,
)
from explorer.hf.proving.claim import ArchitectureClaim
from explorer.hf.proving.heads import (
    chooses,
    finds_answers,
    goes_on,
    labels,
    labels_tokens,
    predicts,
    predicts_everywhere,
    puts_back,
    reads_out,
    reads_vectors,
)
from explorer.hf.proving.layers import attends, gives_states, is_taken_apart, mixes_values
from explorer.hf.proving.streams import (
    has_one_stream,
    neurons_feed,
    parts_are_added,
    streams_run,
    sums_up,
)
from explorer.hf.proving.weights import counts_are_its_own, roles_are_played

FILLS = (Predictor, BidirectionalPredictor, LayerReadout, ActivationPatching, LogitParts)
APART = (AttentionModules, LayerTrace, StepwisePass)
LAYOUT = (
    "Look at the AttentionLayout: projections, scale, rotation, and what positions add "
    "(bias_argument, bias_method)."
)

CLAIMS: tuple[ArchitectureClaim, ...] = (
    ArchitectureClaim("predictions are the class's own", FILLS, predicts),
    ArchitectureClaim("predictions are so at every token", FILLS, predicts_everywhere, dear=True),
    ArchitectureClaim("the head reads its last layer", (LayerReadout,), reads_out, dear=True),
    ArchitectureClaim(
        "a layer gives one state a token",
        (ActivationPatching, StepwisePass, LogitParts),
        has_one_stream,
    ),
    ArchitectureClaim("states are put back", (ActivationPatching,), puts_back, dear=True),
    ArchitectureClaim("scores of classes are the class's own", (PairClassifier,), labels),
    ArchitectureClaim("scores of tokens are the class's own", (TokenClassifier,), labels_tokens),
    ArchitectureClaim("scores of answers are the class's own", (SpanExtractor,), finds_answers),
    ArchitectureClaim(
        "scores of choices are the class's own", (MultipleChoice,), chooses, dear=True
    ),
    ArchitectureClaim(
        "its text goes on as the class's own", (CausalLM, GenerativeQA), goes_on, dear=True
    ),
    ArchitectureClaim(
        "pieces are read from one table", (InputEmbeddings,), reads_vectors, dear=True
    ),
    ArchitectureClaim("states are those of its layers", (HiddenStates, LayerReadout), gives_states),
    ArchitectureClaim("queries and keys make its attention", APART, is_taken_apart, hint=LAYOUT),
    ArchitectureClaim("values make what its heads contribute", APART, mixes_values),
    ArchitectureClaim("attention is a matrix of shares", (Attentions, LayerTrace), attends),
    ArchitectureClaim(
        "the stream is what leaves its layers", (ActivationPatching, StepwisePass), streams_run
    ),
    ArchitectureClaim(
        "attention and feed-forward part are added", (ActivationPatching,), parts_are_added
    ),
    ArchitectureClaim("a logit is the sum of its parts", (LogitParts,), sums_up, dear=True),
    ArchitectureClaim("neurons feed the feed-forward part", (Neurons,), neurons_feed),
    ArchitectureClaim("tensors are what they are for", (Weights,), roles_are_played),
    ArchitectureClaim("the blueprint is the model's", (Weights,), counts_are_its_own),
)
