package io.ndc.kafka;

import java.util.Arrays;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** A table in a store of Kafka Streams: in RocksDB, with a changelog. */
record StoreTable(KeyValueStore<Bytes, byte[]> store) implements Table {
  @Override
  public byte[] get(byte[] key) {
    return store.get(Bytes.wrap(key));
  }

  @Override
  public void put(byte[] key, byte[] value) {
    store.put(Bytes.wrap(key), value);
  }

  @Override
  public void delete(byte[] key) {
    store.delete(Bytes.wrap(key));
  }

  @Override
  public void scan(byte[] prefix, byte[] after, BiPredicate<byte[], byte[]> visitor) {
    byte[] from = Arrays.compareUnsigned(prefix, after) > 0 ? prefix : after;
    try (KeyValueIterator<Bytes, byte[]> found = store.range(from.length == 0 ? null : Bytes.wrap(from), null)) {
      while (found.hasNext()) {
        KeyValue<Bytes, byte[]> entry = found.next();
        byte[] key = entry.key.get();
        boolean isBelow = key.length >= prefix.length
            && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
        if (!isBelow) return;
        boolean isAfter = after.length == 0 || Arrays.compareUnsigned(key, after) > 0;
        if (isAfter && !visitor.test(key, entry.value)) return;
      }
    }
  }
}
