"""What the experiments of the paper share: its rows, its tables, its figures."""
