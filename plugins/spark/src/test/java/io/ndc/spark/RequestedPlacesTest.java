package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RuntimeConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RequestedPlacesTest {
  private static final String SPARKS_LIMIT = "spark.sql.optimizer.runtime.bloomFilter.";
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  private static Dataset<Row> places(long begin, long end) {
    return SPARK.session().range(begin, end).toDF("place");
  }

  private static long passed(long requested, long mostBits) {
    // Of 20,000 pages; each request comes twice.
    Dataset<Row> requests = places(0, requested).union(places(0, requested));
    return places(0, 20_000).filter(RequestedPlaces.among(requests, mostBits)).count();
  }

  @Test
  void fewPagesPassThatNobodyAskedForAndNoneIsMissing() {
    Dataset<Row> passed = places(0, 20_000).filter(RequestedPlaces.among(places(0, 1000), RequestedPlaces.MOST_BITS));
    assertEquals(1000, passed.filter("place < 1000").count());
    assertTrue(passed.count() < 1000 + 19_000 / 20, passed.count() + " of 1000");
  }

  @Test
  void theFilterIsAsLargeAsWantedWhereThoseOfSparksQueriesAreNot() {
    // In place of 8 MB and four million places, which would want many more for a test.
    RuntimeConfig settings = SPARK.session().conf();
    settings.set(SPARKS_LIMIT + "maxNumBits", 8192);
    settings.set(SPARKS_LIMIT + "maxNumItems", 500);
    try {
      long passed = passed(2000, RequestedPlaces.MOST_BITS);
      // A filter of 8192 bits lets nearly half of the others pass.
      assertTrue(passed < 2000 + 18_000 / 20, passed + " of 2000");
    } finally {
      settings.unset(SPARKS_LIMIT + "maxNumBits");
      settings.unset(SPARKS_LIMIT + "maxNumItems");
    }
  }

  @Test
  void aFilterThatIsTooSmallLetsMorePass() {
    // Two bits a place: four of ten pages that nobody asked for.
    long passed = passed(2000, 4000);
    assertTrue(passed > 2000 + 18_000 * 0.3 && passed < 2000 + 18_000 * 0.5, passed + " of 2000");
  }

  @Test
  void withLessThanABitForEachAllPass() {
    assertEquals(20_000, passed(2000, 1999));
  }

  @Test
  void nothingAskedForIsNothingNeeded() {
    assertEquals(0, passed(0, RequestedPlaces.MOST_BITS));
  }
}
