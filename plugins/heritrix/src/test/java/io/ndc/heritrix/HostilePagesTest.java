package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.archive.spring.ConfigPath;
import org.archive.util.Recorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small pages that become huge when they are decoded, in a JVM with a small heap. An Error that leaves the processor
 * would pause the whole crawl.
 */
final class HostilePagesTest {
  private static final String HEAP = "-Xmx96m";
  private static final int DECODED_BYTES = 30 << 20;
  private static final int THREADS = 25;
  private static final int PAGES_A_THREAD = 2;

  @TempDir Path folder;

  @Test
  void manyAtOnceFailNoPage() throws Exception {
    expectAllChecked(ChildJvm.run(folder, List.of(HEAP), ManyAtOnce.class, folder.toString()));
  }

  @Test
  void aHighLimitDoesNotTakeMoreThanThereIs() throws Exception {
    expectAllChecked(ChildJvm.run(folder, List.of(HEAP), ManyAtOnce.class, folder.toString(), "1073741824"));
  }

  private static void expectAllChecked(ChildJvm jvm) {
    assertEquals(0, jvm.exitCode(), jvm.output());
    HeritrixFailureTest.expectCount(jvm.output(), "pages checked", THREADS * PAGES_A_THREAD);
    HeritrixFailureTest.expectCount(jvm.output(), "checked by their beginning only", THREADS * PAGES_A_THREAD);
    HeritrixFailureTest.expectCount(jvm.output(), "checks failed", 0);
  }

  @Test
  void lackOfMemoryIsAFailedCheck() throws Exception {
    ChildJvm jvm =
        ChildJvm.run(folder, List.of("-XX:MaxDirectMemorySize=2m"), LittleMemory.class, folder.toString());
    assertEquals(0, jvm.exitCode(), jvm.output());
    assertTrue(jvm.output().contains("OutOfMemoryError"), jvm.output());
    HeritrixFailureTest.expectCount(jvm.output(), "checks failed", 1);
    HeritrixFailureTest.expectCount(jvm.output(), "pages checked", 1);
  }

  private static NearDuplicateProcessor started(String folder) {
    NearDuplicateProcessor processor = new NearDuplicateProcessor();
    processor.setBeanName("nearDuplicates");
    processor.setStorePath(new ConfigPath("store", Path.of(folder, "store").toString()));
    processor.setRequired(true);
    processor.start();
    return processor;
  }

  /** Has all threads check hostile pages; an Error or exception that leaves the processor ends it. */
  static final class ManyAtOnce {
    public static void main(String[] arguments) throws Exception {
      byte[] bomb = FetchedPage.gzipBomb(DECODED_BYTES);
      NearDuplicateProcessor processor = started(arguments[0]);
      if (arguments.length > 1) {
        processor.setMaxBodyBytes(Integer.parseInt(arguments[1]));
      }
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        String host = "http://host-" + thread + ".example/";
        Recorder recorder = FetchedPage.recorder(Path.of(arguments[0]), "recorder-" + thread);
        running.add(threads.submit(() -> {
          for (int page = 0; page < PAGES_A_THREAD; page++) {
            processor.process(FetchedPage.of(recorder, host + page, "gzip", bomb));
          }
          return null;
        }));
      }
      try {
        for (Future<?> thread : running) {
          thread.get();
        }
      } finally {
        threads.shutdownNow();
      }
      System.out.println(processor.report());
      processor.stop();
    }
  }

  /** Has a page checked for which the JVM has memory, and one for which it has none. */
  static final class LittleMemory {
    public static void main(String[] arguments) throws Exception {
      byte[] bomb = FetchedPage.gzipBomb(DECODED_BYTES);
      NearDuplicateProcessor processor = started(arguments[0]);
      Recorder recorder = FetchedPage.recorder(Path.of(arguments[0]), "recorder");
      for (int limit : new int[] {1 << 20, 4 << 20}) {
        processor.setMaxBodyBytes(limit);
        processor.process(FetchedPage.of(recorder, "http://a.example/" + limit, "gzip", bomb));
      }
      System.out.println(processor.report());
      processor.stop();
    }
  }
}
