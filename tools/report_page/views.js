"use strict";
// Puts views into the page, and draws them again without taking from people what they opened and where they are.
(function (report) {
  const reachable = "a[href], button, input, select, summary, [tabindex]";
  const folds = new Map();  // name → whether it is open, of those of this view that were pressed
  let staysInPlace = false;
  let redraws = 0;

  const isOpen = (fold) => fold.parentElement.open === true;  // a button is gone once it has opened something

  document.addEventListener("click", ({ target }) => {
    const fold = target.closest("[data-fold]");
    if (fold !== null && !staysInPlace) folds.set(fold.dataset.fold, !isOpen(fold));
  }, true);
  window.addEventListener("hashchange", () => { staysInPlace = false; });

  function foldAgain() {
    for (const [name, wasOpen] of folds) {
      const fold = document.querySelector("[data-fold='" + name + "']");
      if (fold !== null && isOpen(fold) !== wasOpen) fold.click();
    }
  }

  // Puts what somebody has opened in the place of its button, which takes the focus along.
  report.unfold = function (fold, content) {
    const hasFocus = fold.contains(document.activeElement);
    fold.replaceWith(...content);
    content[0].setAttribute("tabindex", "-1");
    if (hasFocus) content[0].focus({ preventScroll: true });
  };

  // Where the focus is: an element with a name, or which of those within it, or within a row, that can have it.
  report.placeOfFocus = function () {
    const focused = document.activeElement;
    const around = focused.closest("[id], tr[data-row]");
    return around && { id: around.id, row: around.dataset.row,
      at: [...around.querySelectorAll(reachable)].indexOf(focused) };
  };
  report.focusPlace = function ({ id, row, at }) {
    const around = id === "" ? document.querySelector("tr[data-row='" + row + "']") : document.getElementById(id);
    const found = around === null || at < 0 ? around : around.querySelectorAll(reachable)[at];
    if (found) found.focus({ preventScroll: true });
  };

  // Draws the view again where it is: nothing moves.
  report.redraw = async function () {
    const place = report.placeOfFocus();
    const top = window.scrollY;
    const address = location.hash;
    const own = ++redraws;
    staysInPlace = true;
    await report.route();
    if (own !== redraws || location.hash !== address) return;  // another view is there by now
    foldAgain();
    staysInPlace = false;
    if (place !== null) {
      report.focusPlace(place);
      // What had it is gone, or cannot be pressed any more.
      if (document.activeElement === document.body) document.getElementById("main").focus({ preventScroll: true });
    }
    const focused = document.activeElement;
    if (focused instanceof HTMLInputElement) focused.setSelectionRange(focused.value.length, focused.value.length);
    window.scrollTo(0, top);
    document.documentElement.dataset.ready = location.hash || "#/";
  };

  // Puts a view into the page; the heading takes the focus, so that a reader of the screen begins there.
  report.show = function (title, ...content) {
    const main = document.getElementById("main");
    main.replaceChildren(...content.flat().filter(Boolean));
    document.title = title + " – ndc report";
    const heading = main.querySelector("h2");
    if (heading !== null) heading.setAttribute("tabindex", "-1");
    if (staysInPlace) return;
    folds.clear();
    if (heading !== null) heading.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  };
})(window.ndcReport);
