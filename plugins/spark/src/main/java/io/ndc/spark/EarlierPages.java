package io.ndc.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.when;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The representatives of an earlier run as they are by what is known now: settled ones where that run left them,
 * revised ones in a stage of this run. One thread.
 *
 * @param folders where the pages of this run are, then these, with others that are not theirs any more
 */
record EarlierPages(Path[] folders, Dataset<Row> settled, Dataset<Row> revised, int settledFiles) {
  /**
   * Those of a run.
   *
   * @param models of {@link SiteModels#SCHEMA}, of the hosts of which this run has pages
   */
  static EarlierPages of(StageStore stages, EarlierRun earlier, Dataset<Row> models) throws IOException {
    if (!earlier.isThere()) {
      Dataset<Row> none = stages.read(List.of(), PagesStage.SCHEMA);
      return new EarlierPages(new Path[] {stages.place("pages")}, none, none, 0);
    }
    StoredRows representatives = stages.stored(PagesStage.SCHEMA, earlier.representatives());
    Dataset<Row> revised = stages.stage("revised", PagesStage.SCHEMA,
        counts -> new RevisedStage(counts).run(representatives, models));
    Path[] folders = {stages.place("pages"), earlier.representatives(), stages.place("revised")};
    return new EarlierPages(folders, representatives.rows(), revised, representatives.files());
  }

  /**
   * All pages that are compared, with places that no two share but by chance.
   *
   * @param all the rows of {@link #folders}, with their positions
   * @param newFiles how many files the new ones have
   */
  Dataset<Row> placed(Dataset<Row> all, int newFiles) {
    Column isNew = col(StoredRows.FILE).lt(newFiles);
    Column isSettled = col(StoredRows.FILE).lt(newFiles + settledFiles).and(not(isNew));
    Dataset<Row> gone = revised.select(col("page").as("revised_page"));
    return all.join(broadcast(gone), isSettled.and(col("page").equalTo(col("revised_page"))), "left_anti")
        .withColumn("place", when(isNew, col("place")).when(isSettled, Place.at(Place.SETTLED, col("place")))
            .otherwise(Place.at(Place.REVISED, col("place"))));
  }

  /** Rows of {@link PagesStage#SCHEMA}, whose places are meaningless. */
  Dataset<Row> rows() {
    return settled.drop(StoredRows.FILE, StoredRows.ROW)
        .join(broadcast(revised.select("page")), new String[] {"page"}, "left_anti").unionByName(revised);
  }
}
