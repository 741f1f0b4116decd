package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.spark.archive.ArchiveListing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What makes a run another one: replaced archives or an earlier output, and not the order of listing. */
class RunIdentityTest {
  private static final FileTime NOON = FileTime.fromMillis(1_700_000_000_000L);

  @TempDir Path folder;
  private final Configuration configuration = new Configuration(false);
  private Path archive;
  private Path part;

  @BeforeEach
  void makeFiles() throws IOException {
    archive = write(folder.resolve("a.warc"), "an archive");
    part = write(folder.resolve("previous/representatives/part-0.parquet"), "representatives");
  }

  private static Path write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return Files.setLastModifiedTime(file, NOON);
  }

  private ArchiveListing listing() {
    return ArchiveListing.of(
        List.of(archive.toString()), configuration, new Counts());
  }

  private Map<String, String> identity(String... arguments) throws IOException {
    String[] all = new String[arguments.length + 4];
    System.arraycopy(new String[] {"--input", archive.toString(), "--output", "o"}, 0, all, 0, 4);
    System.arraycopy(arguments, 0, all, 4, arguments.length);
    return RunIdentity.of(JobOptions.parse(all), listing().files(), configuration);
  }

  private Map<String, String> withPrevious() throws IOException {
    return identity("--previous", folder.resolve("previous").toString());
  }

  @Test
  void anArchiveThatWasReplacedIsAnotherOne() throws IOException {
    Map<String, String> before = identity();
    assertEquals(before, identity());
    assertTrue(before.get("input files").startsWith("1 files, "), before::toString);
    write(archive, "another size");
    assertNotEquals(before, identity());
    write(archive, "an archive");
    assertEquals(before, identity());
    Files.setLastModifiedTime(archive, FileTime.fromMillis(NOON.toMillis() + 1000));
    assertNotEquals(before, identity());
  }

  @Test
  void archivesAreLookedAtOnce() throws IOException {
    ArchiveListing listed = listing();
    Map<String, String> before = identity();
    Files.delete(archive);
    JobOptions options = JobOptions.parse("--input", archive.toString(), "--output", "o");
    assertEquals(before, RunIdentity.of(options, listed.files(), configuration));
  }

  @Test
  void anEarlierOutputThatWasMadeAnewIsAnotherOne() throws IOException {
    assertFalse(identity().containsKey("previous representatives"));
    Map<String, String> before = withPrevious();
    assertEquals(before, withPrevious());
    Files.setLastModifiedTime(part, FileTime.fromMillis(NOON.toMillis() + 1000));
    assertNotEquals(before, withPrevious());
    write(part, "others");
    assertNotEquals(before, withPrevious());
    write(part, "representatives");
    assertEquals(before, withPrevious());
    Path model = write(folder.resolve("previous/models/part-0.parquet"), "models");
    assertNotEquals(before, withPrevious());
    Files.delete(model);
    write(folder.resolve("previous/merged/part-0.parquet"), "merged");
    assertNotEquals(before, withPrevious());
    Files.delete(folder.resolve("previous/merged/part-0.parquet"));
    assertEquals(before, withPrevious());
    Files.move(part, part.resolveSibling("part-1.parquet"));
    assertNotEquals(before, withPrevious());
  }
}
