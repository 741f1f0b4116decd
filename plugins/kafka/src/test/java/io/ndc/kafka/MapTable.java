package io.ndc.kafka;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/** A table in memory, ordered as RocksDB orders its keys; the steps of a simulated partition keep their state in it. */
final class MapTable implements Table {
  final NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);

  @Override
  public byte[] get(byte[] key) {
    byte[] value = entries.get(key);
    return value == null ? null : value.clone();
  }

  @Override
  public void put(byte[] key, byte[] value) {
    entries.put(key.clone(), value.clone());
  }

  @Override
  public void delete(byte[] key) {
    entries.remove(key);
  }

  @Override
  public void scan(byte[] prefix, byte[] after, BiPredicate<byte[], byte[]> visitor) {
    byte[] from = Arrays.compareUnsigned(prefix, after) > 0 ? prefix : after;
    List<Map.Entry<byte[], byte[]>> found = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> entry : entries.tailMap(from, from != after).entrySet()) {
      boolean isBelow = entry.getKey().length >= prefix.length
          && Arrays.equals(entry.getKey(), 0, prefix.length, prefix, 0, prefix.length);
      if (!isBelow) break;
      found.add(entry);
    }
    for (Map.Entry<byte[], byte[]> entry : found) {
      if (!visitor.test(entry.getKey(), entry.getValue())) return;
    }
  }
}
