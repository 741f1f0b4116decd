"use strict";
// Elements of the page, and how numbers, sizes and times are written. Texts of the archive get into the page as text
// nodes only: nothing in them is ever read as markup.
(function (report) {
  const twoLines = 120;  // letters

  // element("a", {class: "x", href: "#/", click: handler}, "text", child, ...). A function is a listener.
  report.element = function (name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (typeof value === "function") made.addEventListener(key, value);
      else made.setAttribute(key, value === true ? "" : String(value));
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return made;
  };

  // Characters that turn what follows them, or that are none, made visible. Joiners and marks of direction stay:
  // without them Persian, Hindi and emoji are spelled otherwise.
  report.visible = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u206f]/g, (character) =>
    "⟨" + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") + "⟩");

  const locale = () => (report.language === "zh" ? "zh-CN" : "en-GB");
  report.number = (number) => number.toLocaleString(locale());
  report.share = (share) => share.toLocaleString(locale(), { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  report.percent = (share) => share.toLocaleString(locale(), { style: "percent", maximumFractionDigits: 1 });

  report.bytes = function (bytes) {
    if (bytes < 0) return "–";
    const units = ["B", "KB", "MB", "GB", "TB"];
    let unit = 0;
    while (bytes >= 1000 && unit < units.length - 1) {
      bytes /= 1000;
      ++unit;
    }
    const digits = unit > 0 && bytes < 100 ? 1 : 0;
    return bytes.toLocaleString(locale(), { maximumFractionDigits: digits }) + " " + units[unit];
  };

  report.time = function (milliseconds) {
    if (milliseconds === 0) return report.word("noTime");
    const iso = new Date(milliseconds).toISOString();
    return iso.slice(0, 10) + " " + iso.slice(11, 16);
  };

  // Months since 1970-01, and 1.
  report.month = (month) => month === 0 ? report.word("unknownMonth")
    : String(1970 + Math.floor((month - 1) / 12)) + "-" + String((month - 1) % 12 + 1).padStart(2, "0");

  // Says something to readers of the screen, and shows it for a while.
  report.say = function (text) {
    const status = document.getElementById("status");
    if (status.textContent !== text) status.textContent = text;
  };

  // A URL as people read it: what is encoded, in letters; ASCII, which may steer a URL, stays encoded.
  report.readable = (url) => report.visible(url.replace(/(?:%[89a-f][0-9a-f])+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch (failure) {
      return encoded;
    }
  }));

  const { element } = report;
  // Texts of which a line or two are shown until somebody opens them.
  report.folded = (name, ...texts) => element("details", { class: "long" },
    element("summary", { "data-fold": name }, texts));

  report.urlText = (page) => element("bdi", { class: "url clamp", title: page.url }, report.readable(page.url));

  // The URL of a page, which opens where it may not fit into two lines of a narrow window.
  report.urlOf = function (page) {
    const shown = report.urlText(page);
    const width = shown.textContent.replace(/[^\u0000-\u10ff]/g, "xx").length;  // most letters beyond are wide
    return width <= twoLines ? shown : report.folded("url " + page.index, shown);
  };

  // Links to the page as it is now, and as it was, where the report has a replay.
  report.linksOf = function (page) {
    if (!/^https?:\/\//i.test(page.address)) return null;
    const link = (key, href) => element("a", { href, target: "_blank", rel: "noreferrer noopener", class: "outside" },
      report.word(key));
    const digits = page.time === 0 ? "" : new Date(page.time).toISOString().replace(/\D/g, "").slice(0, 14);
    return element("span", { class: "outside" }, link("live", page.address),
      report.meta.replay === "" ? null : [" ", link("replay", report.meta.replay + digits + "/" + page.address)]);
  };
})(window.ndcReport);
