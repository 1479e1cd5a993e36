"""What a person reads while pip works, and after it failed."""

import pytest

from explorer.bootstrap.pip_output import last_errors, live_line, reason_of


@pytest.mark.parametrize(
    ("line", "before", "shown"),
    [
        ("Collecting torch==2.13.0 (from plm-explorer)", "", "Collecting torch==2.13.0"),
        ("  Downloading torch-2.13.0.whl (188 MB)", "x", "Downloading torch-2.13.0.whl (188 MB)"),
        ("Progress 50 of 200", "Downloading torch.whl", "Downloading torch.whl · 25 %"),
        ("Progress 60 of 200", "Downloading torch.whl · 25 %", "Downloading torch.whl · 30 %"),
        ("Progress 60 of 0", "Downloading torch.whl", "Downloading torch.whl"),
        (
            "Installing collected packages: a, b, c",
            "",
            "Installing 3 packages (the last and longest step)",
        ),
        (
            "Requirement already satisfied: numpy>=2.0 in ./lib (from x) (2.4)",
            "",
            "Checking numpy>=2.0",
        ),
        ("WARNING: something of no interest", "Collecting x", "Collecting x"),
    ],
)
def test_live_line(line, before, shown):
    assert live_line(line, before) == shown


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        ("NewConnectionError('... Failed to establish a new connection: [Errno -3]", "network"),
        ("ssl.SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED", "network"),
        ("pip._vendor.urllib3.exceptions.ReadTimeoutError: Read timed out.", "network"),
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "space"),
        ("PermissionError: [Errno 13] Permission denied: '/x'", "permission"),
        ("OSError: [Errno 30] Read-only file system: '/x'", "permission"),
        (
            "No matching distribution found for torch==2.13.0 (from versions: 2.6, 2.7)",
            "version",
        ),
        (
            "No matching distribution found for torch==2.13.0 (from versions: none)",
            "network",
        ),
        ("Segmentation fault", "other"),
    ],
)
def test_reason(output, kind):
    reason = reason_of(["Collecting x", output])
    assert reason.kind == kind
    assert reason.hint.endswith(".")


def test_network_explains_a_missing_distribution():
    lines = ["WARNING: Retrying ... Temporary failure in name resolution", "ERROR: No matching d"]
    assert reason_of(lines).kind == "network"


def test_last_errors_are_the_marked_ones_or_the_last_lines():
    assert last_errors(["ERROR: one", "noise", "ERROR: two"], 1) == ("ERROR: two",)
    assert last_errors(["a", "", "b"], 5) == ("a", "b")
    lines = ["  FileNotFoundError: gone", "error: subprocess-exited-with-error", "note: x"]
    assert last_errors(lines) == ("FileNotFoundError: gone",)
