"""Each formula once: numpy alone, for engine, window and command line."""
