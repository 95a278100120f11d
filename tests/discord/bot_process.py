"""The program `bandada` with discord.py pointed at the tests' own server.

``python -m tests.discord.bot_process run discord``; the environment variable ``TEST_DISCORD_URL`` says where the server
is. Only this entry point reads it.
"""

from __future__ import annotations

import os

from bot.cli import main
from tests.discord.server import pointed_at

if __name__ == "__main__":
    with pointed_at(os.environ["TEST_DISCORD_URL"]):
        main()
