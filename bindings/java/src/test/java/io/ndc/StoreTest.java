package io.ndc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines with a store: what stays when they are closed, who may open it meanwhile, and damage. */
class StoreTest {
  private static final byte[] BODY = Texts.page(1);
  private static final Map<String, String> READ_ONLY = Map.of("read_only", "true");

  @TempDir private Path directory;

  private Path store() {
    return directory.resolve("store");
  }

  private void makeStore() {
    try (NearDuplicates pages = NearDuplicates.open(store(), Map.of())) {
      pages.check("http://a.example/", BODY, "text/html");
    }
  }

  @Test
  void whatWasCheckedIsThereTheNextTime() {
    makeStore();
    try (NearDuplicates pages = NearDuplicates.open(store(), null)) {
      assertEquals(Verdict.EXACT, pages.check("http://b.example/", BODY, "text/html").verdict());
      assertEquals(2, pages.stats().pages());
    }
  }

  @Test
  void bookmarksAndSnapshotsAndCompaction() {
    try (NearDuplicates pages = NearDuplicates.open(store(), Map.of())) {
      assertTrue(pages.bookmark("crawl").isEmpty());
      pages.setBookmark("crawl", new byte[] {1, 0, -1});
      pages.setBookmark("empty", new byte[0]);
      assertArrayEquals(new byte[] {1, 0, -1}, pages.bookmark("crawl").orElseThrow());
      assertTrue(pages.bookmark("empty").isEmpty());
      pages.check("http://a.example/", BODY, "text/html");
      long generation = pages.stats().generation();
      pages.snapshot();
      assertTrue(pages.stats().generation() > generation);
      assertTrue(pages.stats().bytesDisk() > 0);
      pages.remove("http://a.example/");
      pages.compact();
      assertEquals(2, pages.stats().snapshots());
    }
    try (NearDuplicates pages = NearDuplicates.open(store(), Map.of())) {
      assertArrayEquals(new byte[] {1, 0, -1}, pages.bookmark("crawl").orElseThrow());
      pages.setBookmark("crawl", new byte[0]);
      assertTrue(pages.bookmark("crawl").isEmpty());
    }
  }

  @Test
  void aReaderFollowsTheWriter() {
    try (NearDuplicates writer = NearDuplicates.open(store(), Map.of())) {
      writer.check("http://a.example/", BODY, "text/html");
      writer.snapshot();
      try (NearDuplicates reader = NearDuplicates.open(store(), READ_ONLY)) {
        assertEquals(Verdict.EXACT, reader.query("http://b.example/", BODY, "text/html").verdict());
        assertThrows(ReadOnlyException.class, () -> reader.check("http://b.example/", BODY, "text/html"));
        assertThrows(ReadOnlyException.class, () -> reader.remove("http://a.example/"));
        assertThrows(ReadOnlyException.class, () -> reader.removeMatching(RemovalFilter.site("a.example")));
        assertThrows(ReadOnlyException.class, reader::snapshot);
        assertThrows(ReadOnlyException.class, reader::compact);
        assertThrows(ReadOnlyException.class, () -> reader.setBookmark("n", new byte[1]));
        writer.check("http://b.example/", BODY, "text/html");
        writer.snapshot();
        assertEquals(1, reader.stats().pages());
        reader.refresh();
        assertEquals(2, reader.stats().pages());
      }
      assertThrows(InvalidArgumentException.class, writer::refresh);
    }
  }

  @Test
  void anOverlayKeepsWhatIsNewInMemory() {
    makeStore();
    for (int i = 0; i < 2; i++) {  // the second finds what the first has found
      try (NearDuplicates overlay = NearDuplicates.open(store(), Map.of("overlay", "true"))) {
        assertEquals(Verdict.EXACT, overlay.check("http://b.example/", BODY, "text/html").verdict());
        assertEquals(2, overlay.stats().pages());
        assertThrows(ReadOnlyException.class, overlay::snapshot);
      }
    }
  }

  @Test
  void aStoreHasOneWriterInThisProcess() {
    try (NearDuplicates pages = NearDuplicates.open(store(), Map.of())) {
      pages.snapshot();
      StoreLockedException thrown =
          assertThrows(StoreLockedException.class, () -> NearDuplicates.open(store(), Map.of()));
      assertTrue(thrown.getMessage().contains(store().toString()), thrown.getMessage());
      NearDuplicates.open(store(), READ_ONLY).close();
    }
    NearDuplicates.open(store(), Map.of()).close();
  }

  @Test
  void aStoreOfAnotherProcessIsLockedAndOutlivesIt() throws Exception {
    Process other = ChildJvm.start(List.of(), Programs.HoldStore.class, store().toString());
    try {
      InputStream said = other.getInputStream();
      assertEquals("open\n", new String(said.readNBytes(5)));
      assertThrows(StoreLockedException.class, () -> NearDuplicates.open(store(), Map.of()));
    } finally {
      other.destroyForcibly().waitFor();
    }
    try (NearDuplicates pages = NearDuplicates.open(store(), Map.of())) {
      assertEquals(Verdict.EXACT, pages.check("http://b.example/", BODY, "text/html").verdict());
    }
  }

