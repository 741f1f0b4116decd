package io.ndc.spark;

import io.ndc.Result;
import io.ndc.Verdict;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/** The row of a comparison: a page with one that plays its representative. */
final class PairRow {
  static final StructType SCHEMA = StructType.fromDDL(
      "place bigint, representative_place bigint, accepted boolean, reason string, verdict string,"
          + " resemblance double, containment double, page_coverage double, matched_coverage double,"
          + " probability double, flags int, page binary, url string, representative_page binary,"
          + " representative string");

  private PairRow() {}

  /**
   * The row of a result.
   *
   * @param page columns place, page, url
   * @param representative the same
   */
  static Row of(Row page, Row representative, Result result) {
    return row(page, representative, reason(result), result);
  }

  /** The row of a comparison that the library refused. */
  static Row failed(Row page, Row representative, String reason) {
    return row(page, representative, reason, new Result(Verdict.NEW, Set.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  private static Row row(Row page, Row representative, String reason, Result result) {
    return RowFactory.create(page.getLong(0), representative.getLong(0), result.isDuplicate(), reason,
        result.verdict().name(), result.resemblance(), result.containment(), result.pageCoverage(),
        result.matchedCoverage(), result.probability(), FlagBits.of(result.flags()), page.getAs(1), page.getString(2),
        representative.getAs(1), representative.getString(2));
  }

  private static String reason(Result result) {
    return switch (result.verdict()) {
      case EXACT -> "equal text";
      case NEAR -> "common text suffices";
      case NO_TEXT -> "no text";
      default -> "too little in common";
    };
  }
}
