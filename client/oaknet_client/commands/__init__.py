"""The commands, one a module, each as ``command``."""
