"""From a checkpoint's files to a module on a device."""
