"""The cases that every language runs, and the runner's own faults."""

import copy
import json

import pytest
from conformance_run import faults_of
from places import SOURCE

CASES = json.loads((SOURCE / "tests/conformance/cases.json").read_text(encoding="utf-8"))
GOOD = {
    "name": "good",
    "why": "it is what the others are made of",
    "pages": {"ferry": {"url": "http://a.example/ferry", "body": "<p>The ferry leaves at noon and at six.</p>"}},
    "steps": [
        {
            "call": "check",
            "page": "ferry",
            "expect": {"verdict": "new", "group": "ferry", "matched": None, "flags": ["short"], "resemblance": [0, 0]},
        }
    ],
}


def test_the_file_is_what_it_was():
    assert CASES.keys() == {"format", "cases"}
    assert CASES["format"] == 1


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["name"])
def test_case(case):
    assert faults_of(case) == [], case["why"]


def test_the_good_case_has_no_fault():
    assert faults_of(GOOD) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda case: case.update(surprise=1),
        lambda case: case["pages"]["ferry"].update(surprise=1),
        lambda case: case["steps"][0].update(surprise=1),
        lambda case: case["steps"][0]["expect"].update(surprise=1),
        lambda case: case["steps"][0].update(call="chekc"),
        lambda case: case["pages"]["ferry"].update(body_base64=""),
        lambda case: case["pages"].update(quay=case["pages"]["ferry"]),
        lambda case: case["steps"][0]["expect"].update(verdict="near"),
        lambda case: case["steps"][0]["expect"].update(group=None),
        lambda case: case["steps"][0]["expect"].update(matched="ferry"),
        lambda case: case["steps"][0]["expect"].update(flags=[]),
        lambda case: case["steps"][0]["expect"].update(flags=["short", "limit"]),
        lambda case: case["steps"][0]["expect"].update(resemblance=[0.1, 1]),
        lambda case: case["steps"][0]["expect"].update(resemblance=[1, 0]),
        lambda case: case["steps"][0]["expect"].update(page_id=7),
        lambda case: case["steps"][0]["expect"].update(error="INVALID_ARGUMENT"),
    ],
)
def test_a_fault_is_seen(change):
    case = copy.deepcopy(GOOD)
    change(case)
    assert faults_of(case) != []
