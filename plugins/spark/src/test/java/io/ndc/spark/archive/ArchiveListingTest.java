package io.ndc.spark.archive;

import static io.ndc.spark.archive.Warcs.join;
import static io.ndc.spark.archive.Warcs.page;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files a folder, a pattern or a link stands for, each once. */
class ArchiveListingTest {
  private static final byte[] RECORD = page("http://a/", "a");

  @TempDir
  Path folder;

  private final Configuration configuration = MemoryFiles.configuration();
  private final CollectedReads log = new CollectedReads();

  @BeforeEach
  void makeFiles() throws IOException {
    for (String name : List.of(
        "b.warc", "a.warc.gz", "deep/er/c.warc", "notes.txt", "a.warc.gz.offsets", "[x].warc")) {
      Files.createDirectories(folder.resolve(name).getParent());
      Files.write(folder.resolve(name), RECORD);
    }
  }

  // The paths of the splits, without the folder's.
  private List<String> names(String... inputs) {
    String start = "file:" + folder + "/";
    return splits(1 << 20, inputs).stream().map(split -> {
      assertEquals(0, split.begin());
      assertEquals(Long.MAX_VALUE, split.end());
      assertTrue(split.path().startsWith(start), split.path());
      return split.path().substring(start.length());
    }).toList();
  }

  private List<ArchiveSplit> splits(long splitBytes, String... inputs) {
    return ArchiveListing.of(List.of(inputs), configuration, log).splits(splitBytes);
  }

  @Test
  void aFolderGivesTheArchivesBelowIt() {
    assertEquals(List.of("[x].warc", "a.warc.gz", "b.warc", "deep/er/c.warc"), names(folder.toString()));
    assertEquals(List.of(), log.failed);
  }

  @Test
  void noFileComesTwice() {
    assertEquals(List.of("[x].warc", "a.warc.gz", "b.warc", "deep/er/c.warc"), names(
        folder + "/b.warc", folder.toString(), "file://" + folder + "/b.warc", folder + "/*.warc",
        folder + "//deep/er"));
  }

  @Test
  void textsOfPagesAreArchivesToo() throws IOException {
    Files.write(folder.resolve("deep/d.warc.wet.gz"), RECORD);
    Files.write(folder.resolve("deep/e.wet"), RECORD);
    assertEquals(List.of("deep/d.warc.wet.gz", "deep/e.wet", "deep/er/c.warc"), names(folder + "/deep"));
  }

  @Test
  void eachPackingHasItsEnding() throws IOException {
    List<String> packed = List.of("p/a.arc.xz", "p/a.warc.bz2", "p/a.warc.lz4", "p/a.warc.zst");
    Files.createDirectories(folder.resolve("p"));
    for (String name : packed)
      Files.write(folder.resolve(name), RECORD);
    Files.write(folder.resolve("p/a.bz2"), RECORD);
    assertEquals(packed, names(folder + "/p"));
  }

  @Test
  void patternsMatchFilesAndFolders() {
    assertEquals(List.of("a.warc.gz"), names(folder + "/a.*"));
    assertEquals(List.of("b.warc", "deep/er/c.warc"), names(folder + "/{b.warc,deep}"));
    assertEquals(List.of("[x].warc"), names(folder + "/[x].warc"));
    assertEquals(List.of("notes.txt"), names(folder + "/notes.txt"));
    assertEquals(List.of(), log.failed);
  }

  @Test
  void aLinkToNothingIsAFileThatFails() throws IOException {
    Files.createDirectories(folder.resolve("linked"));
    Files.write(folder.resolve("linked/whole.warc"), RECORD);
    Files.createSymbolicLink(folder.resolve("linked/gone.warc"), Path.of("/unmounted/gone.warc"));
    Files.createSymbolicLink(folder.resolve("linked/archives"), Path.of("/unmounted/archives"));
    Files.createSymbolicLink(folder.resolve("linked/.#whole.warc"), Path.of("somebody@somewhere:1"));
    Files.createSymbolicLink(folder.resolve("linked/again.warc"), folder.resolve("b.warc"));
    assertEquals(List.of("linked/again.warc", "linked/whole.warc"), names(folder + "/linked"));
    String gone = "file:" + folder + "/linked/gone.warc is a link to what does not exist";
    assertEquals(List.of(gone.replace("gone.warc", "archives"), gone), log.failed.stream().sorted().toList());
    log.failed.clear();
    assertEquals(List.of("linked/again.warc", "linked/whole.warc"), names(folder + "/lin*/*.warc"));
    assertEquals(List.of(gone), log.failed);
    log.failed.clear();
    assertEquals(List.of(), names(folder + "/linked/g*.warc"));
    assertEquals(List.of(gone), log.failed);
  }

