package io.ndc.heritrix;

import java.nio.file.Path;

/** The sample of the repository. */
final class Sample {
  static final Path WARC = Path.of(System.getProperty("ndc.source.directory"), "data", "sample", "documentation.warc.gz");

  private Sample() {}
}
