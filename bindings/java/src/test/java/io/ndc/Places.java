package io.ndc;

import java.nio.file.Path;

/** Where the tests find what is not in their class path; ctest says it. */
final class Places {
  private Places() {}

  /** A file of the source tree. */
  static Path source(String name) {
    return place("ndc.source.directory").resolve(name);
  }

  /** A file that CMake built. */
  static Path built(String name) {
    return place("ndc.build.directory").resolve(name);
  }

  private static Path place(String property) {
    String value = System.getProperty(property);
    if (value == null) throw new IllegalStateException("run this test by ctest, or with -D" + property + "=DIR");
    return Path.of(value);
  }
}
