package io.ndc.kafka;

import java.nio.file.Path;
import org.apache.kafka.common.utils.Time;

/** A clock that is wrong, and an instance that has it: WrongClock SETTINGS AHEAD_MS. */
public final class WrongClock implements Time {
  private volatile long aheadMs;

  WrongClock(long aheadMs) {
    this.aheadMs = aheadMs;
  }

  void set(long newAheadMs) {
    aheadMs = newAheadMs;
  }

  @Override
  public long milliseconds() {
    return SYSTEM.milliseconds() + aheadMs;
  }

  @Override
  public long nanoseconds() {
    return SYSTEM.nanoseconds();
  }

  @Override
  public void sleep(long ms) {
    SYSTEM.sleep(ms);
  }

  /**
   * The program.
   *
   * @param arguments of the class's sentence
   */
  public static void main(String[] arguments) throws Exception {
    WrongClock clock = new WrongClock(Long.parseLong(arguments[1]));
    NdClusterNode node = NdClusterNode.start(NdClusterNode.settings(Path.of(arguments[0])), clock);
    System.exit(node.awaitFailure() ? 1 : 0);
  }
}
