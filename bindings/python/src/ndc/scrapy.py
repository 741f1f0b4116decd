"""Near-duplicates in a Scrapy crawl: a spider middleware for pages, an item pipeline for texts. Needs
Scrapy 2.13 or newer.

    SPIDER_MIDDLEWARES = {"ndc.scrapy.NearDuplicatesMiddleware": 60}
    ND_STORE = "crawl.ndc"
    ND_ACTION = "tag"

Settings: ``ND_STORE`` a directory in which the pages stay, across runs and crashes; without it they are known as long
as the crawl. ``ND_ACTION`` what happens to a duplicate: ``tag`` nothing but marks, ``skip-links`` its items are kept
and its links are not followed, ``drop`` the spider does not see it. ``ND_OPTIONS`` a dict of options of the library.
``ND_THREAD_BYTES`` from which size on a page is compared in a thread (262144). Of the pipeline: ``ND_ITEM_FIELD`` the
field with the text (``text``), ``ND_ITEM_STORE``, ``ND_ITEM_ACTION`` (``tag`` or ``drop``), ``ND_ITEM_OPTIONS``.

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
from twisted.internet.threads import deferToThread

from ndc.answers import Flag, Result, Verdict
from ndc.engine import NearDuplicates
from ndc.errors import NdcError

__all__ = ["DuplicatePage", "NearDuplicatesMiddleware", "NearDuplicatesPipeline"]

logger = logging.getLogger("ndc")

META_KEY = "ndc"
SKIP_KEY = "ndc_skip"
_ACTIONS = ("tag", "drop", "skip-links")


class DuplicatePage(IgnoreRequest):
    """A page that ``ND_ACTION = "drop"`` keeps from the spider; an errback sees it."""

    def __init__(self, result: Result):
        super().__init__(f"a duplicate ({result.verdict}) of group {result.group_id}")
        self.result = result


def is_copy(result: Result) -> bool:
    """The page gives nothing that the crawl has not: it is a duplicate, or an unchanged page that was one when it was
    new, and it does not hold much more than what it is a duplicate of."""
    duplicate = result.is_duplicate or (result.verdict is Verdict.UNCHANGED and not result.is_founder)
    return duplicate and Flag.CONTAINS not in result.flags


class _Component:
    """An engine that is opened and closed with the spider."""

    def __init__(
        self, crawler: Any, store: Optional[str], action: str, actions: Iterable[str], options: dict[str, Any]
    ):
        if action not in actions:
            raise NotConfigured(f"the action {action!r} is none of {', '.join(actions)}")
        self.crawler = crawler
        self.action = action
        self._store = store
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

    def _count(self, name: str) -> None:
        self.crawler.stats.inc_value(f"{META_KEY}/{name}")

    def _failed(self, failure: NdcError) -> None:
        self._count("errors")
        logger.error("the crawl goes on without the verdict: %s", failure)


class NearDuplicatesMiddleware(_Component):
    """Compares each response before the spider sees it: ``response.meta["ndc"]`` is the ``ndc.Result``, and
    ``response.flags`` has ``ndc-near``, ``ndc-exact``, … A request with ``meta={"ndc_skip": True}`` is left alone."""

    def __init__(self, crawler: Any):
        settings = crawler.settings
        action = settings.get("ND_ACTION", "tag")
        super().__init__(crawler, settings.get("ND_STORE"), action, _ACTIONS, settings.getdict("ND_OPTIONS"))
        self._thread_bytes = settings.getint("ND_THREAD_BYTES", 1 << 18)

    @classmethod
    def from_crawler(cls, crawler: Any) -> NearDuplicatesMiddleware:
        return cls(crawler)

    def process_spider_input(self, response: Any, spider: Any = None) -> None:
        if self._engine is None or response.meta.get(SKIP_KEY):
            return
        if len(response.body) < self._thread_bytes:
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

    def _check(self, response: Any) -> Optional[Result]:
        kind = response.headers.get(b"Content-Type")
        truncated = "partial" in response.flags or "dataloss" in response.flags
        try:
            return self.engine.check(
                response.url, response.body, None if kind is None else kind.decode("latin-1"), truncated=truncated
            )
        except NdcError as failure:
            self._failed(failure)
            return None

    def _take(self, response: Any, result: Optional[Result]) -> None:
        """Marks the response; raises DuplicatePage if the spider is not to see it."""
        if result is None:
            return
        self._count(f"verdict/{result.verdict}")
        response.meta[META_KEY] = result
        response.flags.append(f"ndc-{result.verdict}")
        if is_copy(result):
            self._count("duplicates")
            if self.action == "drop":
                self._count("dropped")
                raise DuplicatePage(result)

    def _stays(self, response: Any, output: Any) -> bool:
        if self.action != "skip-links" or not isinstance(output, Request):
            return True
        result = response.meta.get(META_KEY)
        if result is None or not is_copy(result):
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
        result = await maybe_deferred_to_future(deferToThread(self._check, response))
        self._take(response, result)
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


class NearDuplicatesPipeline(_Component):
    """Compares the texts of items: the field of ``ND_ITEM_FIELD``, by the URL in the field ``url`` if there is one.
    ``tag`` puts ``ndc_group``, ``ndc_verdict`` and ``ndc_resemblance`` into items that can take them, ``drop``
    drops duplicates."""

    def __init__(self, crawler: Any):
        settings = crawler.settings
        action = settings.get("ND_ITEM_ACTION", "tag")
        super().__init__(
            crawler, settings.get("ND_ITEM_STORE"), action, ("tag", "drop"), settings.getdict("ND_ITEM_OPTIONS")
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
            if is_copy(result):
                raise DropItem(f"a duplicate ({result.verdict}) of group {result.group_id}")
            return item
        values = (result.group_id, result.verdict.value, result.resemblance if result.is_duplicate else None)
        for name, value in zip(("ndc_group", "ndc_verdict", "ndc_resemblance"), values):
            try:
                fields[name] = value
            except KeyError:  # an Item or dataclass without such a field
                self._count("item/field_missing")
        return item
