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
    nav.replaceChildren(link("#/", word("overview"), here === "" || here === "#/"),
      link("#/groups", word("groups"), here.startsWith("#/group")),
      link("#/review", word("review"), here.startsWith("#/review")));
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
      else report.showOverview();
    } catch (failure) {
      report.show(report.word("name"), element("p", { class: "failure", role: "alert" },
        report.word("failed", failure.message)));
    }
    document.documentElement.dataset.ready = location.hash || "#/";
  };

  report.switchLanguage = function () {
    report.language = report.language === "zh" ? "en" : "zh";
    return report.route();
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
    report.loadJudgements();
    window.addEventListener("hashchange", () => {
      delete document.documentElement.dataset.ready;
      report.route();
    });
    await report.route();
    document.documentElement.dataset.opened = String(Math.round(performance.now()));
    // So that the list is there when it is asked for.
    await report.loadColumns();
    document.documentElement.dataset.indexed = String(Math.round(performance.now()));
  }
  start();
})(window.ndcReport);
