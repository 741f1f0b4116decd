"""An engine of the Python package: its checks, its answers as Python objects, and its failures as exceptions."""

import copy
import enum
import logging
import pickle
from datetime import datetime, timezone

import ndc_dedup as ndc
import pytest
from ndc_dedup import Flag, Verdict
from texts import FERRY, NEWS, STORY, text

WHEN = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


@pytest.fixture
def engine():
    with ndc.NearDuplicates() as opened:
        yield opened


@pytest.fixture
def filled(engine):
    engine.check("http://one.example/lighthouse", STORY, "text/html", fetched_at=WHEN)
    engine.check("http://two.example/news", NEWS, "text/html", fetched_at=WHEN)
    engine.check("http://one.example/ferry", FERRY, "text/html", fetched_at=WHEN)
    return engine


def test_new_near_unchanged_exact(engine):
    first = engine.check("http://one.example/", STORY, "text/html")
    assert first == (Verdict.NEW, Flag(0), 1, 1, 0, 0, 0, 0, 0, 0, 0)
    assert not first.is_duplicate and first.is_founder
    near = engine.check("http://two.example/", NEWS)
    assert (near.verdict, near.group_id, near.matched_page_id) == ("near", 1, 1)
    assert near.is_duplicate and not near.is_founder
    assert 0.9 < near.resemblance < 1 and near.containment == near.matched_coverage == 1
    assert engine.check("http://one.example/", STORY).verdict is Verdict.UNCHANGED
    assert engine.check("http://three.example/", STORY).verdict is Verdict.EXACT
    assert engine.check("http://four.example/", b"\x89PNG\r\n\x1a\n").verdict is Verdict.NO_TEXT


def test_a_page_that_nearly_joined_names_the_group():
    shared, more, else_ = (f"<p>{text(seed)}</p>" for seed in (1, 2, 3))
    with ndc.NearDuplicates() as engine:
        first = engine.check("http://one.example/", shared + more + else_)
        related = engine.check("http://two.example/", shared + "".join(f"<p>{text(seed)}</p>" for seed in (4, 5, 6)))
        assert (related.verdict, related.related_group_id) == (Verdict.NEW, first.group_id)
        assert 0 < related.probability < 0.5
        explanation = engine.explain(first.page_id, related.page_id)
        assert explanation.probability == pytest.approx(related.probability, abs=1e-6)
        exact = engine.check("http://three.example/", shared + more + else_)
        assert (exact.probability, exact.related_group_id) == (1, 0)


def test_query_changes_nothing(filled):
    before = filled.stats()
    result = filled.query("http://three.example/", STORY)
    assert (result.verdict, result.page_id, result.group_id) == (Verdict.EXACT, 0, 1)
    assert filled.query("http://three.example/", "<p>" + text(3)).group_id == 0
    assert {
        **filled.stats(),
        "queries": 0,
        "candidates": 0,
        "verifications": 0,
        "bytes_scratch": 0,
        "bytes_total": 0,
    } == {**before, "queries": 0, "candidates": 0, "verifications": 0, "bytes_scratch": 0, "bytes_total": 0}


@pytest.mark.parametrize(
    "kind", [bytes, bytearray, memoryview, lambda raw: memoryview(bytearray(raw)), lambda raw: raw.decode()]
)
def test_every_kind_of_body_is_the_same_page(kind):
    body = "<p>Straße über Öland — 東京</p>".encode() + STORY.encode()
    with ndc.NearDuplicates() as engine:
        engine.check("http://a.example/", body, "text/html; charset=utf-8")
        assert engine.check("http://b.example/", kind(body), "text/html; charset=utf-8").verdict is Verdict.EXACT


def test_a_str_is_what_it_says_whatever_its_markup_says():
    body = "<meta charset=iso-8859-1><p>Straße über Öland — 東京" + STORY
    seen = ndc.extract(body, "text/html; charset=windows-1252")
    assert seen["charset"].lower() == "utf-8"
    assert "straße über öland — 東京" in seen["blocks"][0]["text"].replace("strasse", "straße")
    assert ndc.extract("\ud800 lone", "text/plain")["kind"] == "text"


def test_a_view_with_gaps_is_read_as_what_it_shows(engine):
    doubled = bytes(byte for byte in STORY.encode() for _ in range(2))
    engine.check("http://a.example/", STORY)
    assert engine.check("http://b.example/", memoryview(doubled)[::2]).verdict is Verdict.EXACT


