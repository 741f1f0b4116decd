"""Threads, closing, fork, other processes, interrupts: nothing is broken, and what cannot be done says so."""

import _thread
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import ndc_dedup as ndc
import pytest
from ndc_dedup import Verdict, _engine_state
from texts import FERRY, NEWS, STORY, text


def test_a_closed_engine_says_so():
    engine = ndc.NearDuplicates()
    assert not engine.closed
    engine.close()
    engine.close()
    assert engine.closed and "closed" in repr(engine)
    for call in (
        lambda: engine.check("http://a.example/", STORY),
        lambda: engine.query("http://a.example/", STORY),
        lambda: engine.check_features(b""),
        lambda: engine.remove("x"),
        lambda: engine.find("x"),
        lambda: engine.page(1),
        lambda: engine.members(1),
        engine.groups,
        engine.events,
        engine.stats,
        engine.metrics,
        engine.snapshot,
        lambda: engine.explain(1, 2),
        lambda: engine.similar(1),
    ):
        with pytest.raises(ndc.ClosedError):
            call()
    with pytest.raises(ValueError):
        len(engine)


def test_an_iterator_outlives_its_engine():
    with ndc.NearDuplicates() as engine:
        for name, body in (("a", STORY), ("b", FERRY)):
            engine.check(f"http://{name}.example/", body)
        groups, events = engine.groups(), engine.events()
    assert [group.group_id for group in groups] == [1, 2] and list(events) == []


def test_what_was_not_closed_is_closed_with_a_warning(tmp_path):
    engine = ndc.NearDuplicates(tmp_path / "s")
    engine.check("http://a.example/", STORY)
    with pytest.warns(ResourceWarning, match="not closed"):
        del engine
        gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with ndc.NearDuplicates(tmp_path / "s") as engine:
            assert len(engine) == 1
        del engine
        gc.collect()


def test_what_is_open_when_python_ends_is_closed(tmp_path):
    program = (
        "import sys, ndc_dedup as ndc; engine = ndc.NearDuplicates(sys.argv[1], durability='snapshot'); "
        "engine.check('http://a.example/', sys.argv[2])"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "s"), STORY], check=True)
    with ndc.NearDuplicates(tmp_path / "s") as engine:
        assert len(engine) == 1


def test_python_ends_although_a_daemon_thread_is_at_work(tmp_path):
    program = (
        "import itertools, sys, threading, time, ndc_dedup as ndc\n"
        "engine = ndc.NearDuplicates(sys.argv[1])\n"
        "def work():\n"
        "    for i in itertools.count():\n"
        "        engine.check(f'http://a.example/{i}', f'<p>{i} ' + sys.argv[2])\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "while engine.stats()['checks'] < 50: time.sleep(.001)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "s"), STORY], timeout=60)
    assert done.returncode == 0
    with ndc.NearDuplicates(tmp_path / "s") as engine:
        assert len(engine) >= 50


def test_threads_share_an_engine():
    pages = [text(seed) for seed in range(40)]
    verdicts = []
    with ndc.NearDuplicates() as engine:

        def work(name):
            for number, page in enumerate(pages):
                verdicts.append(engine.check(f"http://{name}.example/{number}", page, "text/plain").verdict)
                list(engine.groups())

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(engine) == 160
        assert sorted(map(str, verdicts)) == ["exact"] * 120 + ["new"] * 40
        assert [group.page_count for group in engine.groups()] == [4] * 40


def test_closing_that_waits_in_vain_leaves_an_engine_that_works():
    engine = ndc.NearDuplicates()
    engine.check("http://a.example/", STORY)
    state = engine._state
    inside, leave = threading.Event(), threading.Event()

    def stay(*_):
        inside.set()
        leave.wait()
        return 0

    thread = threading.Thread(target=state.call, args=(stay,))
    thread.start()
    inside.wait()
    assert state.close(timeout=0.01) == 0
    assert not engine.closed and engine.check("http://b.example/", STORY).verdict is Verdict.EXACT
    closers = [threading.Thread(target=engine.close) for _ in range(2)]
    for closer in closers:
        closer.start()
    while not engine.closed:
        time.sleep(0.001)
    with pytest.raises(ndc.ClosedError):
        engine.stats()
    leave.set()
    for waiting in (thread, *closers):
        waiting.join(10)
        assert not waiting.is_alive()
    assert engine.closed


def test_closing_waits_for_the_calls_of_others():
    for round_ in range(20):
        engine = ndc.NearDuplicates()
        errors = []

        def work(engine=engine, errors=errors, round_=round_):
            try:
                for number in range(10_000):
                    engine.check(f"http://a.example/{number}", text(round_) * 3, "text/plain")
                    engine.members(1)
            except ndc.ClosedError:
                errors.append("closed")

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        while engine.stats()["checks"] < 5:
            time.sleep(0.001)
        closers = [threading.Thread(target=engine.close) for _ in range(2)]
        for thread in closers:
            thread.start()
        for thread in (*closers, *threads):
            thread.join()
        assert errors == ["closed"] * 3


