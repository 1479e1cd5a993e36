"""How families predict: ready implementations of the ports, and what reads their answers."""
