#!/usr/bin/env python3
"""bench_test.py PROGRAMS [unittest arguments]: the programs of bench/ on next to nothing: that they run, that what they
write has the shape that performance_table reads, and that their counts add up. Never what anything takes."""
import collections
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import rewritten_pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data/sample/documentation.warc.gz"
BENCH = ROOT / "bench"
PROGRAMS = None
PAGES = 12


def run(program, *words):
    return subprocess.run([str(word) for word in (program, *words)], capture_output=True, text=True)


class WithFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def json_of(self, program, *words):
        path = self.folder / "out.json"
        ran = run(PROGRAMS / program, *words, "--json", path)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(path.read_text(encoding="utf-8")), ran.stdout

    def check_spread(self, spread):
        self.assertEqual(set(spread), {"median", "least", "most"})
        self.assertLessEqual(spread["least"], spread["median"])
        self.assertLessEqual(spread["median"], spread["most"])

    def check_verdicts(self, verdicts, pages):
        self.assertEqual(sum(count for name, count in verdicts.items() if name != "limited"), pages)

    def check_refused(self, program, words, said):
        ran = run(program, *words)
        self.assertEqual(ran.returncode, 2, f"{words}: {ran.stderr}")
        self.assertIn(said, ran.stderr)


class SentenceDigests(unittest.TestCase):
    def test_all_ways_agree(self):
        ran = run(PROGRAMS / "sentence_digests", 1)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(len(re.findall(r"^\d+ to \d+ bytes: EVP \d+ ns", ran.stdout, re.MULTILINE)), 3, ran.stdout)


class SpotPartitions(unittest.TestCase):
    def test_partitions_change_the_work_alone(self):
        ran = run(PROGRAMS / "spot_partitions", 400)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        names, *rows = [line.split("\t") for line in ran.stdout.splitlines()]
        self.assertEqual(len(rows), 12)
        for row in rows:
            values = dict(zip(names, row, strict=True))
            self.assertGreater(int(values["pairs"]), 0)
            self.assertGreaterEqual(int(values["compared"]), int(values["pairs"]))
            self.assertGreaterEqual(int(values["postings without partitions"]), int(values["postings"]))
        self.assertEqual(run(PROGRAMS / "spot_partitions", "none").returncode, 2)


class SpotCompetitors(unittest.TestCase):
    def test_each_finds_pairs_and_lsh_no_others(self):
        ran = run(PROGRAMS / "spot_competitors")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        names, *rows = [line.split("\t") for line in ran.stdout.splitlines()]
        self.assertEqual(len(rows), 2)
        for row in rows:
            values = dict(zip(names, row, strict=True))
            self.assertGreater(int(values["pairs"]), 0)
            # LSH-S verifies what its bands find; I-Match-S passes over how often a signature occurs.
            self.assertLessEqual(int(values["pairs of LSH-S"]), int(values["pairs"]))
            self.assertGreater(int(values["pairs of I-Match-S"]), 0)
        self.assertNotEqual(run(PROGRAMS / "spot_competitors", "/nonexistent.warc").returncode, 0)


class SpotIndexPartitions(unittest.TestCase):
    def test_partitions_find_the_same_pairs(self):
        ran = run(PROGRAMS / "spot_index_partitions")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        names, *rows = [line.split("\t") for line in ran.stdout.splitlines()]
        self.assertEqual(len(rows), 2)
        for row in rows:
            values = dict(zip(names, row, strict=True))
            self.assertGreater(int(values["pairs"]), 0)
            self.assertGreaterEqual(int(values["postings"]), int(values["compared"]))
        self.assertNotEqual(run(PROGRAMS / "spot_index_partitions", "/nonexistent.warc").returncode, 0)


