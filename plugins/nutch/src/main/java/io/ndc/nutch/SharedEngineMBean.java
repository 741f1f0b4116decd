package io.ndc.nutch;

/**
 * What JMX shows of the engine of a store, and how Nutch's plugins call it: Nutch may load the plugin by several class
 * loaders, and a store has one writer a process. Only types of the JDK cross here.
 */
public interface SharedEngineMBean {
  /**
   * Checks a page.
   *
   * @param fetchedAtMs milliseconds since 1970, 0: now
   * @return group, verdict, resemblance, probability, related group and flags, as they go into the parse metadata; the
   *     last three may be empty
   */
  String[] check(String url, byte[] body, String contentType, long fetchedAtMs, boolean truncated);

  /** Closes the store, with a snapshot; the next page opens it again. An engine in memory forgets its pages. */
  void close();

  /** Pages that got a verdict. */
  long getChecks();

  /** Pages that got none. */
  long getFailures();

  /** The engine's statistics in Prometheus' text format; "" before the first page. */
  String metrics();
}
