package io.ndc;

/** The engine or reader was closed before the call, or while the call waited for it. */
public final class ClosedException extends NearDuplicatesException {
  ClosedException() {
    this("NearDuplicates");
  }

  ClosedException(String what) {
    super(0, "this " + what + " is closed; open another one");
  }
}
