"""Near-duplicates in a Scrapy crawl: a spider middleware for pages, an item pipeline for texts. Needs
Scrapy 2.13 or newer.

    SPIDER_MIDDLEWARES = {"ndc_dedup.scrapy.NearDuplicatesMiddleware": 60}
    ND_STORE = "crawl.ndc"
    ND_ACTION = "tag"

A duplicate here is a page that gives nothing that the crawl has not: a copy of the page that founded its group.

Settings: ``ND_STORE`` a directory in which the pages stay, across runs and crashes; without it they are known as long
as the crawl. ``ND_ACTION`` what happens to a duplicate: ``tag`` nothing but marks, ``skip-links`` its items are kept
and its links are not followed, ``drop`` the spider does not see it. ``ND_OPTIONS`` a dict of options of the library.
``ND_LEAVE_OUT_PARTS`` whether a page counts as a duplicate too that contains that page and much more, or lies in it
with much more (False). ``ND_THREAD_BYTES`` from which size on a page is compared in a thread (262144). ``ND_CLUSTER``
(host:port) asks a cluster in place of a store; ``ND_CLUSTER_SETTINGS``: arguments of ``ndc_dedup.cluster.Cluster``.
Of the pipeline: ``ND_ITEM_FIELD`` the field with the text (``text``), ``ND_ITEM_STORE``, ``ND_ITEM_ACTION`` (``tag`` or
``drop``), ``ND_ITEM_LEAVE_OUT_PARTS``, ``ND_ITEM_OPTIONS``.

The verdict is advice: an error of ndc is logged and counted, and the crawl goes on as if ndc was not there.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator
from typing import Any, Callable, Optional

from itemadapter import ItemAdapter
from scrapy import Request, signals
from scrapy.exceptions import DropItem, IgnoreRequest, NotConfigured
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

from ndc_dedup.answers import Result
from ndc_dedup.engine import NearDuplicates
from ndc_dedup.errors import NdcError
from ndc_dedup.leaving_out import LeavingOut, Relation
from ndc_dedup.text_columns import VERDICT_COLUMNS, verdict_values

__all__ = ["DuplicatePage", "NearDuplicatesMiddleware", "NearDuplicatesPipeline"]

logger = logging.getLogger("ndc_dedup")

META_KEY = "ndc"
SKIP_KEY = "ndc_skip"
COPY_KEY = "ndc_copy"
_ACTIONS = ("tag", "drop", "skip-links")


class DuplicatePage(IgnoreRequest):
    """A page that ``ND_ACTION = "drop"`` keeps from the spider; an errback sees it."""

    def __init__(self, result: Result):
        super().__init__(f"a duplicate ({result.verdict}) of group {result.group_id}")
        self.result = result


class _Component:
    """An engine that is opened and closed with the spider."""

    def __init__(
        self,
        crawler: Any,
        store: Optional[str],
        action: str,
        actions: Iterable[str],
        leave_out_parts: bool,
        options: dict[str, Any],
    ):
        if action not in actions:
            raise NotConfigured(f"the action {action!r} is none of {', '.join(actions)}")
        self.crawler = crawler
        self.action = action
        self._store = store
        self._leaving_out = LeavingOut(leave_out_parts)
        self._options = options
        self._engine: Optional[NearDuplicates] = None
        crawler.signals.connect(self.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    @property
    def engine(self) -> NearDuplicates:
        """For spiders that want to know more; open as long as the spider is."""
        assert self._engine is not None
        return self._engine

    def spider_opened(self) -> None:
        try:
            self._engine = NearDuplicates(self._store, **self._options)
        except NdcError as failure:
            # Nobody wants to learn after the crawl that nothing was compared.
            logger.error("near-duplicates are not looked for: %s", failure)
            self._count("errors")

    def spider_closed(self) -> None:
        if self._engine is None:
            return
        stats = self._engine.stats()
        for name in ("pages", "groups", "bytes_total"):
            self.crawler.stats.set_value(f"{META_KEY}/{name}", stats[name])
        try:
            self._engine.close()
        except NdcError as failure:
            self._failed(failure)

    def _relation(self, result: Result) -> Optional[Relation]:
        try:
            return self._leaving_out.relation(self.engine, result)
        except NdcError as failure:
            self._failed(failure)
            return None

    def _is_left_out(self, relation: Optional[Relation], counted_as: str) -> bool:
        """Counts what is no copy."""
        if self._leaving_out.leaves_out(relation):
            return True
        if relation is not None:
            self._count(f"{counted_as}/{relation.value}")
        return False

    def _count(self, name: str) -> None:
        self.crawler.stats.inc_value(f"{META_KEY}/{name}")

    def _failed(self, failure: Exception) -> None:
        self._count("errors")
        logger.error("the crawl goes on without the verdict: %s", failure)


class NearDuplicatesMiddleware(_Component):
    """Compares each response before the spider sees it: ``response.meta["ndc"]`` is the ``ndc.Result``, and
    ``response.flags`` has ``ndc-near``, ``ndc-exact``, … A request with ``meta={"ndc_skip": True}`` is left alone."""

    def __init__(self, crawler: Any):
        settings = crawler.settings
        action = settings.get("ND_ACTION", "tag")
        super().__init__(
            crawler,
            settings.get("ND_STORE"),
            action,
            _ACTIONS,
            settings.getbool("ND_LEAVE_OUT_PARTS"),
            settings.getdict("ND_OPTIONS"),
        )
        self._thread_bytes = settings.getint("ND_THREAD_BYTES", 1 << 18)
        self._cluster_servers = settings.get("ND_CLUSTER")
        self._cluster: Any = None

    @classmethod
    def from_crawler(cls, crawler: Any) -> NearDuplicatesMiddleware:
        return cls(crawler)

    def spider_opened(self) -> None:
        if not self._cluster_servers:
            super().spider_opened()
            return
        try:
            from ndc_dedup.cluster import Cluster

            settings = {**self._options, **self.crawler.settings.getdict("ND_CLUSTER_SETTINGS")}
            self._cluster = Cluster(self._cluster_servers, on_late=self._late, **settings)
        except (NdcError, ImportError) as failure:
            logger.error("near-duplicates are not looked for: %s", failure)
            self._count("errors")

    def spider_closed(self) -> None:
        super().spider_closed()
        if self._cluster is not None:
            self._cluster.close()

    def _late(self, answer: Any) -> None:
        from twisted.internet import reactor  # not before Scrapy has installed it

        logger.info("late: %s is %s in group %d", answer.url, answer.committed.verdict, answer.result.group_id)
        reactor.callFromThread(self._count, "late")

    def process_spider_input(self, response: Any, spider: Any = None) -> None:
        if self._engine is self._cluster is None or response.meta.get(SKIP_KEY):
            return
        if self._cluster is None and len(response.body) < self._thread_bytes:
            self._take(response, self._check(response))
        else:
            self._check_before_callback(response)

    def process_spider_exception(
        self, response: Any, exception: BaseException, spider: Any = None
    ) -> Optional[Iterable[Any]]:
        return () if isinstance(exception, DuplicatePage) else None

    def process_spider_output(self, response: Any, result: Iterable[Any], spider: Any = None) -> Iterator[Any]:
        for output in result:
            if self._stays(response, output):
                yield output

    async def process_spider_output_async(
        self, response: Any, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        async for output in result:
            if self._stays(response, output):
                yield output

    def _check(self, response: Any) -> Optional[tuple[Result, Optional[Relation]]]:
        try:
            result = self._asked(self.engine, response)
        except NdcError as failure:
            self._failed(failure)
            return None
        return result, self._relation(result)

    @staticmethod
    def _asked(whom: Any, response: Any) -> Any:
        kind = response.headers.get(b"Content-Type")
        truncated = "partial" in response.flags or "dataloss" in response.flags
        return whom.check(
            response.url, response.body, None if kind is None else kind.decode("latin-1"), truncated=truncated
        )

    async def _answer(self, response: Any) -> Optional[tuple[Result, Optional[Relation]]]:
        if self._cluster is None:
            return await maybe_deferred_to_future(deferToThread(self._check, response))
        try:
            # Features take their time; no thread waits for the answer.
            asked = await maybe_deferred_to_future(deferToThread(self._asked, self._cluster, response))
            answer = await maybe_deferred_to_future(_deferred(asked))
        except (NdcError, TimeoutError) as failure:
            self._failed(failure)
            return None
        return answer.result, self._leaving_out.told(answer.committed)

    def _take(self, response: Any, answer: Optional[tuple[Result, Optional[Relation]]]) -> None:
        """Marks the response; raises DuplicatePage if the spider is not to see it."""
        if answer is None:
            return
        result, relation = answer
        self._count(f"verdict/{result.verdict}")
        response.meta[META_KEY] = result
        response.flags.append(f"ndc-{result.verdict}")
        response.meta[COPY_KEY] = self._is_left_out(relation, "kept")
        if not response.meta[COPY_KEY]:
            return
        self._count("duplicates")
        if self.action == "drop":
            self._count("dropped")
            raise DuplicatePage(result)

    def _stays(self, response: Any, output: Any) -> bool:
        if self.action != "skip-links" or not isinstance(output, Request):
            return True
        if not response.meta.get(COPY_KEY):
            return True
        self._count("links_skipped")
        return False

    def _check_before_callback(self, response: Any) -> None:
        """A long page would hold the reactor up, and Scrapy does not wait for middlewares here. It waits for callbacks:
        one that checks in a thread and then goes on as the spider's own takes its place for this one call."""
        request = response.request
        own = request.callback

        def checked(page: Any, **arguments: Any) -> AsyncIterator[Any]:
            request.callback = own  # a request may be sent again, or written to a queue
            callback = own or self.crawler.spider._parse
            return self._checked_output(page, lambda: callback(page, **arguments))

        request.callback = checked

    async def _checked_output(self, response: Any, callback: Callable[[], Any]) -> AsyncIterator[Any]:
        self._take(response, await self._answer(response))
        output = callback()
        if isinstance(output, Awaitable):
            output = await output
        if isinstance(output, AsyncIterator):
            async for each in output:
                yield each
        elif output is not None:
            several = isinstance(output, Iterable) and not isinstance(output, (dict, str, bytes))
            for each in output if several else [output]:
                yield each


