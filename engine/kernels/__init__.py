"""The only package that imports numba: arrays in, arrays out."""
