package io.ndc.nutch.crawl;

import io.ndc.NearDuplicates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Has a store open until its standard input ends. */
public final class StoreHolder {
  private StoreHolder() {}

  /** Argument: the store. */
  public static void main(String[] arguments) throws IOException {
    try (NearDuplicates store = NearDuplicates.open(Path.of(arguments[0]), Map.of())) {
      System.out.println("open " + !store.isClosed());
      System.in.readAllBytes();
    }
  }
}
