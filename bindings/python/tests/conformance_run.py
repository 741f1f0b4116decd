"""Runs one case of tests/conformance/cases.json."""

import base64
import hashlib

import ndc_dedup as ndc

FETCHED_AT_MS = 1_700_000_000_000
ERRORS = (
    "OK INVALID_ARGUMENT NO_MEMORY IO CORRUPT UNSUPPORTED_VERSION LOCKED READ_ONLY NOT_FOUND LIMIT INTERNAL".split()
)


class Record:
    """An object of the case; what nobody has asked for is a fault."""

    def __init__(self, members, place, faults):
        self.members = members
        self.place = place
        self.faults = faults
        self.read = set()

    def __contains__(self, key):
        self.read.add(key)
        return key in self.members

    def __getitem__(self, key):
        self.read.add(key)
        return self.members[key]

    def get(self, key, default=None):
        return self[key] if key in self else default

    def fail(self, sentence):
        self.faults.append(f"{self.place}: {sentence}")

    def compare(self, key, actual):
        if key in self and self[key] != actual:
            self.fail(f"{key} is {actual!r}, not {self[key]!r}")

    def compare_set(self, key, actual):
        if key in self and sorted(self[key]) != sorted(actual):
            self.fail(f"{key} are {sorted(actual)}, not {sorted(self[key])}")

    def compare_range(self, key, actual):
        if key in self:
            low, high = self[key]
            if not low <= actual <= high or low > high:
                self.fail(f"{key} is {actual}, not in {self[key]}")

    def finish(self):
        for key in self.members.keys() - self.read:
            self.fail(f'"{key}" is not known here')


def hex_numbers(numbers):
    return [f"{number:016x}" for number in numbers]


def word(name):
    return str(name).replace("-", "_")


