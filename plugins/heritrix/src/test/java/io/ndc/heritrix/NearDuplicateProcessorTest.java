package io.ndc.heritrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sleepycat.je.DatabaseEntry;
import io.ndc.Flag;
import io.ndc.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.archive.bdb.KryoBinding;
import org.archive.modules.CrawlURI;
import org.archive.modules.ProcessResult;
import org.archive.net.UURIFactory;
import org.archive.spring.ConfigPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processor without a crawl; the crawls are in the other tests. */
final class NearDuplicateProcessorTest {
  private static final NearDuplicateVerdict NEAR =
      new NearDuplicateVerdict(
          Verdict.NEAR, Set.of(Flag.RECRAWL), 7, 3, null, "http://a.example/", 0.5, 0.75, 0.9, 0, 0.5, true);

  private static CrawlURI uri() throws Exception {
    return new CrawlURI(UURIFactory.getInstance("http://www.example.org/page"));
  }

  @Test
  void whatAnEarlierFetchLeftIsForgotten() throws Exception {
    for (boolean enabled : new boolean[] {true, false}) {
      NearDuplicateProcessor processor = new NearDuplicateProcessor();
      processor.setEnabled(enabled);
      CrawlURI uri = uri();
      NEAR.attachTo(uri);
      assertEquals(ProcessResult.PROCEED, processor.process(uri));
      assertEquals(Optional.empty(), NearDuplicateVerdict.of(uri));
      assertEquals(List.of(), List.copyOf(uri.getAnnotations()));
    }
  }

  @Test
  void aVerdictIsKeptWithAPageThatIsPutOnDisk() throws Exception {
    CrawlURI uri = uri();
    NEAR.attachTo(uri);
    KryoBinding<CrawlURI> binding = new KryoBinding<>(CrawlURI.class);
    DatabaseEntry entry = new DatabaseEntry();
    binding.objectToEntry(uri, entry);
    assertEquals(Optional.of(NEAR), NearDuplicateVerdict.of(binding.entryToObject(entry)));
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    NearDuplicateProcessor processor = new NearDuplicateProcessor();
    for (int wrong : new int[] {Integer.MIN_VALUE, -1, 0, 1023, (1 << 30) + 1, Integer.MAX_VALUE}) {
      assertThrows(IllegalArgumentException.class, () -> processor.setMaxBodyBytes(wrong));
    }
    assertThrows(IllegalArgumentException.class, () -> processor.setReopenSeconds(-1));
    assertThrows(IllegalArgumentException.class, () -> processor.setExcludedHosts(List.of("http://example.org/")));
    assertEquals(4 << 20, processor.getMaxBodyBytes());
  }

  @Test
  void aStoreThatCannotBeMadeIsReported(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    NearDuplicateProcessor processor = new NearDuplicateProcessor();
    processor.setBeanName("nearDuplicates");
    processor.setStorePath(new ConfigPath("store", file.resolve("below").toString()));
    processor.start();
    assertTrue(
        processor.report().contains("NOT OPEN, pages have no verdicts: the near-duplicate store " + file),
        processor.report());
    processor.stop();
    processor.stop();
    processor.setRequired(true);
    IllegalStateException refused = assertThrows(IllegalStateException.class, processor::start);
    assertTrue(refused.getMessage().contains("nearDuplicates.required"), refused.getMessage());
  }

  @Test
  void optionsThatNdcDoesNotKnowAreReported(@TempDir Path folder) {
    NearDuplicateProcessor processor = new NearDuplicateProcessor();
    processor.setStorePath(new ConfigPath("store", folder.resolve("store").toString()));
    processor.setOptions(Map.of("resemblence", "0.5"));
    processor.start();
    assertTrue(processor.report().contains("resemblance"), processor.report());
    processor.stop();
  }
}
