package io.ndc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What was logged to io.ndc. */
final class LogLines extends Handler implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger("io.ndc");

  private final List<String> lines = new CopyOnWriteArrayList<>();

  private volatile Error error;

  private LogLines() {}

  static LogLines capture() {
    LogLines lines = new LogLines();
    LOGGER.addHandler(lines);
    return lines;
  }

  /** Fails with the error at each line, after it has kept it. */
  static LogLines failing(Error error) {
    LogLines lines = capture();
    lines.error = error;
    return lines;
  }

  /** LEVEL message. */
  List<String> containing(String part) {
    return lines.stream().filter(line -> line.contains(part)).toList();
  }

  @Override
  public void publish(LogRecord record) {
    lines.add(record.getLevel() + " " + record.getMessage());
    if (error != null) throw error;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOGGER.removeHandler(this);
  }
}
