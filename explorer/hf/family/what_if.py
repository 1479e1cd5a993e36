"""A model without weights whose config says otherwise, or whose layers share what they have.

Sizes go through the config into the family's own class, so that its count is transformers'.
What no config can say is done to the model itself: layers are given one set of weights, and
tables of embeddings are made narrower, with a matrix behind them, as ALBERT has both (Lan et al.
2020, section 3).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from explorer.api.family import (
    FIELDS,
    SHARING,
    SHARINGS,
    Blueprint,
    CheckpointFault,
    Files,
    Role,
    UserMistake,
    Weights,
    with_sharing,
)
from explorer.api.family.tensors import layer_of
from explorer.text import N_, Phrase

RoleOf = Callable[[str], Role]

TABLES = frozenset({Role.PIECES, Role.POSITIONS, Role.SEGMENTS, Role.EXTRA})
ATTENTION = frozenset(
    {
        *(
            Role.QKV,
            Role.QUERY,
            Role.KEY,
            Role.VALUE,
            Role.DISTANCE_PROJECTIONS,
        ),
        *(Role.ATTENTION_OUTPUT, Role.ATTENTION_NORM, Role.CROSS),
    }
)
FEED_FORWARD = frozenset(
    {
        Role.FEED_FORWARD_IN,
        Role.GATE,
        Role.FEED_FORWARD_OUT,
        Role.FEED_FORWARD_NORM,
    }
)


def offered(family: Weights, module: Any, config: Mapping[str, Any]) -> tuple[str, ...]:
    """What can be changed of a model: some of FIELDS, and SHARING."""
    names = set(family.size_keys(config))
    if _embeddings_of(module, family.role_of) is not None:
        names.add("embedding_size")
    # Where a config says no sizes, a number in a name is no layer's.
    if names and any(
        _is_shared(name, family.role_of, "all") for name, _ in module.named_parameters()
    ):
        names.add(SHARING)
    return tuple(name for name in (*FIELDS, SHARING) if name in names)


def changed_model(
    family: Weights, files: Files, heads: tuple[str, ...], changes: Mapping[str, int | str]
) -> tuple[Any, Blueprint]:
    """The model of a config with other numbers, and its architecture.

    A piece's embedding that is as wide as the layers stays so until it is given a width.

    Args:
        family: Whose.
        files: Its config is what is changed.
        heads: The heads on top.
        changes: By FIELDS and SHARING.

    Raises:
        UserMistake: The family's models have no such number, or no model has these.
    """
    module, config = family.skeleton(files, heads)
    base = family.blueprint(config, heads)
    possible = offered(family, module, config)
    for name, value in changes.items():
        if name not in possible or (name == SHARING and value not in SHARINGS):
            raise UserMistake(
                N_("{name} can't be changed to {value} in a model of this family."),
                N_("It can be asked what becomes of another {possible}."),
                name=name,
                value=value,
                possible=", ".join(possible),
            )
    keys = family.size_keys(config)
    values = {key: value for name, value in changes.items() for key in keys.get(name, ())}
    if base.embedding_size == base.hidden_size and "hidden_size" in changes:
        follows = dict.fromkeys(keys.get("embedding_size", ()), changes["hidden_size"])
        values = {**follows, **values}
    if SHARING in changes:
        values |= family.layers_apart({**config, **values})
    wanted = replace(files, config={**files.config, **values}, weight_files=())
    try:
        module, config = family.skeleton(wanted, heads)
    except (CheckpointFault, ValueError, AssertionError, TypeError, RuntimeError) as error:
        told = why_not(family.blueprint({**config, **values}, heads))
        raise UserMistake("{told}", told=told) from error
    blueprint = family.blueprint(config, heads)
    narrow = changes.get("embedding_size")
    if narrow and "embedding_size" not in keys:
        factorise(module, family.role_of, int(narrow))
        widened = int(narrow) != blueprint.hidden_size
        blueprint = replace(blueprint, embedding_size=int(narrow), widened=widened)
    if SHARING in changes:
        share_layers(module, family.role_of, str(changes[SHARING]))
        blueprint = with_sharing(blueprint, str(changes[SHARING]))
    return module, replace(blueprint, traits=())


def why_not(blueprint: Blueprint) -> Phrase:
    """Why no model can be made of these numbers."""
    width = blueprint.bottleneck_size or blueprint.hidden_size
    if width % max(1, blueprint.heads):
        return Phrase(
            N_(
                "{width} can't be shared out among {heads} heads: choose a width that is a "
                "multiple of the number of heads."
            ),
            width=width,
            heads=blueprint.heads,
        )
    return Phrase(N_("No model can be made of these numbers."))


def share_layers(module: Any, role_of: RoleOf, sharing: str) -> None:
    """Give all layers the first one's weights: "attention", "feed_forward" or "all" of them."""
    first: dict[tuple[str, Any], Any] = {}
    for path, owner in module.named_modules():
        for leaf, weight in list(owner.named_parameters(recurse=False)):
            name = f"{path}.{leaf}"
            if _is_shared(name, role_of, sharing):
                alike = name.replace(f".{layer_of(name)}.", ".*.", 1)
                setattr(owner, leaf, first.setdefault((alike, weight.shape), weight))


