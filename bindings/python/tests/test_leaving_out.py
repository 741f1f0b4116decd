"""Which answers let a page be left out as a copy of one that stays, and which do not."""

import ndc_dedup as ndc
import pytest
from ndc_dedup.leaving_out import LeavingOut, Relation
from texts import edited, text


def relation(options, body, **page):
    """The answer about an edited copy of text 1, and what it is to text 1."""
    with ndc.NearDuplicates(block_weights="none", **options) as engine:
        engine.check("http://a.example/", text(1, 600), "text/plain")
        answer = engine.check("http://b.example/", body, "text/plain", **page)
        return answer, LeavingOut(leave_out_parts=True).relation(engine, answer)


def test_an_edited_copy_is_left_out():
    answer, found = relation({}, edited(1, 600))
    assert answer.verdict is ndc.Verdict.NEAR and not answer.flags and found is Relation.COPY


@pytest.mark.parametrize(
    ("options", "page", "flag"),
    [({}, {"truncated": True}, ndc.Flag.TRUNCATED), ({"tokens_limit": 590}, {}, ndc.Flag.LIMIT)],
    ids=["truncated", "limit"],
)
def test_a_near_page_that_is_known_in_part_stays(options, page, flag):
    answer, found = relation(options, edited(1, 600), **page)
    assert answer.verdict is ndc.Verdict.NEAR and flag in answer.flags
    assert found is Relation.OTHER


def test_a_page_that_stayed_stays_when_it_comes_again():
    with ndc.NearDuplicates() as engine:
        engine.check("http://a.example/", text(1, 600), "text/plain")
        for verdict in (ndc.Verdict.NEAR, ndc.Verdict.UNCHANGED):
            answer = engine.check("http://b.example/", edited(1, 600), "text/plain", truncated=True)
            assert answer.verdict is verdict
            assert LeavingOut(leave_out_parts=False).relation(engine, answer) is Relation.OTHER


def test_a_text_that_is_equal_is_left_out_whatever_was_cut():
    with ndc.NearDuplicates() as engine:
        engine.check("http://a.example/", text(1, 600), "text/plain")
        answer = engine.check("http://b.example/", text(1, 600), "text/plain")
        assert answer.verdict is ndc.Verdict.EXACT
        limited = answer._replace(flags=ndc.Flag.LIMIT)
        assert LeavingOut(leave_out_parts=False).relation(engine, limited) is Relation.COPY
