package io.ndc.kafka;

import io.ndc.Features;
import io.ndc.kafka.Outbox.Topic;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/** The candidate keys of a page, by the buckets that have their lists: one message for all keys of a bucket. */
final class KeyLookups {
  private final Map<Integer, long[]> keys = new LinkedHashMap<>();
  private final int host;
  private final long digestKey;

  private KeyLookups(long[] all, int host, long digestKey, int buckets) {
    this.host = host;
    this.digestKey = digestKey;
    for (long key : all)
      keys.merge(Math.floorMod(key, buckets), new long[] {key}, KeyLookups::joined);
  }

  private static long[] joined(long[] some, long[] more) {
    return LongStream.concat(Arrays.stream(some), Arrays.stream(more)).toArray();
  }

  /** All keys of a page; where its text is long enough, also one of the text itself. */
  static KeyLookups of(byte[] features, Rules rules) {
    PageFacts facts = PageFacts.of(features);
    long[] all = Features.keys(features);
    long digestKey = facts.width() >= rules.exactWidth() ? facts.textKey() : 0;
    if (digestKey != 0) all = joined(all, new long[] {digestKey});
    return new KeyLookups(all, facts.host().hashCode(), digestKey, rules.buckets());
  }

  /** Those that a page has no more. */
  static KeyLookups lost(byte[] before, byte[] now, Rules rules) {
    Set<Long> kept = new HashSet<>();
    Arrays.stream(Features.keys(now)).forEach(kept::add);
    long[] lost = Arrays.stream(Features.keys(before)).filter(key -> !kept.contains(key)).toArray();
    return new KeyLookups(lost, 0, 0, rules.buckets());
  }

  Set<Integer> buckets() {
    return keys.keySet();
  }

  void look(long page, long round, int bucket, Outbox out) {
    if (keys.containsKey(bucket))
      out.send(Topic.KEYS, key(bucket), new Message.Look(page, round, host, keys.get(bucket), digestKey));
  }

  void enter(long page, long group, Outbox out) {
    keys.forEach((bucket, some) -> out.send(Topic.KEYS, key(bucket), new Message.Enter(page, group, host, some)));
  }

  void withdraw(long page, long group, Outbox out) {
    keys.forEach((bucket, some) -> out.send(Topic.KEYS, key(bucket), new Message.Withdraw(page, group, some)));
  }

  static byte[] key(int bucket) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(bucket).array();
  }

  /** The bucket in a key. */
  static int bucket(byte[] key) {
    if (key == null || key.length != Integer.BYTES) throw new MalformedException("a key that is no bucket");
    return ByteBuffer.wrap(key).getInt();
  }
}
