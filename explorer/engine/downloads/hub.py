"""What the Hugging Face hub says of a checkpoint, and which of its files are needed."""

import errno
import os
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from explorer import __version__
from explorer.api.family import CheckpointFault, ExplorerError, MachineFault, UserMistake
from explorer.api.family.checkpoint import TOKENIZER_SETTINGS
from explorer.engine.downloads.transfer import TooLongError, Transfer, http_library
from explorer.engine.library.pairing import GENERATOR_CONFIG, GENERATOR_FILE
from explorer.files.foreign import json_of
from explorer.text import N_

DEFAULT_ENDPOINT = "https://huggingface.co"

LONGEST_LISTING = 16_000_000
"""Bytes of a hub's answer about a repository: tens of thousands of files."""
LARGEST_FILE = 1 << 53
"""Bytes: no disk holds more, and beyond it a size is no exact number in JSON."""

TOKENIZER_FILES = frozenset(
    {
        "added_tokens.json",
        "merges.txt",
        "special_tokens_map.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "vocab.json",
        "vocab.txt",
    }
)
TOKENIZER_MODEL = re.compile(r"(spiece|spm|tokenizer|sentencepiece(\.bpe)?)\.model")
CONFIG_FILES = frozenset({"config.json", "generation_config.json"})

_SAFETENSORS = ("model.safetensors", re.compile(r"model-\d+-of-\d+\.safetensors"))
_PICKLE = ("pytorch_model.bin", re.compile(r"pytorch_model-\d+-of-\d+\.bin"))
NONSENSE = (
    *(LookupError, ValueError, TypeError, AttributeError),
    ArithmeticError,
)
"""What comes of reading a listing that is none."""
_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class RemoteFile:
    """A file of a repository.

    Attributes:
        name: Its path inside the repository.
        size: Bytes.
        digest: SHA-256 of the content (64 digits) for large files, the git blob's SHA-1 (40
            digits) for the others; also the file's name in the cache.
    """

    name: str
    size: int
    digest: str


@dataclass(frozen=True)
class Repository:
    """A repository at one commit.

    Attributes:
        id: Its name.
        commit: 40 hexadecimal digits.
        files: Those at its root.
        revision: The branch, tag or commit that was asked for; "" for the main branch.
    """

    id: str
    commit: str
    files: tuple[RemoteFile, ...]
    revision: str = ""


def endpoint() -> str:
    """The hub's address; HF_ENDPOINT may name another."""
    return (os.environ.get("HF_ENDPOINT") or DEFAULT_ENDPOINT).rstrip("/")


def shown_endpoint() -> str:
    """The hub's address as it may be told: a name and a password in it are left out."""
    scheme, separator, rest = endpoint().partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"


def check_endpoint() -> None:
    """Refuse an address that nothing can be asked at.

    Raises:
        UserMistake: HF_ENDPOINT is no address.
    """
    try:
        parts = urlsplit(endpoint())
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname)
        is_address = is_address and parts.port != 0  # a port that is no number is a ValueError
    except ValueError:
        is_address = False
    if not is_address:
        raise UserMistake(
            N_("HF_ENDPOINT is not an address: {shown_endpoint}."),
            N_("It begins with https://."),
            shown_endpoint=shown_endpoint(),
        )


def is_id(text: str) -> bool:
    """Whether a repository can be called so."""
    return _ID.fullmatch(text) is not None and "--" not in text and ".." not in text


def check_id(checkpoint_id: str) -> None:
    """Refuse what can't be a repository's name.

    Raises:
        UserMistake: It can't.
    """
    if not is_id(checkpoint_id):
        raise UserMistake(
            N_("{checkpoint_id} is not a name on the Hugging Face hub.")
            if checkpoint_id
            else N_("An empty name is none on the Hugging Face hub."),
            N_("Names there look like google-bert/bert-base-uncased."),
            checkpoint_id=checkpoint_id,
        )


def request_headers() -> dict[str, str]:
    """Who asks; with the user's token where they are signed in."""
    from huggingface_hub.utils import build_hf_headers

    headers = build_hf_headers(library_name="plm-explorer", library_version=__version__)
    # Compressed bytes could not be counted, nor taken up again in their middle.
    return {**headers, "accept-encoding": "identity"}


def read_repository(
    checkpoint_id: str, is_cancelled: Callable[[], bool], revision: str = ""
) -> Repository:
    """Ask the hub for the files of a branch, a tag or a commit; of the main branch for "".

    Raises:
        UserMistake: There is no such repository or revision, or the user may not see it.
        CheckpointFault: The hub's answer makes no sense.
        MachineFault: The hub can't be reached.
    """
    at = f"/revision/{quote(revision, safe='')}" if revision else ""
    path = f"/{quote(checkpoint_id)}{at}?blobs=true"
    facts = ask_hub(path, checkpoint_id, is_cancelled, revision)
    try:
        commit = facts["sha"]
        files = tuple(_file(one) for one in facts["siblings"] if "/" not in one["rfilename"])
    except NONSENSE as error:
        raise not_understood(checkpoint_id) from error
    if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
        raise CheckpointFault(
            N_("{shown_endpoint} names no commit for {checkpoint_id}."),
            shown_endpoint=shown_endpoint(),
            checkpoint_id=checkpoint_id,
        )
    return Repository(checkpoint_id, commit, files, revision)