class CallPauses(WithFolder):
    def test_percentiles_ascend_in_memory_and_with_a_store(self):
        for words in ([], ["--store", self.folder / "store", "--snapshot-pages", 100]):
            with self.subTest(words=words):
                table = self.folder / "pauses.tsv"
                ran = run(PROGRAMS / "call_pauses", "--pages", 400, "--longest", 3, "--tsv", table, *words)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                names, *rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
                self.assertEqual(names, ["pages", "where", "item", "value", "unit"])
                values = {row[2]: float(row[3]) for row in rows}
                ordered = [values[item] for item in ("p50", "p99", "p99.9", "p99.99", "longest")]
                self.assertEqual(ordered, sorted(ordered))
                self.assertGreaterEqual(values["over 2 ms"], values["over 15 ms"])
                self.assertFalse([item for item in values if item.startswith("control")])
                self.assertEqual({row[1] for row in rows}, {"store" if words else "memory"})
                self.assertEqual(values.get("snapshots", 0) > 0, bool(words))
                self.assertEqual(len(re.findall(r"^  page \d+: ", ran.stdout, re.MULTILINE)), 3)
        controlled = run(PROGRAMS / "call_pauses", "--pages", 20, "--control-steps", 100_000)
        medians = [float(value) for value in re.findall(r"^control: p50 +([\d.]+)", controlled.stdout, re.MULTILINE)]
        self.assertEqual(len(medians), 1, controlled.stdout)
        self.assertGreater(medians[0], 10)  # microseconds: a step waits for the one before
        # It measures what grows from nothing.
        self.assertEqual(run(PROGRAMS / "call_pauses", "--store", self.folder / "store").returncode, 2)
        self.assertEqual(run(PROGRAMS / "call_pauses", "--pages", 0).returncode, 2)


class EngineThreads(WithFolder):
    def test_says_what_is_wrong_with_its_arguments(self):
        for words, said in (
            ([], "subcommand"),
            (["sections", "--threads", "0"], "--threads"),
            (["beside", "--seconds", "0"], "--seconds"),
            (["beside", "--walkers", "many"], "--walkers"),
            (["sections", "--store", self.folder / "none"], "does not exist"),
        ):
            with self.subTest(words=words):
                self.check_refused(PROGRAMS / "engine_threads", words, said)

    def test_sections_and_their_simulation(self):
        out, _ = self.json_of(
            "engine_threads",
            "sections",
            "--pages",
            PAGES,
            "--index",
            40,
            "--rounds",
            2,
            "--threads",
            "1,2,64",
            "--store",
            self.folder,
        )
        self.assertEqual((out["pages"], out["index_pages"]), (PAGES, 40))
        for where in (out["memory"], out["store"]):
            for name in ("shared_percent", "update_percent", "change_percent", "cpu_us", "sections"):
                self.check_spread(where[name])
            # A change is part of an update, and both are part of a check. Whoever checks reads first, and commits.
            self.assertLess(0, where["change_percent"]["median"])
            self.assertLess(where["change_percent"]["median"], where["update_percent"]["median"])
            self.assertLess(where["update_percent"]["median"] + where["shared_percent"]["median"], 100)
            self.assertGreaterEqual(where["sections"]["least"], 4)
            times = {each["threads"]: each["times_one"]["median"] for each in where["simulated"]}
            self.assertAlmostEqual(times[1], 1)
            self.assertTrue(1 < times[2] <= 2.01, times)
            # No more at once than one update after the other.
            self.assertLess(times[64], 101 / where["update_percent"]["least"] + 1)
            self.assertEqual(where["saturation"], max(times.values()))
        self.assertEqual(list(self.folder.iterdir()), [self.folder / "out.json"])

    def test_checks_beside_others(self):
        out, _ = self.json_of(
            "engine_threads",
            "beside",
            "--pages",
            PAGES,
            "--index",
            40,
            "--rounds",
            2,
            "--walkers",
            "1,2",
            "--queriers",
            "1",
            "--seconds",
            0.05,
            "--processors",
            2,
        )
        self.assertEqual(
            ([each["threads"] for each in out["walkers"]], [each["threads"] for each in out["queriers"]]), ([1, 2], [1])
        )
        for each in (*out["walkers"], *out["queriers"]):
            self.assertGreater(each["checks_per_s"]["least"], 0)
            self.assertGreater(each["others_per_s"]["least"], 0)
            self.check_spread(each["of_fair_share"])


