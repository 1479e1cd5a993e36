"""The field's terms, one sentence each, for tooltips."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

GLOSSARY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "token": "One piece of text that the model reads as a unit: a word, a part of one, or a"
        " sign.",
        "sub-word piece": "A part of a word: words that are not in the vocabulary are cut into"
        " pieces that are.",
        "special token": "A token the model adds for itself, such as [CLS] at the beginning and"
        " [SEP] at the end; it stands for no characters of the text.",
        "unknown token": "What the model sees where the vocabulary has no piece for the"
        " characters.",
        "mask": "A token that hides a word from the model, which then says what it expects there.",
        "original": "The token that stood in the text before it was masked.",
        "probability": "How much of the model's belief goes to one token; over the whole"
        " vocabulary the probabilities add up to 1.",
        "entropy": "How unsure the model is, in nats: 0 when one token has all the probability,"
        " and most when all tokens are equally likely.",
        "perplexity": "The entropy as a number of words: as unsure as among that many equally"
        " likely ones (e to the power of the entropy).",
        "rank": "The place of a token when the vocabulary is sorted by probability; 1 is the most"
        " probable.",
        "top k": "How many of the most probable tokens are shown.",
        "logit": "The model's raw score for a token, before the softmax turns the scores into"
        " probabilities.",
        "softmax": "What turns scores into probabilities: each score's exponential, divided by"
        " the sum of them all.",
        "temperature": "What the scores are divided by before the softmax: above 1 the"
        " probabilities become more even, below 1 less.",
        "soft target": "A teacher's whole distribution over the vocabulary, which a student"
        " learns to imitate.",
        "hard label": "The one right word, with all of the probability.",
        "dark knowledge": "What a model says about the words that are not the likeliest: which"
        " wrong answers it holds for less wrong.",
        "distillation": "Training a small model, the student, to imitate a large one, the teacher.",
        "cross-entropy": "The surprise, in nats, of a model that expects one distribution where"
        " another one holds: the entropy of the other plus the KL divergence.",
        "layer map": "Which of the teacher's layers each of the student's layers learns from.",
        "linear CKA": "How alike two layers are as wholes, from 0 to 1, whatever their widths and"
        " rotations.",
        "vocabulary": "All the pieces a model knows, each with its number.",
        "id": "A token's number in the vocabulary.",
        "position": "A token's place in the model's input, counted from 0 and including special"
        " tokens.",
        "fingerprint": "A hash of a checkpoint's configuration, tokenizer and weights: the same"
        " fingerprint is the same model.",
        "checkpoint": "A model's weights as they were saved, with its configuration and tokenizer.",
        "family": "Models of one architecture, such as BERT; each is a plugin.",
        "head": "The layer on top of the encoder that answers one kind of question, such as"
        " which word is masked.",
        "attention head": "One of the parallel attentions of a layer, with weights of its own.",
        "attention": "How much each token looks at each other token while the model reads.",
        "query": "The vector with which a token looks for others; a score is its product with their"
        " keys.",
        "key": "The vector by which a token is found; a score is its product with the looking"
        " token's query.",
        "attention score": "How well a query and a key match, before the softmax turns a row of"
        " scores into attention.",
        "c2c": "Content to content: the query of what stands here with the key of what stands"
        " there.",
        "c2p": "Content to position: the query of what stands here with the key of how far away"
        " the other token is.",
        "p2c": "Position to content: the query of how far away this token is with the key of what"
        " stands there.",
        "enhanced mask decoder": "DeBERTa's last layer, applied twice more: only there the model"
        " is told the absolute positions.",
        "position bucket": "A range of distances that a model treats alike: one each when near,"
        " many together when far.",
        "attention rollout": "The attention of all layers multiplied, half of each replaced by the"
        " way around it: how much of each input token is in each token's state.",
        "attention mask": "Which tokens a head may look at: an encoder's see all, a decoder's only"
        " those that stand before.",
        "attention memory": "What the attention weights of all layers and heads take: it grows"
        " with the square of the number of tokens.",
        "hidden state": "The vector a layer computes for a token.",
        "fresh weights": "Weights the checkpoint lacks, filled with random numbers: a head with"
        " such weights is never asked.",
        "tied weights": "Two layers that share the same numbers, such as the word embeddings and"
        " the output; they are counted once.",
        "parameter": "One of the numbers a model learned.",
        "dtype": "How a number is stored: float32 takes four bytes, float16 and bfloat16 take two.",
        "device": "Where the model runs: the processor (cpu) or a graphics card (cuda, mps).",
        "seed": "What random draws begin from: the same seed gives the same answer.",
        "second text": "The other sentence of a pair; models trained on pairs tell the two apart.",
        "left out": "Tokens beyond the length a model takes; it never sees them.",
        "generator": "A masked language model that fills masks with words of its own, for a"
        " discriminator to find.",
        "discriminator": "A model that says of every token whether it was replaced.",
        "replaced-token detection": "Training on the question which tokens of a sentence a"
        " generator replaced; every token teaches something.",
        "threshold": "The probability above which a token is called replaced.",
        "false alarm": "An original token that is called replaced; a miss is a replaced one that"
        " is not.",
        "precision": "The share of the tokens called replaced that really were.",
        "recall": "The share of the replaced tokens that were called so.",
        "ROC": "The share of hits against the share of false alarms at every threshold; the area"
        " below it is 0.5 for chance and 1 at best.",
        "baseline": "A result that is kept, so that others are shown as differences from it.",
        "joint probability": "How probable several words are together: the first one's probability,"
        " times the second one's once the first stands there, and so on.",
        "independent masks": "Masks that are filled without a look at each other: each word fits"
        " the text, but the words need not fit each other.",
        "beam search": "Keeps the few most probable fillings at every mask and goes on with each of"
        " them, instead of the best one alone.",
        "KL divergence": "How far one distribution is from another, in nats: 0 when they are the"
        " same, and more the more belief stands elsewhere.",
        "total variation": "The share of the model's belief that stands on other words than before:"
        " 0 when nothing moved, 100 % when everything did.",
        "log-odds": "The logarithm of a probability over what is left to 1: 0 is as likely as not,"
        " and each step of 2.3 is ten times the odds.",
        "surprise": "Minus the logarithm of the probability the model gave to what really stands"
        " there: 0 when it was sure, 2.3 nats for one chance in ten, 4.6 for one in a hundred.",
        "pseudo-log-likelihood": "Each token is hidden in turn, and the logarithms of the"
        " probabilities it gets are added up; pseudo, because each was told all the others.",
        "pseudo-perplexity": "The mean surprise as a number of words: as unsure at each place as"
        " among that many equally likely ones.",
        "training mask": "The tokens that training hides or changes in a text, which the model"
        " then has to predict; only these give a loss.",
        "static masking": "Masks that are drawn once, before training, and met again in every"
        " epoch.",
        "dynamic masking": "Masks that are drawn anew each time a text is met in training.",
        "epoch": "One pass of training over all texts.",
        "span-boundary objective": "SpanBERT's own training task: to tell a masked span's words"
        " from the two words beside the span and a place in it.",
    }
)
"""Each term with one sentence."""


def explain(term: str) -> str:
    """The sentence for a term.

    Raises:
        KeyError: The glossary lacks it.
    """
    return GLOSSARY[term]