def ask_hub(
    path: str, checkpoint_id: str, is_cancelled: Callable[[], bool], revision: str = ""
) -> Any:
    """What the hub says of models, as JSON.

    Args:
        path: Behind /api/models, as an address has it.
        checkpoint_id: The repository, for what is told; "" of a search.
        is_cancelled: Asked ten times a second.
        revision: The revision that is asked for, for what is told.

    Raises:
        UserMistake: There is no such repository or revision, or the user may not see it.
        CheckpointFault: The hub's answer is too long, or no JSON.
        MachineFault: The hub can't be reached.
    """
    check_endpoint()
    url = f"{endpoint()}/api/models{path}"
    try:
        with Transfer(url, request_headers(), is_cancelled) as transfer:
            check_status(
                transfer.head.status, transfer.head.headers, checkpoint_id, revision=revision
            )
            body = transfer.body(LONGEST_LISTING)
    except network_errors() as error:
        raise network_fault(error) from error
    except TooLongError as error:
        raise CheckpointFault(
            N_("{shown_endpoint} describes {checkpoint_id} at a length that no listing has.")
            if checkpoint_id
            else N_("{shown_endpoint} answers at a length that no search has."),
            N_("Check HF_ENDPOINT if you set it; otherwise try again later."),
            shown_endpoint=shown_endpoint(),
            checkpoint_id=checkpoint_id,
        ) from error
    try:
        return json_of(body)
    except NONSENSE as error:
        raise not_understood(checkpoint_id) from error


def not_understood(checkpoint_id: str) -> CheckpointFault:
    """The fault of a hub whose answer is none."""
    return CheckpointFault(
        N_("{shown_endpoint} did not describe {checkpoint_id} in a way this program understands.")
        if checkpoint_id
        else N_("{shown_endpoint} did not answer a search in a way this program understands."),
        N_("Check HF_ENDPOINT if you set it; otherwise try again later."),
        shown_endpoint=shown_endpoint(),
        checkpoint_id=checkpoint_id,
    )


def file_url(repository: Repository, file: RemoteFile) -> str:
    """Where a file's bytes are."""
    name = quote(file.name)
    return f"{endpoint()}/{quote(repository.id)}/resolve/{repository.commit}/{name}"


def needed(repository: Repository) -> tuple[RemoteFile, ...]:
    """The files a checkpoint is loaded from, small ones first, and no others.

    The weights are taken as safetensors, in one file or in shards; as a pickle only where there
    are no safetensors. Weights of other frameworks never. A generator that lies beside its
    discriminator, with a config of its own, comes along.

    Raises:
        CheckpointFault: There is no config, or there are no weights that can be read here.
    """
    files = {file.name: file for file in repository.files}
    if "config.json" not in files:
        raise _no_config(repository)
    small = [
        file
        for name, file in files.items()
        if name in CONFIG_FILES or name in TOKENIZER_FILES or TOKENIZER_MODEL.fullmatch(name)
    ]
    for whole, shard in (_SAFETENSORS, _PICKLE):
        if whole in files:
            weights = [files[whole]]
        else:
            weights = [file for name, file in files.items() if shard.fullmatch(name)]
            index = f"{whole}.index.json"
            weights += [files[index]] if weights and index in files else []
        if weights:
            break
    else:
        raise CheckpointFault(
            N_("{id} has no weights this program can read (safetensors or PyTorch's)."),
            N_("Choose another repository; weights of TensorFlow, Flax or ONNX are not read."),
            id=repository.id,
        )
    if GENERATOR_CONFIG in files and GENERATOR_FILE in files:
        # The other half of the pair, which the discriminator is asked together with.
        small.append(files[GENERATOR_CONFIG])
        weights.append(files[GENERATOR_FILE])
    small.sort(key=lambda file: (file.name != "config.json", file.name))
    weights.sort(key=lambda file: file.name)
    return (*small, *weights)


def needed_by_tokenizer(repository: Repository) -> tuple[RemoteFile, ...]:
    """The files a tokenizer is read from, config.json first, which says whose it is.

    Raises:
        CheckpointFault: There is no config, or no tokenizer.
    """
    files = {file.name: file for file in repository.files}
    own = {
        name: file
        for name, file in files.items()
        if name in TOKENIZER_FILES or TOKENIZER_MODEL.fullmatch(name)
    }
    if "config.json" not in files:
        raise _no_config(repository)
    if own.keys() <= TOKENIZER_SETTINGS:
        raise CheckpointFault(
            N_("{id} has no tokenizer this program can read."),
            N_("Choose another repository; often the model it was made of has one."),
            id=repository.id,
        )
    return (files["config.json"], *(own[name] for name in sorted(own)))