class CheckCost(WithFolder):
    def test_says_what_is_wrong_with_its_arguments(self):
        for words, said in (
            (["--parts", "half"], "half"),
            (["--rounds", "0"], "--rounds"),
            (["--threads", "0"], "--threads"),
            ([self.folder / "none.warc.gz"], "does not exist"),
            (["--store", self.folder / "none"], "does not exist"),
            (["--index", "many"], "--index"),
            (["--keys-only", "0"], "--keys-only"),
            (["--keys-only", "9", "--parts", "whole"], "--parts"),
            (["--what"], "--what"),
        ):
            with self.subTest(words=words):
                self.check_refused(PROGRAMS / "check_cost", words, said)
        self.assertEqual(run(PROGRAMS / "check_cost", "--help").returncode, 0)

    def test_an_archive_without_pages_is_no_measurement(self):
        (self.folder / "empty.warc").write_bytes(b"")
        ran = run(PROGRAMS / "check_cost", self.folder / "empty.warc")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("holds no page", ran.stderr)

    def test_all_parts(self):
        store = self.folder / "store"
        (store / "filled").mkdir(parents=True)
        out, text = self.json_of(
            "check_cost",
            "--parts",
            "whole,stages,threads,growth,reading,undeclared",
            "--pages",
            PAGES,
            "--index",
            "40,120",
            "--rounds",
            3,
            "--store",
            store,
        )
        self.assertEqual((out["pages"], out["archive"], out["rounds"]), (PAGES, SAMPLE.name, 3))
        self.assertEqual(set(out["made_with"]), {"compiler", "libxml2", "icu"})
        whole = out["whole"]
        self.assertEqual(whole["index_pages"], 40)
        # At least half of what the engine knew is mutually new.
        self.assertTrue(20 <= whole["index_groups"] <= 40)
        self.check_verdicts(whole["verdicts"], PAGES)
        self.assertAlmostEqual(
            whole["near_or_exact_share"] * PAGES, whole["verdicts"]["near"] + whole["verdicts"]["exact"]
        )
        # Where pages are kept changes no answer, nor does how many others there are.
        self.assertEqual(whole["store"]["verdicts"], whole["verdicts"])
        for spread in (
            whole["ratio"],
            whole["us_a_page"],
            whole["parse_mb_per_s"],
            whole["store"]["ratio"],
            whole["store"]["over_memory"],
            whole["store"]["process_ratio"],
            out["reading"]["seconds"],
        ):
            self.check_spread(spread)
        self.assertEqual(whole["store"]["most_snapshots"], 0)  # so few pages fill no journal
        # Nor does it touch what others keep there.
        self.assertEqual([path.name for path in store.iterdir()], ["filled"])
        self.assertEqual(out["stages"][0]["stage"], "bare-parse")
        self.assertEqual(out["stages"][0]["ratio"], {"median": 1, "least": 1, "most": 1})
        self.assertEqual(len({stage["stage"] for stage in out["stages"]}), len(out["stages"]))
        for stage in out["stages"]:
            self.check_spread(stage["ratio"])
            self.check_spread(stage["us_a_page"])
        self.assertEqual([row["threads"] for row in out["threads"]], [1, 2])
        self.assertEqual(out["threads"][0]["speedup"], {"median": 1, "least": 1, "most": 1})
        for row in out["threads"]:
            self.check_verdicts(row["verdicts"], PAGES)
            for name in (
                "cpu_us_a_page",
                "processors",
                "waits_a_page",
                "preemptions_a_page",
                "retried_commits_a_page",
                "other_load",
                "stolen",
            ):
                self.check_spread(row[name])
        # One thread alone meets nobody.
        self.assertEqual(out["threads"][0]["retried_commits_a_page"]["most"], 0)
        self.assertEqual(out["undeclared"], {"pages": 0})
        self.assertEqual([row["index_pages"] for row in out["growth"]], [40, 120])
        self.assertLess(out["growth"][0]["index_groups"], out["growth"][1]["index_groups"])
        for row in out["growth"]:
            self.assertEqual(row["verdicts"], whole["verdicts"])
            self.check_spread(row["ratio"])
        for name in ("in memory", "with a store", "stage bare-parse", "2 threads", "120 pages in the index"):
            self.assertIn(name, text)

    def test_the_answers_are_those_of_the_command(self):
        out, _ = self.json_of("check_cost", "--index", 0, "--rounds", 1)
        rows = self.folder / "rows.tsv"
        ran = run(PROGRAMS / "ndc", "dedup", "--threads", 1, "-o", rows, SAMPLE)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        lines = [line.split("\t") for line in rows.read_text(encoding="utf-8").splitlines()]
        verdicts = collections.Counter(line[2] for line in lines[1:])
        counted = {name: count for name, count in out["whole"]["verdicts"].items() if count and name != "limited"}
        self.assertEqual(counted, dict(verdicts))

    def test_undeclared_pages(self):
        # One that its bytes tell, one of two characters that nothing tells, and one in UTF-8.
        sentence = (
            "\u8fd9\u662f\u4e00\u4e2a\u5173\u4e8e\u5929\u6c14\u7684\u6587\u7ae0\uff0c"
            "\u6211\u4eec\u5728\u4e2d\u56fd\u3002"
        )
        archive = self.folder / "pages.warc"
        with open(archive, "wb") as out:
            for number, (text, charset) in enumerate(
                ((sentence * 40, "gb18030"), ("\u9f98\u9f49", "gb18030"), (sentence, "utf-8"))
            ):
                html = f"<html><head><meta CharSet={charset}></head><body><p>{text}</p></body></html>".encode(charset)
                body = (
                    f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={charset}\r\nContent-Length: {len(html)}\r\n"
                    "\r\n".encode() + html
                )
                head = (
                    "WARC/1.0\r\nWARC-Type: response\r\n"
                    f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000{number}>\r\n"
                    f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: https://site.example/{number}\r\n"
                    f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
                )
                out.write(head.encode() + body + b"\r\n\r\n")
        out, _ = self.json_of("check_cost", archive, "--parts", "undeclared", "--rounds", 1)
        undeclared = out["undeclared"]
        self.assertEqual((undeclared["pages"], undeclared["same_charset"], undeclared["same_text"]), (2, 1, 1))

    def test_keys_only(self):
        out, _ = self.json_of("check_cost", "--keys-only", 20_000, "--rounds", 1)
        lines = out["keys_only"]
        self.assertEqual([line["pages"] for line in lines], [10_000, 20_000])
        for line in lines:
            self.assertEqual(line["keys"], 26 * line["groups"])
            self.assertTrue(0.65 < line["groups"] / line["pages"] < 0.75)
            # An entry has what its segment does not say of its key, and a group: more than eight bytes.
            self.assertTrue(8 * line["keys"] <= line["bytes_a_page"] * line["pages"] < 1024 * line["pages"])


