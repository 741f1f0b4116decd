package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Each status has its exception, with its code and a sentence. */
class ExceptionsTest {
  private static final Map<String, Class<?>> CLASSES = Map.of(
      "INVALID_ARGUMENT", InvalidArgumentException.class,
      "NO_MEMORY", NativeMemoryException.class,
      "IO", StoreIoException.class,
      "CORRUPT", CorruptException.class,
      "UNSUPPORTED_VERSION", UnsupportedVersionException.class,
      "LOCKED", StoreLockedException.class,
      "READ_ONLY", ReadOnlyException.class,
      "NOT_FOUND", NotFoundException.class,
      "LIMIT", LimitException.class,
      "INTERNAL", InternalException.class);

  @TempDir private Path directory;

  @Test
  void everyStatusOfTheHeaderHasAClass() throws IOException {
    String header = Files.readString(Places.source("include/ndcapi.h"));
    List<MatchResult> codes = Pattern.compile("ND_ERR_([A-Z_]+) = (-\\d+)").matcher(header).results().toList();
    Map<String, Class<?>> classes = new HashMap<>();
    for (MatchResult found : codes) {
      int code = Integer.parseInt(found.group(2));
      NearDuplicatesException exception = NearDuplicatesException.of(code, "süß".getBytes(StandardCharsets.UTF_8));
      assertEquals(code, exception.code());
      assertEquals("süß", exception.getMessage());
      classes.put(found.group(1), exception.getClass());
    }
    assertEquals(CLASSES, classes);
    assertEquals(InternalException.class, NearDuplicatesException.of(-99, new byte[0]).getClass());
  }

  @Test
  void theLibrarysOwnFailuresArrive() {
    Page page = Page.of("u", Texts.page(1));
    byte[] newer = Features.compute(page, null);
    newer[4] ^= 1;
    Path store = directory.resolve("store");
    try (NearDuplicates pages = NearDuplicates.open(store, Map.of())) {
      pages.snapshot();
      assertThrown(InvalidArgumentException.class, -1, () -> NearDuplicates.inMemory(Map.of("no_such", "1")));
      assertThrown(StoreIoException.class, -3, () -> NearDuplicates.open(directory.resolve("no/such"), null));
      assertThrown(CorruptException.class, -4, () -> Features.keys(new byte[1000]));
      assertThrown(UnsupportedVersionException.class, -5, () -> Features.keys(newer));
      assertThrown(StoreLockedException.class, -6, () -> NearDuplicates.open(store, Map.of()));
      try (NearDuplicates reader = NearDuplicates.open(store, Map.of("read_only", "true"))) {
        assertThrown(ReadOnlyException.class, -7, () -> reader.check(page));
      }
      assertThrown(NotFoundException.class, -8, () -> pages.explain(1, 2));
      assertThrown(NotFoundException.class, -8, () -> pages.similar(1, 1));
      assertThrown(LimitException.class, -9, () -> pages.setBookmark("n", new byte[5000]));
      assertThrown(LimitException.class, -9, () -> pages.setBookmark("n".repeat(300), new byte[1]));
    }
  }

  private static void assertThrown(Class<? extends NearDuplicatesException> type, int code, Executable call) {
    NearDuplicatesException thrown = assertThrows(type, call);
    assertEquals(code, thrown.code());
    assertTrue(thrown.getMessage().length() > 10, thrown.getMessage());
  }

  @Test
  void aFullHeapIsTheJvmsOwnErrorAndTheEngineGoesOn() throws Exception {
    ChildJvm.Outcome outcome =
        ChildJvm.run(List.of("-Xmx32m", "-XX:+UseSerialGC", "-Xcheck:jni"), Programs.FullHeap.class);
    assertEquals("NEW true\nOutOfMemoryError\nNEW\n", outcome.output());
    assertEquals(0, outcome.exitCode());
  }
}
