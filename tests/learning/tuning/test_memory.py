"""The memory that fine-tuning is said to take, next to what a process of its own takes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.learning.tuning.plan import TuningPlan

ROOT = Path(__file__).resolve().parents[3]
MEASURED = """
import json, os, sys, threading, time
import peft, torch, transformers
from transformers import BertForSequenceClassification
from explorer.learning.tuning import measured_step
from explorer.learning.tuning.cost import memory_of
from explorer.learning.tuning.plan import TuningPlan

# One that warms up, and one on what the optimiser keeps from then on: further ones take no more.
measured_step.STEPS = 1

def resident():
    lines = open("/proc/self/status").read().splitlines()
    return 1024 * int(next(one for one in lines if one.startswith("VmRSS")).split()[1])

plan = TuningPlan.from_json(sys.argv[1])
told, before = memory_of(plan, plan.texts), resident()
peak, ended = before, False

def watch():
    global peak
    while not ended:
        peak = max(peak, resident())
        time.sleep(0.005)

watching = threading.Thread(target=watch)
watching.start()
measured_step.measured_step(plan)
ended = True
watching.join()
print(json.dumps([told, peak - before]), flush=True)
# To take it all apart would be a fifth of its time.
os._exit(0)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A BERT half as wide as the published one, of random weights, and a table of long texts."""
    from transformers import AutoTokenizer, BertConfig, BertForPreTraining

    from explorer.paths import own_resources

    place = tmp_path_factory.mktemp("bert")
    config = BertConfig(
        vocab_size=1600,
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
    )
    BertForPreTraining(config).save_pretrained(place)
    AutoTokenizer.from_pretrained(own_resources() / "models" / "bert-miniature").save_pretrained(
        place
    )
    rows = [f"{'the chef cooked soup ' * 30}{number},{'ab'[number % 2]}" for number in range(40)]
    (place / "long.csv").write_text("\n".join(["text,label", *rows]) + "\n")
    return place


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="read from /proc")
@pytest.mark.parametrize("tuned", ["all", "lora", "last", "features"])
def test_what_is_told_is_about_what_is_taken(folder, tuned):
    plan = TuningPlan(
        base=str(folder), path=str(folder / "long.csv"), tuned=tuned, batch=16, examples=0
    )
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, plan.to_json()],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PATH": ""},
        text=True,
    )
    told, taken = json.loads(done.stdout.splitlines()[-1])
    assert told == pytest.approx(taken, rel=0.3)
