"use strict";
// Decisions in words.
(function (report) {
  report.ruleName = (name) => (report.hasWord("rule_" + name) ? report.word("rule_" + name) : name);
  report.ruleOf = (page) => (page.rule < 0 ? "" : report.ruleName(report.meta.rules[page.rule][0]));

  // The remarks of a page's or a group's flags.
  report.flagNames = function (flags, upTo = 13) {
    const names = [];
    for (let bit = 0; bit < upTo; ++bit) {
      if ((flags & (1 << bit)) !== 0) names.push(report.word("flag_" + bit));
    }
    return names;
  };

  // Why the page of a group is kept.
  report.keptReason = function (page) {
    switch (report.meta.keep) {
      case "longest": return report.word("becauseLongest", page.width);
      case "newest": return report.word("becauseNewest", report.time(page.time));
      case "canonical":
        return page.votes === 0 ? report.word("becauseCanonicalNone") : report.word("becauseCanonical", page.votes);
      default: return report.word("becauseFirst");
    }
  };

  // Of what is not quite everything, or not quite nothing, neither is said.
  function wholePercent(share) {
    const percent = share * 100;
    return String(Math.round(percent > 99 && percent < 100 ? 99 : percent > 0 && percent < 1 ? 1 : percent));
  }

  // Why the two count as the same document or not, for people who know no option: a sentence each.
  report.reasons = function (page) {
    if (page.pair === null) return [report.word(page.represents ? "founder" : "notKnown")];
    return (page.pair.y || []).map(([name, ...shares]) => report.word("reason_" + name, ...shares.map(wholePercent)));
  };

  // The numbers behind that, a sentence each.
  report.sentences = function (page) {
    const said = [];
    const pair = page.pair;
    if (pair === null) return said;
    said.push(report.word("verdict_" + pair.v));
    if (page.rule >= 0 && pair.v === "near") said.push(report.word("ruleSentence", report.ruleOf(page)));
    if (pair.d !== undefined) {
      said.push(report.word("threshold", pair.d[0], report.share(pair.d[1]), report.share(pair.d[2])));
    }
    if (pair.v !== "exact" && page.resemblance >= 0) {
      said.push(report.word("scores", report.share(page.resemblance / 10000), report.share(page.containment / 10000)));
      said.push(report.word("coverage", report.percent(pair.m), report.percent(pair.p)));
    }
    if (pair.b !== undefined) said.push(report.word("learned", pair.b[0], pair.b[1]));
    if (pair.s !== undefined) {
      said.push(report.word("detector", pair.s[0], report.share(pair.s[1]), report.share(pair.s[2])));
    }
    const remarks = report.flagNames(page.flags, 9);
    return remarks.length === 0 ? said : said.concat(report.word("remarks", remarks.join(", ")));
  };
})(window.ndcReport);