def _is_shared(name: str, role_of: RoleOf, sharing: str) -> bool:
    role = role_of(name)
    if layer_of(name) is None or role.startswith("Head"):
        return False
    parts = {"attention": ATTENTION, "feed_forward": FEED_FORWARD, "none": frozenset[Role]()}
    return sharing == "all" or role in parts[sharing]


def factorise(module: Any, role_of: RoleOf, width: int) -> None:
    """Make pieces narrower than the layers, and put a matrix behind them and before the scores."""
    from torch import device, nn

    holder = _embeddings_of(module, role_of)
    wide = module.config.hidden_size
    if holder is None or width == wide:
        return
    table: Any = None
    with device("meta"):
        for owner, leaf, inner, role in list(_leaves(module, role_of)):
            if role in TABLES:
                made: Any = nn.Embedding(inner.num_embeddings, width)
                table = made if role is Role.PIECES else table
            elif role in {Role.EMBEDDING_NORM, Role.TOKENS} and "Norm" in type(inner).__name__:
                made = nn.LayerNorm(width)
            elif role is Role.TOKENS and isinstance(inner, nn.Linear):
                made = nn.Linear(wide, width)
            elif role is Role.OUTPUT_MATRIX:
                made = nn.Linear(width, inner.out_features)
                made.bias = inner.bias
                made.weight = table.weight if module.config.tie_word_embeddings else made.weight
            else:
                continue
            setattr(owner, leaf, made)
        holder.project = nn.Linear(width, wide)
    holder.register_forward_hook(lambda _holder, _inputs, output: holder.project(output))


def _embeddings_of(module: Any, role_of: RoleOf) -> Any | None:
    """The module that gives the layers their input and holds nothing else; None without one."""
    below: dict[str, set[Role]] = defaultdict(set)
    for name, _ in module.named_parameters(remove_duplicate=False):
        role = role_of(name)
        while name := name.rpartition(".")[0]:
            below[name].add(role)
    for path, inner in module.named_modules():
        roles = below[path]
        fits = Role.PIECES in roles and roles <= TABLES | {Role.EMBEDDING_NORM}
        if path and fits and len(roles) > 1:
            return inner
    return None


def _leaves(module: Any, role_of: RoleOf) -> Iterator[tuple[Any, str, Any, Role]]:
    """Every module that holds a weight: its owner, its name there, itself, its role."""
    for path, owner in module.named_modules():
        for leaf, inner in owner.named_children():
            if hasattr(inner, "weight"):
                where = f"{path}.{leaf}" if path else leaf
                yield owner, leaf, inner, role_of(f"{where}.weight")
