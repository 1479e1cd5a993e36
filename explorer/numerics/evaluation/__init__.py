"""How good answers are: rates and their intervals, curves, calibration, ranks."""