  @Test
  void anEngineInMemoryHasNoStore() {
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      assertThrows(InvalidArgumentException.class, pages::snapshot);
      assertThrows(InvalidArgumentException.class, pages::compact);
      assertThrows(InvalidArgumentException.class, pages::refresh);
      assertThrows(InvalidArgumentException.class, () -> pages.setBookmark("n", new byte[1]));
      assertThrows(InvalidArgumentException.class, () -> pages.bookmark("n"));
    }
  }

  @Test
  void thePathMayHaveAnyCharacter() {
    for (String name : List.of("with space", "per%cent", "a?b#c", "new\nline", "trailing.", "%41", "ü")) {
      Path path = directory.resolve(name);
      NearDuplicates.open(path, Map.of()).close();
      assertTrue(Files.exists(path.resolve("lock")), name);
      NearDuplicates.open(path, Map.of()).close();
    }
    NearDuplicates.open(Path.of(directory.toString(), "ü", "..", "dots"), Map.of()).close();
    assertTrue(Files.exists(directory.resolve("dots/lock")));
  }

  @Test
  void whatCannotBeAStoreIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "a file");
    Path full = Files.createDirectory(directory.resolve("full"));
    Files.writeString(full.resolve("letter"), "not of a store");
    for (Path path : List.of(file, full, file.resolve("below"), directory.resolve("no/such"), Path.of("/proc/no"),
             Path.of("x".repeat(5000)))) {
      NearDuplicatesException thrown =
          assertThrows(NearDuplicatesException.class, () -> NearDuplicates.open(path, Map.of()));
      assertTrue(
          thrown instanceof InvalidArgumentException || thrown instanceof StoreIoException, path + ": " + thrown);
      assertTrue(thrown.getMessage().length() > 10, thrown.getMessage());
    }
    assertThrows(NotFoundException.class, () -> NearDuplicates.open(directory.resolve("none"), READ_ONLY));
  }

  @Test
  void otherOptionsThanTheStoresAreRefused() {
    try (NearDuplicates pages = NearDuplicates.open(store(), Map.of("same_document", "0.4"))) {
      pages.snapshot();
    }
    InvalidArgumentException thrown =
        assertThrows(
            InvalidArgumentException.class, () -> NearDuplicates.open(store(), Map.of("same_document", "0.6")));
    assertTrue(thrown.getMessage().contains("same_document"), thrown.getMessage());
    NearDuplicates.open(store(), Map.of()).close();
  }

  @Test
  void aStoreThatIsCutUnderAnOpenEngineIsNotTheEndOfTheJvm() throws Exception {
    ChildJvm.Outcome outcome = ChildJvm.run(
        List.of("-XX:ErrorFile=" + directory.resolve("hs_err")), Programs.CutStore.class, store().toString());
    assertEquals(0, outcome.exitCode(), outcome.output());
    Set<String> failures =
        outcome.output().lines().filter(line -> line.endsWith("Exception")).collect(Collectors.toSet());
    assertFalse(failures.isEmpty(), outcome.output());
    assertTrue(Set.of("CorruptException", "StoreIoException").containsAll(failures), outcome.output());
  }

  @Test
  void mappingIsTheCallersChoice() {
    assertEquals(List.of("mmap", "false"), texts(Arguments.storeOptions(null)));
    assertEquals(List.of("mmap", "false"), texts(Arguments.storeOptions(Map.of())));
    assertEquals(List.of("mmap", "false", "mmap", "true"), texts(Arguments.storeOptions(Map.of("mmap", "true"))));
    NearDuplicates.open(store(), Map.of("mmap", "true")).close();
  }

  private static List<String> texts(byte[][] keysAndValues) {
    return Arrays.stream(keysAndValues).map(Utf8::decode).toList();
  }

  /** With two snapshots; the newer one's manifest is the last. */
  private List<Path> makeStoreWithManifests() throws IOException {
    try (NearDuplicates pages = NearDuplicates.open(store(), Map.of())) {
      pages.check("http://a.example/", BODY, "text/html");
      pages.snapshot();
      pages.check("http://b.example/", Texts.page(2), "text/html");
      pages.snapshot();
    }
    List<Path> manifests;
    try (Stream<Path> files = Files.list(store())) {
      manifests = files.filter(file -> file.getFileName().toString().startsWith("manifest-")).sorted().toList();
    }
    assertEquals(2, manifests.size());
    return manifests;
  }

  @Test
  void aLogThatFailsFailsNoCall() throws IOException {
    damage(makeStoreWithManifests().get(1));
    for (Error error : List.of(new LinkageError(), new ServiceConfigurationError("no"), new AssertionError())) {
      try (LogLines log = LogLines.failing(error); NearDuplicates pages = NearDuplicates.open(store(), READ_ONLY)) {
        assertEquals(Verdict.EXACT, pages.query("http://c.example/", BODY, "text/html").verdict());
        assertEquals(1, log.containing("manifest-").size());
      }
    }
  }

  @Test
  void damageIsCorruptOrLogged() throws IOException {
    List<Path> manifests = makeStoreWithManifests();
    damage(manifests.get(1));
    try (LogLines log = LogLines.capture()) {
      NearDuplicates pages = NearDuplicates.open(store(), Map.of("durability", "none"));
      assertEquals(2, pages.stats().pages());
      assertEquals(1, log.containing("WARNING").size() + log.containing("SEVERE").size());
      assertTrue(
          log.containing(manifests.get(1).getFileName().toString()).size() == 1, () -> log.containing("").toString());
      pages.close();
    }
    damage(manifests.get(0));
    CorruptException thrown = assertThrows(CorruptException.class, () -> NearDuplicates.open(store(), Map.of()));
    assertTrue(thrown.getMessage().contains("manifest-"), thrown.getMessage());
  }

  private static void damage(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[16]), 40);
    }
  }
}
