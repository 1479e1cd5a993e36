"""Where a run is trained, and what is carried there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from explorer.hf.loading.devices import resolve_device
from explorer.learning.plan.choices import TrainedOn
from explorer.learning.plan.run_plan import RunPlan

CPU = "cpu"


def device_of(plan: RunPlan) -> str:
    """Where a plan is trained, as torch names it: the CPU where there is no GPU."""
    return resolve_device("auto") if plan.trained_on is TrainedOn.GPU else CPU


def moved(batch: Mapping[str, Any], device: Any) -> Mapping[str, Any]:
    """A batch whose tensors lie on a device; what else is in it stays."""
    return {name: one.to(device) if hasattr(one, "to") else one for name, one in batch.items()}


@contextmanager
def on_cpu(*models: Any) -> Iterator[None]:
    """While a frame is measured as all frames are, on the CPU; then models are where they were."""
    devices = [_where(one) for one in models]
    for model in models:
        model.to(CPU)
    try:
        yield
    finally:
        for model, device in zip(models, devices, strict=True):
            model.to(device)


def _where(model: Any) -> Any:
    """Its device; a bare module of torch has only its weights'."""
    return model.device if hasattr(model, "device") else next(model.parameters()).device
