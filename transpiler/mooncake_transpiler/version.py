"""The version that generated files name."""

VERSION = "0.1.0"
