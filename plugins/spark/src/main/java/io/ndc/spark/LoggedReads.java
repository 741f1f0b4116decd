package io.ndc.spark;

import io.ndc.spark.archive.ReadLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts what a reader of archives cannot read into the log of Spark; a few lines for each reader. One thread. */
final class LoggedReads implements ReadLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.ndc.spark");
  private static final int LINES = 20;

  private int faults;
  private String firstFailure;

  /** Path and reason of the first file that could not be read; null: all could. */
  String firstFailure() {
    return firstFailure;
  }

  @Override
  public void record() {}

  @Override
  public void page(long bodyBytes, boolean truncated) {}

  @Override
  public void noPage() {}

  @Override
  public void otherStatus() {}

  @Override
  public void damaged(String path, long offset, String reason) {
    warn("{} at byte {}: {}", path, offset, reason);
  }

  @Override
  public void failedFile(String path, String reason) {
    if (firstFailure == null) firstFailure = path + ": " + reason;
    warn("{}: {}", path, reason);
  }

  private void warn(String form, Object... values) {
    if (faults++ < LINES) LOG.warn(form, values);
  }
}
