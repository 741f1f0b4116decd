package io.ndc.kafka;

/** A record of a topic is none of this version, or was cut or lengthened: it is counted and skipped. */
final class MalformedException extends RuntimeException {
  MalformedException(String message) {
    super(message);
  }

  MalformedException(String message, Throwable cause) {
    super(message, cause);
  }
}
