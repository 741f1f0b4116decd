package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is defined in both Java and ndcapi.h is the same. */
class HeaderTest {
  private static String header() throws IOException {
    return Files.readString(Places.source("include/ndcapi.h"));
  }

  private static List<String> found(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().map(result -> result.group(1)).toList();
  }

  private static String number(String name) throws IOException {
    return found(header(), "#define " + name + " +(\\d+)").get(0);
  }

  @Test
  void theVersionIsTheHeaders() throws IOException {
    String version = number("ND_VERSION_MAJOR") + "." + number("ND_VERSION_MINOR") + "." + number("ND_VERSION_PATCH");
    assertEquals(version, NearDuplicates.version());
    String pom = Files.readString(Places.source("pom.xml"));
    assertEquals(version, found(pom, "<version>([^<]*)</version>").get(0));
  }

  @Test
  void theEnumsAreTheHeaders() throws IOException {
    assertEquals(
        found(header(), "\\n +ND_((?!EVENT|KEEP|MERGED)\\w+) = [1-5],? +/\\*"),
        Arrays.stream(Verdict.values()).map(Enum::name).toList());
    assertEquals(found(header(), "ND_FLAG_(\\w+) = 1 <<"), Arrays.stream(Flag.values()).map(Enum::name).toList());
    assertEquals(found(header(), "ND_EVENT_(\\w+) = "), Arrays.stream(Event.Kind.values()).map(Enum::name).toList());
    assertEquals(found(header(), "ND_KEEP_(\\w+) = [1-4]"), Arrays.stream(Keep.values()).map(Enum::name).toList());
  }

  @Test
  void theStatisticsAreTheHeadersInItsOrder() throws IOException {
    String fields = header().replaceAll("(?s).*typedef struct nd_stats \\{(.*)\\} nd_stats;.*", "$1");
    List<String> names =
        found(fields, "uint64_t ([^;]+);").stream().flatMap(list -> Arrays.stream(list.split(", "))).toList();
    try (NearDuplicates pages = NearDuplicates.inMemory(null)) {
      assertEquals(names, List.copyOf(pages.stats().asMap().keySet()));
    }
    long[] counters = LongStream.range(0, names.size()).toArray();
    assertEquals(Arrays.stream(counters).boxed().toList(), List.copyOf(Statistics.of(counters).asMap().values()));
  }

  @Test
  void theSignaturesSizeIsTheHeaders() throws IOException {
    assertEquals(Integer.parseInt(number("ND_SIGNATURE_MAX_SIZE")), Signature.MAX_SIZE);
  }
}
