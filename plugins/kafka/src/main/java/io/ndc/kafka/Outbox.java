package io.ndc.kafka;

/** Where a step sends messages to. */
interface Outbox {
  /** The topics, by the ends of their names. */
  enum Topic {
    PAGES, SITES, KEYS, WORK, COMMITS, ANSWERS, EVENTS, CONTROL
  }

  /** Sends; message null: the key is void from now on. */
  void send(Topic topic, byte[] key, Message message);
}
