"""What is said in the room: messages with their pictures and files go into the transcript, and come out again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from bot.adapters.page import entries
from bot.adapters.page.pictures import Pictures
from bot.adapters.page.room import Room
from bot.messages import Document, Outgoing, Picture
from bot.ports import Clock, Render, Transcript

GIF: Final = "image/gif"


class _StoredFile(msgspec.Struct, frozen=True, tag="file"):
    content: bytes


class _StoredReplay(msgspec.Struct, frozen=True, tag="replay"):
    # Only the scenes: `Picture` is how this package may name them.
    pictures: tuple[Picture, ...]


_DECODER: Final = msgspec.json.Decoder(_StoredFile | _StoredReplay)


@dataclass(frozen=True, slots=True)
class Chat:
    """The room's messages. Every method may raise StoreUnavailableError."""

    transcript: Transcript
    render: Render
    clock: Clock
    room: Room
    pictures: Pictures
    replays: Pictures

    @classmethod
    def open(cls, name: str, transcript: Transcript, render: Render, clock: Clock) -> Chat:
        """The chat of the room called *name*."""
        return cls(transcript, render, clock, Room(transcript, name), Pictures(), Pictures())

    async def post(self, key: str, outgoing: Outgoing, pressed: int = 0) -> int:
        """The number of the message; the same *key* again posts nothing and returns the first one's.

        *pressed* is the number of the message whose button was pressed for it.
        """
        file = await self._keep_file(f"file:{key}", outgoing)
        replaces = pressed if pressed and await self._is_replaced(pressed, outgoing) else 0
        number = await self.room.append(key, entries.message(outgoing, file, replaces, self.clock.now_ms()))
        if outgoing.picture is not None and outgoing.picture.png:
            self.pictures.keep((number, ""), outgoing.picture.png)
        return number

    async def said(self, key: str, seat: int, name: str, text: str, page_id: str) -> None:
        """Show what the person on *seat* typed; the same *key* again changes nothing."""
        await self.room.append(key, entries.Said(seat, name, text, page_id, self.clock.now_ms()))

    async def retire(self, number: int) -> None:
        """Take the buttons off a message."""
        await self.room.append(f"retire:{number}", entries.Retired(number))

    async def picture(self, number: int, person: str, language: str = "") -> bytes | None:
        """The PNG of message *number*, with its words in *language*; None if it has none that *person* may see.

        Where it was not said in *language*, the words are those in which it was sent.
        """
        message = await self._message(number, person)
        picture = None if message is None else message.picture_in(language)
        if message is None or picture is None:
            return None
        key = number, "" if picture is message.picture else language
        return await self.pictures.get(key, lambda: self.render.png(picture.scene))

    async def file(self, number: int, person: str) -> Document | None:
        """The file of message *number*; None if it has none that *person* may see."""
        message = await self._message(number, person)
        if message is None or message.file is None:
            return None
        name, media_type = message.file.name, message.file.media_type
        content = await self.transcript.read(self.files_room, message.file.number)
        if content is None:
            return None
        try:
            stored = _DECODER.decode(content)
        except msgspec.MsgspecError as error:
            raise entries.DamagedEntryError(str(error)) from error
        if isinstance(stored, _StoredFile):
            return Document(name, stored.content, media_type)
        scenes = [picture.scene for picture in stored.pictures]
        return Document(name, await self.replays.get((number, ""), lambda: self.render.gif(scenes)), media_type)

    @property
    def files_room(self) -> str:
        """The transcript's name for where the contents of files are, so that they are not read with every reload."""
        return f"{self.room.name}.files"

    async def _is_replaced(self, number: int, outgoing: Outgoing) -> bool:
        """True where one private message about a match leads to the next, as in a move that is chosen step by step."""
        if outgoing.only_for is None or outgoing.match is None:
            return False
        before = await self._message(number, outgoing.only_for)
        return before is not None and (before.only_for, before.match) == (outgoing.only_for, outgoing.match)

    async def _message(self, number: int, person: str) -> entries.Message | None:
        entry = await self.room.read(number)
        return entry if isinstance(entry, entries.Message) and entries.is_visible(entry, person) else None

    async def _keep_file(self, key: str, outgoing: Outgoing) -> entries.File | None:
        stored: _StoredFile | _StoredReplay
        if outgoing.document is not None:
            document = outgoing.document
            name, media_type, size = document.name, document.media_type, len(document.content)
            stored = _StoredFile(document.content)
        elif outgoing.replay:
            name, media_type, size = f"bandada-{outgoing.match or 'replay'}.gif", GIF, 0
            stored = _StoredReplay(tuple(Picture(scene, "") for scene in outgoing.replay))
        else:
            return None
        line = await self.transcript.append(self.files_room, key, msgspec.json.encode(stored))
        return entries.File(name, media_type, size, line.number)
