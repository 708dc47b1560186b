"""The kernels of evolved policies: what they see, how they choose, and many hands of them."""