  @Test
  void whatCannotBeListedIsToldAndTheRestGoesOn() throws IOException {
    Files.createDirectories(folder.resolve("nothing"));
    Files.createFile(folder.resolve("empty.warc"));
    MemoryFiles.put("memory:/shop/open.warc", RECORD);
    MemoryFiles.put("memory:/shop/closed/in.warc", RECORD);
    MemoryFiles.forbid("memory:/shop/closed");
    configuration.set("fs.absent.impl", "no.such.FileSystem");
    List<String> paths = splits(1 << 20, folder + "/missing.warc", folder + "/*.none", folder + "/nothing",
        folder + "/empty.warc", "unheard-of:/x", "absent:/x", "", "memory:/shop", folder + "/b.warc")
        .stream().map(ArchiveSplit::path).toList();
    assertEquals(List.of("file:" + folder + "/b.warc", "memory:/shop/open.warc"), paths);
    assertEquals(8, log.failed.size(), log.failed::toString);
    List<String> starts = List.of(
        folder + "/missing.warc cannot be listed: does not exist",
        folder + "/*.none cannot be listed: does not exist, and no file matches it",
        "file:" + folder + "/nothing no file below it ends in .warc, .wet or .arc, with or without .gz, .zst, .bz2,"
            + " .xz or .lz4, or in .wacz",
        "file:" + folder + "/empty.warc is empty",
        "unheard-of:/x cannot be listed: No FileSystem for scheme",
        "absent:/x cannot be listed: its file system lacks a class, whose jar goes to --packages or --jars: ",
        " cannot be listed: ",
        "memory:/shop/closed cannot be listed: Permission denied");
    for (int i = 0; i < starts.size(); i++)
      assertTrue(log.failed.get(i).startsWith(starts.get(i)), log.failed.get(i));
  }

  @Test
  void filesAreAsTheyWereListed() throws IOException {
    Path archive = folder.resolve("b.warc");
    Files.setLastModifiedTime(archive, FileTime.fromMillis(1_700_000_000_000L));
    Files.createFile(folder.resolve("empty.warc"));
    ArchiveListing listing =
        ArchiveListing.of(List.of(archive.toString(), folder + "/empty.warc"), configuration, log);
    Files.delete(archive);
    assertEquals(List.of("file:" + archive), List.copyOf(listing.files().keySet()));
    FileStatus status = listing.files().get("file:" + archive);
    assertEquals(RECORD.length, status.getLen());
    assertEquals(1_700_000_000_000L, status.getModificationTime());
    assertEquals(1, listing.splits(1).size());
  }

  @Test
  void largeFilesAreCutWhereRecordsBegin() throws IOException {
    Path archive = folder.resolve("b.warc");
    Files.write(archive, join(RECORD, RECORD, RECORD, RECORD, RECORD));
    int size = RECORD.length;
    assertEquals(1, splits(size, archive.toString()).size(), "there is no index");
    OffsetIndex.build(new org.apache.hadoop.fs.Path(archive.toUri()), 1, configuration);
    String path = "file:" + archive;
    assertEquals(List.of(path + " [0, " + 2 * size + ")", path + " [" + 2 * size + ", " + 4 * size + ")",
        path + " [" + 4 * size + ", end)"),
        splits(size + 1, archive.toString()).stream().map(ArchiveSplit::toString).toList());
    assertEquals(1, splits(5 * size, archive.toString()).size());
    Files.write(archive, join(RECORD, RECORD));
    assertEquals(1, splits(size, archive.toString()).size());
    assertEquals(List.of(path + ".offsets the index is not used: is of an archive of another size"),
        log.failed);
  }

  private static byte[] wacz(int method) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.setLevel(method);
      for (String name : List.of("datapackage.json", "archive/one.warc.gz", "archive/two.warc")) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(name.endsWith(".gz") ? Warcs.gzip(page("http://1/", "one")) : page("http://2/", "two"));
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void eachFileOfAWaczIsASplit() throws IOException {
    String path = MemoryFiles.put("memory:/whole.wacz", wacz(9));
    List<ArchiveSplit> splits = splits(1, path);
    assertEquals(List.of("memory:/whole.wacz file 0", "memory:/whole.wacz file 1"),
        splits.stream().map(ArchiveSplit::toString).toList());
    List<String> urls = new ArrayList<>();
    for (ArchiveSplit split : splits) {
      CollectedReads reads = CollectedReads.of(split, new ReadRules(1000, false), configuration);
      urls.addAll(reads.urls());
      assertEquals(List.of(), reads.failed);
      assertTrue(reads.pages.get(0).file().startsWith(path + "/archive/"), reads.pages.get(0).file());
    }
    assertEquals(List.of("http://1/", "http://2/"), urls);
    assertEquals(List.of("http://1/", "http://2/"), CollectedReads.of(path, configuration).urls(), "by one task");
  }

  @Test
  void aWaczThatCannotBeReadIsTold() throws IOException {
    MemoryFiles.put("memory:/cut.wacz", Arrays.copyOf(wacz(0), 60));
    MemoryFiles.put("memory:/text.wacz", Warcs.bytes("a text\n"));
    assertEquals(List.of(), splits(1, "memory:/cut.wacz", "memory:/text.wacz"));
    assertEquals(2, log.failed.size());
    assertTrue(log.failed.get(0).startsWith("memory:/cut.wacz looks like a ZIP file, but cannot be read"),
        log.failed::toString);
    assertTrue(log.failed.get(1).endsWith("looks like plain text, not like an archive of pages"),
        log.failed::toString);
  }

  @Test
  void aSplitIsAStretchAndTravels() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> new ArchiveSplit("x", -1, 5));
    assertThrows(IllegalArgumentException.class, () -> new ArchiveSplit("x", 5, 5));
    assertThrows(IllegalArgumentException.class, () -> splits(0));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(new ArchiveSplit("x", 1, 5));
    Object read = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    assertEquals("x [1, 5)", read.toString());
  }
}
