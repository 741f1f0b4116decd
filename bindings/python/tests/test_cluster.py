"""The client of a cluster: its bytes, and with confluent-kafka and the Java modules a cluster of one instance."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from struct import pack

import pytest

import ndc_dedup as ndc
from ndc_dedup import Flag, Result, Verdict
from ndc_dedup import _cluster_messages as messages
from places import BUILD, SOURCE
from texts import text

URL = "http://é.example/"
UNCHANGED = Result(Verdict.UNCHANGED, Flag.RECRAWL, 5, 3, 3, 0.5, 0.75, 0.625, 0.5, 1.0, 0)
NEAR = Result(Verdict.NEAR, Flag.SHORT | Flag.CONTAINS, 5, 3, 3, 0.5, 0.75, 0.625, 0.5, 0.875, 0)


def kept():
    lines = (SOURCE / "plugins/kafka/src/test/resources/client-messages.tsv").read_text().splitlines()[1:]
    return {name: bytes.fromhex(data) for name, data in (line.split("\t") for line in lines)}


def test_both_clients_write_and_read_the_same_bytes():
    expected = kept()
    assert messages.ask("client", 7, b"\x01\x02\xff") == expected["ask"]
    assert messages.remove("client", 8, URL, True) == expected["remove"]
    assert messages.message(expected["answer"]) == messages.Answer(7, 5, UNCHANGED, NEAR, URL, "")
    assert messages.message(expected["refused"]) == messages.Answer(9, 5, None, None, "", "why")
    assert messages.message(expected["happened"]) == messages.Happened("MERGED", 5, 3, 1764000000000)
    assert messages.message(expected["ask"]) is None
    assert messages.key_of(messages.page_id(URL.encode())) == expected["page id"]
    keys = ("", "a", "ab", "abc", "abcd", "3f2c9a52-0000-4000-8000-0123456789ab")
    assert bytes(messages.partition_of(key.encode(), 16) for key in keys) == expected["partition of 16"]


def test_bytes_that_are_none_are_refused():
    for name in ("answer", "refused", "happened"):
        data = kept()[name]
        for size in range(len(data)):
            with pytest.raises(ndc.CorruptError):
                messages.message(data[:size])
        with pytest.raises(ndc.CorruptError):
            messages.message(data + b"\0")
        with pytest.raises(ndc.UnsupportedVersionError, match="version 2; this client reads version 1"):
            messages.message(b"\x02" + data[1:])
    with pytest.raises(ndc.CorruptError):
        messages.message(b"\x01\x14" + pack(">i", 1 << 30))


class Tried:
    """What run-local starts."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.address = f"localhost:{free.getsockname()[1]}"
        module = BUILD / "java/ndc-kafka"
        if not (module / "test-classpath").exists():
            pytest.skip("the Java modules are not built")
        self.process = subprocess.Popen(
            [SOURCE / "plugins/kafka/run-local", folder, self.address.split(":")[1]],
            env={**os.environ, "NDC_KAFKA_MODULE": str(module)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def instance(self):
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        children = " ".join((task / "children").read_text() for task in tasks).split()
        return next(int(child) for child in children if b"NdClusterNode" in Path(f"/proc/{child}/cmdline").read_bytes())

    def connect(self, **arguments):
        from ndc_dedup.cluster import Cluster, ClusterError

        for tries in range(300):
            try:
                return Cluster(self.address, connect_timeout=2, **arguments)
            except ClusterError:
                assert tries < 299 and self.process.poll() is None
                time.sleep(0.2)


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    pytest.importorskip("confluent_kafka")
    running = Tried(tmp_path_factory.mktemp("cluster"))
    yield running
    running.process.terminate()
    running.process.wait()


def test_two_clients_know_each_others_pages(tried):
    events = []
    with tried.connect(timeout=240, on_event=events.append) as one, tried.connect(timeout=240) as two:
        first = one.check("http://a.example/", f"<p>{text(1001)}").result()
        assert first.result.verdict is Verdict.NEW and first.duplicate_of == ""
        copy = two.check("http://b.example/", f"<p>{text(1001)} It is Monday.").result()
        assert copy.result.verdict is Verdict.NEAR and copy.duplicate_of == "http://a.example/"
        assert copy.result.group_id == first.result.group_id
        again = one.check("http://b.example/", f"<p>{text(1001)} It is Monday.").result()
        assert again.result.verdict is Verdict.UNCHANGED and again.committed.verdict is Verdict.NEAR
        one.remove("http://b.example/").result()
        deadline = time.monotonic() + 30
        while not events and time.monotonic() < deadline:
            time.sleep(0.05)
        assert events[0].kind == "REMOVED" and one.waiting() == two.waiting() == 0
    with pytest.raises(ndc.ClosedError):
        one.check("http://a.example/", "").result()


def test_a_verdict_comes_late(tried):
    late = []
    with tried.connect(timeout=0.5, on_late=late.append) as client:
        os.kill(tried.instance(), signal.SIGSTOP)
        try:
            with pytest.raises(TimeoutError):
                client.check("http://late.example/", f"<p>{text(1005)}").result()
        finally:
            os.kill(tried.instance(), signal.SIGCONT)
        deadline = time.monotonic() + 30
        while not late and time.monotonic() < deadline:
            time.sleep(0.05)
        assert late[0].url == "http://late.example/" and late[0].result.verdict is Verdict.NEW


def test_what_is_wrong_is_told(tried):
    from ndc_dedup.cluster import Cluster, ClusterError

    with tried.connect():
        pass
    with pytest.raises(ClusterError, match="localhost:1: "):
        Cluster("localhost:1", connect_timeout=1)
    with pytest.raises(ClusterError, match="topic other-answers: "):
        Cluster(tried.address, prefix="other")
    with pytest.raises(ndc.InvalidArgumentError, match="no_such"):
        Cluster(tried.address, no_such=1)


def test_a_crawl_asks_a_cluster(tried, tmp_path):
    pytest.importorskip("scrapy")
    from crawled_site import COPIES, Server, site

    tried.connect().close()
    settings = {"ND_CLUSTER_SETTINGS": {"timeout": 240}, "ND_ACTION": "drop"}
    outputs = [tmp_path / "asks.jsonl", tmp_path / "cannot.jsonl"]
    crawls = [
        {**settings, "OUTPUT": str(outputs[0]), "ND_CLUSTER": tried.address},
        {"OUTPUT": str(outputs[1]), "ND_CLUSTER": "localhost:1", "ND_CLUSTER_SETTINGS": {"connect_timeout": 1}},
    ]
    program = Path(__file__).with_name("crawl.py")
    with Server() as server:
        done = subprocess.run(
            [sys.executable, str(program), server.address, json.dumps(crawls)],
            capture_output=True,
            text=True,
            timeout=240,
        )
    assert done.returncode == 0, done.stderr
    lines = [[json.loads(line) for line in output.read_text().splitlines()] for output in outputs]
    duplicates = {f"/copy/{seed}" for seed in range(COPIES)} | {"/long/copy"}
    behind = {f"/behind/{seed}" for seed in range(COPIES)} | {"/behind/long"}
    assert {line["path"] for line in lines[0] if "path" in line} == site().keys() - duplicates - behind
    assert {line["path"] for line in lines[1] if "path" in line} == site().keys()
    stats = lines[0][-1]["stats"]
    assert stats["ndc/dropped"] == len(duplicates) and "ndc/errors" not in stats
    assert "near-duplicates are not looked for: localhost:1: " in done.stderr
