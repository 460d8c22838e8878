"""Instances of the program's classes, and operators that these define."""
