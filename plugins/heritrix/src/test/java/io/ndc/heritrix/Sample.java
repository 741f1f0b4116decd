package io.ndc.heritrix;

import java.nio.file.Path;

/** Where the repository's sample archive is, from whose pages the tests take theirs. */
final class Sample {
  static final Path WARC =
      Path.of(System.getProperty("ndc.source.directory"), "data", "sample", "documentation.warc.gz");

  private Sample() {}
}
