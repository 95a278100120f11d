"""The server: who is let in, and what every answer carries."""

from __future__ import annotations

import gzip
import hashlib
import re
from base64 import b64encode

import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import make_mocked_request

from bot.adapters.http import HttpServer, is_loopback, own_url, preferred_language
from bot.texts import LANGUAGES
from storage.transcript import RedisTranscript
from tests.web.site import Site, serve, words

PAGE_BYTES = 60_000
"""The bound of the page as it is sent, compressed."""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:99", "[::1]:8000", "127.0.0.53", "localhost."])
async def test_a_name_of_its_own_is_let_in(site: Site, session: ClientSession, host: str) -> None:
    async with session.get(site.seat(1), headers={"Host": host}) as answer:
        assert answer.status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8000",
        "192.0.2.7",
        "",
        "a@localhost",
        "[::1%25x]",
        ":80",
    ],
)
async def test_a_foreign_name_is_refused(site: Site, session: ClientSession, host: str) -> None:
    async with session.get(site.seat(1), headers={"Host": host}) as answer:
        assert answer.status in {400, 403}
        if answer.status == 403:
            assert await answer.text() == words("en")["page.refused_host"] + "\n"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://", "", "x"]
)
async def test_a_foreign_origin_is_refused(site: Site, session: ClientSession, origin: str) -> None:
    headers = {"Origin": origin, "Accept-Language": "ru"}
    for path in ("", "/socket"):
        async with session.get(site.seat(1) + path, headers=headers) as answer:
            assert answer.status == 403
            assert await answer.text() == words("ru")["page.refused_origin"] + "\n"


async def test_its_own_origin_is_let_in(site: Site, session: ClientSession) -> None:
    async with session.ws_connect(f"{site.seat(1)}/socket", headers={"Origin": site.url}) as socket:
        assert (await socket.receive_json())["type"] == "entries"


async def test_on_a_network_addresses_and_told_names_are_its_own(
    transcript: RedisTranscript, session: ClientSession
) -> None:
    async with serve(transcript, host="0.0.0.0") as site:  # noqa: S104 - what is tested
        for host, status in (("192.0.2.7:8000", 200), ("[2001:db8::1]", 200), ("evil.example", 403)):
            async with session.get(site.seat(1), headers={"Host": host}) as answer:
                assert answer.status == status, host


async def test_told_names_are_let_in_as_host_and_as_origin() -> None:
    server = HttpServer([], words, LANGUAGES, host="127.0.0.1", names=["Play.Example"])
    refusal = server._guard.refusal
    told = {"Host": "play.example", "Origin": "https://play.example"}
    assert refusal(make_mocked_request("GET", "/", told)) is None
    behind_a_proxy = {"Host": "127.0.0.1:8000", "Origin": "https://play.example"}
    assert refusal(make_mocked_request("GET", "/", behind_a_proxy)) is None
    assert refusal(make_mocked_request("GET", "/", {"Host": "play.example.evil"})) == "page.refused_host"


async def test_from_this_machine_the_door_leads_to_the_first_seat(site: Site, session: ClientSession) -> None:
    async with session.get(site.url) as answer:
        assert str(answer.url) == site.seat(1)
        assert answer.status == 200


async def test_on_a_network_the_door_gives_no_seat_away(transcript: RedisTranscript, session: ClientSession) -> None:
    async with serve(transcript, host="0.0.0.0") as site:  # noqa: S104 - what is tested
        async with session.get(site.url, headers={"Accept-Language": "es"}) as answer:
            page = await answer.text()
        assert words("es")["page.use_link"] in page
        assert not any(path in page for path in site.seats)


@pytest.mark.parametrize("path", ["/seat/wrong", "/seat/%F0%9F%90%A6", "/seat/%ff"])
async def test_an_unknown_seat_says_so(site: Site, session: ClientSession, path: str) -> None:
    async with session.get(site.url + path) as answer:
        assert answer.status == 404
        assert words("en")["page.unknown_seat"] in await answer.text()
    for more in ("/socket", "/picture/1.png", "/document/1"):
        async with session.get(site.url + path + more) as answer:
            assert answer.status == 404


async def test_every_answer_carries_the_security_headers(site: Site, session: ClientSession) -> None:
    for url in (site.seat(1), f"{site.url}/nowhere", f"{site.url}/seat/wrong"):
        async with session.get(url) as answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert "unsafe" not in answer.headers["Content-Security-Policy"]


async def test_the_page_is_one_document_that_its_policy_allows(site: Site, session: ClientSession) -> None:
    async with session.get(site.seat(1)) as answer:
        page = await answer.text()
        policy = answer.headers["Content-Security-Policy"]
        assert answer.headers["Cache-Control"] == "no-store"
    for kind in ("style", "script"):
        inline = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
        hashes = re.search(rf"{kind}-src ([^;]*)", policy)
        assert hashes is not None
        assert [f"'sha256-{b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in inline] == [
            hashes[1]
        ]
    # Nothing is fetched from elsewhere, and nothing the policy forbids is tried.
    assert re.findall(r"""(?:src|href)=(?!["'](?:data:image/svg|#))""", page.partition("<script>")[0]) == []
    assert re.findall(r"""\s(?:style|on[a-z]+)=""", page.partition("<script>")[0]) == []
    assert len(gzip.compress(page.encode())) <= PAGE_BYTES


@pytest.mark.parametrize(
    ("wish", "language"),
    [
        ("", "en"),
        ("ru", "ru"),
        ("es-419,es;q=0.9", "es"),
        ("de,ru;q=0.5,es;q=0.7", "es"),
        ("fr", "en"),
        ("x;q=y,ru", "ru"),
    ],
)
def test_the_browsers_language_is_taken(wish: str, language: str) -> None:
    assert preferred_language(make_mocked_request("GET", "/", {"Accept-Language": wish}), LANGUAGES) == language


def test_loopback_is_what_only_this_machine_reaches() -> None:
    assert all(is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "", "192.0.2.7", "example.org"))  # noqa: S104 - what is tested


def test_an_address_is_written_as_a_url() -> None:
    assert own_url("127.0.0.1", 8000) == "http://127.0.0.1:8000"
    assert own_url("::1", 80) == "http://[::1]:80"


async def test_a_taken_port_is_told(site: Site) -> None:
    second = HttpServer([], words, LANGUAGES, port=site.server.port)
    with pytest.raises(OSError, match=str(site.server.port)):
        await second.start()
    await second.stop()
