import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;

/**
 * Prints the output of the Spark job for reading: its groups, as `ndc dedup --format groups` does, and its
 * summary. An example of how the Parquet files are read without Spark, too. As source, with Spark's jars on
 * the class path:
 *
 *     java --class-path 'JARS/*' PrintGroups.java OUTPUT
 */
public final class PrintGroups {
  /** ND_FLAGS_CAUTION of ndcapi.h: leaving the page out may lose text. */
  private static final int CAUTION = 0x00ff02d8;

  private PrintGroups() {
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      System.err.println("usage: PrintGroups OUTPUT");
      System.exit(2);
    }
    File output = new File(arguments[0]);
    Map<String, List<Group>> groups = groups(new File(output, "groups"));
    int groupCount = 0;
    int groupedCount = 0;
    int pageCount = 0;
    long copyCount = 0;
    for (Map.Entry<String, List<Group>> group : groups.entrySet()) {
      List<Group> pages = group.getValue();
      pageCount += pages.size();
      if (pages.size() < 2) continue;
      groupCount++;
      groupedCount += pages.size();
      copyCount += pages.stream().filter(page -> isCopy(group.getKey(), page)).count();
      print(group.getKey(), pages);
    }
    System.out.printf(
        Locale.ROOT, "%,d pages: %,d groups of near-duplicates with %,d pages, of which %,d could be left out%n",
        pageCount, groupCount, groupedCount, copyCount);
    printSummary(new File(output, "summary.json"));
  }

  /** Whether hardly anything is lost without the page. */
  private static boolean isCopy(String representative, Group page) {
    boolean isDoubtful = (page.getInteger("flags", 0) & CAUTION) != 0;
    boolean isExact = page.getString("verdict", 0).equals("EXACT");
    return !page.getString("url", 0).equals(representative) && (isExact || !isDoubtful);
  }

  /** The pages by their representatives' URLs. */
  private static Map<String, List<Group>> groups(File folder) throws IOException {
    File[] files = folder.listFiles(file -> file.getName().endsWith(".parquet"));
    if (files == null) throw new IOException(folder + " cannot be read");
    Arrays.sort(files);
    Map<String, List<Group>> groups = new TreeMap<>();
    for (File file : files) {
      try (ParquetReader<Group> rows =
               ParquetReader.builder(new GroupReadSupport(), new Path(file.toURI())).build()) {
        for (Group page = rows.read(); page != null; page = rows.read()) {
          groups.computeIfAbsent(page.getString("representative", 0), unused -> new ArrayList<>()).add(page);
        }
      }
    }
    return groups;
  }

  private static void print(String representative, List<Group> pages) {
    System.out.println(pages.size() + " pages  " + representative);
    pages.sort(Comparator.comparing(page -> page.getString("url", 0)));
    for (Group page : pages) {
      String url = page.getString("url", 0);
      if (url.equals(representative)) continue;
      System.out.printf(Locale.ROOT, "    %-9s%.4f  %s%n",
          page.getString("verdict", 0).toLowerCase(Locale.ROOT), page.getDouble("resemblance", 0), url);
    }
    System.out.println();
  }

  private static void printSummary(File file) throws IOException {
    JsonNode summary = new ObjectMapper().readTree(file);
    System.out.printf("%n%-24s%12s%n", "counter", "");
    summary.get("counters")
        .properties()
        .forEach(counter -> System.out.printf(
            Locale.ROOT, "%-24s%,12d%n", counter.getKey(), counter.getValue().asLong()));
    System.out.printf("%n%-24s%12s%16s%n", "stage", "seconds", "bytes shuffled");
    for (JsonNode stage : summary.get("stages")) {
      System.out.printf(Locale.ROOT, "%-24s%12.1f%,16d%n", stage.get("name").asText(),
          stage.get("seconds").asDouble(), stage.get("shuffle_bytes_written").asLong());
    }
    if (summary.get("faults").size() > 0) System.out.printf("%nfaults%n");
    for (JsonNode fault : summary.get("faults")) {
      System.out.printf("%s, byte %d: %s%n", fault.get("file").asText(), fault.get("offset").asLong(),
          fault.get("reason").asText());
    }
  }
}
