package io.ndc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** The way of the engine's log lines to the logger {@code io.ndc}. */
final class EngineLog {
  private EngineLog() {}

  /** Lines as {@link NativeCalls#takeLog} gives them; null is none. No log fails a call: see the other one. */
  static void tell(byte[][] lines) {
    if (lines == null) return;
    for (byte[] line : lines) {
      tell(level(line[0]), Utf8.decode(line).substring(1), null);
    }
  }

  /** Throws nothing of the host's handlers and finders, neither exceptions nor errors; only those of the JVM itself. */
  static void tell(Level level, String message, Throwable cause) {
    try {
      // Asked for each time: a host may set its loggers up after this class was loaded.
      Logger logger = System.getLogger("io.ndc");
      logger.log(level, message, cause);
    } catch (VirtualMachineError ofTheJvm) {
      throw ofTheJvm;
    } catch (Throwable handlerFailed) {
      // The host's own handler; it has nothing to do with the call that the line came with.
    }
  }

  private static Level level(byte number) {
    return switch (number) {
      case 1 -> Level.ERROR;
      case 2 -> Level.WARNING;
      default -> Level.INFO;
    };
  }
}