@pytest.mark.parametrize("body", [None, 7, ["a"], object(), 1.5])
def test_what_is_no_body_is_refused(engine, body):
    with pytest.raises(TypeError, match="body"):
        engine.check("http://a.example/", body)
    assert len(engine) == 0


@pytest.mark.parametrize("url", [7, ["a"], bytearray(b"a")])
def test_what_is_no_url_is_refused(engine, url):
    for call in (lambda: engine.check(url, STORY), lambda: engine.find(url), lambda: engine.remove(url)):
        with pytest.raises(TypeError, match="URL"):
            call()


def test_what_is_no_content_type_is_refused(engine):
    with pytest.raises(TypeError, match="content type"):
        engine.check("http://a.example/", STORY, b"text/html")


def test_urls_are_bytes_in_the_end(engine):
    engine.check("http://a.example/ß", STORY)
    assert engine.find("http://a.example/ß".encode()).url == "http://a.example/ß"
    engine.check(b"http://a.example/\xff\0", FERRY)
    info = engine.page(2)
    assert info.url == "http://a.example/\udcff\0" and engine.find(info.url) == info
    assert info.url in engine and b"http://a.example/\xff\0" in engine and 7 not in engine
    with pytest.raises(ValueError):
        engine.check("http://a.example/\ud800", STORY)


def test_a_long_url_comes_back(engine):
    url = "http://a.example/" + "x" * 100_000
    assert engine.page(engine.check(url, STORY).page_id).url == url
    with pytest.raises(ndc.InvalidArgumentError):
        engine.check("x" * (1 << 21), STORY)


def test_no_url_is_a_new_page_each_time(engine):
    assert engine.check(None, STORY).verdict is Verdict.NEW
    assert engine.check(None, STORY).verdict is Verdict.EXACT
    assert len(engine) == 2


def test_times(engine):
    engine.check("http://a.example/", STORY, fetched_at=WHEN)
    engine.check("http://a.example/", STORY, fetched_at=WHEN.timestamp() + 1.5)
    info = engine.find("http://a.example/")
    assert info.first_fetched_at == WHEN
    assert (info.last_fetched_at - WHEN).total_seconds() == 1.5
    with pytest.raises(ndc.InvalidArgumentError, match="time zone"):
        engine.check("http://a.example/", STORY, fetched_at=datetime(2026, 1, 1))
    for wrong in (0, -1.0, float("inf"), float("nan"), 1e300):
        with pytest.raises(ndc.InvalidArgumentError):
            engine.check("http://a.example/", STORY, fetched_at=wrong)
    for wrong in ("now", True, WHEN.date()):
        with pytest.raises(TypeError):
            engine.check("http://a.example/", STORY, fetched_at=wrong)


def test_two_truncated_pages_are_never_duplicates(engine):
    for name in "ab":
        result = engine.check(f"http://{name}.example/", STORY, truncated=True)
    assert result.verdict is Verdict.NEW and Flag.TRUNCATED in result.flags


def test_nothing_of_a_call_is_left_in_the_next_one(engine):
    with pytest.raises(ndc.InvalidArgumentError):
        engine.check("x" * (1 << 21), STORY)
    cut = engine.check("http://a.example/", "<p>" + STORY, "text/plain", fetched_at=WHEN, truncated=True)
    assert Flag.TRUNCATED in cut.flags
    engine.query("http://a.example/", STORY)
    whole = engine.check(None, STORY)
    assert (whole.page_id, Flag.TRUNCATED in whole.flags) == (2, False)
    info = engine.page(2)
    assert info.url == "" and info.last_fetched_at > WHEN
    assert engine.check("http://b.example/", STORY, "text/html").verdict is Verdict.EXACT


def test_groups_members_and_pages(filled):
    assert list(filled.groups()) == [(1, 2, 1), (3, 1, 3)]
    assert [page.url for page in filled.members(1)] == ["http://one.example/lighthouse", "http://two.example/news"]
    assert [filled.kept(1, rule).page_id for rule in ("first", "longest", "newest")] == [1, 2, 1]
    with pytest.raises(ndc.NotFoundError):
        filled.kept(99)
    with pytest.raises(ndc.InvalidArgumentError, match="longest"):
        filled.kept(1, "shortest")
    assert filled.page(2) == filled.find("http://two.example/news") == filled.members(1)[1]
    assert filled.page(99) is None and filled.find("?") is None
    with pytest.raises(ndc.NotFoundError):
        filled.members(99)
    with pytest.raises(LookupError):
        filled.members(0)


