"""The computer player: pure search over the rules, no language, no storage; `computer.player.choose` is its door."""
