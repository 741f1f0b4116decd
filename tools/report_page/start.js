"use strict";
// Opens the report: what all views need, the frame around them, and which view an address means.
(function (report) {
  const { element } = report;

  function drawFrame() {
    const { word } = report;
    document.documentElement.lang = report.language === "zh" ? "zh-CN" : "en";
    document.getElementById("name").textContent = word("name");
    document.getElementById("skip").textContent = word("skip");
    const here = location.hash;
    const link = (address, text, current) => element("a",
      { href: address, "aria-current": current ? "page" : undefined },
      text);
    const nav = document.getElementById("nav");
    nav.setAttribute("aria-label", word("name"));
    nav.replaceChildren(...[link("#/", word("overview"), here === "" || here === "#/"),
      link(report.listAddress(), word("groups"), here.startsWith("#/group")),
      report.offersJudging() ? link("#/review", word("review"), here.startsWith("#/review")) : null,
      report.offersJudging() ? link("#/decisions", word("decisions"), here.startsWith("#/decisions")) : null]
      .filter(Boolean));
    document.getElementById("tools").replaceChildren(
      element("button", { type: "button", id: "language", lang: report.language === "zh" ? "en" : "zh-CN",
        click: () => report.switchLanguage() }, word("language")),
      element("button", { type: "button", click: () => report.showHelp() }, word("help")));
    document.getElementById("footer").textContent = word("madeBy", report.meta.library);
  }

  report.route = async function () {
    const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
    const [view, first, second] = path.split("/");
    drawFrame();
    try {
      if (view === "groups") await report.showGroups(query || "");
      else if (view === "group" && second !== undefined) await report.showComparison(Number(first), Number(second));
      else if (view === "group") await report.showGroup(Number(first), query || "");
      else if (view === "review") await report.showReview(Number(first) || 0);
      else if (view === "decisions") await report.showDecisions();
      else await report.showOverview();
    } catch (failure) {
      report.show(report.word("name"), element("p", { class: "failure", role: "alert" },
        report.word("failed", failure.message)));
    }
    document.documentElement.dataset.ready = location.hash || "#/";
  };

  report.switchLanguage = function () {
    report.language = report.language === "zh" ? "en" : "zh";
    try {
      localStorage.setItem("ndc-report language", report.language);
    } catch (failure) {
      // The browser keeps nothing for files: the language is then chosen anew.
    }
    return report.redraw();
  };

  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });

  async function start() {
    try {
      report.meta = await report.load("meta");
      report.hosts = await report.load("hosts");
    } catch (failure) {
      document.getElementById("opening").textContent = report.word("failed", failure.message);
      return;
    }
    report.loadSaid();
    const left = new Map();  // address → where it was scrolled to, and what had the focus
    window.addEventListener("hashchange", async (event) => {
      delete document.documentElement.dataset.ready;
      left.set(new URL(event.oldURL).hash, { top: window.scrollY, place: report.placeOfFocus() });
      await report.route();
      const before = left.get(location.hash);
      if (before === undefined || (before.top === 0 && !(before.place && before.place.row))) return;
      if (before.place !== null) report.focusPlace(before.place);
      window.scrollTo(0, before.top);
    });
    await report.route();
    document.documentElement.dataset.opened = String(Math.round(performance.now()));
    // So that the list is there when it is asked for.
    await report.loadColumns();
    document.documentElement.dataset.indexed = String(Math.round(performance.now()));
  }
  start();
})(window.ndcReport);