def in_child(work):
    """The exit code of a fork that runs `work`: 0 if it returned True."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the process has threads
        child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if work() is True else 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_fork_gets_clear_errors_and_harms_nothing(tmp_path):
    with ndc.NearDuplicates(tmp_path / "s") as engine:
        engine.check("http://a.example/", STORY)

        def work():
            refused = 0
            for call in (lambda: engine.check("http://b.example/", NEWS), engine.stats, engine.snapshot, engine.groups):
                try:
                    call()
                except ndc.ForkedError as failure:
                    refused += str(os.getppid()) in str(failure)
            engine.close()  # not the parent's
            with ndc.NearDuplicates() as own:
                refused += own.check("http://a.example/", STORY).verdict is Verdict.NEW
            return refused == 5

        assert in_child(work) == 0
        assert engine.check("http://b.example/", NEWS).verdict is Verdict.NEAR
    assert ndc.verify(tmp_path / "s") == []
    with ndc.NearDuplicates(tmp_path / "s") as engine:
        assert len(engine) == 2


def test_a_fork_that_forgets_the_engine_harms_nothing(tmp_path):
    engine = ndc.NearDuplicates(tmp_path / "s")
    engine.check("http://a.example/", STORY)

    def work():
        nonlocal engine
        engine = None
        gc.collect()
        return True

    assert in_child(work) == 0
    engine.check("http://b.example/", NEWS)
    engine.close()
    assert ndc.verify(tmp_path / "s") == []


def query_in_worker(store):
    with ndc.NearDuplicates(store, read_only=True) as reader:
        return reader.query("http://c.example/", STORY).verdict


def features_in_worker(body):
    return ndc.Features.compute(None, body, "text/html")


def uses_engine(engine):
    return engine.stats()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_read_the_store_or_compute_features(tmp_path, method):
    with warnings.catch_warnings(), ndc.NearDuplicates(tmp_path / "s") as engine:
        warnings.simplefilter("ignore")
        engine.check("http://a.example/", STORY)
        engine.snapshot()
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(query_in_worker, [str(tmp_path / "s")] * 2) == [Verdict.EXACT] * 2
            found = [
                engine.check_features(features).verdict for features in pool.map(features_in_worker, [NEWS, FERRY])
            ]
            with pytest.raises(TypeError, match="pickled"):
                pool.map(uses_engine, [engine])
        assert found == [Verdict.NEAR, Verdict.NEW]


def test_an_interrupt_in_a_stream_comes_through_and_breaks_nothing():
    with ndc.NearDuplicates() as engine:
        for number in range(200):
            engine.check(f"http://a{number}.example/", text(number), "text/plain")
        taken = 0

        def interrupted(*_):
            nonlocal taken
            taken += 1
            if taken == 50:
                _thread.interrupt_main()

        with pytest.raises(KeyboardInterrupt):
            engine._iterate(ndc._library.lib.nd_each_group, (_engine_state.each_group,), interrupted)
            time.sleep(1)
        assert taken < 60
        for group in engine.groups():
            if group.group_id == 100:
                break
        assert len(list(engine.groups())) == 200
        assert engine.check("http://b.example/", text(7), "text/plain").verdict is Verdict.EXACT


def test_what_a_callback_raises_comes_through():
    with ndc.NearDuplicates() as engine:
        engine.check("http://a.example/", STORY)

        def broken(*_):
            raise MemoryError("no room")

        with pytest.raises(MemoryError, match="no room"):
            engine._iterate(ndc._library.lib.nd_each_group, (_engine_state.each_group,), broken)
        assert len(list(engine.groups())) == 1


def test_interrupts_at_any_moment_leave_an_engine_that_works_and_closes(tmp_path):
    engine = ndc.NearDuplicates(tmp_path / "s")
    interrupts = 0
    done = 0

    def alarm(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, alarm)
    try:
        while interrupts < 100 or done < 50:
            try:
                signal.setitimer(signal.ITIMER_PROF, 0.002 + done % 7 * 0.001)  # of CPU: a busy machine changes nothing
                while True:
                    engine.check(f"http://a.example/{done % 50}", text(done % 50), "text/plain")
                    done += 1
                    list(engine.groups())
            except KeyboardInterrupt:
                interrupts += 1
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    engine.close()
    assert ndc.verify(tmp_path / "s") == []
    with ndc.NearDuplicates(tmp_path / "s") as engine:
        assert len(engine) == 50


def test_a_signal_handler_inside_of_a_callback_cannot_close():
    engine = ndc.NearDuplicates()
    engine.check("http://a.example/", STORY)
    with pytest.raises(ndc.InvalidArgumentError, match="inside"):
        engine._iterate(ndc._library.lib.nd_each_group, (_engine_state.each_group,), lambda *_: engine.close())
    assert not engine.closed
    engine.close()


def test_no_memory_stays_behind():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    with ndc.NearDuplicates() as engine:
        for _ in range(2):
            before = resident()
            for number in range(3000):
                engine.check("http://a.example/", STORY, "text/html")
                list(engine.groups())
                engine.members(1)
                ndc.Features.compute(None, STORY, x_relaxed=False)
    assert resident() - before < 4 << 20
