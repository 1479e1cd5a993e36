"""One file a command, registered by being here; explorer/cli.py says what each must hold."""