class HostilePages(WithFolder):
    BYTES = 8192

    def test_each_kind_fills_its_page(self):
        out, _ = self.json_of("hostile_pages", "--bytes", self.BYTES)
        kinds = [line.split()[0] for line in run(PROGRAMS / "hostile_pages", "--list").stdout.splitlines()]
        self.assertEqual([row["page"] for row in out["pages"]], kinds)
        self.assertEqual(len(set(kinds)), len(kinds))
        for row in out["pages"]:
            self.assertTrue(self.BYTES - 200 <= row["bytes"] <= self.BYTES, row)
        self.assertEqual(
            out["most_seconds"],
            max(max(row["seconds"], row["like_it_seconds"], row["site_seconds"]) for row in out["pages"]),
        )

    def test_some_kinds_alone(self):
        out, _ = self.json_of("hostile_pages", "--bytes", self.BYTES, "--only", "chinese,attributes")
        self.assertEqual({row["page"] for row in out["pages"]}, {"chinese", "attributes"})

    def test_work_is_told_by_step_and_bounded(self):
        out, _ = self.json_of("hostile_pages", "--bytes", self.BYTES, "--only", "chinese", "--site", 0)
        row = out["pages"][0]
        for work in ("work", "like_it_work"):
            self.assertIn("comparison", row[work])
            self.assertTrue(all(0 <= amount < 1000 * self.BYTES for amount in row[work].values()), row)
            self.assertGreaterEqual(row[work]["decode"], row["bytes"])
        self.assertEqual(row["work"]["comparison"], 0)

    def test_worst_cases_finds_its_places(self):
        page = self.folder / "page.md"
        page.write_text("a\n<!-- generated: worst-cases-8192 -->\nold\n<!-- end -->\nb\n", encoding="utf-8")
        run(BENCH / "worst_cases", "--page", page, "--programs", PROGRAMS, "--bytes", "8192")
        text = page.read_text(encoding="utf-8")
        self.assertNotIn("old", text)
        self.assertEqual(len(re.findall(r"^\| .* \|$", text, re.M)), 1 + 6)  # the head, and the dearest of many
        self.assertTrue(text.startswith("a\n") and text.endswith("b\n"))

    def test_says_what_is_wrong_with_its_arguments(self):
        self.check_refused(PROGRAMS / "hostile_pages", ["--only", "mild"], "mild")
        self.check_refused(PROGRAMS / "hostile_pages", ["--bytes", "1"], "--bytes")


