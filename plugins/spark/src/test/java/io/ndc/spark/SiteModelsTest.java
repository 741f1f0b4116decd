package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ndc.SiteModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the partitions have learned of a host is added up to one model. */
class SiteModelsTest {
  private static final StructType PAGE = StructType.fromDDL("url string, site string");
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  private final List<Row> parts = new ArrayList<>();
  private final List<Row> earlier = new ArrayList<>();

  /** Of pages with these parts each. */
  private static byte[] model(long[]... pages) {
    try (SiteModel model = new SiteModel()) {
      for (long[] page : pages)
        model.learn(page);
      return model.save();
    }
  }

  private static byte[] merged(byte[]... models) {
    try (SiteModel merged = new SiteModel()) {
      for (byte[] model : models)
        merged.merge(model);
      return merged.save();
    }
  }

  private static long[] numbers(long... numbers) {
    return numbers;
  }

  private static Row part(String host, long bucket, int part, byte[] model, long... urls) {
    return RowFactory.create(null, null, model, host, bucket, part, PackedNumbers.bytes(urls));
  }

  private Map<String, Row> all() {
    Map<String, Row> all = new TreeMap<>();
    for (Row row : SiteModels.of(SPARK.session().createDataFrame(parts, SitesStage.SCHEMA),
        SPARK.session().createDataFrame(earlier, SiteModels.SCHEMA)).collectAsList())
      all.put(row.getString(0), row);
    return all;
  }

  @Test
  void whatThePartsOfAHostHaveLearnedIsAddedToWhatWasKnown() {
    byte[] before = model(numbers(1, 7), numbers(2, 7));
    byte[] first = model(numbers(3, 7), numbers(4, 7, 9));
    byte[] cut = model(numbers(5, 7));
    byte[] second = model(numbers(6, 9));
    earlier.add(RowFactory.create("a.example", before, PackedNumbers.bytes(numbers(11, 12))));
    earlier.add(RowFactory.create("quiet.example", before, PackedNumbers.bytes(numbers(15))));
    parts.add(RowFactory.create(0, 5L, first, null, null, null, null));
    parts.add(part("a.example", 1, 0, second, 16, 11));
    parts.add(part("a.example", 0, 0, first, 13));
    parts.add(part("a.example", 0, 1, cut, 14));
    parts.add(part("b.example", 0, 0, cut, 17));
    Map<String, Row> all = all();
    assertEquals(3, all.size());
    Row row = all.get("a.example");
    assertArrayEquals(merged(before, first, cut, second), row.<byte[]>getAs("model"));
    assertArrayEquals(numbers(12, 13, 14, 16, 11), PackedNumbers.of(row.getAs("urls")), "those seen last at the end");
    assertArrayEquals(before, all.get("quiet.example").<byte[]>getAs("model"));
    assertArrayEquals(cut, all.get("b.example").<byte[]>getAs("model"));
    Collections.reverse(parts);
    assertArrayEquals(row.<byte[]>getAs("model"), all().get("a.example").<byte[]>getAs("model"));
  }

  @Test
  void theUrlsSeenLastAreRemembered() {
    byte[] model = model(numbers(1));
    earlier.add(RowFactory.create(
        "a.example", model, PackedNumbers.bytes(LongStream.range(0, SiteModels.URLS).toArray())));
    parts.add(part("a.example", 0, 0, model, 100_000, 0));
    long[] urls = PackedNumbers.of(all().get("a.example").getAs("urls"));
    long[] expected = LongStream.concat(LongStream.range(2, SiteModels.URLS), LongStream.of(100_000, 0)).toArray();
    assertArrayEquals(expected, urls);
  }

  private static String host(String url, String site) {
    return SPARK.session().createDataFrame(List.of(RowFactory.create(url, site)), PAGE)
        .select(SiteModels.host()).first().getString(0);
  }

  @Test
  void aHostIsThatOfTheUrl() {
    for (String url : List.of("http://example.com", "https://www.Example.com:8080/a?b", "//EXAMPLE.com./",
        " HTTP:\\\\user:p@ss@example.com\\a", "http://example.com?a@b.example", "http://example.com#//b.example"))
      assertEquals("example.com", host(url, "example.com"), url);
    assertEquals("blog.example.com", host("http://blog.example.com/", "example.com"));
    assertEquals("www.com", host("http://www.www.com/", "www.com"));
    assertEquals("[::1]", host("http://[::1]:80/a:b", "[::1]"));
    assertEquals("10.0.0.1", host("http://10.0.0.1:80/", "10.0.0.1"));
    assertEquals("example.com", host("http://", "example.com"), "without a host it is the domain");
    assertEquals("", host("urn:a:b", ""));
    assertEquals("", host("http://a.example/", ""), "a page without a site has none");
  }
}
