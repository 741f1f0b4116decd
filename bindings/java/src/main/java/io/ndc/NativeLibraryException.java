package io.ndc;

/**
 * The native library could not be loaded, or is not the one of this jar. It is not tried again in this JVM: every
 * further call throws this with the same message, which says what to do.
 */
public final class NativeLibraryException extends NearDuplicatesException {
  private static final long serialVersionUID = 1;

  NativeLibraryException(String message, Throwable cause) {
    super(0, message, cause);
  }
}
