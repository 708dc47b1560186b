"""What the ensemble paper measured: policies evolved where they are missing, their matches, tables and figures."""