def test_removing(filled):
    assert filled.remove("http://one.example/lighthouse") is True
    assert filled.remove("http://one.example/lighthouse") is False
    assert list(filled.groups())[0] == (1, 1, None)
    assert [(event.kind, event.page_id, event.new_group_id) for event in filled.events()] == [("removed", 1, None)]
    assert list(filled.events(after=1)) == []
    assert filled.remove_matching(site="one.example", fetched_before=WHEN) == 0
    assert filled.remove_matching(site="one.example", fetched_before=WHEN.timestamp() + 1) == 1
    assert filled.remove_matching(prefix="http://two.", purge=True) == 1
    assert len(filled) == 0 and filled
    with pytest.raises(ndc.InvalidArgumentError):
        filled.remove_matching()


def test_compare_by_id_and_by_url(filled):
    near = filled.compare(1, 2)
    assert near == filled.compare("http://one.example/lighthouse", "http://two.example/news")
    assert near.verdict == "near" and near.matched_page_id == 1 and near.page_id == 2 and not near.is_part
    # Of so little text a word may make another page.
    assert ndc.Flag.UNCERTAIN in near.flags and not near.is_copy
    assert filled.compare(1, 3).verdict == "new" and filled.compare(1, 1).verdict == "exact"
    for pair in ((1, 99), ("http://none.example/", 1)):
        with pytest.raises(ndc.NotFoundError):
            filled.compare(*pair)


def test_explain_by_id_and_by_url(filled):
    report = filled.explain(1, 2)
    assert report == filled.explain("http://one.example/lighthouse", "http://two.example/news")
    assert report.verdict == "near" and report.is_duplicate and report.rule and 0.9 < report.resemblance < 1
    assert report.data["a"]["url"] == "http://one.example/lighthouse"
    assert str(report).startswith("near by the rule") and "two.example/news" in str(report)
    assert "different" in str(filled.explain(1, 3)) and repr(report).startswith("<Explanation near")
    for pair in ((1, 99), (99, 1), (1, "http://nobody.example/")):
        with pytest.raises(ndc.NotFoundError):
            filled.explain(*pair)


def test_explain_shows_the_texts_that_were_kept():
    with ndc.NearDuplicates(keep_text=True) as engine:
        engine.check("http://a.example/", STORY)
        engine.check("http://b.example/", NEWS)
        assert "  + local news" in str(engine.explain(1, 2)).lower()


def test_explain_tells_the_boilerplate_that_was_learned():
    def page(seed):
        return f"<body><p>daily news of the coast</p><p>{text(seed)}</p><p>imprint and contact</p></body>"

    with ndc.NearDuplicates() as engine:
        engine.check("http://one.example/0", page(0))
        engine.check("http://two.example/0", page(0))
        assert engine.explain(1, 2).boilerplate == {"a": [], "b": []}
        assert "boilerplate" not in str(engine.explain(1, 2))
        for seed in range(1, 12):
            engine.check(f"http://one.example/{seed}", page(seed))
        learned = engine.explain(1, 2)
        assert learned.boilerplate["b"] == []
        (head, (begin, end)) = learned.boilerplate["a"]
        assert head == (0, 5) and end - begin == 3
        assert learned.data["segments"][-1]["a"][1] == end
        assert "boilerplate of the sites: 8 tokens of a, 0 of b" in str(learned)


def test_the_own_text_is_without_what_the_site_repeats(engine):
    def page(number):
        return f"<p>{text(900)}</p><p>{text(number)}</p>"

    address = "http://one.example/{}".format
    assert engine.own_text(address(0), page(0)) == f"{text(900)}\n{text(0)}", "nothing is known"
    for number in range(8):
        result, own = engine.check_with_text(address(number), page(number), "text/html", fetched_at=WHEN)
        assert (result.verdict, result.page_id) == (Verdict.NEW, number + 1)
    assert own == text(7)
    assert engine.own_text(address(3), page(3)) == text(3)
    assert engine.own_text(None, page(3)) != text(3), "of no site"
    assert engine.own_text(address(9), b"\x89PNG\r\n\x1a\n") == ""
    assert len(engine) == 8


