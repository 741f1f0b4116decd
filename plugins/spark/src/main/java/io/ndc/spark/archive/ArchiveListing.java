package io.ndc.spark.archive;

import io.ndc.Archive;
import io.ndc.CorruptException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** The archives of a job, as they were when it began, and how they are shared among its tasks. One thread. */
public final class ArchiveListing {
  // A link to a folder above leads round and round, until the file system refuses.
  private static final int MAX_DEPTH = 100;
  private static final String WACZ = ".wacz";
  private static final Pattern ARCHIVE_NAMES =
      Pattern.compile("(\\.(warc|wet|arc)(\\.(gz|zst|bz2|xz|lz4))?|\\.wacz)$");
  // Nothing of a page is read.
  private static final ReadRules LISTED = new ReadRules(1, false);

  private final Configuration configuration;
  private final ReadLog log;
  private final TreeMap<String, FileStatus> files = new TreeMap<>();

  private ArchiveListing(Configuration configuration, ReadLog log) {
    this.configuration = configuration;
    this.log = log;
  }

  /**
   * Lists archives. What does not exist, cannot be listed or is empty is logged as a failed file,
   * and the rest is listed.
   *
   * @param inputs paths as Hadoop understands them: files, folders with files below them whose names end in
   * .warc, .wet or .arc, each perhaps with .gz, .zst, .bz2, .xz or .lz4, or in .wacz, and patterns ("*", "?",
   * "{a,b}", ...) of both;
   * indexes that a pattern matches are left out. Not null
   */
  public static ArchiveListing of(List<String> inputs, Configuration configuration, ReadLog log) {
    ArchiveListing listing = new ArchiveListing(configuration, log);
    inputs.forEach(listing::addInput);
    return listing;
  }

  /** The files by path, which is qualified; without those that are empty. */
  public SortedMap<String, FileStatus> files() {
    TreeMap<String, FileStatus> filled = new TreeMap<>(files);
    filled.values().removeIf(status -> status.getLen() == 0);
    return filled;
  }

  /**
   * Cuts the large files. One with a usable {@link OffsetIndex} is cut where records begin, into pieces of
   * {@code splitBytes} or little more; every other one is one split. An index that is of no use is
   * logged. Each file in a WACZ, which is a file whose name ends in .wacz, is a split; one that cannot be read
   * is reported to the log.
   *
   * @param splitBytes at least 1
   * @return by path, which is qualified, then by offset; no file twice
   */
  public List<ArchiveSplit> splits(long splitBytes) {
    if (splitBytes < 1) throw new IllegalArgumentException("splits of " + splitBytes + " bytes");
    List<ArchiveSplit> splits = new ArrayList<>();
    for (Map.Entry<String, FileStatus> file : files().entrySet())
      cut(file.getKey(), file.getValue(), splitBytes, splits);
    return splits;
  }

  private void addInput(String input) {
    try {
      Path path = new Path(input);
      FileSystem system = FileSystems.of(path, configuration);
      FileStatus named = status(system, path);
      FileStatus[] matched = named == null ? system.globStatus(path) : new FileStatus[] {named};
      boolean isMissingOne = named == null && tellLinksOfPattern(system, path) > 0;
      List<FileStatus> wanted = Stream.ofNullable(matched).flatMap(Arrays::stream)
          .filter(status -> status == named || !isIndex(status)).toList();
      if (wanted.isEmpty() && !isMissingOne)
        throw new FileNotFoundException("does not exist" + (matched == null ? "" : ", and no file matches it"));
      for (FileStatus status : wanted)
        add(system, status);
    } catch (IOException | IllegalArgumentException | FSError failed) {
      tell(input, failed);
    }
  }

  // Null: there is none of this name, but it may be a pattern.
  private static FileStatus status(FileSystem system, Path path) throws IOException {
    try {
      return system.getFileStatus(path);
    } catch (FileNotFoundException none) {
      return null;
    }
  }

  private static boolean isIndex(FileStatus status) {
    return status.isFile() && status.getPath().getName().endsWith(OffsetIndex.SUFFIX);
  }

  private void add(FileSystem system, FileStatus status) {
    String path = system.makeQualified(status.getPath()).toString();
    if (!status.isDirectory()) {
      addFile(path, status);
    } else if (addFolder(system, status.getPath(), 0) == 0) {
      log.failed(path, ReadLog.WHOLE_FILE,
          "no file below it ends in .warc, .wet or .arc, with or without .gz, .zst, .bz2, .xz or .lz4, or in .wacz");
    }
  }

