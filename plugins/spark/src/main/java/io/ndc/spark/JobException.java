package io.ndc.spark;

/** Why a job cannot go on, in words for its user: no stack trace is needed. */
final class JobException extends RuntimeException {
  JobException(String message) {
    super(message);
  }

  JobException(String message, Throwable cause) {
    super(message, cause);
  }
}
