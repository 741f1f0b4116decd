"use strict";
// The words of the interface, in English and Chinese. A text with "|" has a form for one and one for more.
(function (report) {
  const english = {
    name: "Near-duplicate pages", overview: "Overview", groups: "Groups", review: "Review", help: "Keys",
    language: "中文", skip: "Skip to the content", back: "Back to the groups", close: "Close", loading: "Loading…",
    failed: "A part of this report cannot be read: {0}",
    pages: "{0} page|{0} pages", ofPages: "Pages", groupsOf: "Groups of near-duplicates",
    singles: "Pages without a duplicate", duplicates: "Duplicates", duplicatesNote: "pages that could be left out",
    saved: "Could be saved", savedOf: "of {0} in all", savedUnknown: "sizes are not known",
    bySite: "By site", byMonth: "By month", byRule: "By rule", site: "Site", month: "Month", rule: "Rule",
    unknownMonth: "not known", moreSites: "Show {0} more site|Show {0} more sites", noSite: "(no host)",
    noteStore: "From the store {0}, which keeps no texts.",
    noteTexts: "Sizes, titles and texts of {0} of {1} pages are missing here: no archive given with --pages has them.",
    noteOther: "{0} page has another text in the archive than in the store; it is not compared here.|{0} pages have " +
      "another text in the archives than in the store; they are not compared here.",
    noteCut: "{0} text is left out by the limit of --text-megabytes.|{0} texts are left out by the limit of " +
      "--text-megabytes.",
    noteDamaged: "{0} damaged record was skipped.|{0} damaged records were skipped.",
    noteNoUrl: "{0} page without a URL is left out.|{0} pages without a URL are left out.",
    noteOthers: "{0} page is to be kept as well: it differs too much from the one kept of its group.|{0} pages are " +
      "to be kept as well: they differ too much from those kept of their groups.",
    noteParts: "{0} page is to be kept as well: it has much more or less text than the one kept of its group.|{0} " +
      "pages are to be kept as well: they have much more or less text than those kept of their groups.",
    noteTrap: "{0} page says nothing but what many pages of its site say, numbers aside.|{0} pages say nothing but " +
      "what many pages of their sites say, numbers aside: perhaps traps, such as calendars without end, or errors " +
      "sent as pages.",
    noteInputs: "Read: {0}", noteMore: "and {0} more", noteKeep: "Which page of a group to keep: {0}.",
    keepFirst: "the first of the input", keepLongest: "the one with most text",
    keepNewest: "the one fetched last", keepCanonical: "the one that canonical links name",
    search: "Search URLs and titles", searchSite: "Site contains", minPages: "Pages, at least",
    minSaved: "Saved, at least (KB)", resemblance: "Resemblance", scoreFrom: "Resemblance, from",
    scoreTo: "Resemblance, to", flags: "Remarks",
    any: "any", clear: "Clear filters", filters: "Filters", found: "{0} group|{0} groups",
    searching: "Searching: {0} of {1} pages", none: "No group fits.", previous: "Previous", next: "Next",
    pageOf: "{0}–{1} of {2}", group: "Group", title: "Page that is kept", size: "Pages", savedColumn: "Saved",
    worst: "Lowest resemblance", newest: "Newest", margin: "Margin", order: "Order by", reverse: "Reverse the order",
    groupName: "Group {0}", members: "Pages of the group", keptPage: "Keep", keptBecause: "Kept: {0}.",
    becauseFirst: "it came first", becauseLongest: "it has most text, {0} units wide",
    becauseNewest: "it was fetched last, {0}", becauseCanonical: "{0} page of the group names it in its canonical " +
      "link|{0} pages of the group name it in their canonical links",
    becauseCanonicalNone: "no canonical link names a page of the group, and it has the shortest URL",
    leave: "Leave out", representative: "Represents the group", time: "Fetched", bytes: "Size", width: "Text",
    decision: "Decision", compare: "Compare", compareWith: "Compare with the representative: {0}",
    noTexts: "no text", untitled: "(no title)", noTime: "not known",
    comparison: "Comparison", left: "A: represents the group", right: "B: this page", why: "Why",
    normalised: "The texts as they are compared: normalised, in lower case. Grey is what ndc has learned to be " +
      "boilerplate of the page's site.",
    asCompared: "normalised text: lower case, without invisible joining characters",
    onlyLeft: "only in A", onlyRight: "only in B", both: "in both",
    unchanged: "{0} unchanged block|{0} unchanged blocks",
    more: "Show more: {0} row is not shown|Show more: {0} rows are not shown",
    cut: "The text is long and is cut here; --page-text-bytes sets where.", truncatedTitle: "Cut",
    noText: "The texts are not in this report.", noTextOther: "The archive has another text of this page than the " +
      "store that decided.", nextChange: "Next change", previousChange: "Previous change",
    changes: "{0} change|{0} changes", equal: "No change: the texts are equal.",
    allPairs: "{0} pair to judge|{0} pairs to judge", judged: "{0} of {1} judged", same: "Same", different: "Different",
    unsure: "Cannot tell", pairOf: "Pair {0} of {1}", disputed: "disputed", borderline: "borderline",
    nearMiss: "near miss",
    download: "Download labels.tsv", forget: "Forget all judgements",
    missesIn: "Near misses were looked for in {0} of {1} groups.",
    noPairs: "No pair of this report is in doubt.", reviewText: "Are the two pages the same text to a reader?",
    labelsText: "Judgements stay in this browser until they are downloaded; ndc eval reads the file.",
    conflicts: "{0} page has judgements that contradict each other; it is written as ambiguous.|{0} pages have " +
      "judgements that contradict each other; they are written as ambiguous.",
    notStored: "This browser keeps nothing for files: download before you close the page.",
    reason_equal: "A and B have the same text, word for word.",
    reason_shared: "{0} % of A's own text is in B too, and {1} % of B's own text is in A.",
    reason_frames: "What their sites repeat on many pages hardly counts.",
    reason_alike: "Hardly anything is in one of them alone.",
    "reason_more-in-b": "B says nearly all that A says, and more.",
    "reason_more-in-a": "A says nearly all that B says, and more.",
    "reason_both-own": "Each says something that the other does not.",
    reason_probable: "That makes it {0} % probable that they are the same document; from {1} % on they count as one.",
    reason_improbable: "That makes it only {0} % probable that they are the same document; from {1} % on they would " +
      "count as one.",
    "reason_little-text": "There is too little text to tell.",
    "reason_little-shared": "That is too little to be the same document.",
    "reason_both-cut": "Both pages were cut before they came, so that nothing can be said of the rest.",
    reason_limited: "The comparison was ended early, since it took too much work.",
    reason_enough: "What is measured here is {0} %, and {1} % are enough.",
    "reason_not-enough": "What is measured here is {0} %, and {1} % are needed.",
    searchMembers: "Search the pages of the group", numbers: "Numbers and remarks",
    unchangedText: "… {0} equal characters …",
    pagePosition: "Page {0} of {1}", previousPage: "Previous page",
    nextPage: "Next page", maxPages: "Pages, at most", newestFrom: "Newest, from", newestTo: "Newest, to",
    pictureSites: "Groups by site and month of the newest page",
    pictureSizes: "Groups by size and lowest resemblance", alike: "{0} to {1}",
    noteUncertain: "{0} page is to be kept as well by --caution.|{0} pages are to be kept as well by --caution.",
    verdict_exact: "All visible text is equal.", verdict_near: "Near-duplicate.",
    verdict_different: "As they are known now, the two would not be put together.",
    ruleSentence: "Rule: {0}.", threshold: "Option {0} asks for {1}; found: {2}.",
    coverage: "The two share {0} of the representative's main content and {1} of this page's.",
    scores: "Resemblance {0}, containment {1}.",
    learned: "Learned as boilerplate of their sites: {0} words of the representative, {1} of this page.",
    detector: "Detector {0}: score {1}, near-duplicates from {2} on.",
    remarks: "Remarks: {0}.",
    notKnown: "The library cannot compare these two any more.", founder: "It founded the group.",
    rule_exact: "all text equal", rule_probability: "likely the same document", rule_report: "report",
    rule_none: "none", rule_different: "none", rule_other: "others",
    flag_0: "fetched again", flag_1: "text changed", flag_2: "moved from another group", flag_3: "body cut",
    flag_4: "cut by a limit", flag_5: "short", flag_6: "contains the representative",
    flag_7: "part of the representative", flag_8: "not verified", flag_9: "disputed",
    flag_10: "representative is gone", flag_11: "several sites", flag_12: "all equal", flag_13: "has texts",
    decisions: "Decisions", keep: "Keep", keepAll: "Keep all pages", leaveOthers: "Leave out the copies", undo: "Undo",
    undone: "Undone", decideNone: "Forget these decisions", page: "Page", live: "Live page", replay: "Replay",
    decidedOf: "{0} page decided|{0} pages decided", pairsJudged: "{0} pair judged|{0} pairs judged",
    downloadDecisions: "Download decisions.tsv",
    decisionsText: "Decisions stay in this browser until they are downloaded. ndc filter obeys them, and its own " +
      "rules for all other pages; pages of pairs that are judged different, or that nobody can tell, are kept.",
    noJudging: "This report has no texts, so that nobody can judge.",
    keysTitle: "Keys", keys_nav: "o g r e|overview, groups, review, decisions",
    keys_decide: "v x z|keep this page, leave it out, undo", keys_rows: "j k|next and previous row, pair or page",
    keys_open: "Enter|open", keys_up: "u|up: from a comparison to its group, from a group to the list",
    keys_search: "/|search", keys_pages: "[ ]|previous and next page of a list",
    keys_changes: "n p|next and previous change", keys_judge: "s d a|same, different, cannot tell",
    keys_language: "l|the other language", keys_help: "?|these keys", madeBy: "Made by ndc {0}.",
  };

  const chinese = {
    name: "近似重复页面", overview: "概览", groups: "分组", review: "审阅", help: "快捷键",
    language: "English", skip: "跳到正文", back: "返回分组列表", close: "关闭", loading: "载入中…",
    failed: "无法读取报告的一部分：{0}", pages: "{0} 个页面", ofPages: "页面",
    groupsOf: "近似重复分组", singles: "无重复的页面", duplicates: "重复页面",
    duplicatesNote: "可以不保留的页面", saved: "可节省", savedOf: "共 {0}", savedUnknown: "大小未知",
    bySite: "按站点", byMonth: "按月份", byRule: "按规则", site: "站点", month: "月份", rule: "规则",
    unknownMonth: "未知", moreSites: "显示另外 {0} 个站点", noSite: "（无主机名）",
    noteStore: "来自存储 {0}，其中不含文本。",
    noteTexts: "{1} 个页面中有 {0} 个缺少大小、标题和文本：--pages 给出的档案中没有它们。",
    noteOther: "{0} 个页面在档案中的文本与存储中的不同，此处不作比较。",
    noteCut: "因 --text-megabytes 的限制，省略了 {0} 份文本。",
    noteDamaged: "跳过了 {0} 条损坏的记录。", noteNoUrl: "省略了 {0} 个没有 URL 的页面。",
    noteOthers: "另有 {0} 个页面也应保留：与所在分组保留的页面差别过大。",
    noteParts: "另有 {0} 个页面也应保留：文本比所在分组保留的页面多得多或少得多。",
    noteTrap: "除数字外，{0} 个页面的内容在其站点的许多页面上都有：可能是爬虫陷阱（如无尽的日历），或作为页面发送的错误信息。",
    noteInputs: "读取：{0}", noteMore: "以及另外 {0} 个", noteKeep: "每组保留的页面：{0}。",
    keepFirst: "输入中的第一个", keepLongest: "文本最多的", keepNewest: "最后抓取的",
    keepCanonical: "规范链接所指的", search: "搜索 URL 和标题", searchSite: "站点包含",
    minPages: "页面数至少", minSaved: "节省至少（KB）", resemblance: "相似度", scoreFrom: "相似度从", scoreTo: "相似度到",
    flags: "备注", any: "不限", clear: "清除筛选", filters: "筛选", found: "{0} 个分组",
    searching: "正在搜索：{0} / {1} 个页面", none: "没有符合的分组。", previous: "上一页",
    next: "下一页", pageOf: "第 {0}–{1} 个，共 {2} 个", group: "分组", title: "保留的页面",
    size: "页面", savedColumn: "节省", worst: "最低相似度", newest: "最新", margin: "余量",
    order: "排序", reverse: "反转顺序", groupName: "分组 {0}", members: "组内页面", keptPage: "保留",
    keptBecause: "保留原因：{0}。", becauseFirst: "它最先出现",
    becauseLongest: "它的文本最多，宽 {0} 个单位", becauseNewest: "它最后抓取，{0}",
    becauseCanonical: "组内 {0} 个页面的规范链接指向它",
    becauseCanonicalNone: "没有规范链接指向组内页面，它的 URL 最短", leave: "不保留",
    representative: "代表页面", time: "抓取时间", bytes: "大小", width: "文本", decision: "判定",
    compare: "比较", compareWith: "与代表页面比较：{0}", noTexts: "无文本", untitled: "（无标题）",
    noTime: "未知", comparison: "比较", left: "A：代表页面", right: "B：此页面", why: "依据",
    normalised: "文本为比较时的形式：已规范化并转为小写。灰色为 ndc 学到的该页面所在站点的" +
      "模板文字。", learned: "学到的站点模板文字：代表页面中 {0} 个词，此页面中 {1} 个词。",
    asCompared: "规范化文本：小写，不含不可见的连接字符", onlyLeft: "仅在 A 中",
    onlyRight: "仅在 B 中", both: "两者共有", unchanged: "{0} 段相同", more: "显示更多：{0} 行未显示",
    cut: "文本过长，在此截断；由 --page-text-bytes 决定。", truncatedTitle: "截断",
    noText: "报告中没有这些文本。",
    noTextOther: "档案中此页面的文本与作出判定的存储不同。", nextChange: "下一处差异",
    previousChange: "上一处差异", changes: "{0} 处差异", equal: "没有差异：文本相同。",
    allPairs: "{0} 对待审阅", judged: "已审阅 {0} / {1}", same: "相同", different: "不同",
    unsure: "无法判断", pairOf: "第 {0} 对，共 {1} 对", disputed: "有争议", nearMiss: "险些同组",
    borderline: "临界", download: "下载 labels.tsv", forget: "清除所有判断", noPairs: "此报告中没有存疑的页面对。",
    missesIn: "在 {1} 个分组中的 {0} 个里查找了险些同组的页面对。",
    reviewText: "对读者来说，两个页面是同一篇文本吗？",
    labelsText: "判断保存在此浏览器中，直到下载；ndc eval 可读取该文件。",
    conflicts: "{0} 个页面的判断互相矛盾，记为 ambiguous。",
    notStored: "此浏览器不为本地文件保存数据：请在关闭页面前下载。",
    verdict_exact: "全部可见文本相同。", verdict_near: "近似重复。",
    reason_equal: "A 与 B 的文本逐字相同。",
    reason_shared: "A 自身文本的 {0}% 也在 B 中，B 自身文本的 {1}% 也在 A 中。",
    reason_frames: "各自站点在许多页面上重复的内容几乎不计。", reason_alike: "几乎没有只属于其中一方的内容。",
    "reason_more-in-b": "B 几乎包含 A 的全部内容，并且更多。", "reason_more-in-a": "A 几乎包含 B 的全部内容，并且更多。",
    "reason_both-own": "双方各有对方没有的内容。",
    reason_probable: "因此两者是同一文档的概率为 {0}%；达到 {1}% 即视为同一文档。",
    reason_improbable: "因此两者是同一文档的概率仅为 {0}%；达到 {1}% 才视为同一文档。",
    "reason_little-text": "文本太少，无法判断。", "reason_little-shared": "共有内容太少，不可能是同一文档。",
    "reason_both-cut": "两个页面在抓取时都被截断，其余部分无从判断。", reason_limited: "比较因工作量过大而提前结束。",
    reason_enough: "此处测得 {0}%，达到 {1}% 即可。", "reason_not-enough": "此处测得 {0}%，需要达到 {1}%。",
    searchMembers: "在组内页面中搜索", numbers: "数值与备注", unchangedText: "…… {0} 个相同字符 ……",
    pagePosition: "第 {0} 页，共 {1} 页", previousPage: "上一页面", nextPage: "下一页面",
    maxPages: "页面数至多", newestFrom: "最新不早于", newestTo: "最新不晚于",
    pictureSites: "按站点和最新页面月份的分组", pictureSizes: "按大小和最低相似度的分组", alike: "{0} 至 {1}",
    noteUncertain: "因 --caution 另有 {0} 个页面也应保留。",
    verdict_different: "按现在所知，两者不会归为一组。", ruleSentence: "规则：{0}。",
    threshold: "选项 {0} 要求 {1}，实际为 {2}。",
    coverage: "两者共有的部分占代表页面正文的 {0}，占此页面正文的 {1}。",
    scores: "相似度 {0}，包含度 {1}。",
    detector: "检测方法 {0}：得分 {1}，从 {2} 起视为近似重复。",
    remarks: "备注：{0}。", notKnown: "库已无法比较这两个页面。", founder: "它创建了该分组。",
    rule_exact: "全文相同", rule_probability: "很可能是同一文档", rule_report: "报告",
    rule_none: "无", rule_different: "无", rule_other: "其他", flag_0: "再次抓取", flag_1: "文本有变",
    flag_2: "来自其他分组", flag_3: "正文被截断", flag_4: "受限制中断", flag_5: "短",
    flag_6: "包含代表页面", flag_7: "是代表页面的一部分", flag_8: "未验证", flag_9: "有争议",
    flag_10: "代表页面已不存在", flag_11: "多个站点", flag_12: "全部相同", flag_13: "有文本",
    decisions: "决定", keep: "保留", keepAll: "保留所有页面", leaveOthers: "不保留副本", undo: "撤销", undone: "已撤销",
    decideNone: "清除这些决定", page: "页面", live: "在线页面", replay: "回放", decidedOf: "已决定 {0} 个页面",
    pairsJudged: "已审阅 {0} 对", downloadDecisions: "下载 decisions.tsv",
    decisionsText: "决定保存在此浏览器中，直到下载。ndc filter 按决定处理这些页面，其余页面按自身规则处理；" +
      "被判为不同或无法判断的页面对中的页面均保留。",
    noJudging: "此报告不含文本，因此无法判断。",
    keysTitle: "快捷键", keys_nav: "o g r e|概览、分组、审阅、决定", keys_decide: "v x z|保留此页、不保留此页、撤销", keys_rows: "j k|下一个、上一个",
    keys_open: "Enter|打开", keys_up: "u|返回上一级", keys_search: "/|搜索",
    keys_pages: "[ ]|列表的上一页、下一页", keys_changes: "n p|下一处、上一处差异",
    keys_judge: "s d a|相同、不同、无法判断", keys_language: "l|切换语言", keys_help: "?|显示快捷键",
    madeBy: "由 ndc {0} 生成。",
  };

  const languages = { en: english, zh: chinese };
  report.language = /^zh\b/i.test(navigator.language || "") ? "zh" : "en";
  try {
    report.language = localStorage.getItem("ndc-report language") || report.language;
  } catch (failure) {
    // As the browser says.
  }

  // The text of a key; {0}, {1} … are the other arguments, numbers in the language's form.
  report.word = function (key, ...values) {
    let text = languages[report.language][key];
    if (text === undefined) text = key.replace(/^[a-z]+_/, "");
    const forms = key.startsWith("keys_") ? [text] : text.split("|");
    if (forms.length > 1) text = forms[values[0] === 1 ? 0 : 1];
    return text.replace(/\{(\d)\}/g, (all, index) => {
      const value = values[Number(index)];
      return typeof value === "number" ? report.number(value) : String(value);
    });
  };
  report.hasWord = (key) => languages.en[key] !== undefined;
  report.wordKeys = () => ({ en: Object.keys(english), zh: Object.keys(chinese) });  // for tests
})((window.ndcReport = window.ndcReport || {}));
