package io.ndc.kafka;

import io.ndc.kafka.OpenPage.Asker;
import io.ndc.kafka.OpenPage.Held;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pages of a partition that are being decided; and for some seconds what was told when one had been: a crash may
 * have kept the decision and lost the messages, and whoever has the partition then tells it again.
 */
final class OpenPages {
  /**
   * What was told besides the page's state.
   *
   * @param round in which it was decided
   * @param left the group that it was in before; 0: none, or the same
   * @param later groups that the page's own, which is before them, is the same as
   */
  record Told(long round, long left, Asker[] askers, Held[] held, long[] later) {
    /** Besides the page's state. */
    static Told nothing(long round) {
      return new Told(round, 0, new Asker[0], new Held[0], new long[0]);
    }
  }

  /** Longer than Kafka Streams takes from one commit to the next. */
  private static final long TOLD_MS = 10_000;

  private final Table table;
  private final Set<Long> ids = new HashSet<>();
  /** Since when, the oldest first. */
  private final Map<Long, Long> told = new LinkedHashMap<>();

  OpenPages(Table table) {
    this.table = table;
    table.scan(new byte[0], new byte[0], (key, value) -> {
      if (key.length == Long.BYTES) {
        ids.add(Ids.of(key));
      } else {
        told.put(Ids.of(Arrays.copyOf(key, Long.BYTES)), Long.MAX_VALUE);
      }
      return true;
    });
  }

  int count() {
    return ids.size();
  }

  /** As they are now. */
  List<Long> ids() {
    return List.copyOf(ids);
  }

  /** Null: the page is not open. */
  OpenPage get(long id) {
    return ids.contains(id) ? OpenPage.of(table.get(Ids.bytes(id))) : null;
  }

  void put(long id, OpenPage page) {
    table.put(Ids.bytes(id), page.bytes());
    ids.add(id);
  }

  void remove(long id) {
    table.delete(Ids.bytes(id));
    ids.remove(id);
  }

  private static byte[] toldKey(long id) {
    return PageTables.groupKey(id);
  }

  /** Null: nothing, or long ago. */
  Told told(long id) {
    return told.containsKey(id) ? RecordCodec.state(table.get(toldKey(id)), Told.class) : null;
  }

  /** Of a page that is not open any more. */
  Told told(long id, OpenPage page, long left, boolean isFounder, long now) {
    Told what = new Told(page.round, left, page.askers.toArray(Asker[]::new), page.held().toArray(Held[]::new),
        isFounder ? page.later.stream().mapToLong(Long::longValue).toArray() : new long[0]);
    put(id, what, now);
    return what;
  }

  /** Of a page that moved since it was decided. */
  void toldToMove(long id, long round, long now) {
    Told before = told(id);
    put(id, before != null && before.round() == round ? before : Told.nothing(round), now);
  }

  private void put(long id, Told what, long now) {
    table.put(toldKey(id), RecordCodec.stateBytes(what));
    told.remove(id);
    told.put(id, now);
  }

  /** What another instance had told, or this one before it stopped; from now on it is this one's. */
  List<Long> takeOver(long now) {
    List<Long> others = new ArrayList<>();
    told.replaceAll((id, since) -> {
      if (since == Long.MAX_VALUE) others.add(id);
      return Math.min(since, now);
    });
    return others;
  }

  /** Forgets what was told some seconds ago. */
  void forgetTold(long now) {
    List<Long> old = new ArrayList<>();
    for (Map.Entry<Long, Long> each : told.entrySet()) {
      if (now - each.getValue() < TOLD_MS) break;
      old.add(each.getKey());
    }
    for (long id : old) {
      told.remove(id);
      table.delete(toldKey(id));
    }
  }
}
