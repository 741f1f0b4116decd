"use strict";
// What a reviewer says of pairs, and the labels that follow from it.
(function (report) {
  const { judgements } = report;

  report.judge = (a, b, said) => report.takeStep(judgements, [[a + " " + b, said]]);
  report.judgementOf = (a, b) => judgements.get(a + " " + b);
  report.forgetJudgements = () => report.takeStep(judgements, [...judgements.keys()].map((pair) => [pair, undefined]));

  // Pages of judged pairs as rows {page, group, kind}: those said to be the same share a group. A page of which nobody
  // could tell, or whose judgements contradict each other, is ambiguous: no score counts it.
  report.labels = function () {
    const parent = new Map();
    const find = (page) => {
      while (parent.get(page) !== page) page = parent.get(page);
      return page;
    };
    const pairs = [...judgements].map(([pair, said]) => [...pair.split(" ").map(Number), said]);
    for (const [a, b, said] of pairs) {
      for (const page of [a, b]) if (!parent.has(page)) parent.set(page, page);
      if (said === "same") parent.set(Math.max(find(a), find(b)), Math.min(find(a), find(b)));
    }
    const contradicted = new Set();
    const unsure = new Set();
    for (const [a, b, said] of pairs) {
      if (said === "different" && find(a) === find(b)) contradicted.add(a).add(b);
      if (said === "unsure") unsure.add(b);
    }
    const rows = [...parent.keys()].sort((x, y) => x - y).map((page) => ({ page, group: find(page),
      kind: contradicted.has(page) || unsure.has(page) ? "ambiguous" : "judged" }));
    return { rows, conflicts: contradicted.size };
  };

  // The file that ndc eval reads.
  report.labelsTable = async function () {
    const lines = ["url\tgroup\tkind\tsite"];
    const written = new Set();
    for (const { page, group, kind } of report.labels().rows) {
      const names = (await report.load("pages-" + Math.floor(page / report.meta.page_part))).names.split("\n");
      const url = names[page % report.meta.page_part].split("\t")[0];
      if (url === "" || written.has(url)) continue;
      written.add(url);
      const host = /^[^:]*:\/\/(?:[^/?#@]*@)?([^/?#:]*)/.exec(url);
      lines.push([url, group, kind, host === null ? "" : host[1].toLowerCase()].join("\t"));
    }
    return lines.join("\n") + "\n";
  };

  report.download = function (name, table) {
    const address = URL.createObjectURL(new Blob([table], { type: "text/tab-separated-values" }));
    const link = report.element("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };
  report.downloadLabels = async () => report.download("labels.tsv", await report.labelsTable());
})(window.ndcReport);
