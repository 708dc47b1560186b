"""Why a bot acted as it did."""
