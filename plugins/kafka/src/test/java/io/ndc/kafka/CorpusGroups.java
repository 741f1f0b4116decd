package io.ndc.kafka;

import io.ndc.Archive;
import io.ndc.ArchiveItem;
import io.ndc.Page;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The groups that the topology finds in an archive, page by page, and once more when it was settled: CorpusGroups
 * PAGES.warc.gz OUTPUT writes OUTPUT.first.tsv and OUTPUT.settled.tsv, rows (URL, group) as {@code ndc dedup} has them.
 */
public final class CorpusGroups {
  private final Map<String, Long> first = new TreeMap<>();
  private final Map<String, Long> settled;

  /** Of an archive; what is kept meanwhile goes into a folder. */
  CorpusGroups(Path archive, Path folder) throws IOException {
    try (DrivenTopology cluster = new DrivenTopology(folder)) {
      read(archive, page -> cluster.ask(page));
      first.putAll(cluster.groups());
      System.out.println(first.size() + " pages; bytes a page " + perPage(cluster.bytes, first.size()));
      cluster.settle();
      settled = cluster.groups();
      System.out.println(cluster.metrics.all());
    }
  }

  private static Map<String, Long> perPage(Map<String, Long> bytes, int pages) {
    Map<String, Long> shares = new TreeMap<>();
    bytes.forEach((topic, all) -> shares.put(topic, all / pages));
    return shares;
  }

  /** Takes pages, which may fail. */
  interface PageVisitor {
    void visit(Page page);
  }

  static void read(Path archive, PageVisitor visitor) throws IOException {
    long count = 0;
    try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "r");
        Archive pages = Archive.open(archive.toString(), (offset, out, size) -> {
          file.seek(offset);
          return file.read(out, 0, Math.min(size, out.length));
        }, 0, file.length(), 8 << 20, false)) {
      for (ArchiveItem item = pages.next(); item != null; item = pages.next()) {
        if (item.kind() != ArchiveItem.Kind.PAGE) continue;
        // No two are the same question.
        visitor.visit(Page.of(item.url(), ByteBuffer.wrap(item.body())).withContentType(item.contentType())
            .withFetchedAtMs(1_700_000_000_000L + ++count));
      }
    }
  }

  Map<String, Long> settled() {
    return settled;
  }

  /**
   * The program.
   *
   * @param arguments of the first sentence
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createTempDirectory("ndc-groups");
    CorpusGroups groups = new CorpusGroups(Path.of(arguments[0]), folder);
    for (var each : List.of(Map.entry("first", groups.first), Map.entry("settled", groups.settled))) {
      StringBuilder rows = new StringBuilder();
      each.getValue().forEach((url, group) -> rows.append(url).append('\t').append(group).append('\n'));
      Files.writeString(Path.of(arguments[1] + "." + each.getKey() + ".tsv"), rows);
    }
  }
}
