package io.ndc.spark.archive;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ndc.ArchiveItem;
import io.ndc.Page;
import io.ndc.PageReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads each archive of a folder and says what the library sees of its pages, as a line of JSON: the part of
 * tests/cases/cases_test.py that has to be Java. Argument: the folder.
 */
public final class CaseReads {
  private static final ObjectMapper JSON = new ObjectMapper();

  private CaseReads() {}

  /** @param arguments the folder */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    try (Stream<Path> files = Files.list(Path.of(arguments[0])); PageReader reader = PageReader.open(null)) {
      for (Path file : files.sorted().toList())
        out.println(JSON.writeValueAsString(read(file, reader)));
    }
    out.flush();
  }

  private static ObjectNode read(Path file, PageReader reader) throws IOException {
    Configuration configuration = new Configuration();
    CollectedReads reads = new CollectedReads();
    for (ArchiveSplit split : ArchiveListing.of(List.of(file.toString()), configuration, reads).splits(1 << 20)) {
      try (ArchiveReader pages =
               new ArchiveReader(split, new ReadRules(8 << 20, false), reads, configuration, true)) {
        pages.forEachRemaining(reads.pages::add);
      }
    }
    ObjectNode told = JSON.createObjectNode().put("name", file.getFileName().toString());
    ArrayNode pages = told.putArray("pages");
    for (ArchiveItem page : reads.pages)
      pages.add(((ObjectNode) JSON.readTree(reader.extract(page(page)))).put("url", page.url()));
    ArrayNode said = told.putArray("said");
    Stream.concat(reads.damages.stream(), reads.failed.stream()).forEach(said::add);
    return told.put("records", reads.records).put("other_statuses", reads.otherStatuses);
  }

  private static Page page(ArchiveItem page) {
    return Page.of(page.url(), ByteBuffer.wrap(page.body())).withContentType(page.contentType());
  }
}
