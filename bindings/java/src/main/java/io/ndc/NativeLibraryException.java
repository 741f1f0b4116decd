package io.ndc;

/**
 * The native library could not be loaded, or is not the one of this jar; the message says what to do. A library of
 * another version, or none for this platform, is refused as long as the JVM runs. After other failures, as a full or
 * read-only temporary directory, later calls attempt it again: a second after the first failure, then in twice the
 * time, at last once a minute. Calls in between throw this with the same message.
 */
public final class NativeLibraryException extends NearDuplicatesException {
  NativeLibraryException(String message, Throwable cause) {
    super(0, message, cause);
  }
}