  private void addFile(String path, FileStatus status) {
    FileStatus before = files.putIfAbsent(path, status);
    if (before == null && status.getLen() == 0) log.failed(path, ReadLog.WHOLE_FILE, "is empty");
  }

  // How many there were, folders that cannot be listed among them.
  private int addFolder(FileSystem system, Path folder, int depth) {
    int found = 0;
    try {
      if (depth > MAX_DEPTH) throw new IOException("more than " + MAX_DEPTH + " folders in one another");
      for (FileStatus status : system.listStatus(folder)) {
        String name = status.getPath().getName();
        if (status.isDirectory()) {
          found += addFolder(system, status.getPath(), depth + 1);
        } else if (isArchive(name)) {
          addFile(system.makeQualified(status.getPath()).toString(), status);
          found++;
        }
      }
      found += tellLinksToNothing(system, folder, name -> true);
    } catch (IOException | FSError failed) {
      tell(folder.toString(), failed);
      found++;
    }
    return found;
  }

  private static boolean isArchive(String name) {
    return ARCHIVE_NAMES.matcher(name).find();
  }

  // Of a pattern's last part; with braces, which may hold several parts, links are not looked for.
  private int tellLinksOfPattern(FileSystem system, Path pattern) throws IOException {
    if (pattern.getParent() == null || pattern.toString().contains("{")) return 0;
    GlobFilter names = new GlobFilter(pattern.getName());
    FileStatus[] folders = system.globStatus(pattern.getParent());
    int found = 0;
    for (FileStatus folder : folders == null ? new FileStatus[0] : folders) {
      if (folder.isDirectory())
        found += tellLinksToNothing(system, folder.getPath(), name -> names.accept(new Path("/" + name)));
    }
    return found;
  }

  // Hadoop's local file system leaves links to what does not exist out of its lists: archives on a disk that
  // is not mounted would be missed by nobody.
  private int tellLinksToNothing(FileSystem system, Path folder, Predicate<String> isWanted)
      throws IOException {
    if (!(system instanceof LocalFileSystem local)) return 0;
    java.nio.file.Path place = local.pathToFile(folder).toPath();
    int found = 0;
    try (DirectoryStream<java.nio.file.Path> entries = Files.newDirectoryStream(place)) {
      for (java.nio.file.Path entry : entries) {
        String name = entry.getFileName().toString();
        // Editors keep their locks in hidden ones.
        if (name.startsWith(".") || !isWanted.test(name)) continue;
        if (!Files.isSymbolicLink(entry) || Files.exists(entry)) continue;
        log.failed(folder + "/" + name, ReadLog.WHOLE_FILE, "is a link to what does not exist");
        found++;
      }
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    return found;
  }

  private void addFilesOf(String wacz, List<ArchiveSplit> splits) {
    try (StorageInput input = new StorageInput(new ArchiveSplit(wacz, 0, Long.MAX_VALUE), configuration);
        Archive archive = input.open(LISTED)) {
      int count = archive.files().size();
      for (int file = 0; file < count; file++)
        splits.add(new ArchiveSplit(wacz, 0, Long.MAX_VALUE, file));
    } catch (CorruptException none) {
      log.failed(wacz, ReadLog.WHOLE_FILE, VisibleText.of(none.getMessage()));
    } catch (IOException failed) {
      tell(wacz, failed);
    }
  }

  private void tell(String path, Throwable failed) {
    log.failed(path, ReadLog.WHOLE_FILE, VisibleText.of("cannot be listed: " + failed.getMessage()));
  }

  private void cut(String path, FileStatus status, long splitBytes, List<ArchiveSplit> splits) {
    if (path.endsWith(WACZ)) {
      addFilesOf(path, splits);
      return;
    }
    long begin = 0;
    if (status.getLen() > splitBytes) {
      for (long offset : OffsetIndex.read(status.getPath(), status.getLen(), configuration, log)) {
        if (offset - begin < splitBytes) continue;
        splits.add(new ArchiveSplit(path, begin, offset));
        begin = offset;
      }
    }
    splits.add(new ArchiveSplit(path, begin, Long.MAX_VALUE));
  }
}
