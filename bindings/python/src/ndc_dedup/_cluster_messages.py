"""The messages that clients and a cluster exchange, as docs/cluster.md has them: bytes, and nothing of Kafka."""

from __future__ import annotations

from hashlib import md5
from struct import Struct, error
from typing import NamedTuple, Optional

from ndc_dedup.answers import Result, Verdict, flag_of
from ndc_dedup.errors import CorruptError, UnsupportedVersionError

VERSION = 1
_ASK, _REMOVE, _ANSWER, _HAPPENED = 0, 1, 19, 20
_HEAD = Struct(">BB")
_LENGTH = Struct(">i")
_NUMBER = Struct(">q")
_VERDICT = Struct(">b")
_RESULT = Struct(">iqqq5d")
_VERDICTS = tuple(Verdict)


class Answer(NamedTuple):
    """Result None: ``failure`` says why."""

    number: int
    page: int
    result: Optional[Result]
    committed: Optional[Result]
    representative: str
    failure: str


class Happened(NamedTuple):
    kind: str
    old_group: int
    new_group: int
    at_ms: int


def page_id(url: bytes) -> int:
    """63 bits of the MD5 of the URL, never 0."""
    text = url.decode("utf-8", "replace").encode("utf-8")
    return int.from_bytes(md5(text, usedforsecurity=False).digest()[:8], "big") & (1 << 63) - 1 or 1


def key_of(page: int) -> bytes:
    return _NUMBER.pack(page)


def ask(asker: str, number: int, features: bytes) -> bytes:
    return _HEAD.pack(VERSION, _ASK) + _sized(asker.encode()) + _NUMBER.pack(number) + _sized(features)


def remove(asker: str, number: int, url: str, purge: bool) -> bytes:
    head = _HEAD.pack(VERSION, _REMOVE) + _sized(asker.encode()) + _NUMBER.pack(number)
    return head + _sized(url.encode("utf-8", "replace")) + bytes([purge])


def _sized(data: bytes) -> bytes:
    return _LENGTH.pack(len(data)) + data


class _Reader:
    def __init__(self, data: bytes, at: int):
        self._data = data
        self._at = at

    def take(self, struct: Struct) -> tuple[int, ...]:
        values = struct.unpack_from(self._data, self._at)
        self._at += struct.size
        return values

    def number(self) -> int:
        return self.take(_NUMBER)[0]

    def text(self) -> str:
        (size,) = self.take(_LENGTH)
        if not 0 <= size <= len(self._data) - self._at:
            raise CorruptError(f"a length of {size}")
        self._at += size
        return self._data[self._at - size : self._at].decode("utf-8", "replace")

    def result(self) -> Optional[Result]:
        (verdict,) = self.take(_VERDICT)
        if verdict == -1:
            return None
        if not 0 <= verdict < len(_VERDICTS):
            raise CorruptError(f"the verdict {verdict}")
        flags, page, group, matched, *ratios = self.take(_RESULT)
        resemblance, containment, coverage, matched_coverage, probability = ratios
        return Result(
            _VERDICTS[verdict],
            flag_of(flags),
            page,
            group,
            matched,
            resemblance,
            containment,
            coverage,
            matched_coverage,
            probability,
            0,
        )

    def end(self) -> None:
        if self._at != len(self._data):
            raise CorruptError(f"a record with {len(self._data) - self._at} bytes too many")


def message(data: Optional[bytes]) -> Answer | Happened | None:
    """The message of a record; None: of a kind that is not for clients. Raises CorruptError, and
    UnsupportedVersionError for one of another version."""
    if data is None or len(data) < 2:
        raise CorruptError("no message")
    if data[0] != VERSION:
        raise UnsupportedVersionError(f"a message of version {data[0]}; this client reads version {VERSION}")
    read = _Reader(data, 2)
    out: Answer | Happened
    try:
        if data[1] == _ANSWER:
            out = Answer(read.number(), read.number(), read.result(), read.result(), read.text(), read.text())
        elif data[1] == _HAPPENED:
            out = Happened(read.text(), read.number(), read.number(), read.number())
        else:
            return None
    except error as cut:
        raise CorruptError("a record that ends too early") from cut
    read.end()
    return out


def partition_of(key: bytes, partitions: int) -> int:
    """As Kafka's producers place a key: murmur2."""
    multiplier, mask = 0x5BD1E995, 0xFFFFFFFF
    out = 0x9747B28C ^ len(key)
    whole = len(key) & ~3
    for at in range(0, whole, 4):
        part = int.from_bytes(key[at : at + 4], "little") * multiplier & mask
        part = (part ^ part >> 24) * multiplier & mask
        out = out * multiplier & mask ^ part
    if whole < len(key):
        out = (out ^ int.from_bytes(key[whole:], "little")) * multiplier & mask
    out = (out ^ out >> 13) * multiplier & mask
    return ((out ^ out >> 15) & 0x7FFFFFFF) % partitions
