"""A text with its entities, without them, and with another one: `EntitiesRequest`'s answer."""
