"""Compiles programs, runs them in all forms, compares, reduces."""