class Stages(WithFolder):
    def test_lists_what_check_cost_measures(self):
        out, _ = self.json_of("check_cost", "--parts", "stages", "--pages", 1, "--rounds", 1)
        listed = run(PROGRAMS / "stages", "--benchmark_list_tests=true").stdout.split()
        self.assertEqual(
            [name.partition("/")[2] for name in listed if name.startswith("stage/")],
            [stage["stage"] for stage in out["stages"]],
        )

    def test_refuses_what_it_does_not_know(self):
        self.check_refused(PROGRAMS / "stages", ["--benchmarks=all"], "usage")
        self.check_refused(PROGRAMS / "stages", [SAMPLE, SAMPLE], "usage")


class Scripts(WithFolder):
    def test_say_what_is_wrong_with_their_arguments(self):
        for script in ("against_peers", "allocators"):
            self.check_refused(BENCH / script, [], "CORPUS")
            self.check_refused(BENCH / script, [SAMPLE, "--rounds", 0], "--rounds")
            missing = run(BENCH / script, self.folder / "none.warc.gz")
            self.assertNotEqual(missing.returncode, 0)
            self.assertIn("is not there", missing.stderr)
        self.check_refused(BENCH / "performance_table", [self.folder, "--parts", "whole,half"], "no part half")
        empty = run(BENCH / "performance_table", self.folder, "--programs", PROGRAMS)
        self.assertEqual(empty.returncode, 1)
        self.assertIn("does not hold", empty.stderr)

    def test_allocators(self):
        path = self.folder / "out.json"
        ran = run(BENCH / "allocators", SAMPLE, "--rounds", 1, "--programs", PROGRAMS, "--json", path)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        (corpus,) = json.loads(path.read_text(encoding="utf-8"))["corpora"]
        self.assertEqual(corpus["pages"], 150)
        self.check_spread(corpus["ratio"])