class Run:
    def __init__(self):
        self.faults = []
        self.pages = {}
        self.used = set()
        self.checked = {}
        self.founded = {}
        self.options = {}

    def run(self, case):
        record = Record(case, "case", self.faults)
        record["name"]
        if not record["why"]:
            record.fail('"why" is empty')
        self.options = record.get("options", {})
        for name, page in record.get("pages", {}).items():
            self.pages[name] = self.read_page(Record(page, f"page {name}", self.faults))
        steps = record["steps"]
        if not steps:
            record.fail("it has no steps")
        record.finish()
        with ndc.NearDuplicates(**self.options) as self.engine:
            for number, members in enumerate(steps, 1):
                step = Record(members, f"step {number}", self.faults)
                call = step["call"]
                expect = Record(step["expect"], f"step {number} ({call})", self.faults)
                getattr(self, "step_" + call)(step, expect)
                step.finish()
                expect.finish()
        for name in self.pages.keys() - self.used:
            record.fail(f"page {name} is in no step")
        return self.faults

    def read_page(self, record):
        bodies = []
        if "body" in record:
            bodies.append(record["body"].encode())
        if "body_base64" in record:
            bodies.append(base64.b64decode(record["body_base64"], validate=True))
        if "body_repeat" in record:
            repeat = Record(record["body_repeat"], record.place + " body_repeat", self.faults)
            bodies.append(
                (repeat.get("before", "") + repeat["text"] * repeat["count"] + repeat.get("after", "")).encode()
            )
            repeat.finish()
        if len(bodies) != 1:
            raise ValueError(f"{record.place} has not one body")
        page = {
            "url": record["url"],
            "body": bodies[0],
            "content_type": record.get("content_type"),
            "truncated": record.get("truncated", False),
            "fetched_at": record.get("fetched_at_ms", FETCHED_AT_MS) / 1000,
        }
        record.finish()
        return page

    def page(self, name):
        self.used.add(name)
        return self.pages[name]

    def answer(self, expect, call):
        """None if it failed; whether it was to fail is compared here."""
        try:
            value = call()
        except ndc.NdcError as failure:
            if not str(failure):
                expect.fail("an error without a sentence")
            if "error" in expect:
                expect.compare("error", ERRORS[-failure.status])
            else:
                expect.fail(f"unexpected {failure!r}")
            return None
        expect.compare("error", "OK")
        return value

    def compare_id(self, expect, key, ids, actual):
        if key in expect:
            wanted = 0 if expect[key] is None else ids[expect[key]]
            if wanted != (actual or 0):
                expect.fail(f"{key} is {actual}, not {expect[key]} of {ids}")

    def compare_ratios(self, expect, result):
        expect.compare("verdict", word(result.verdict))
        expect.compare_set("flags", result.flags.words)
        for name in ("resemblance", "containment", "page_coverage", "matched_coverage", "probability"):
            expect.compare_range(name, getattr(result, name))

    def decide(self, step, expect, remember, call):
        name = step["page"]
        page = self.page(name)
        result = self.answer(expect, lambda: call(page))
        if result is None:
            return
        self.compare_ratios(expect, result)
        expect.compare("page_id", result.page_id)
        expect.compare("group_id", result.group_id)
        self.compare_id(expect, "matched", self.checked, result.matched_page_id)
        if remember:
            if not result.page_id:
                expect.fail("a page that was checked has no id")
            self.checked[name] = result.page_id
            if result.is_founder:
                self.founded[name] = result.group_id
        self.compare_id(expect, "group", self.founded, result.group_id)
        self.compare_id(expect, "related", self.founded, result.related_group_id)

    def features_of(self, page):
        return ndc.Features.compute(**page, **self.options)

    def signature_of(self, page):
        return ndc.Signature.compute(**{key: page[key] for key in page if key != "fetched_at"}, **self.options)

    def step_check(self, step, expect):
        self.decide(step, expect, True, lambda page: self.engine.check(**page))

    def step_query(self, step, expect):
        self.decide(step, expect, False, lambda page: self.engine.query(**page))

    def step_check_with_text(self, step, expect):
        def check(page):
            result, text = self.engine.check_with_text(**page)
            expect.compare("own_text", text)
            return result

        self.decide(step, expect, True, check)

    def step_own_text(self, step, expect):
        page = self.page(step["page"])
        given = {key: page[key] for key in page if key != "fetched_at"}
        text = self.answer(expect, lambda: self.engine.own_text(**given))
        if text is not None:
            expect.compare("own_text", text)

    def step_check_features(self, step, expect):
        self.decide(step, expect, True, lambda page: self.engine.check_features(self.features_of(page)))

    def step_open(self, step, expect):
        options = step["options"]
        self.answer(expect, lambda: ndc.NearDuplicates(**options).close() or True)

    def step_remove(self, step, expect):
        url = step["url"]
        found = self.answer(expect, lambda: self.engine.remove(url))
        if found is not None:
            expect.compare("found", found)

    def step_find(self, step, expect):
        url = step["url"]
        info = self.answer(expect, lambda: self.engine.find(url) or ())
        if info is None:
            return
        expect.compare("found", bool(info))
        if not info:
            return
        expect.compare("verdict", word(info.verdict))
        expect.compare_set("flags", info.flags.words)
        for name in ("page_id", "text_width", "first_fetched_at_ms", "last_fetched_at_ms"):
            expect.compare(name, getattr(info, name))
        self.compare_id(expect, "group", self.founded, info.group_id)

    def step_members(self, step, expect):
        group = self.founded[step["group"]]
        members = self.answer(expect, lambda: self.engine.members(group))
        if members is not None and "pages" in expect:
            wanted = [self.checked[name] for name in expect["pages"]]
            if [page.page_id for page in members] != wanted:
                expect.fail(f"pages are {members}, not {wanted}")

    def step_events(self, step, expect):
        events = self.answer(expect, lambda: list(self.engine.events()))
        if events is None:
            return
        wanted = expect["events"]
        if len(events) != len(wanted):
            expect.fail(f"{events} are not {wanted}")
            return
        for number, (event, members) in enumerate(zip(events, wanted), 1):
            record = Record(members, f"event {number}", self.faults)
            record.compare("kind", str(event.kind))
            self.compare_id(record, "page", self.checked, event.page_id)
            self.compare_id(record, "old_group", self.founded, event.old_group_id)
            self.compare_id(record, "new_group", self.founded, event.new_group_id)
            record.finish()

    def step_explain(self, step, expect):
        pages = self.checked[step["a"]], self.checked[step["b"]]
        report = self.answer(expect, lambda: self.engine.explain(*pages))
        if report is None:
            return
        expect.compare("verdict", report.verdict)
        expect.compare("rule", report.rule)
        for name in ("resemblance", "containment", "page_coverage", "matched_coverage", "probability"):
            expect.compare_range(name, report.data[name])

    def step_stats(self, step, expect):
        for name, value in self.answer(expect, self.engine.stats).items():
            expect.compare(name, value)

    def step_features(self, step, expect):
        if ("page" in step) == ("bytes_base64" in step):
            raise ValueError("features of a page or of bytes")

        def read():
            if "page" in step:
                features = self.features_of(self.page(step["page"]))
            else:
                features = ndc.Features(base64.b64decode(step["bytes_base64"], validate=True))
            features = self.with_site(step, features)
            raw = bytearray(bytes(features))
            del raw[len(raw) - min(len(raw), step.get("cut_bytes", 0)) :]
            if "flip_byte" in step:
                raw[step["flip_byte"]] ^= 1
            features = ndc.Features(raw)
            return features, features.keys, features.parts

        found = self.answer(expect, read)
        if found is None:
            return
        features, keys, parts = found
        expect.compare("keys", hex_numbers(keys))
        expect.compare("parts", hex_numbers(parts))
        expect.compare("key_count", len(keys))
        expect.compare("part_count", len(parts))
        expect.compare("bytes_sha256", hashlib.sha256(bytes(features)).hexdigest())

    def with_site(self, step, features):
        """The features with what their site knows, if the step names the pages that it has learned."""
        if "site_pages" not in step:
            return features
        site = ndc.SiteModel()
        for name in step["site_pages"]:
            site.learn(self.features_of(self.page(name)))
        return features.with_site(site)

    def step_decide(self, step, expect):
        pages = self.page(step["a"]), self.page(step["b"])

        # The options are those of the decision, which the computation would refuse.
        def decide():
            a, b = (self.with_site(step, ndc.Features.compute(**page)) for page in pages)
            return a.decide(b, **self.options)

        result = self.answer(expect, decide)
        if result is not None:
            self.compare_ratios(expect, result)
            if result.page_id or result.group_id or result.matched_page_id:
                expect.fail("a comparison without an engine has ids")

    def step_signature(self, step, expect):
        page = self.page(step["page"])

        def read():
            signature = self.signature_of(page)
            return signature, signature.keys

        found = self.answer(expect, read)
        if found is None:
            return
        signature, keys = found
        expect.compare("hex", bytes(signature).hex())
        expect.compare("keys", hex_numbers(keys))
        expect.compare_range("size", len(signature))
        expect.compare_range("key_count", len(keys))

    def step_signature_compare(self, step, expect):
        pages = self.page(step["a"]), self.page(step["b"])

        def compare():
            a, b = map(self.signature_of, pages)
            return a.similarity(b)

        similarity = self.answer(expect, compare)
        if similarity is not None:
            expect.compare_range("similarity", similarity)


def faults_of(case):
    """What was not as the case says."""
    run = Run()
    try:
        return run.run(case)
    except Exception as unreadable:
        return [*run.faults, f"the case cannot be run: {unreadable!r}"]
