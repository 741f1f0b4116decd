package io.ndc.kafka;

import io.ndc.Archive;
import io.ndc.ArchiveItem;
import io.ndc.NearDuplicatesException;
import io.ndc.Page;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.KafkaException;

/**
 * Makes a cluster know the pages of archives, as if they had just been fetched in their order: it decides about each,
 * and says the same of those that it knows. A program: NdImport FILE ARCHIVE... One thread.
 */
public final class NdImport {
  /** Enough to keep the instances at work; so few of a site's first pages are decided before it is known. */
  private static final int AT_ONCE = 64;
  private static final long PAGE_BYTES = 8 << 20;

  private final NdCluster cluster;
  private final Semaphore room = new Semaphore(AT_ONCE);
  private final AtomicLong pages = new AtomicLong();
  private final AtomicLong duplicates = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  NdImport(NdCluster cluster) {
    this.cluster = cluster;
  }

  /** Asks about each page. */
  void read(Path archive) throws IOException, InterruptedException {
    try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "r");
        Archive items = Archive.open(archive.toString(), (offset, out, size) -> {
          file.seek(offset);
          return file.read(out, 0, Math.min(size, out.length));
        }, 0, file.length(), PAGE_BYTES, false)) {
      for (ArchiveItem item = items.next(); item != null; item = items.next()) {
        if (item.kind() == ArchiveItem.Kind.PAGE) ask(item);
        if (item.kind() == ArchiveItem.Kind.DAMAGE)
          System.err.println("NdImport: " + item.file() + ":" + item.fileOffset() + ": " + item.reason());
      }
    }
    room.acquire(AT_ONCE);
    room.release(AT_ONCE);
  }

  private void ask(ArchiveItem item) throws InterruptedException {
    Page page = Page.of(item.url(), ByteBuffer.wrap(item.body())).withContentType(item.contentType())
        .withFetchedAtMs(item.fetchedAtMs());
    room.acquire();
    cluster.check(item.isTruncated() ? page.truncated() : page).whenComplete((result, failure) -> {
      pages.incrementAndGet();
      if (failure != null && failures.incrementAndGet() == 1)
        System.err.println("NdImport: " + item.url() + ": " + failure);
      if (result != null && result.isDuplicate()) duplicates.incrementAndGet();
      room.release();
    });
  }

  /** In a line. */
  String counts() {
    return pages + " pages, " + duplicates + " duplicates, " + failures + " without an answer";
  }

  /**
   * The program. It ends with 3 if a page had no answer.
   *
   * @param arguments of the class's last sentence
   */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length < 2) {
      System.err.println("NdImport: a file of settings (docs/guide-cluster.md) and archives");
      System.exit(2);
    }
    try {
      Map<String, String> settings = new TreeMap<>(NdClusterNode.settings(Path.of(arguments[0])));
      settings.putIfAbsent("timeout.ms", "60000");
      try (NdCluster cluster = NdCluster.connect(settings, new NdCluster.Listener() {})) {
        NdImport all = new NdImport(cluster);
        for (int i = 1; i < arguments.length; i++)
          all.read(Path.of(arguments[i]));
        System.out.println(all.counts());
        if (all.failures.get() > 0) System.exit(3);
      }
    } catch (IllegalArgumentException | KafkaException | NearDuplicatesException | IOException wrong) {
      System.err.println("NdImport: " + wrong.getMessage());
      System.exit(1);
    }
  }
}
