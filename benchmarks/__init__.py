"""Measurements of what is promised about time and memory; `make bench` prints them."""
