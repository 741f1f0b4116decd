"""What `ndc` makes of the crawls of invented_sites.py: of the pairs, of another order, and of pages that come again."""
import collections
import dataclasses
import itertools
import json
import subprocess
import tempfile

import crawled_sites
import decided_pairs
import invented_sites
import judged

SAME, DIFFERENT = decided_pairs.SAME, decided_pairs.DIFFERENT
BESIDE_OTHERS = "page beside another document"
BESIDE_AT_FIRST = "page beside another document at first"  # by the answers as pages come
OTHER_ORDER = "pair decided otherwise in another order"


@dataclasses.dataclass
class Outcome:
    pairs: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(list))  # {(kind, label): answers}
    others: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(list))  # likewise, no pairs
    broken: list = dataclasses.field(default_factory=list)  # promises, as sentences

    def add_pairs(self, pairs, trace):
        answers = judged.answers_of_pages(pairs, trace)
        for pair, answer in zip(pairs, answers):
            self.pairs[invented_sites.kind_of(pair), pair.first].append(answer)
        return answers

    def add(self, kind, label, url, is_so):
        self.others[kind, label].append(judged.Answer(judged.product_of(url), label == SAME, is_so, url))


def beside_others(pages, group_of):
    """{URL: whether its group has a page that is certainly another document}."""
    groups = collections.defaultdict(list)
    for page in pages:
        groups[group_of(page.url)].append(page)
    return {
        page.url: any(invented_sites.certainly_different(page.content, other.content) for other in group)
        for group in groups.values()
        for page in group
    }


def add_beside_others(outcome, kind, sites, group_of):
    for url, is_beside in beside_others(sites.before + sites.after, group_of).items():
        outcome.add(kind, DIFFERENT, url, is_beside)


def json_lines(ndc, *arguments):
    done = subprocess.run([ndc, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def add_decisions(outcome, ndc, folder, sites, arguments):
    first, shuffled, again = (folder / f"{name}.warc.gz" for name in ("first", "shuffled", "again"))
    pairs = judged.read_pairs(folder / "first.tsv")
    trace = judged.run_dedup(ndc, [first], arguments)
    answers = outcome.add_pairs(pairs, trace)
    other_answers = judged.answers_of_pages(pairs, judged.run_dedup(ndc, [shuffled], arguments))
    for pair, one, other in zip(pairs, answers, other_answers):
        outcome.add(OTHER_ORDER, DIFFERENT, pair.a, one.joined != other.joined)
    add_beside_others(outcome, BESIDE_OTHERS, sites, trace.group)
    outcome.add_pairs(judged.read_pairs(folder / "again.tsv"), judged.run_dedup(ndc, [first, again], arguments))


def crawl_again(ndc, folder, arguments):
    """[{url: (page id, group)}] after each crawl into one store, with its answers as pages come; and what its events
    tell: {(page id, group it moved to)}. The last two crawls bring nothing new."""
    known = []
    with tempfile.TemporaryDirectory(prefix="store-") as store:
        for name in ("first", "again", "again", "again"):
            judged.run_dedup(ndc, [folder / f"{name}.warc.gz"], ["--store", store, "--restart", *arguments])
            known.append({page["url"]: (page["page_id"], page["group_id"]) for page in json_lines(ndc, "dump", store)})
        events = json_lines(ndc, "events", store, "--after", "0")
    return known, {(event["page_id"], event["new_group_id"]) for event in events if event["event"] == "regrouped"}


def broken_promises(known, told):
    """Of ids: a page moves only with an event, and none does for ever."""
    for before, after in itertools.pairwise(known):
        for url, (page, group) in after.items():
            old_page, old_group = before.get(url, (page, group))
            if group != old_group and not {(page, group), (old_page, group)} & told:
                yield f"{url}: moved from group {old_group} to {group} without an event"
    before, after = known[-2:]
    yield from (f"{url}: moved although nothing had changed twice" for url in after if after[url][1] != before[url][1])


def add_fetches(outcome, ndc, folder, sites, arguments):
    """How many pages move to a group without a copy of theirs; of unchanged pages, how many move at all."""
    known, told = crawl_again(ndc, folder, arguments)
    outcome.broken += broken_promises(known, told)
    first, again = ({url: group for url, (_, group) in pages.items()} for pages in known[:2])
    add_beside_others(outcome, BESIDE_AT_FIRST, sites, first.get)
    copies = collections.Counter((page.content.document, again[page.url]) for page in sites.again)
    for page in sites.again:
        if page.url in first:
            moved, change = first[page.url] != again[page.url], sites.fetches[page.url]
            if change != crawled_sites.UNCHANGED:
                moved = moved and copies[page.content.document, again[page.url]] == 1
            outcome.add(f"fetched again, {change}", DIFFERENT, page.url, moved)


def measure(ndc, arguments):
    outcome = Outcome()
    with tempfile.TemporaryDirectory(prefix="sites-") as out:
        for folder, sites in invented_sites.generate(out).items():
            add_decisions(outcome, ndc, folder, sites, arguments)
            add_fetches(outcome, ndc, folder, sites, arguments)
    return outcome
