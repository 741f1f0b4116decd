"""TR2007012's slides, "Measurement for quality", measured again (table lcs_sampled_sets), and what this and section 5.4
have in common."""
from page import Grid, Part
from sentences import by_run, count, counted, name_of, share, times

SAMPLED = "sampled least_pages method where sets precision recall_ratio"
SMALL_RULE = (
    "Fingerprints on more than 4 pages, all of one site, are deleted as boilerplate; the report deletes those on more"
    " than 400 pages of few sites. A site has few pages here. This departs from the report, and favours precision."
)
REPORTED_AGAINST = {
    ("report-all", "all"): 0.95,
    ("report-all", "same_site"): 0.91,
    ("simhash128", "all"): 0.72,
    ("simhash128", "same_site"): 0.52,
    ("cosine", "all"): 0.82,
    ("cosine", "same_site"): 0.63,
}
REPORTED_RATIOS = {
    ("report-all", "all"): 1.86,
    ("report-all", "same_site"): 1.03,
    ("simhash128", "all"): 1,
    ("simhash128", "same_site"): 1,
    ("cosine", "all"): 1.19,
    ("cosine", "same_site"): 1,
}
WHERE = {"all": "all pairs", "same_site": "within a site", "cross_site": "between sites"}
METHODS = {"lcs": "default engine", "report-main": "report’s LCS, main text", "report-all": "report’s LCS, all text"}


def method_name(method):
    return METHODS.get(method) or name_of(method)


def sampled_rows(run):
    """Of the sets of the report's partition over all text, single pages among them, as in the slides."""
    table = run.table("lcs_sampled_sets", SAMPLED)
    return list(table.where(sampled="report-all", least_pages=1, where="all")) if table else []


def sampled_sentence(run):
    rows = [row for row in sampled_rows(run) if None not in (row.number("precision"), row.number("recall_ratio"))]
    texts = [f"{method_name(row['method'])} {share(row['precision'])}, {times(row['recall_ratio'])}" for row in rows]
    return f"over {counted(rows[0]['sets'], 'set')}, precision and recall: {'; '.join(texts)}." if texts else None


def sampled_part(runs, folder):
    grids = [
        Grid(
            f"{run.name}: sampled sets",
            [
                "sets of",
                "least pages",
                "method",
                "pages",
                "sets",
                "precision",
                "report",
                "recall / simhash’s",
                "report ",
            ],
            [
                [
                    method_name(row.text("sampled")),
                    count(row.number("least_pages")),
                    method_name(row.text("method")),
                    WHERE.get(row["where"], row.text("where")),
                    count(row.number("sets")),
                    share(row.number("precision")),
                    share(REPORTED_AGAINST.get((row["method"], row["where"])), 2),
                    times(row.number("recall_ratio")),
                    times(REPORTED_RATIOS.get((row["method"], row["where"]))),
                ]
                for row in run.table("lcs_sampled_sets", SAMPLED).rows
            ],
            folded=True,
        )
        for run in runs
    ]
    return Part(
        "Slides: quality by sampled sets",
        None,
        [
            "Slides: of 1,000 sets of the LCS each has a page that stands for it; precision is the mean share of its"
            " group that is truly similar to it, recall the mean ratio of what is, to what simhash finds: simhash 0.72"
            " and 1, cosine 0.82 and 1.19, LCS 0.95 and 1.86.",
        ],
        by_run(runs, sampled_sentence),
        ["Labels stand for the judges, and a page counts as similar to itself.", SMALL_RULE],
        grids,
    )
