package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RequestedPlacesTest {
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
  void aFilterThatIsTooSmallLetsMorePass() {
    assertTrue(passed(2000, 64) > 19_000);
  }

  @Test
  void nothingAskedForIsNothingNeeded() {
    assertEquals(0, passed(0, RequestedPlaces.MOST_BITS));
  }
}
