"""The window: shows engine results and sends intents; knows no rule of poker."""
