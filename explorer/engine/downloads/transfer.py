"""One HTTP request whose bytes arrive on a thread of their own.

Looking up a name, connecting, and waiting for the next bytes can each block for many seconds.
Whoever waits here looks up every moment, and can leave; the thread is then left to end by itself.
"""

import queue
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from explorer.api.family import Cancelled

CONNECT_TIMEOUT = 10.0
READ_TIMEOUT = 20.0
"""Seconds without a byte after which a connection counts as broken."""

_LOOK = 0.1
_WAITING = 16
"""Chunks that may wait to be written: a slow disk must slow the network, not fill the memory."""


@dataclass(frozen=True)
class ResponseHead:
    """The beginning of a response.

    Attributes:
        status: HTTP's.
        headers: Names in lower case.
    """

    status: int
    headers: Mapping[str, str]


def http_library() -> Any:
    """The module httpx or its successor, whichever the installed huggingface_hub uses."""
    from huggingface_hub.utils import get_session

    return sys.modules[type(get_session()).__module__.partition(".")[0]]


class TooLongError(Exception):
    """A body has more bytes than it may have."""


class Transfer:
    """A GET request under way.

    Args:
        url: What is fetched; redirects are followed, without credentials to other hosts.
        headers: Of the request.
        is_cancelled: Asked ten times a second while waiting.
    """

    def __init__(
        self, url: str, headers: Mapping[str, str], is_cancelled: Callable[[], bool]
    ) -> None:
        self._is_cancelled = is_cancelled
        self._queue: queue.Queue[ResponseHead | bytes | BaseException | None] = queue.Queue(
            _WAITING
        )
        self._left = threading.Event()
        threading.Thread(
            target=self._fetch, args=(url, dict(headers)), name="transfer", daemon=True
        ).start()
        try:
            head = self._next()
        except BaseException:
            self.close()
            raise
        assert isinstance(head, ResponseHead)
        self.head = head

    def chunks(self) -> Iterator[bytes]:
        """The body as it arrives.

        Raises:
            Cancelled: As soon as it was.
            Exception: The HTTP library's own, for a connection that broke.
        """
        while isinstance(chunk := self._next(), bytes):
            yield chunk

    def body(self, most: int) -> bytes:
        """The whole body.

        Raises:
            TooLongError: It has more bytes than that.
            Cancelled: As soon as it was.
            Exception: The HTTP library's own, for a connection that broke.
        """
        content = bytearray()
        for chunk in self.chunks():
            content += chunk
            if len(content) > most:
                raise TooLongError
        return bytes(content)

    def close(self) -> None:
        """Want no more."""
        self._left.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _next(self) -> ResponseHead | bytes | None:
        while not self._is_cancelled():
            try:
                item = self._queue.get(timeout=_LOOK)
            except queue.Empty:
                continue
            if isinstance(item, BaseException):
                raise item
            return item
        raise Cancelled

    def _fetch(self, url: str, headers: dict[str, str]) -> None:
        try:
            http = http_library()
            timeout = http.Timeout(READ_TIMEOUT, connect=CONNECT_TIMEOUT)
            with (
                http.Client(follow_redirects=True, timeout=timeout) as client,
                client.stream("GET", url, headers=headers) as response,
            ):
                names = {name.lower(): value for name, value in response.headers.items()}
                if not self._put(ResponseHead(response.status_code, names)):
                    return
                for chunk in response.iter_bytes():
                    if not self._put(chunk):
                        return
            self._put(None)
        except Exception as error:  # noqa: BLE001  raised again where it is waited for
            self._put(error)

    def _put(self, item: ResponseHead | bytes | BaseException | None) -> bool:
        while not self._left.is_set():
            try:
                self._queue.put(item, timeout=_LOOK)
            except queue.Full:
                continue
            return True
        return False
