package io.ndc.nutch;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** The options of ndc that a configuration sets: {@code nd.option.KEY}. */
final class NutchOptions {
  private static final String PREFIX = "nd.option.";

  private NutchOptions() {}

  static Map<String, String> of(Configuration conf) {
    return new TreeMap<>(conf.getPropsWithPrefix(PREFIX));
  }
}
