package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.archive.spring.ConfigPath;
import org.archive.util.Recorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a store lose their ends while the crawl runs, as on a disk that fails. */
final class DamagedStoreTest {
  @TempDir Path folder;

  @Test
  void checksFailAndTheProcessLives() throws Exception {
    ChildJvm jvm = ChildJvm.run(folder, List.of(), CutFiles.class, folder.toString());
    assertEquals(0, jvm.exitCode(), jvm.output());
    assertTrue(jvm.output().matches("(?s).*checks failed: +[1-9].*"), jvm.output());
  }

  /** In a separate JVM, because a bus error would end it. */
  static final class CutFiles {
    public static void main(String[] arguments) throws Exception {
      Path store = Path.of(arguments[0], "store");
      NearDuplicateProcessor processor = new NearDuplicateProcessor();
      processor.setBeanName("nearDuplicates");
      processor.setStorePath(new ConfigPath("store", store.toString()));
      processor.setRequired(true);
      Recorder recorder = FetchedPage.recorder(Path.of(arguments[0]), "recorder");
      processor.start();
      check(processor, recorder, "");
      processor.stop();
      processor.start();
      try (Stream<Path> files = Files.walk(store)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          cut(file);
        }
      }
      check(processor, recorder, "?copy");
      System.out.println(processor.report());
      processor.stop();
    }

    private static void check(NearDuplicateProcessor processor, Recorder recorder, String query) throws Exception {
      for (WebPage page : Site.pages(Sample.WARC).values()) {
        processor.process(FetchedPage.of(recorder, page.url() + query, null, page.body()));
      }
    }

    private static void cut(Path file) throws IOException {
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
        open.setLength(open.length() / 16);
      }
    }
  }
}