def _no_config(repository: Repository) -> CheckpointFault:
    return CheckpointFault(
        N_("{id} has no config.json, so it is no checkpoint of transformers."),
        N_("Choose another repository."),
        id=repository.id,
    )


def check_status(
    status: int, headers: Any, checkpoint_id: str, file: str = "", *, revision: str = ""
) -> None:
    """Raise what an HTTP status means.

    Raises:
        UserMistake: Missing, private or gated.
        MachineFault: Anything else; the hub is busy, broken or not a hub.
    """
    if status in {200, 206}:
        return
    if not checkpoint_id and status in {401, 403}:
        raise UserMistake(
            N_("The hub refuses to be searched."),
            N_("Sign in anew with `hf auth login`; a filter in this network may be the cause too."),
        )
    code = headers.get("x-error-code", "")
    page = f"{shown_endpoint()}/{checkpoint_id}"
    if code == "GatedRepo" or (file and status in {401, 403} and code != "RepoNotFound"):
        raise UserMistake(
            N_("{checkpoint_id} is gated: its owners let in only who accepts their conditions."),
            N_("Open {page}, accept them, sign in here with `hf auth login`, and try again."),
            checkpoint_id=checkpoint_id,
            page=page,
        )
    if code == "RevisionNotFound":
        raise UserMistake(
            N_("{checkpoint_id} has no branch, tag or commit {revision}."),
            N_("The command download {checkpoint_id} --revisions lists them."),
            checkpoint_id=checkpoint_id,
            revision=revision,
        )
    if code == "EntryNotFound" or (status == 404 and file and code != "RepoNotFound"):
        raise CheckpointFault(
            N_("{checkpoint_id} has no file {file}.")
            if file
            else N_("{checkpoint_id} has no file of that name."),
            N_("It may just have been changed by its owners: try again."),
            checkpoint_id=checkpoint_id,
            file=file,
        )
    if (checkpoint_id and status in {401, 404}) or code == "RepoNotFound":
        raise UserMistake(
            N_("There is no checkpoint {checkpoint_id} on the hub, or it is private."),
            N_("Check the spelling; for a private one, sign in with `hf auth login`."),
            checkpoint_id=checkpoint_id,
        )
    if status == 403:
        raise UserMistake(
            N_("The hub refuses access to {checkpoint_id}."),
            N_("Sign in with `hf auth login`; a filter in this network may be the cause too."),
            checkpoint_id=checkpoint_id,
        )
    if status == 429:
        raise MachineFault(
            N_("The hub asks to wait: too many requests came from here."),
            N_("Try again in some minutes."),
        )
    raise MachineFault(
        N_("The hub could not answer (HTTP status {status})."),
        N_("Try again in some minutes."),
        status=status,
    )


def network_errors() -> tuple[type[Exception], ...]:
    """The HTTP library's errors that mean a connection could not be made or broke."""
    http = http_library()
    return (http.RequestError, http.InvalidURL)


def network_fault(error: Exception) -> ExplorerError:
    """What a connection's error means, in words."""
    host = shown_endpoint().partition("//")[2].partition("/")[0] or shown_endpoint()
    online = "Check that this computer is online, and HTTPS_PROXY where there is a proxy."
    causes = list(_causes(error))
    numbers = {cause.errno for cause in causes if isinstance(cause, OSError)}
    kind = type(error).__name__
    if kind in {"UnsupportedProtocol", "InvalidURL"}:
        return UserMistake(
            N_("HF_ENDPOINT is not an address: {shown_endpoint}."),
            N_("It begins with https://."),
            shown_endpoint=shown_endpoint(),
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return MachineFault(N_("The name {host} could not be looked up."), online, host=host)
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return MachineFault(
            N_("{host} could not prove that it is {host}."),
            N_("Check this computer's clock; behind a company's proxy, set SSL_CERT_FILE."),
            host=host,
        )
    if kind == "ProxyError":
        return MachineFault(N_("The proxy refused the connection."), N_("Check HTTPS_PROXY."))
    if numbers & {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN}:
        return MachineFault(N_("There is no network."), online)
    if errno.ECONNREFUSED in numbers:
        return MachineFault(N_("{host} refuses connections."), N_("Try again later."), host=host)
    if kind in {"ConnectTimeout", "ConnectError", "PoolTimeout"}:
        return MachineFault(N_("{host} cannot be reached."), online, host=host)
    return MachineFault(
        N_("The connection broke."),
        N_("What has come is kept: start the download again to go on from there."),
    )


def _file(facts: dict[str, Any]) -> RemoteFile:
    large = facts.get("lfs") or {}
    digest = large.get("sha256") or facts["blobId"]
    if not _DIGEST.fullmatch(digest):
        raise ValueError(digest)
    size = int(large.get("size") or facts["size"])
    if not 0 <= size <= LARGEST_FILE:
        raise ValueError(size)
    return RemoteFile(facts["rfilename"], size, digest)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
