package io.ndc;

/** The engine was closed before the call, or while the call waited for it. */
public final class ClosedException extends NearDuplicatesException {
  private static final long serialVersionUID = 1;

  ClosedException() {
    super(0, "this NearDuplicates is closed; open another one");
  }
}
