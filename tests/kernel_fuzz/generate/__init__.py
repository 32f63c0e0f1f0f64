"""Writes random CUDA programs that are race-free and deterministic by construction; README.md tells how."""
