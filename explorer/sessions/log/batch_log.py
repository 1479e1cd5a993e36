"""A file of sentences as a session: every sentence a run of its own, each asked once."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from explorer.api.question import MODEL, ModelStamp, Question
from explorer.document import Document
from explorer.files_of_sentences.answering import request_about
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.former_names import names_of
from explorer.serialise import to_json
from explorer.sessions.log.identity import content_hash
from explorer.sessions.schema.database import connect_for_reading
from explorer.sessions.schema.older_runs import has_roles

_PLAYED = "(SELECT group_concat(role || ' ' || fingerprint) FROM run_models WHERE run_id = r.id)"
_ANSWERED = f"'{MODEL} ' || r.model_fingerprint"
"""In a database of before there were roles."""


@dataclasses.dataclass(frozen=True)
class BatchLog:
    """One question about many sentences, kept in sessions of one name.

    Attributes:
        database: The session database.
        session: The sessions' name; the file's, as a rule.
        question: Whose question it is.
        options: The document whose options it is asked with; its text is left out.
        models: Who plays which role.
        template: What is asked, of any sentence: its text is empty.
    """

    database: Path
    session: str
    question: Question[Any, Any]
    options: Document
    models: Mapping[str, ModelStamp]
    template: Any

    def document(self, sentence: FileSentence) -> Document:
        """What a sentence's question is asked of."""
        return dataclasses.replace(
            self.options, text=sentence.text, pair=sentence.pair, masks=(), entities=()
        )

    def request(self, sentence: FileSentence) -> Any:
        """A sentence's question, the same as its row in a table answers."""
        return request_about(self.question, self.template, sentence)

    def remaining(self, sentences: Iterable[FileSentence]) -> Iterator[FileSentence]:
        """Those that no session of this name has an answer to; failed ones are asked again.

        An answer is to the same question with the same settings: to the request, as it is stored.

        Raises:
            MachineFault: The database can't be read.
        """
        answered = self._answered()
        for sentence in sentences:
            if _key(to_json(self.request(sentence))) not in answered:
                yield sentence

    def _answered(self) -> frozenset[str]:
        connection = connect_for_reading(self.database)
        if connection is None:
            return frozenset()
        with closing(connection):
            played = _PLAYED if has_roles(connection) else _ANSWERED
            names = names_of(self.question.name)
            rows = connection.execute(
                f"SELECT d.request, {played} FROM runs r"  # noqa: S608
                " JOIN sessions s ON s.id = r.session_id"
                " JOIN run_details d ON d.run_id = r.id"
                f" WHERE s.name = ? AND r.operation IN ({', '.join('?' * len(names))})"
                " AND r.failed = 0",
                (self.session, *names),
            )
            wanted = {f"{role} {stamp.fingerprint}" for role, stamp in self.models.items()}
            return frozenset(
                _key(request)
                for request, by in rows
                if by is not None and set(by.split(",")) == wanted
            )


def _key(request: str) -> str:
    return content_hash(request)