class PerformanceTable(WithFolder):
    PAGE = ROOT / "docs/performance.md"

    def setUp(self):
        super().setUp()
        corpus = self.folder / "corpora" / "sample"
        corpus.mkdir(parents=True)
        (corpus / "pages.warc.gz").symlink_to(SAMPLE)
        self.page = self.folder / "page.md"

    def write(self, parts):
        ran = run(
            BENCH / "performance_table",
            self.folder / "corpora",
            "--small",
            "--rounds",
            1,
            "--parts",
            ",".join(parts),
            "--page",
            self.page,
            "--raw",
            self.folder / "raw",
            "--programs",
            PROGRAMS,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertNotIn("has no place", ran.stdout)
        self.assertRegex(ran.stdout, r"^about \d+ minutes")
        return self.page.read_text(encoding="utf-8")

    @staticmethod
    def sections(text):
        """{part: what stands between its markers}, and the text without all that."""
        sections, rest = {}, []
        name = None
        for line in text.splitlines():
            if line.startswith("<!-- generated: "):
                name = line.split()[2]
                sections[name] = []
            elif line == "<!-- end -->":
                name = None
            elif name is not None:
                sections[name].append(line)
            else:
                rest.append(line)
        return sections, rest

    def test_every_part_has_its_place_and_the_rest_stays(self):
        before = self.PAGE.read_text(encoding="utf-8")
        self.page.write_text(before, encoding="utf-8")
        parts = ["whole", "stages", "threads", "growth", "keys", "undeclared", "pieces", "allocators"]
        old, old_rest = self.sections(before)
        new, new_rest = self.sections(self.write(parts))
        self.assertEqual(old_rest, new_rest)
        # But for the peers, which would be downloaded.
        self.assertEqual(set(new), {*parts, "peers", "allocators"})
        self.assertEqual(new["peers"], old["peers"])
        # The sample has no page in GB 18030.
        rows = {"whole": 1, "threads": 2, "growth": 2, "keys": 2, "undeclared": 0, "allocators": 1}
        for part in parts:
            table = [line for line in new[part] if line.startswith("|")]
            self.assertGreaterEqual(len(table), 2, part)
            self.assertEqual(len({line.count("|") for line in table}), 1, part)
            self.assertEqual(len(table) - 2, rows.get(part, len(table) - 2), part)
            self.assertIn("commit", new[part][-1])
        self.assertIn("libxml2", new["whole"][-1])

    def test_a_part_that_fails_keeps_its_table_and_lets_the_others_run(self):
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "check_cost").symlink_to(PROGRAMS / "check_cost")
        (programs / "stages").symlink_to("/bin/false")
        self.page.write_text(
            "<!-- generated: pieces -->\nold pieces\n<!-- end -->\n<!-- generated: keys -->\nold keys\n<!-- end -->\n",
            encoding="utf-8",
        )
        ran = run(
            BENCH / "performance_table",
            self.folder / "corpora",
            "--small",
            "--rounds",
            1,
            "--parts",
            "pieces,keys",
            "--page",
            self.page,
            "--raw",
            self.folder / "raw",
            "--programs",
            programs,
        )
        self.assertEqual(ran.returncode, 1)
        self.assertIn("--parts pieces\n", ran.stderr)
        sections, _ = self.sections(self.page.read_text(encoding="utf-8"))
        self.assertEqual(sections["pieces"], ["old pieces"])
        self.assertNotIn("old keys", sections["keys"])

    def test_a_part_alone_keeps_the_others(self):
        self.page.write_text(
            "a\n<!-- generated: keys -->\nold keys\n<!-- end -->\n<!-- generated: pieces -->\nold pieces\n"
            "<!-- end -->\nb\n",
            encoding="utf-8",
        )
        sections, rest = self.sections(self.write(["keys"]))
        self.assertEqual(rest, ["a", "b"])
        self.assertEqual(sections["pieces"], ["old pieces"])
        self.assertNotIn("old keys", sections["keys"])