def test_similar(filled):
    assert [(page.url, page.page_id, page.group_id) for page in filled.similar(1)] == [
        ("http://two.example/news", 2, 1)
    ]
    assert filled.similar("http://one.example/ferry") == []
    for limit in (0, 1001, True, "3"):
        with pytest.raises(ndc.InvalidArgumentError):
            filled.similar(1, limit)
    with pytest.raises(ndc.NotFoundError):
        filled.similar(99)


@pytest.mark.parametrize("number", [-1, 1 << 64])
def test_what_is_no_id_is_refused(filled, number):
    for call in (filled.page, filled.members, filled.similar):
        with pytest.raises(ndc.InvalidArgumentError):
            call(number)
    with pytest.raises(TypeError):
        filled.page(True)


def test_counters(filled):
    stats = filled.stats()
    assert (stats["pages"], stats["groups"], stats["verdict_near"], stats["limit_sites"]) == (3, 2, 1, 0)
    metrics = filled.metrics()
    assert metrics["ndc_pages"] == 3 and any('le="' in name for name in metrics)
    assert len(metrics) == len([line for line in filled.metrics_text().splitlines() if not line.startswith("#")])


def test_options():
    keys = {option.key: option for option in ndc.options()}
    assert keys["detector"].default == "lcs" and keys["detector"].is_persistent and not keys["read_only"].is_persistent
    with ndc.NearDuplicates(x_relaxed=False, same_document=0.5, detector="lcs", keys_bytes=1 << 20):
        pass
    with pytest.raises(ndc.InvalidArgumentError, match='"x_relaxed"'):
        ndc.NearDuplicates(relaxd=True)
    with pytest.raises(ValueError):
        ndc.NearDuplicates(same_document=1e-30 + 2)
    with ndc.NearDuplicates(same_document=1e-7):
        pass
    for wrong in (None, b"x", [1]):
        with pytest.raises(TypeError, match="x_relaxed"):
            ndc.NearDuplicates(x_relaxed=wrong)
    for wrong in ({"x_relaxed": "tr\0ue"}, {"relax\0ed": "true"}):
        with pytest.raises(ndc.InvalidArgumentError, match="NUL"):
            ndc.NearDuplicates(**wrong)
    with pytest.raises(ndc.InvalidArgumentError):
        ndc.NearDuplicates(same_document=float("nan"))


def test_answers_are_values(filled):
    answers = [
        filled.check("http://two.example/news", NEWS),
        filled.page(2),
        next(filled.groups()),
        filled.similar(1)[0],
        ndc.options()[0],
        filled.explain(1, 2),
    ]
    for answer in answers:
        assert pickle.loads(pickle.dumps(answer)) == answer
    assert hash(answers[0]) == hash(tuple(answers[0]))
    with pytest.raises(AttributeError):
        answers[0].verdict = Verdict.NEW
    assert str(Verdict.NO_TEXT) == "no-text" and (Flag.RECRAWL | Flag.SHORT).words == ("recrawl", "short")
    assert issubclass(Flag, enum.IntFlag)


def test_an_engine_is_no_value(engine):
    for copy_it in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="pickled"):
            copy_it(engine)


def test_the_log_goes_to_logging(engine, caplog):
    with caplog.at_level(logging.INFO, "ndc_dedup"):
        ndc._engine_state._log(2, ndc._ndcapi.ffi.new("char[]", b"careful"), 7, ndc._ndcapi.ffi.NULL)
    assert [(record.name, record.levelname, record.message) for record in caplog.records] == [
        ("ndc_dedup", "WARNING", "careful")
    ]


def test_a_log_handler_that_raises_is_not_in_the_way(capfd):
    class Broken(logging.Handler):
        def emit(self, record):
            raise RuntimeError("out of paper")

    handler = Broken()
    logging.getLogger("ndc_dedup").addHandler(handler)
    try:
        ndc._engine_state._log(1, ndc._ndcapi.ffi.new("char[]", b"oh"), 2, ndc._ndcapi.ffi.NULL)
    finally:
        logging.getLogger("ndc_dedup").removeHandler(handler)
    assert "out of paper" in capfd.readouterr().err
