"""What this process has of its machine: memory, Qt, turns at the models; and what to tell of it."""
