package io.ndc.spark;

import io.ndc.spark.archive.ReadLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts what a reader of archives cannot read into the log of Spark; a few lines for each reader. One thread. */
final class LoggedReads implements ReadLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.ndc.spark");
  private static final int LINES = 20;

  private int faults;
  /** Path and reason of the first file that could not be read; null: all could. */
  String firstFailure;

  @Override
  public void failed(String path, long offset, String reason) {
    boolean isWhole = offset == WHOLE_FILE;
    if (isWhole && firstFailure == null) firstFailure = path + ": " + reason;
    if (faults++ < LINES) LOG.warn("{}{}: {}", path, isWhole ? "" : " at byte " + offset, reason);
  }
}
