package io.ndc.heritrix;

import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.PageInfo;
import io.ndc.Result;
import io.ndc.crawler.FounderComparison;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The verdicts of ndc on pages without a crawler. */
final class Oracle {
  private Oracle() {}

  /** The verdicts on the pages of these lines, asked in their order; the last one, where a page stands there twice. */
  static Map<String, NearDuplicateVerdict> verdicts(Collection<CrawlLog.Line> log, Map<String, WebPage> pages) {
    Map<String, NearDuplicateVerdict> verdicts = new LinkedHashMap<>();
    try (NearDuplicates engine = NearDuplicates.inMemory(Map.of())) {
      for (CrawlLog.Line line : log) {
        WebPage page = pages.get(line.url());
        Result result = engine.check(Page.of(line.url(), page.body()).withContentType(page.contentType()));
        verdicts.put(
            line.url(),
            NearDuplicateVerdict.of(
                result,
                FounderComparison.of(engine, result),
                url(engine, result.groupId()),
                url(engine, result.matchedPageId())));
      }
    }
    return verdicts;
  }

  private static String url(NearDuplicates engine, long page) {
    return engine.page(page).map(PageInfo::url).orElse(null);
  }
}
