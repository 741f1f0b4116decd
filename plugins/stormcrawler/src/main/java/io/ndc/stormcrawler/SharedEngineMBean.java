package io.ndc.stormcrawler;

/** The counters of a store's engine that JMX shows, for the monitoring of a topology. */
public interface SharedEngineMBean {
  /** Closes the store, with a snapshot; the next page opens it again. An engine in memory forgets its pages. */
  void close();

  /** Pages that got a verdict. */
  long getChecks();

  /** Pages that got none. */
  long getFailures();

  /** The engine's statistics in Prometheus' text format; "" while no store is open. */
  String metrics();
}