class RewrittenPages(WithFolder):
    """What spark_scale makes its archives of."""

    def archives(self, pages, folder, quotation=None, file_bytes=10**9):
        made = rewritten_pages.source_pages(SAMPLE)
        records = rewritten_pages.records(made, rewritten_pages.Vocabulary(made), 1, quotation)
        (self.folder / folder).mkdir()
        archives = rewritten_pages.Archives(self.folder / folder, records, file_bytes)
        return [archives.fill(count) for count in pages]

    def groups(self, files):
        """Sets of URLs."""
        rows = self.folder / "rows.tsv"
        ran = run(PROGRAMS / "ndc", "dedup", "--threads", 1, "-o", rows, *files)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        groups = collections.defaultdict(set)
        for line in rows.read_text(encoding="utf-8").splitlines()[1:]:
            fields = line.split("\t")
            groups[fields[1]].add(fields[0])
        return list(groups.values())

    def test_generations_have_the_groups_of_the_archive_and_none_in_common(self):
        _, files = self.archives((100, 450), "pages")
        groups = self.groups(files)
        self.assertEqual(sum(len(group) for group in groups), 450)
        # 75 groups of 2 a generation; an edited copy may fall out of its group.
        self.assertTrue(225 <= len(groups) <= 240, len(groups))
        for group in groups:
            generations = {re.match(r"http://(g\d+-)?", url)[1] for url in group}
            self.assertEqual(len(generations), 1, group)

    def test_the_first_pages_are_the_archive_and_more_pages_change_none_before(self):
        few, more = self.archives((100, 300), "pages", file_bytes=200_000)
        self.assertGreater(len(few), 1)
        self.assertEqual(more[: len(few)], few)
        (once,) = self.archives((300,), "once")

        def records(files):
            return [record for path in files for record in rewritten_pages.record_heads_and_blocks(path)]

        self.assertEqual(records(more), records(once))
        originals = {
            fields["warc-target-uri"]: block.partition(b"\r\n\r\n")[2]
            for fields, block in rewritten_pages.record_heads_and_blocks(SAMPLE)
            if fields["warc-type"] == "response"
        }
        made = records(once)
        self.assertEqual(len({fields["warc-target-uri"] for fields, _ in made}), 300)
        for fields, block in made[:150]:
            self.assertEqual(block.partition(b"\r\n\r\n")[2], originals[fields["warc-target-uri"]])

    def test_a_quotation_is_on_every_page_and_makes_no_group(self):
        (files,) = self.archives((300,), "pages", quotation="Whoever came ashore signed with his own hand. " * 3)
        blocks = [block for _, block in rewritten_pages.record_heads_and_blocks(files[0])]
        self.assertTrue(all(b"Whoever came ashore" in block for block in blocks))
        self.assertLessEqual(max(len(group) for group in self.groups(files)), 4)


class SparkScale(WithFolder):
    MODULE = "java/ndc-spark"

    def test_says_what_is_wrong_with_its_arguments(self):
        for words, said in (
            (["--sizes", "0"], "--sizes"),
            (["--sizes", ""], "nothing to measure"),
            (["--quoted", "-1"], "--quoted"),
        ):
            self.check_refused(BENCH / "spark_scale", ["--corpus", SAMPLE, *words], said)

    def test_finds_the_exponent_of_a_power(self):
        loader = importlib.machinery.SourceFileLoader("spark_scale", str(BENCH / "spark_scale"))
        scale = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(scale)
        for power in (1, 1.5):
            self.assertAlmostEqual(scale.exponent([(pages, 3 * pages**power) for pages in (100, 400, 1000)]), power)

    def test_measures_a_run_of_the_job(self):
        module = PROGRAMS.parent / self.MODULE
        if not (module / "test-classpath").is_file():
            self.skipTest("built without Java")
        table = self.folder / "table.tsv"
        ran = run(
            BENCH / "spark_scale",
            "--corpus",
            SAMPLE,
            "--sizes",
            150,
            "--folder",
            self.folder / "scale",
            "--tsv",
            table,
            "--module",
            module,
            "--memory",
            "1g",
            "--",
            "--partitions",
            2,
        )
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        head, row = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines())
        row = dict(zip(head, row, strict=True))
        self.assertEqual((row["pages"], row["groups"]), ("150", "77"))
        self.assertTrue(all(float(value) > 0 for value in row.values()), row)
        left = sorted(path.name for path in (self.folder / "scale").iterdir() if path.name != "local")
        self.assertEqual(left, ["150.log", "summary-150.json"])


if __name__ == "__main__":
    PROGRAMS = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
