"""Asks a cluster (docs/guide-cluster.md) about pages. Needs confluent-kafka.

    from ndc_dedup.cluster import Cluster

    with Cluster("localhost:9092") as cluster:
        answer = cluster.check("http://a.example/", html)  # a concurrent.futures.Future
        print(answer.result().result.verdict)

The features of a page are made here; the page itself goes nowhere.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
import uuid
from collections import deque
from concurrent.futures import Future, InvalidStateError
from typing import Any, Callable, NamedTuple, Optional

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from ndc_dedup import _cluster_messages as messages
from ndc_dedup._arguments import Body, Url, When, url_bytes
from ndc_dedup.answers import Result
from ndc_dedup.errors import ClosedError, NdcError
from ndc_dedup.features import Features

__all__ = ["Cluster", "ClusterAnswer", "ClusterError", "ClusterEvent"]

logger = logging.getLogger("ndc_dedup")

_MOST_QUESTIONS = 100_000
_ANSWERS_KEPT_SECONDS = 3600
_POLL_SECONDS = 0.05
_MOST_BYTES = 16 << 20


class ClusterError(NdcError):
    """Kafka cannot be reached or refuses the client, or the cluster refuses the page."""


class ClusterAnswer(NamedTuple):
    """What a cluster says of a page."""

    url: str
    result: Result
    committed: Result
    """The same, but of a page that came again with the same text what was answered before."""
    duplicate_of: str
    """The URL of the page that it was found equal or similar to; empty: it founded its group."""


class ClusterEvent(NamedTuple):
    """What happened to a page or a group after it was decided: REGROUPED, MERGED (the page is the founder of the old
    group, which is part of the new one), REMOVED, REELECTED."""

    kind: str
    page_id: int
    old_group_id: int
    new_group_id: int
    at_ms: int


class _Question(NamedTuple):
    url: str
    future: Future[ClusterAnswer]
    asked_at: float


class Cluster:
    """A client of a cluster that has run before. Any number of threads may use it.

    A future fails with TimeoutError after ``timeout`` seconds: go on; ``on_late`` hears the verdict. ``on_event`` hears
    of pages and groups, whoever asked. Both are called on the thread that reads answers, and must not wait. ``kafka``
    has further settings of librdkafka (``security.protocol``...). Options are those of the library with which pages
    are read: the same everywhere."""

    def __init__(
        self,
        servers: str,
        *,
        prefix: str = "ndc",
        timeout: float = 2.0,
        on_late: Optional[Callable[[ClusterAnswer], None]] = None,
        on_event: Optional[Callable[[ClusterEvent], None]] = None,
        kafka: Optional[dict[str, Any]] = None,
        connect_timeout: float = 10.0,
        **options: Any,
    ):
        self._prefix = prefix
        self._timeout = timeout
        self._on_late = on_late
        self._on_event = on_event
        self._options = options
        self._name = str(uuid.uuid4())
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._questions: dict[int, _Question] = {}
        self._unexpired: deque[_Question] = deque()
        self._failure: Optional[NdcError] = None
        self._closing = threading.Event()
        Features.compute("http://a.example/", b"", **options)  # what is wrong in them is told now
        common = {"bootstrap.servers": servers, "log_level": 3, **(kafka or {})}
        self._consumer = Consumer(
            {"group.id": self._name, "enable.auto.commit": False, "fetch.message.max.bytes": _MOST_BYTES, **common}
        )
        try:
            self._consumer.assign(self._heard(connect_timeout))
            self._producer = Producer(
                {
                    "partitioner": "murmur2_random",  # as clients in Java place pages
                    "linger.ms": 2,
                    "compression.type": "lz4",
                    "message.max.bytes": _MOST_BYTES,
                    **common,
                }
            )
        except KafkaException as refused:
            self._consumer.close()
            raise ClusterError(f"{servers}: {refused.args[0].str()}") from refused
        except NdcError:
            self._consumer.close()
            raise
        self._thread = threading.Thread(target=self._read_answers, name="ndc-cluster-answers", daemon=True)
        self._thread.start()

    def _heard(self, timeout: float) -> list[Any]:
        """Answers to this client are in one partition; whatever comes from now on is heard."""
        answers, events = f"{self._prefix}-answers", f"{self._prefix}-events"
        heard = [(answers, messages.partition_of(self._name.encode(), self._partitions(answers, timeout)))]
        heard += [(events, partition) for partition in range(self._partitions(events, timeout))]
        out = []
        for topic, partition in heard:
            end = self._consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=timeout)[1]
            out.append(TopicPartition(topic, partition, end))
        return out

    def _partitions(self, topic: str, timeout: float) -> int:
        found = self._consumer.list_topics(topic, timeout=timeout).topics[topic]
        if found.error is not None:
            raise ClusterError(f"topic {topic}: {found.error.str()}")
        return len(found.partitions)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def check(
        self,
        url: Url,
        body: Body,
        content_type: Optional[str] = None,
        *,
        fetched_at: Optional[When] = None,
        truncated: bool = False,
    ) -> Future[ClusterAnswer]:
        """Asks whether a page is a near-duplicate of one that any client asked about, and makes it known. Arguments as
        for ``NearDuplicates.check``, which raises the same of them."""
        # The time tells a page that comes again from a question that comes twice.
        when = time.time() if fetched_at is None else fetched_at
        features = Features.compute(url, body, content_type, fetched_at=when, truncated=truncated, **self._options)
        number = next(self._numbers)
        return self._ask(number, url, messages.ask(self._name, number, bytes(features)))

    def remove(self, url: Url, *, purge: bool = False) -> Future[ClusterAnswer]:
        """Makes the cluster forget a page; with purge its text as well, where it represents others."""
        number = next(self._numbers)
        text = url_bytes(url).decode("utf-8", "replace")
        return self._ask(number, url, messages.remove(self._name, number, text, purge))

    def waiting(self) -> int:
        """How many questions have no answer yet; those that timed out included."""
        return len(self._questions)

    def _ask(self, number: int, url: Url, message: bytes) -> Future[ClusterAnswer]:
        future: Future[ClusterAnswer] = Future()
        raw = url_bytes(url)
        refusal = ClosedError("the client is closed") if self._closing.is_set() else self._failure
        with self._lock:
            if len(self._questions) >= _MOST_QUESTIONS:
                self._forget()
            if len(self._questions) >= _MOST_QUESTIONS:
                refusal = ClusterError(f"{len(self._questions)} questions have no answer: does an instance run?")
            if refusal is None:
                self._questions[number] = _Question(raw.decode("utf-8", "replace"), future, time.monotonic())
                self._unexpired.append(self._questions[number])
        if refusal is not None:
            future.set_exception(refusal)
            return future

        def sent(failed: Any, record: Any) -> None:
            if failed is not None:
                self._fail(number, ClusterError(failed.str()))

        try:
            self._producer.produce(
                f"{self._prefix}-pages", message, messages.key_of(messages.page_id(raw)), on_delivery=sent
            )
        except (KafkaException, BufferError) as refused:
            self._fail(number, ClusterError(str(refused)))
        return future

    def _forget(self) -> None:
        """Answers that are no longer in their topic. The oldest question is the first."""
        now = time.monotonic()
        while self._questions:
            number, first = next(iter(self._questions.items()))
            if now - first.asked_at < _ANSWERS_KEPT_SECONDS:
                return
            del self._questions[number]

    def _fail(self, number: int, why: NdcError) -> None:
        with self._lock:
            question = self._questions.pop(number, None)
        if question is not None:
            _set(question.future, why)

    def _read_answers(self) -> None:
        while not self._closing.is_set():
            self._producer.poll(0)
            record = self._consumer.poll(_POLL_SECONDS)
            self._expire()
            if record is None:
                continue
            error = record.error()
            if error is not None:
                if error.retriable() or error.name().startswith("_"):
                    continue  # librdkafka goes on by itself
                self._failure = ClusterError(f"answers cannot be read: {error.str()}")
                logger.error("%s", self._failure)
                break
            try:
                self._take(record)
            except Exception as wrong:  # a callback's, or a record that is none: the next one may be good
                logger.warning("an answer is skipped: %s", wrong)
        why = self._failure or ClosedError("the client is closed")
        for number in list(self._questions):
            self._fail(number, why)

    def _expire(self) -> None:
        """Fails what waits too long, but keeps it: its verdict may come."""
        now = time.monotonic()
        while self._unexpired and now - self._unexpired[0].asked_at >= self._timeout:
            _set(self._unexpired.popleft().future, TimeoutError("no answer in time; the verdict comes later"))

    def _take(self, record: Any) -> None:
        is_mine = record.key() == self._name.encode()
        if record.topic().endswith("-answers") and not is_mine:
            return
        message = messages.message(record.value())
        if isinstance(message, messages.Answer):
            self._answered(message)
        elif isinstance(message, messages.Happened) and self._on_event is not None:
            page = int.from_bytes(record.key(), "big")
            self._on_event(ClusterEvent(message.kind, page, *message[1:]))

    def _answered(self, answer: messages.Answer) -> None:
        with self._lock:
            question = self._questions.pop(answer.number, None)
        if question is None:
            return
        if answer.failure:
            _set(question.future, ClusterError(f"the cluster refuses the page: {answer.failure}"))
            return
        told = ClusterAnswer(question.url, answer.result, answer.committed, answer.representative)  # type: ignore
        if not _set(question.future, told) and answer.result is not None and self._on_late is not None:
            self._on_late(told)

    def close(self) -> None:
        """Questions without an answer fail."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._thread.join()
        self._producer.flush(2)
        self._consumer.close()


def _set(future: Future[ClusterAnswer], outcome: ClusterAnswer | Exception) -> bool:
    """Whether it was the first outcome, and somebody may be waiting for it."""
    try:
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
        return True
    except InvalidStateError:
        return False
