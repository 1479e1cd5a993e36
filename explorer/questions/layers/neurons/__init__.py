"""What makes a neuron or a head active, what does it write, and what does it predict?"""
