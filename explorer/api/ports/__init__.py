"""What a loaded model can do, each ability a type."""