def _deferred(future: Any) -> Deferred[Any]:
    """Of a future that another thread completes."""
    from twisted.internet import reactor  # not before Scrapy has installed it

    out: Deferred[Any] = Deferred()

    def fire(done: Any) -> None:
        failure = done.exception()
        reactor.callFromThread(out.callback if failure is None else out.errback, failure or done.result())

    future.add_done_callback(fire)
    return out


class NearDuplicatesPipeline(_Component):
    """Compares the texts of items: the field of ``ND_ITEM_FIELD``, by the URL in the field ``url`` if there is one.
    ``tag`` puts the columns of ``dedup_table`` (``ndc_group``, ``ndc_verdict``, ...) into items that can take them,
    ``drop`` drops duplicates."""

    def __init__(self, crawler: Any):
        settings = crawler.settings
        action = settings.get("ND_ITEM_ACTION", "tag")
        super().__init__(
            crawler,
            settings.get("ND_ITEM_STORE"),
            action,
            ("tag", "drop"),
            settings.getbool("ND_ITEM_LEAVE_OUT_PARTS"),
            settings.getdict("ND_ITEM_OPTIONS"),
        )
        self._field = settings.get("ND_ITEM_FIELD", "text")

    @classmethod
    def from_crawler(cls, crawler: Any) -> NearDuplicatesPipeline:
        return cls(crawler)

    def process_item(self, item: Any, spider: Any = None) -> Any:
        fields = ItemAdapter(item)
        text = fields.get(self._field)
        if self._engine is None or not isinstance(text, str):
            return item
        url = fields.get("url")
        try:
            result = self._engine.check(url if isinstance(url, str) else None, text, "text/plain")
        except NdcError as failure:
            self._failed(failure)
            return item
        self._count(f"item/{result.verdict}")
        if self.action == "drop":
            if self._is_left_out(self._relation(result), "item/kept"):
                raise DropItem(f"a duplicate ({result.verdict}) of group {result.group_id}")
            return item
        for name, value in zip(VERDICT_COLUMNS, verdict_values(result)):
            try:
                fields[name] = value
            except KeyError:  # an Item or dataclass without such a field
                self._count("item/field_missing")
        return item
