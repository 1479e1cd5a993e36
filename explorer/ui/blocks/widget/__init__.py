"""The widget that shows a page of blocks: mouse, keyboard, typing, screen readers."""
