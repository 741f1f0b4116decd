"use strict";
// What people have said of this report, which their browser keeps, and the way back through all of it.
(function (report) {
  const stepsKept = 1000;  // that can be undone
  const steps = [];        // {address, said, before: [key, what was said before]}
  report.judgements = new Map();  // "a b" → "same" | "different" | "unsure"
  report.decided = new Map();     // page → "keep" | "leave-out"
  report.keepsJudgements = true;

  // Reports are told apart by what is in them: the browser keeps one place for all files.
  function places() {
    const place = "ndc-report " + [report.meta.pages, report.meta.groups, report.meta.page_rows, report.meta.bytes,
      report.meta.inputs.join(" "), report.meta.store].join(" ");
    return [[place, report.judgements], [place + " decisions", report.decided]];
  }

  report.loadSaid = function () {
    for (const [place, said] of places()) {
      try {
        for (const [key, value] of JSON.parse(localStorage.getItem(place) || "[]")) said.set(key, value);
      } catch (failure) {
        report.keepsJudgements = false;
      }
    }
  };

  function change(said, changes) {
    for (const [key, value] of changes) {
      if (value === undefined) said.delete(key);
      else said.set(key, value);
    }
    // Only what has changed: another window of the report may have said more of the other.
    const [place] = places().find(([, each]) => each === said);
    try {
      localStorage.setItem(place, JSON.stringify([...said]));
    } catch (failure) {
      report.keepsJudgements = false;
    }
  }

  // One step. `changes`: [key, what is said] each; undefined takes back what was said.
  report.takeStep = function (said, changes) {
    const made = changes.filter(([key, value]) => said.get(key) !== value);
    if (made.length === 0) return;
    steps.push({ address: location.hash, said, before: made.map(([key]) => [key, said.get(key)]) });
    if (steps.length > stepsKept) steps.shift();
    change(said, made);
  };

  report.undo = function () {
    const step = steps.pop();
    if (step === undefined) return undefined;
    change(step.said, step.before);
    report.say(report.word("undone"));
    // Where it was said one sees what is undone; the view of decisions shows all of them.
    if (location.hash === step.address || location.hash === "#/decisions") return report.redraw();
    location.hash = step.address;
    return undefined;
  };

  report.undoButton = () => report.element("button", { type: "button", class: "button", id: "undo",
    disabled: steps.length === 0, "aria-keyshortcuts": "z", click: () => report.undo() }, report.word("undo"));
})(window.ndcReport);
