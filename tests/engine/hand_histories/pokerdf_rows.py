"""What pokerdf reads in hands: a program for an environment of its own, which has nothing of ours.

On its input is a JSON list of hands in text of PokerStars, on its output one of what it gives for each: rows of a
player each, by the names of its columns, or a sentence if it fails.

pokerdf is made for tournaments, and its front door fails for a hand without a level. Of a cash game its columns are
taken one by one, but for those that it has for tournaments alone.
"""

import json
import sys
from typing import Any

TOURNAMENT_COLUMNS = ("Modality", "BuyIn", "TournID", "TableID", "Level", "Blinds")


def rows(text: str) -> list[dict[str, Any]]:
    """Return what pokerdf understands of a hand."""
    from pokerdf.core.read_and_convert import apply_regex
    from pokerdf.regex.regex_execution import capture_specific_data_of_the_player, r

    if ": Tournament #" in text:
        frame = apply_regex(text)
        return frame.astype(object).where(frame.notna(), None).to_dict("records")
    parts = text.removeprefix("PokerStars ").split("\n*** ")
    hand = {
        "TableSize": r.get_table_size(parts),
        "HandID": r.get_hand_id(parts),
        "HandStartTimeCET": r.get_time(parts),
        "HandStartTimeLocal": r.get_local_time(parts),
        "HandTimezone": r.get_timezone(parts),
        "Ante": r.get_ante(parts),
        "Owner": r.get_owner(parts),
        "OwnersHand": r.get_owner_cards(parts),
        "Playing": r.get_number_of_active_players(parts),
        "BoardFlop": r.get_board(parts, stage="FLOP ***"),
        "BoardTurn": r.get_board(parts, stage="TURN ***"),
        "BoardRiver": r.get_board(parts, stage="RIVER ***"),
        "TotalPotLog": r.get_total_pot_log(parts),
        "Rake": r.get_rake(parts),
        "PotBreakdown": r.get_pot_breakdown(parts),
    }
    players = (capture_specific_data_of_the_player(parts, player) for player in r.get_players(parts))
    return [{name: next(iter(value), None) for name, value in (hand | player).items()} for player in players]


def answer(text: str) -> list[dict[str, Any]] | str:
    """Return what pokerdf understands of a hand, or how it fails."""
    try:
        return rows(text)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    json.dump([answer(text) for text in json.load(sys.stdin)], sys.stdout, default=str)
