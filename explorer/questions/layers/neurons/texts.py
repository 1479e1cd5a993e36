"""The texts in which neurons are looked at, with their labels or without."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.sentences import ENDINGS, read_sentences
from explorer.questions.layers.neurons.question import SENTENCES, NeuronsRequest
from explorer.questions.layers.probe.question import FROM_FILE
from explorer.questions.layers.probe.texts import LabelledText, file_texts, world_texts
from explorer.text import N_


def texts_of(request: NeuronsRequest, check: Callable[[], None]) -> list[LabelledText]:
    """Different texts, each with all its words where they have labels.

    Args:
        request: Which.
        check: Called now and then; may raise to stop.

    Raises:
        UserMistake: There is no file, it can't be read, or there is too little in it.
    """
    if request.label not in (FROM_FILE, SENTENCES):
        return world_texts(request.label, request.texts, check, every=True)
    if not request.path:
        raise UserMistake(N_("There is no file yet."), N_("Choose a file of texts."))
    path = typed_path(request.path)
    if request.label == FROM_FILE:
        return file_texts(path, request.column, request.texts, every=True)
    different = dict.fromkeys(_sentences(path, check))
    found = [LabelledText(text, ()) for text in itertools.islice(different, request.texts)]
    if not found:
        raise UserMistake(
            N_("There is no sentence in {name}."), N_("Choose another file."), name=path.name
        )
    return found


def _sentences(path: Path, check: Callable[[], None]) -> Iterator[str]:
    """Of a file, or of all files of sentences in a folder, in the order of their names."""
    files = [path]
    if path.is_dir():
        files = sorted(
            one for one in path.iterdir() if one.suffix.lower() in ENDINGS and one.is_file()
        )
    for one in files:
        for sentence in read_sentences(one):
            check()
            yield sentence.text
            if sentence.pair:
                yield sentence.pair
