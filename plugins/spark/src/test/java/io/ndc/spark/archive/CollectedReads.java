package io.ndc.spark.archive;

import io.ndc.ArchiveItem;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Collects what a reader returned and logged, for comparison with what a test expects. */
final class CollectedReads implements ReadLog {
  final List<ArchiveItem> pages = new ArrayList<>();
  final List<String> damages = new ArrayList<>();  // "PATH OFFSET REASON"
  final List<String> failed = new ArrayList<>();  // "PATH REASON"
  int records;
  int pagesTold;
  int truncated;
  int noPages;
  int otherStatuses;

  /** Reads a file as the last attempt, up to 64 MiB a page. */
  static CollectedReads of(String path, Configuration configuration) {
    return of(new ArchiveSplit(path, 0, Long.MAX_VALUE), new ReadRules(64 << 20, false), configuration);
  }

  static CollectedReads of(ArchiveSplit split, ReadRules rules, Configuration configuration) {
    CollectedReads reads = new CollectedReads();
    try (ArchiveReader reader = new ArchiveReader(split, rules, reads, configuration, true)) {
      reader.forEachRemaining(reads.pages::add);
    }
    return reads;
  }

  static CollectedReads of(byte[] archive) {
    return of(MemoryFiles.add(archive), MemoryFiles.configuration());
  }

  List<String> urls() {
    return pages.stream().map(ArchiveItem::url).toList();
  }

  /** URL, size of the body and its hash, place. */
  List<String> facts() {
    return pages.stream().map(page -> page.url() + " " + page.body().length + " " + body(page).hashCode() + " "
        + page.contentType() + " " + page.fetchedAtMs() + " " + page.isTruncated() + " "
        + page.fileOffset()).toList();
  }

  static String body(ArchiveItem page) {
    return Warcs.text(page.body());
  }

  @Override
  public void record() {
    records++;
  }

  @Override
  public void page(long bodyBytes, boolean isTruncated) {
    pagesTold++;
    if (isTruncated) truncated++;
  }

  @Override
  public void noPage() {
    noPages++;
  }

  @Override
  public void otherStatus() {
    otherStatuses++;
  }

  @Override
  public void damaged(String path, long offset, String reason) {
    damages.add(path + " " + offset + " " + reason);
  }

  @Override
  public void failedFile(String path, String reason) {
    failed.add(path + " " + reason);
  }
}
