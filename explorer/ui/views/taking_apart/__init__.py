"""What the views share that look into a model's heads and switch parts of them off."""
