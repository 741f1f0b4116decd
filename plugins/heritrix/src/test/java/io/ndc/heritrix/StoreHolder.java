package io.ndc.heritrix;

import io.ndc.NearDuplicates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A separate process that keeps a store open, so that a test meets a lock as a second crawler would. */
final class StoreHolder implements AutoCloseable {
  private final Process process;

  StoreHolder(Path store) throws IOException {
    process = new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  StoreHolder.class.getName(),
                  store.toString())
                  .redirectError(ProcessBuilder.Redirect.INHERIT)
                  .start();
    if (!"open".equals(process.inputReader().readLine())) {
      throw new IOException("the other process has not opened " + store);
    }
  }

  @Override
  public void close() throws IOException {
    process.outputWriter().close();
    process.onExit().join();
  }

  /** The other side: holds the store until its input ends. */
  public static void main(String[] arguments) throws IOException {
    try (NearDuplicates engine = NearDuplicates.open(Path.of(arguments[0]), Map.of())) {
      System.out.println("open");
      while (System.in.read() >= 0) {
        // until the input ends
      }
      engine.snapshot();
    }
  }
}
