"""How well the decision does on sites that it was not learned from: `eval/run --part held-out`."""
import collections
import dataclasses
import math
import subprocess
import sys

import decision_pairs
import judged

FOLDS = 5
ORDERS = ("file", "1", "2", "3")
GROUP, FINAL_GROUP = "group_id", "final_group_id"
SURE = 0.9


@dataclasses.dataclass
class Score:
    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, joined, same):
        self.right += joined and same
        self.wrong += joined and not same
        self.missed += same and not joined

    @property
    def f1(self):
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)

    @property
    def precision(self):
        return self.right / max(1, self.right + self.wrong)


def scored(pairs):
    """(URL, URL, whether they are the same), without what readers left in between."""
    for a, b, first, second in pairs:
        if min(first, second) >= judged.SAME_FROM or max(first, second) == judged.DIFFERENT:
            yield a, b, min(first, second) >= judged.SAME_FROM


def groups(programs, archive, order, settled, model):
    """URL to group, when the page was first decided and at the end."""
    command = [programs / "trace", archive, "--final-groups"]
    command += ["--settled"] if settled else []
    command += ["--shuffle", order] if order != ORDERS[0] else []
    command += ["--decision-model", model] if model else []
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode(errors="replace").splitlines()
    names = lines[0].lstrip("#").split("\t")
    url, group = names.index("url"), names.index(FINAL_GROUP if settled else GROUP)
    return {row[url]: row[group] for row in (line.split("\t") for line in lines[1:] if line[0] != "#")}


def are_together(of, a, b):
    return of.get(a) is not None and of.get(a) == of.get(b)


def by_folds(web, folds_of, runs):
    """The score of the judged pairs, each by the run of its own fold."""
    score = Score()
    for a, b, same in scored(decision_pairs.labelled(web / "pairs.tsv")):
        score.add(are_together(runs[folds_of(a)], a, b), same)
    return score


def joins_by_folds(path, folds_of, runs):
    """How many pairs of each label are in one group: others, in between, the same."""
    together, all_pairs = collections.Counter(), collections.Counter()
    for a, b, first, _ in decision_pairs.labelled(path):
        label = min(first, judged.SAME_FROM)
        all_pairs[label] += 1
        together[label] += are_together(runs[folds_of(a)], a, b)
    return ", ".join(f"{together[label]} of {all_pairs[label]}" for label in range(3))


def probabilities(samples_rows, folds_of, models):
    """(probability by the model of the pair's fold, labels, known) of rows of pair_evidence."""
    terms = [name for name in samples_rows[0] if name.startswith("term:")]
    for row in samples_rows:
        model = models[folds_of(row["#url_a"])]
        value = model[0] + sum(c * float(row[name]) for c, name in zip(model[1:], terms))
        yield row, value


def measure(corpora, folder, programs, train):
    """Prints the tables. `train`: the command that writes the models of the folds into `folder`."""
    subprocess.run([*train, corpora, "--programs", programs, "--folds", str(FOLDS), "-o", folder], check=True)
    web = corpora / "web"
    families = decision_pairs.web_pages(web)

    def folds_of(url):
        return decision_pairs.fold_of(families.family(url), FOLDS)

    models = [folder / f"{fold}.model" for fold in range(FOLDS)]
    archive = web / "pages.warc.gz"
    print("| data/web, each pair by the model of its fold | F1 | P | joins: other, in between, same | missed |")
    print("|---|---|---|---|---|")
    for settled in (False, True):
        for order in ORDERS:
            runs = [groups(programs, archive, order, settled, model) for model in models]
            shipped = [groups(programs, archive, order, settled, None)] * FOLDS
            score, of_all = by_folds(web, folds_of, runs), by_folds(web, folds_of, shipped)
            joins, missed = (joins_by_folds(web / f"{name}.tsv", folds_of, runs) for name in ("joins", "missed"))
            print(
                f"| {'settled' if settled else 'first'}, order {order} | {score.f1:.3f} ({of_all.f1:.3f})"
                f" | {score.precision:.3f} ({of_all.precision:.3f}) | {joins} | {missed} |",
                flush=True,
            )
    pairs_alone(families, programs, folder, folds_of, models)


def pairs_alone(web, programs, folder, folds_of, model_paths):
    models = [[float(line) for line in path.read_text().split()] for path in model_paths]
    labels = {(a, b): same for a, b, same in scored(decision_pairs.labelled(web.archives[0].parent / "pairs.tsv"))}
    by_known = collections.defaultdict(list)
    for row, value in probabilities(decision_pairs.measure(web, programs, folder), folds_of, models):
        same = labels.get((row["#url_a"], row["url_b"]))
        if same is not None:
            by_known[row["known"]].append((decision_probability(value), same))
    print("\n| other pages of a site known | F1 of pairs alone | P | Brier | the same, of pairs with p ≥ .9 |")
    print("|---|---|---|---|---|")
    for known, rows in by_known.items():
        score = Score()
        for likely, same in rows:
            score.add(likely >= 0.5, same)
        brier = sum((likely - same) ** 2 for likely, same in rows) / len(rows)
        sure = [same for likely, same in rows if likely >= SURE]
        share = sum(sure) / max(1, len(sure))
        print(f"| {known} | {score.f1:.3f} | {score.precision:.3f} | {brier:.4f} | {share:.3f} of {len(sure)} |")
    sys.stdout.flush()


def decision_probability(value):
    return 1 / (1 + math.exp(-max(-30, min(30, value))))
