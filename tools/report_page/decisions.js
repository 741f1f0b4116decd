"use strict";
// What somebody has decided about pages, and the table of it that ndc filter takes.
(function (report) {
  const { element } = report;
  const rowsShown = 200;
  const { decided } = report;

  // Without texts nobody can judge.
  report.offersJudging = () => report.meta.text_parts > 0;

  report.decisionOf = (page) => decided.get(page);
  report.decidedPages = () => [...decided.keys()].sort((x, y) => x - y);

  // `said`: a decision for all of them, or a function of each; undefined takes it back.
  report.decide = function (pages, said) {
    report.takeStep(decided, pages.map((page) => [page, typeof said === "function" ? said(page) : said]));
    report.say(report.word("decidedOf", decided.size));
    return report.redraw();
  };

  // A second press takes it back.
  report.decideOr = (page, said) => report.decide([page], report.decisionOf(page) === said ? undefined : said);

  // Whether a page stays as things are now.
  report.stays = (page) => (report.decisionOf(page.index) || (page.kept ? "keep" : "leave-out")) === "keep";

  // Keep and leave out, of a page.
  report.decisionButtons = function (index, keys) {
    if (!report.offersJudging()) return null;
    const { word } = report;
    const button = (said, name, key) => element("button", { type: "button", class: "button decide " + said,
      id: name + "-" + index, "aria-pressed": report.decisionOf(index) === said ? "true" : "false",
      "aria-keyshortcuts": keys ? key : undefined, click: () => report.decideOr(index, said) }, word(name),
    keys ? [" ", element("kbd", {}, key)] : null);
    return element("span", { class: "decisions", role: "group", "aria-label": word("decisions") },
      button("keep", "keep", "v"), button("leave-out", "leave", "x"));
  };

  // Of a group: all pages, or all but those that the rule keeps.
  report.groupButtons = function (first, count) {
    if (!report.offersJudging()) return null;
    const { word } = report;
    const pages = Array.from({ length: count }, (none, i) => first + i);
    const button = (id, click) => element("button", { type: "button", class: "button", id, click }, word(id));
    return element("div", { class: "judge-group", role: "group", "aria-label": word("decisions") },
      button("keepAll", () => report.decide(pages, "keep")),
      button("leaveOthers", async () => {
        const kept = new Set((await report.pages(first, first + count)).filter((page) => page.kept)
          .map((page) => page.index));
        report.decide(pages, (page) => (kept.has(page) ? "keep" : "leave-out"));
      }),
      button("decideNone", () => report.decide(pages, undefined)), report.undoButton());
  };

  // Pages of pairs that are different, or of which nobody could tell, are to be kept as well.
  async function rows() {
    const said = new Map(decided);
    for (const [pair, judgement] of report.judgements) {
      if (judgement === "same") continue;
      for (const page of pair.split(" ").map(Number)) if (!said.has(page)) said.set(page, "keep");
    }
    const found = [];
    for (const page of [...said.keys()].sort((x, y) => x - y)) {
      const [{ address, time }] = await report.pages(page, page + 1);
      if (address === "") continue;
      const fetched = time === 0 ? "" : new Date(time).toISOString().replace(".000Z", "Z");
      found.push([address, said.get(page), fetched]);
    }
    return found;
  }

  // The file that ndc filter reads.
  report.decisionsTable = async function () {
    const lines = (await rows()).map((row) => row.join("\t"));
    return ["#url\tdecision\tfetched", ...new Set(lines)].join("\n") + "\n";
  };

  async function row(index) {
    const { word } = report;
    const [page] = await report.pages(index, index + 1);
    const group = report.groupOfPage(index);
    return element("tr", { "data-row": index }, element("td", { class: "main" },
      element("a", { class: "title", href: "#/group/" + group }, element("bdi", {}, page.title || word("untitled"))),
      report.urlOf(page)),
    element("td", { "data-label": word("decision") }, report.decisionButtons(index)));
  }

  report.showDecisions = async function () {
    const { word } = report;
    await report.loadColumns();
    if (!report.offersJudging()) return report.show(word("decisions"), element("h2", {}, word("decisions")),
      element("p", { class: "note" }, word("noJudging")));
    const pages = report.decidedPages();
    const shown = await Promise.all(pages.slice(0, rowsShown).map(row));
    const none = pages.length + report.judgements.size === 0;
    return report.show(word("decisions"), element("h2", {}, word("decisions")),
      element("p", { class: "note" }, word("decisionsText")),
      element("pre", {}, "ndc filter --decisions decisions.tsv --decisions labels.tsv … -o judged.warc.gz"),
      element("div", { class: "judge-group" },
        element("button", { type: "button", class: "button", id: "downloadDecisions", disabled: none,
          click: async () => report.download("decisions.tsv", await report.decisionsTable()) },
        word("downloadDecisions")),
        element("button", { type: "button", class: "button", id: "downloadLabels",
          disabled: report.judgements.size === 0, click: () => report.downloadLabels() }, word("download")),
        report.undoButton(),
        element("button", { type: "button", class: "button", id: "forgetDecisions", disabled: pages.length === 0,
          click: () => report.decide(pages, undefined) }, word("decideNone"))),
      report.keepsJudgements ? null : element("p", { class: "note" }, word("notStored")),
      element("p", {}, word("decidedOf", pages.length), " · ", element("a", { href: "#/review" },
        word("pairsJudged", report.judgements.size))),
      pages.length === 0 ? null : element("table", { class: "rows" },
        element("caption", { class: "hidden" }, word("decisions")),
        element("thead", {}, element("tr", {}, ["page", "decision"].map((key) => element("th", { scope: "col" },
          word(key))))), element("tbody", {}, shown)),
      pages.length > rowsShown ? element("p", { class: "note" }, word("pageOf", 1, rowsShown, pages.length)) : null);
  };
})(window.ndcReport);
