"""A text with what else XLM reads: the language of every token, and positions."""

from collections.abc import Sequence
from dataclasses import replace

from explorer.api.family import Encoded, LoadedModel, Mask, Token
from explorer.hf import NO_PIECE, CutText, cut_around_masks, ids_of, input_of, tokens_of
from explorer.text import N_, Phrase, all_of

from .languages import languages_of
from .tokenizer import SEGMENTED, WORD_END, reading


def encode_xlm(
    model: LoadedModel,
    text: str,
    pair: str | None,
    masks: Sequence[Mask],
    asked: Sequence[str] = (),
) -> Encoded:
    """Text to input; the languages are those asked for, or found as `languages_of` says.

    Where the checkpoint has language embeddings, every token is told its language. Two texts in
    two languages are read as in training with parallel sentences: positions start again with the
    second (Lample and Conneau 2019, section 3.4).

    Raises:
        UserMistake: The checkpoint does not know a language that was asked for.
    """
    config = model.config
    known = {
        str(code): int(number) for code, number in (getattr(config, "lang2id", None) or {}).items()
    }
    texts = (text, pair) if pair else (text,)
    languages = languages_of(texts, known, int(config.lang_id or 0), asked)
    backend = model.tokenizer.backend_tokenizer

    def plain_cut(words: str) -> CutText:
        pieces: CutText = backend.encode(words, add_special_tokens=False)
        return pieces

    def cut(words: str, part: int) -> CutText:
        with reading(languages[part]):
            if config.causal:
                return cut_around_masks(plain_cut, words)
            return plain_cut(words)

    tokens, types, left_out = tokens_of(
        model.tokenizer,
        text,
        pair,
        masks,
        model.max_length,
        mask=NO_PIECE if config.causal else None,
        cut=cut,
    )
    ids = ids_of(model, tokens) if config.causal else None
    encoded = input_of(model, _joined(tokens), types, left_out, ids)
    inputs = dict(encoded.inputs)
    like = encoded.input_ids
    if config.use_lang_emb and config.n_langs > 1:
        numbers = [known[languages[token.part]] for token in tokens]
        inputs["langs"] = like.new_tensor([numbers])
    if len(languages) == 2 and languages[0] != languages[1]:
        first = sum(token.part == 0 for token in tokens)
        places = [i if i < first else i - first for i in range(len(tokens))]
        inputs["position_ids"] = like.new_tensor([places])
    notes = []
    if config.n_langs > 1:
        named = all_of(map(_named, languages))
        notes.append(Phrase(N_("The languages given to the model: {languages}."), languages=named))
    if SEGMENTED & set(languages):
        notes.append(
            Phrase(
                N_("XLM was trained on this language split into words: put spaces between them.")
            )
        )
    return replace(encoded, inputs=inputs, notes=tuple(notes))


def _named(code: str) -> str:
    """A language by its name, and as the checkpoint writes it: "Korean (ko)"."""
    from babel import Locale, UnknownLocaleError

    try:
        name = Locale.parse(code).english_name
    except (UnknownLocaleError, ValueError):
        return code
    return f"{name} ({code})"


def _joined(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Pieces that continue a word: the one before them does not end it."""
    return tuple(
        replace(token, joined=True)
        if i
        and not token.special
        and not tokens[i - 1].special
        and not (tokens[i - 1].masked or tokens[i - 1].unknown)
        and not tokens[i - 1].reserved
        and tokens[i - 1].part == token.part
        and not tokens[i - 1].text.endswith(WORD_END)
        and token.start <= tokens[i - 1].end
        else token
        for i, token in enumerate(tokens)
    )
