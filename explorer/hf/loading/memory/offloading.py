"""Models larger than memory: their layers lie where there is room, and are fetched to be at work.

Only whole layers are moved. What is outside of them stays where the model is computed: embeddings
and heads share weights, are looked up in parts, and some are read by others than their own module.
Which layer goes where is accelerate's reckoning (GPUs first, then memory, then the disk, with room
left for the largest layer to be fetched), and so are the hooks that fetch one before it runs.
"""

import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from explorer.api.family import MachineFault
from explorer.api.model import AND
from explorer.files.temporary import prefix, remove_left_over
from explorer.hf.device_memory import free_memory
from explorer.hf.loading.memory.placement import Placement
from explorer.hf.loading.memory.room import AROUND
from explorer.text import N_
from explorer.text.formatting.quantities import bytes_precisely

DISK = "disk"
SHARE = 0.8
"""Of the free memory that weights may take; the rest is for what is computed with them."""

PURPOSE = "offload"


def layers_of(module: Any) -> dict[str, Any]:
    """A model's layers by their paths: the children of its outermost lists of modules."""
    from torch.nn import ModuleList

    found: dict[str, Any] = {}

    def look_in(part: Any, path: str) -> None:
        for name, child in part.named_children():
            below = f"{path}.{name}" if path else name
            if isinstance(part, ModuleList):
                found[below] = child
            else:
                look_in(child, below)

    look_in(module, "")
    return found


def outside_of(module: Any) -> tuple[str, ...]:
    """Paths of the modules and weights that together are all of a model but its layers."""
    layers = layers_of(module)
    above = {
        path.rsplit(".", depth)[0] for path in layers for depth in range(1, path.count(".") + 1)
    }
    found: list[str] = []

    def look_in(part: Any, path: str) -> None:
        own = [*part.named_parameters(recurse=False), *part.named_buffers(recurse=False)]
        for name, child in [*part.named_children(), *own]:
            below = f"{path}.{name}" if path else name
            if below in above:
                look_in(child, below)
            elif below not in layers:
                found.append(below)

    look_in(module, "")
    return tuple(found)


def places_of(skeleton: Any, placement: Placement) -> dict[str, str]:
    """Where each part of a model goes, as transformers' `device_map` says it.

    Args:
        skeleton: The model on the meta device.
        placement: On which device it is computed.

    Returns:
        A device by path: "cpu", "disk", "cuda:0". Empty for a model without layers.
    """
    import torch
    from accelerate import infer_auto_device_map

    layers = layers_of(skeleton)
    main = _as_accelerate_says(placement.device)
    outside = outside_of(skeleton)
    resident = _bytes(skeleton, outside, placement.dtype)
    room: dict[str | int, int] = {}
    if placement.device != "cpu":
        for number in range(torch.cuda.device_count()):
            room[number] = int(free_memory(f"cuda:{number}") * SHARE)
    room["cpu"] = max(0, int(free_memory("cpu") * SHARE) - AROUND)
    room[main] = max(0, room[main] - resident)
    found = infer_auto_device_map(
        torch.nn.ModuleList(layers.values()),
        max_memory=room,
        no_split_module_classes=sorted({type(layer).__name__ for layer in layers.values()}),
        dtype=placement.dtype,
        clean_result=False,
    )
    # A name of the list's parts is "3" or, of one that is split after all, "3.attention".
    numbered = {
        name.partition(".")[0]: f"cuda:{device}" if isinstance(device, int) else str(device)
        for name, device in found.items()
    }
    places = dict.fromkeys(outside, placement.device)
    return places | {path: numbered[str(n)] for n, path in enumerate(layers)}


@contextmanager
def folder_for(name: str, cache: Path | None) -> Iterator[Path]:
    """A folder for layers that go to the disk; it is gone where the block fails.

    Args:
        name: Of the checkpoint.
        cache: Where the folder is made; None for the system's folder of temporary files.

    Raises:
        MachineFault: It can't be made.
    """
    try:
        if cache is not None:
            cache.mkdir(parents=True, exist_ok=True)
        remove_left_over(cache)
        folder = Path(tempfile.mkdtemp(prefix=prefix(PURPOSE), dir=cache))
    except OSError as error:
        raise MachineFault(
            N_("There is no folder for the layers of {name} that go to the disk ({error})."),
            N_("Make room on the disk, or free memory."),
            name=name,
            error=error,
        ) from error
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def refuse_without_disk(
    name: str, skeleton: Any, places: Mapping[str, Any], folder: Path, dtype: Any
) -> None:
    """Refuse to write more to a disk than there is room for.

    Raises:
        MachineFault: There is less.
    """
    needed = _bytes(skeleton, [path for path, one in places.items() if one == DISK], dtype)
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise MachineFault(
            N_(
                "There is not enough room on the disk for {name}: it takes {needed}, and {free} "
                "are free."
            ),
            N_("Make room on the disk, or free memory."),
            name=name,
            needed=bytes_precisely(needed),
            free=bytes_precisely(free),
        )


def fetch_when_at_work(
    module: Any, places: Mapping[str, Any], placement: Placement, folder: Path
) -> None:
    """Let each layer that lies elsewhere come when it is called, and what it gives go back.

    Args:
        module: As transformers loaded it with these places.
        places: As of `places_of`.
        placement: Where it is computed.
        folder: Where transformers wrote the layers that go to the disk; removed with the module.
    """
    from accelerate.hooks import AlignDevicesHook, add_hook_to_module, remove_hook_from_submodules
    from accelerate.utils import OffloadedWeightsLoader, PrefixedDataset

    # Its own hooks fetch each module's weights alone; some modules read another one's.
    remove_hook_from_submodules(module)
    dtype = str(placement.dtype).removeprefix("torch.")
    on_disk = OffloadedWeightsLoader(
        index={
            file.stem: {"safetensors_file": str(file), "weight_name": file.stem, "dtype": dtype}
            for file in folder.glob("*.safetensors")
        }
    )
    for path, layer in layers_of(module).items():
        if places[path] == placement.device:
            continue
        elsewhere = places[path] in (DISK, "cpu")
        hook = AlignDevicesHook(
            execution_device=placement.device if elsewhere else places[path],
            offload=elsewhere,
            io_same_device=True,
            weights_map=PrefixedDataset(on_disk, f"{path}.") if places[path] == DISK else None,
            place_submodules=True,
        )
        add_hook_to_module(layer, hook)
    weakref.finalize(module, shutil.rmtree, folder, ignore_errors=True)


def told(places: Mapping[str, Any], placement: Placement) -> str:
    """Where a model lies, as a caption says it: "cuda:0 + cpu + disk"."""
    names = set(places.values())
    gpus = sorted(one for one in names if one.startswith("cuda"))
    order = dict.fromkeys((placement.device, *gpus, "cpu", DISK))
    return AND.join(one for one in order if one == placement.device or one in names)


def _as_accelerate_says(device: str) -> str | int:
    return int(device.partition(":")[2] or 0) if device.startswith("cuda") else device


def _bytes(module: Any, paths: Iterable[str], dtype: Any) -> int:
    """Of the weights and buffers of parts in a number type; shared ones once."""
    import torch

    found: dict[int, Any] = {}
    for path in paths:
        part = module
        for step in path.split("."):
            part = getattr(part, step)
        every = [part] if isinstance(part, torch.Tensor) else [*part.parameters(), *part.buffers()]
        found.update((id(one), one) for one in every)
    return sum(
        one.numel() * (dtype.itemsize if one.is_floating_point() else one.element_size())
        for one in found.values()
    )
