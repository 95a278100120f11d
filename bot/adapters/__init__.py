"""One file for each platform: they translate, nothing else."""
