package io.ndc.spark;

import io.ndc.spark.archive.ReadRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;

/** What {@link NdPartition} was asked to do. Nothing changes it once it is parsed. */
final class JobOptions {
  static final String USAGE =
      """
      usage: NdPartition --input PATH... --output DIR [options]
        --input PATH         WARC files, folders or globs, on any Hadoop file system; may come again
        --output DIR         where stages and results go
        --option KEY=VALUE   an option of the library; may come again
        --previous DIR       the output of an earlier run, whose groups are gone on with
        --partitions N       of each shuffle (default: spark.sql.shuffle.partitions)
        --split-bytes N      archives with an index of offsets are read in pieces of so many bytes (134217728)
        --page-bytes N       a page's body is cut there (8388608)
        --all-statuses       pages of all HTTP statuses, not of 200 to 299 alone
        --site-pages N       what is known of a host is learned from so many pages together (4096)
        --heads N            pages at the head of a key's list that the others are linked to (8)
        --comparisons N      representatives that a page is compared with (8)
        --rounds N           of comparisons after the first (16)
        --local-pages N      so many undecided pages are decided by one task (2000000)
        --overwrite          what another run left in DIR goes, and a finished result of this one
      """;

  private static final String LIBRARY_PAGE_BYTES = "page_bytes_limit";
  /** The library's default of it (src/options/option_table.cpp). */
  private static final int DEFAULT_LIBRARY_PAGE_BYTES = 16 << 20;

  final List<String> inputs = new ArrayList<>();
  private final Map<String, String> library = new TreeMap<>();
  String output;
  /** Empty: there is none. */
  String previous = "";
  /** 0: Spark's own. */
  int partitions;
  long splitBytes = 128L << 20;
  private long pageBytes = 8L << 20;
  boolean allStatuses;
  int sitePages = 4096;
  int heads = 8;
  int comparisons = 8;
  int rounds = 16;
  int localPages = 2_000_000;
  boolean overwrite;

  private JobOptions() {}

  /**
   * From a command line.
   *
   * @throws IllegalArgumentException if it makes no sense; the message says why
   */
  static JobOptions parse(String... arguments) {
    JobOptions options = new JobOptions();
    for (int i = 0; i < arguments.length; i++) {
      String name = arguments[i];
      if (options.takesFlag(name)) continue;
      if (i + 1 == arguments.length) throw new IllegalArgumentException(name + ": unknown, or its value is missing");
      options.take(name, arguments[++i]);
    }
    if (options.inputs.isEmpty()) throw new IllegalArgumentException("--input is missing");
    if (options.output == null) throw new IllegalArgumentException("--output is missing");
    if (options.output.equals(options.previous))
      throw new IllegalArgumentException("--previous and --output are the same folder");
    // No stage looks for candidates by them, and they are a sixth of the features.
    options.library.putIfAbsent("spotsigs", "false");
    if (options.pageBytes > DEFAULT_LIBRARY_PAGE_BYTES)
      options.library.putIfAbsent(LIBRARY_PAGE_BYTES, Long.toString(options.pageBytes));
    return options;
  }

  private boolean takesFlag(String name) {
    switch (name) {
      case "--all-statuses" -> allStatuses = true;
      case "--overwrite" -> overwrite = true;
      default -> {
        return false;
      }
    }
    return true;
  }

  private void take(String name, String value) {
    switch (name) {
      case "--input" -> inputs.add(notEmpty(name, value));
      case "--output" -> output = path(name, value);
      case "--previous" -> previous = path(name, value);
      case "--option" -> takeLibraryOption(value);
      case "--partitions" -> partitions = (int) number(name, value, 1, 1_000_000);
      case "--split-bytes" -> splitBytes = number(name, value, 1, Long.MAX_VALUE);
      case "--page-bytes" -> pageBytes = number(name, value, 1, ReadRules.LARGEST_PAGE_BYTES);
      case "--site-pages" -> sitePages = (int) number(name, value, 2, 1_000_000);
      case "--heads" -> heads = (int) number(name, value, 1, 1000);
      case "--comparisons" -> comparisons = (int) number(name, value, 1, 1000);
      case "--rounds" -> rounds = (int) number(name, value, 1, 1000);
      case "--local-pages" -> localPages = (int) number(name, value, 0, 100_000_000);
      default -> throw new IllegalArgumentException(name + ": unknown");
    }
  }

  private void takeLibraryOption(String keyAndValue) {
    Map.Entry<String, String> option = LibraryOptions.parse(keyAndValue);
    LibraryOptions.requireUsedByTheJob(option.getKey(), option.getValue());
    library.put(option.getKey(), option.getValue());
  }

  private static String notEmpty(String name, String value) {
    if (value.isEmpty()) throw new IllegalArgumentException(name + ": empty");
    return value;
  }

  private static String path(String name, String value) {
    try {
      new Path(notEmpty(name, value));
      return value;
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(name + " " + value + " is no path: " + wrong.getMessage(), wrong);
    }
  }

  private static long number(String name, String value, long least, long most) {
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) return number;
    } catch (NumberFormatException none) {
      // Told below.
    }
    throw new IllegalArgumentException(name + " wants a number from " + least + " to " + most + ", not " + value);
  }

  /** Options of the library, by key; those not named have their defaults. */
  Map<String, String> library() {
    return library;
  }

  /** A limit of the library that this job applies itself. */
  int libraryLimit(String key, int otherwise) {
    String value = library.get(key);
    return value == null ? otherwise : (int) number("--option " + key, value, 1, Integer.MAX_VALUE);
  }

  /** Bytes of a body that are read: no more than the library accepts, which would silently cut a longer one. */
  long pageBytes() {
    return Math.min(pageBytes, libraryLimit(LIBRARY_PAGE_BYTES, DEFAULT_LIBRARY_PAGE_BYTES));
  }

  /** The settings that determine the result, by name: two runs with the same ones may share stages. */
  Map<String, String> deciding() {
    Map<String, String> deciding = new TreeMap<>();
    deciding.put("previous", previous);
    // A revisit finds only what its piece has before it.
    deciding.put("split-bytes", Long.toString(splitBytes));
    deciding.put("page-bytes", Long.toString(pageBytes));
    deciding.put("all-statuses", Boolean.toString(allStatuses));
    deciding.put("site-pages", Integer.toString(sitePages));
    deciding.put("heads", Integer.toString(heads));
    deciding.put("comparisons", Integer.toString(comparisons));
    deciding.put("rounds", Integer.toString(rounds));
    library.forEach((key, value) -> deciding.put("option " + key, value));
    return deciding;
  }
}
