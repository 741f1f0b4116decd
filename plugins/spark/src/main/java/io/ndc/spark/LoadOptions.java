package io.ndc.spark;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What {@link NdLoad} was asked to do. Nothing changes it once it is parsed. */
final class LoadOptions {
  static final String USAGE =
      """
      usage: NdLoad --result OUTPUT --store DIR [--option KEY=VALUE]...
        --result OUTPUT      what NdPartition wrote, with its stages, on any Hadoop file system
        --store DIR          the store to fill, on a local disk of the driver; it is made if it is not there
        --option KEY=VALUE   an option of the store; may come again
      """;

  /** Options of the store, by key; others are as in the store, or have their defaults. */
  final Map<String, String> library = new TreeMap<>();
  /** The folder that a job wrote. */
  String result;
  /** The folder of the store. */
  Path store;

  private LoadOptions() {}

  /**
   * From a command line.
   *
   * @throws IllegalArgumentException if it makes no sense; the message says why
   */
  static LoadOptions parse(String... arguments) {
    LoadOptions options = new LoadOptions();
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length)
        throw new IllegalArgumentException(arguments[i] + ": unknown, or its value is missing");
      options.take(arguments[i], arguments[i + 1]);
    }
    if (options.result == null) throw new IllegalArgumentException("--result is missing");
    if (options.store == null) throw new IllegalArgumentException("--store is missing");
    return options;
  }

  private void take(String name, String value) {
    if (value.isEmpty()) throw new IllegalArgumentException(name + ": empty");
    switch (name) {
      case "--result" -> result = new org.apache.hadoop.fs.Path(value).toString();
      case "--store" -> store = Path.of(value);
      case "--option" -> takeLibraryOption(value);
      default -> throw new IllegalArgumentException(name + ": unknown");
    }
  }

  private void takeLibraryOption(String keyAndValue) {
    Map.Entry<String, String> option = LibraryOptions.parse(keyAndValue);
    if (option.getKey().equals("read_only") || option.getKey().equals("overlay"))
      throw new IllegalArgumentException("--option " + option.getKey() + ": a store is to be filled");
    library.put(option.getKey(), option.getValue());
  }
}
