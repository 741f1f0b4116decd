"use strict";
// Keys: everything can be reached without a pointer.
(function (report) {
  const { element } = report;
  const helpKeys = ["nav", "rows", "open", "up", "search", "pages", "changes", "decide", "judge", "language", "help"];

  report.showHelp = function () {
    const { word } = report;
    const dialog = document.getElementById("help");
    dialog.replaceChildren(element("h2", {}, word("keysTitle")), element("dl", {}, helpKeys.map((name) => {
      const [keys, text] = word("keys_" + name).split("|");
      return [element("dt", {}, keys.split(" ").map((key) => element("kbd", {}, key))), element("dd", {}, text)];
    }).flat()), element("form", { method: "dialog" }, element("button", { class: "button" }, word("close"))));
    if (!dialog.open) dialog.showModal();
  };

  const follow = (id) => {
    const link = document.getElementById(id);
    if (link !== null) link.click();
    return link !== null;
  };

  // The title of the next or the previous row takes the focus.
  function moveRow(step) {
    const titles = [...document.querySelectorAll("table.rows tbody .title")];
    if (titles.length === 0) return false;
    const at = titles.findIndex((title) => title.closest("tr").contains(document.activeElement));
    const next = at < 0 ? (step > 0 ? 0 : titles.length - 1) : Math.min(titles.length - 1, Math.max(0, at + step));
    titles[next].focus();
    return true;
  }

  // A click on a button takes the focus from the change, and drawing a page anew replaces its rows.
  const change = { address: "", at: -1 };

  const moveChange = report.moveChange = function (step) {
    let rows = [...document.querySelectorAll("tr.change")];
    if (rows.length === 0) return;
    const focused = rows.indexOf(document.activeElement.closest("tr.change"));
    const at = focused < 0 && change.address === location.hash ? change.at : focused;
    // Rows are drawn as they are asked for.
    const more = document.getElementById("more");
    while ((at + step >= rows.length || (at < 0 && step < 0)) && !more.hidden) {
      more.click();
      rows = [...document.querySelectorAll("tr.change")];
    }
    const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
    Object.assign(change, { address: location.hash, at: next });
    rows[next].focus({ preventScroll: true });
    rows[next].scrollIntoView({ block: "center" });
  };

  const inReview = () => location.hash.startsWith("#/review");

  function step(by) {
    if (inReview()) return report.reviewStep(by);
    const comparison = /^#\/group\/(\d+)\/(\d+)/.exec(location.hash);
    if (comparison === null) return moveRow(by);
    const group = Number(comparison[1]);
    const shown = document.getElementById(by > 0 ? "nextPage" : "previousPage");
    if (shown !== null) return shown.click();
    const next = Number(comparison[2]) + by;
    const first = report.columns.first[group];
    if (next >= first && next < first + report.columns.pages[group]) location.hash = "#/group/" + group + "/" + next;
    return undefined;
  }

  // Of the page that is compared, or of the row that has the focus.
  function decide(said) {
    const compared = /^#\/group\/\d+\/(\d+)/.exec(location.hash);
    const row = document.activeElement.closest("tr[data-row]");
    const inGroup = row !== null && location.hash.startsWith("#/group/");
    const index = compared !== null ? compared[1] : inGroup ? row.dataset.row : null;
    if (index !== null && report.offersJudging()) report.decideOr(Number(index), said);
  }

  const actions = {
    o: () => { location.hash = "#/"; }, g: () => { location.hash = report.listAddress(); },
    r: () => { location.hash = "#/review"; }, l: () => report.switchLanguage(), "?": () => report.showHelp(),
    j: () => step(1), k: () => step(-1), n: () => moveChange(1), p: () => moveChange(-1), u: () => follow("up"),
    "[": () => follow("previous"), "]": () => follow("next"),
    "/": () => {
      const field = document.getElementById("search");
      if (field !== null) field.focus();
      else location.hash = "#/groups";
    },
    e: () => { location.hash = "#/decisions"; }, z: () => report.undo(), v: () => decide("keep"),
    x: () => decide("leave-out"),
    s: () => inReview() && report.judgeShown("same"), d: () => inReview() && report.judgeShown("different"),
    a: () => inReview() && report.judgeShown("unsure"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
    const inField = event.target.closest("input, select, textarea") !== null;
    if (inField && event.key === "Escape") event.target.blur();
    const action = actions[event.key];
    if (inField || action === undefined || report.meta === undefined) return;
    event.preventDefault();
    action();
  });
})(window.ndcReport);
