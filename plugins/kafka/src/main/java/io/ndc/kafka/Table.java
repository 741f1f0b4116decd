package io.ndc.kafka;

import java.util.function.BiPredicate;

/** What a step keeps, by key: in a partition of the cluster a store of Kafka Streams, in tests a map. */
interface Table {
  /** Null: there is none. */
  byte[] get(byte[] key);

  void put(byte[] key, byte[] value);

  /** No error if there is none. */
  void delete(byte[] key);

  /**
   * Visits entries in the order of their keys, as unsigned bytes, until the visitor returns false. The visitor changes
   * no entry of this table.
   *
   * @param prefix of the keys; empty: all
   * @param after the first key is greater than this one; empty: from the beginning
   */
  void scan(byte[] prefix, byte[] after, BiPredicate<byte[], byte[]> visitor);
}
