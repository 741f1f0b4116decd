"use strict";
// The reviewer's mode: doubtful pairs one after the other, a key for each judgement.
(function (report) {
  const { element } = report;
  let pairs = null;
  let at = 0;
  let drawn = "";  // the address of the pair that is seen, once its texts are there

  // The kinds of a pair in the data; a near miss belongs to no group.
  const kinds = ["borderline", "disputed", "nearMiss"];
  // The pages under which judgements of a pair are kept: of a near miss those that it names.
  const judged = ([a, b, , , labelA = a, labelB = b]) => [labelA, labelB];
  const said = (pair) => report.judgementOf(...judged(pair));

  const address = (index) => "#/review/" + (index + 1);

  function buttons(pair) {
    const { word } = report;
    const chosen = said(pair);
    const button = (name, key) => element("button", { type: "button", class: "button judge", id: "judge-" + name,
      "aria-pressed": chosen === name ? "true" : "false", "aria-keyshortcuts": key,
      click: () => report.judgeShown(name) }, word(name), " ", element("kbd", {}, key));
    return element("div", { class: "judge-row", role: "group", "aria-label": word("review") }, button("same", "s"),
      button("different", "d"), button("unsure", "a"), report.undoButton());
  }

  function progress() {
    const { word } = report;
    const done = pairs.filter((pair) => said(pair) !== undefined).length;
    const { conflicts } = report.labels();
    return element("div", { class: "progress" },
      element("progress", { max: pairs.length, value: done, "aria-label": word("judged", done, pairs.length) }),
      element("span", { id: "judged" }, word("judged", done, pairs.length)),
      element("button", { type: "button", class: "button", id: "download", disabled: done === 0,
        click: () => report.downloadLabels() }, word("download")),
      element("button", { type: "button", class: "button", disabled: done === 0, click: () => {
        if (!window.confirm(word("forgetAsk", report.judgements.size))) return;
        report.forgetJudgements();
        report.redraw();
      } }, word("forget")),
      conflicts > 0 ? element("p", { class: "note" }, word("conflicts", conflicts)) : null,
      element("p", { class: "note" }, word(report.keepsJudgements ? "labelsText" : "notStored")));
  }

  report.judgeShown = function (judgement) {
    if (location.hash !== drawn) return;  // the next pair is not there yet
    report.judge(...judged(pairs[at]), judgement);
    report.say(report.word(judgement));
    if (at + 1 < pairs.length) location.hash = address(at + 1);
    else report.redraw();
  };
  report.reviewStep = function (step) {
    const next = at + step;
    if (next >= 0 && next < pairs.length) location.hash = address(next);
  };

  function pager() {
    const { word } = report;
    const step = (to, label) => to < 0 || to >= pairs.length ? element("span", { class: "button off" }, label)
      : element("a", { class: "button", href: address(to) }, label);
    const [, , group, kind] = pairs[at];
    return element("nav", { class: "pager", "aria-label": word("review") }, step(at - 1, word("previous")),
      element("span", {}, word("pairOf", at + 1, pairs.length), " · ",
        group < 0 ? null : element("a", { href: "#/group/" + group }, word("groupName", group + 1)), " ",
        element("span", { class: "tag" }, word(kinds[kind]))), step(at + 1, word("next")));
  }

  report.showReview = async function (number) {
    const { word } = report;
    const here = location.hash;
    await report.loadColumns();
    pairs = await report.load("review");
    const heading = element("h2", { class: "hidden" }, word("review"));
    const { near_miss_groups: looked, groups, singles } = report.meta;
    const misses = looked === groups + singles ? null
      : element("p", { class: "note" }, word("missesIn", looked, groups + singles));
    if (pairs.length === 0) return report.show(word("review"), heading, element("p", {}, word("noPairs")));
    // Where no pair is named, the first that nobody has judged.
    const open = pairs.findIndex((pair) => said(pair) === undefined);
    at = number > 0 ? Math.min(number, pairs.length) - 1 : Math.max(0, open);
    const [a, b] = pairs[at];
    const [[base], [page]] = await Promise.all([report.pages(a, a + 1), report.pages(b, b + 1)]);
    const compared = await report.comparison(base, page);
    report.show(word("review"), heading, element("p", { class: "note" }, word("reviewText")), pager(), compared,
      progress(), misses, buttons(pairs[at]));
    drawn = here;
  };
})(window.ndcReport);
