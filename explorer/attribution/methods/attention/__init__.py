"""Methods that go by attention."""
