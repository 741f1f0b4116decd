package io.ndc.spark;

import io.ndc.spark.archive.ReadLog;

/** Counts what a reader of archives reports, and keeps its faults. */
final class CountingLog implements ReadLog {
  private final Counts counts;
  private final Faults faults;

  CountingLog(Counts counts, Faults faults) {
    this.counts = counts;
    this.faults = faults;
  }

  @Override
  public void record() {
    counts.add("records", 1);
  }

  @Override
  public void page(long bodyBytes, boolean truncated) {
    counts.add("pages", 1);
    counts.add("page_bytes", bodyBytes);
    if (truncated) counts.add("truncated", 1);
  }

  @Override
  public void noPage() {
    counts.add("no_page", 1);
  }

  @Override
  public void otherStatus() {
    counts.add("other_status", 1);
  }

  @Override
  public void damaged(String path, long offset, String reason) {
    counts.add("damaged", 1);
    faults.add(new Faults.Fault(path, offset, reason));
  }

  @Override
  public void failedFile(String path, String reason) {
    counts.add("failed_files", 1);
    faults.add(new Faults.Fault(path, -1, reason));
  }
}
