"""Tayra against theory and literature: cases that each hold a claim, a reference and a tolerance."""
