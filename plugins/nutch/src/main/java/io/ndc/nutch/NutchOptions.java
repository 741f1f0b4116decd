package io.ndc.nutch;

import io.ndc.crawler.HostPatterns;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/** The settings of a configuration that signatures, jobs and the engine share. */
final class NutchOptions {
  private static final String PREFIX = "nd.option.";

  private NutchOptions() {}

  /** The options of ndc: {@code nd.option.KEY}. */
  static Map<String, String> of(Configuration conf) {
    return new TreeMap<>(conf.getPropsWithPrefix(PREFIX));
  }

  /**
   * The hosts whose pages are left alone: {@code nd.exclude.hosts}.
   *
   * @param errors takes a sentence for each pattern that cannot be read, which excludes nothing
   */
  static HostPatterns excludedHosts(Configuration conf, Consumer<String> errors) {
    return HostPatterns.read(conf.get("nd.exclude.hosts"),
        error -> errors.accept("nd.exclude.hosts: " + error + "; it excludes nothing"));
  }
}
