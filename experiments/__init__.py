"""Experiments: published results, made again from their data by one command each."""
