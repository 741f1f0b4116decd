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
  public void item(ArchiveItem item) {
    if (item.isRecord()) records++;
    switch (item.kind()) {
      case PAGE -> {
        pagesTold++;
        if (item.isTruncated()) truncated++;
      }
      case DAMAGE -> { }
      case OTHER_STATUS -> otherStatuses++;
      default -> noPages++;
    }
  }

  @Override
  public void failed(String path, long offset, String reason) {
    if (offset == WHOLE_FILE) failed.add(path + " " + reason);
    else damages.add(path + " " + offset + " " + reason);
  }
}
