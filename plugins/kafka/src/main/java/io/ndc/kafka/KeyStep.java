package io.ndc.kafka;

import io.ndc.kafka.Outbox.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lists of the candidate keys of a bucket: which groups have a key. A page is appended and the groups before it are
 * returned in one step, so that of two pages with a common key at least one finds the other, whenever they come.
 */
final class KeyStep {
  /** A vote of a whole key. A whole number, since sums of those do not depend on their order. */
  static final long VOTE = 1L << 20;

  /** So many of those that came first, and as many of those that came last, are kept of a list. */
  static final int ENDS = 8;

  /** By which page a group came to the list; group 0: that page is not committed yet. */
  record Entry(long page, long group) {}

  /**
   * A list. More groups than it keeps are counted by the bits that their numbers set, so that one that comes again,
   * since its page is settled or a message was repeated, is not counted again. Of 10,000 groups the number is right
   * within 5 % (linear counting); pages that are not committed do not count there.
   *
   * @param isHot whether the key was deleted
   * @param hosts of the pages, each once, and no more than the limit asks for
   * @param seen bits of all groups; empty as long as all are kept
   * @param gone of these groups
   */
  record Kept(boolean isHot, int[] hosts, long[] seen, int gone, Entry[] entries) {
    private static final Kept EMPTY = new Kept(false, new int[0], new long[0], 0, new Entry[0]);
    private static final Kept HOT = new Kept(true, new int[0], new long[0], 0, new Entry[0]);

    /** The groups that have the key. */
    int count() {
      if (seen.length == 0) return entries.length;
      int bits = seen.length * Long.SIZE;
      int set = Arrays.stream(seen).mapToInt(Long::bitCount).sum();
      long groups = (long) (-bits * Math.log(Math.max(1, bits - set) / (double) bits));
      return (int) Math.max(entries.length, groups - gone);
    }

    /** With other entries, all groups of which are seen. */
    Kept with(List<Entry> now) {
      long[] marked = seen.clone();
      for (Entry entry : now)
        mark(marked, entry);
      return new Kept(isHot, hosts, marked, gone, now.toArray(Entry[]::new));
    }

    static void mark(long[] seen, Entry entry) {
      if (entry.group() == 0 || seen.length == 0) return;
      long bit = (entry.group() ^ entry.group() >>> Integer.SIZE) & (seen.length * (long) Long.SIZE - 1);
      seen[(int) (bit / Long.SIZE)] |= 1L << bit;
    }
  }

  private final Table lists;
  private final Outbox out;
  private final Rules rules;
  private final ClusterMetrics metrics;

  KeyStep(Table lists, Outbox out, Rules rules, ClusterMetrics metrics) {
    this.lists = lists;
    this.out = out;
    this.rules = rules;
    this.metrics = metrics;
  }

  void take(int bucket, Message message) {
    if (message instanceof Message.Look look) {
      look(bucket, look);
    } else if (message instanceof Message.Enter enter) {
      for (long key : enter.keys())
        put(key, committed(of(key), enter.page(), enter.group(), enter.host()));
    } else if (message instanceof Message.Withdraw withdraw) {
      for (long key : withdraw.keys())
        put(key, without(of(key), withdraw.page(), withdraw.group()));
    } else {
      throw new MalformedException("no message about keys");
    }
  }

  /** A message that {@link #take} could not take. */
  void failed(Message message, String why) {
    if (message instanceof Message.Look look)
      out.send(Topic.WORK, Ids.bytes(look.page()), new Message.Failed(look.round(), why));
  }

  /** Votes are added up here, as far as the keys are in one bucket. */
  private void look(int bucket, Message.Look look) {
    Map<Entry, Long> votes = new LinkedHashMap<>();
    for (long key : look.keys()) {
      Kept list = of(key);
      // Who has the same text is asked itself: its group's representative may have another one.
      boolean isDigest = key == look.digestKey();
      for (Entry entry : list.entries()) {
        // A group that it came with and has left is one like others.
        if (entry.page() == look.page() && (isDigest || entry.group() == 0)) continue;
        votes.merge(isDigest ? new Entry(entry.page(), 0) : whomToAsk(entry), VOTE / list.count(), Long::sum);
      }
      put(key, committed(list, look.page(), 0, look.host()));
    }
    List<Entry> asked = new ArrayList<>(votes.keySet());
    out.send(Topic.WORK, Ids.bytes(look.page()),
        new Message.Found(look.round(), bucket,
            asked.stream().mapToLong(entry -> entry.group() != 0 ? entry.group() : entry.page()).toArray(),
            asked.stream().mapToLong(Entry::group).toArray(),
            asked.stream().mapToLong(votes::get).toArray()));
  }

  /** Of one group one entry, by whatever page it came. */
  private static Entry whomToAsk(Entry entry) {
    return entry.group() == 0 ? entry : new Entry(0, entry.group());
  }

  /** The list with this page's group, which is on it once. */
  private Kept committed(Kept list, long page, long group, int host) {
    if (list.isHot()) return list;
    List<Entry> entries = new ArrayList<>(Arrays.asList(list.entries()));
    int at = 0;
    while (at < entries.size() && entries.get(at).page() != page)
      at++;
    boolean isOther = at == entries.size();
    if (!isOther && group == 0) return list;
    if (group != 0 && entries.stream().anyMatch(entry -> entry.group() == group && entry.page() != page)) {
      if (!isOther) entries.remove(at);
      return list.with(entries);
    }
    Entry entry = new Entry(page, group);
    if (isOther) return appended(list, entries, entry, host);
    entries.set(at, entry);
    return unlessHot(list.with(entries));
  }

  private Kept appended(Kept list, List<Entry> entries, Entry entry, int host) {
    int[] hosts = list.hosts();
    if (hosts.length <= rules.hotHosts() && Arrays.stream(hosts).noneMatch(known -> known == host)) {
      hosts = Arrays.copyOf(hosts, hosts.length + 1);
      hosts[hosts.length - 1] = host;
    }
    long[] seen = list.seen();
    if (entries.size() == 2 * ENDS) {
      if (seen.length == 0) {
        seen = new long[bits(rules.hotGroups()) / Long.SIZE];
        for (Entry each : entries)
          Kept.mark(seen, each);
      }
      entries.remove(ENDS);
    }
    entries.add(entry);
    return unlessHot(new Kept(false, hosts, seen, list.gone(), list.entries()).with(entries));
  }

  /** For so many groups: a fifth, lest all are set. */
  private static int bits(int groups) {
    return Math.max(1024, Integer.highestOneBit(Math.max(1, groups / 5)) << 1);
  }

  private Kept unlessHot(Kept list) {
    int count = list.count();
    boolean isHot =
        count > rules.hotGroups() || (count > rules.hotHostGroups() && list.hosts().length <= rules.hotHosts());
    if (isHot) metrics.add(ClusterMetrics.Count.HOT_KEYS);
    return isHot ? Kept.HOT : list;
  }

  private static Kept without(Kept list, long page, long group) {
    if (list.isHot()) return list;
    List<Entry> left = new ArrayList<>();
    int gone = list.gone();
    for (Entry entry : list.entries()) {
      if (entry.page() != page && (group == 0 || entry.group() != group)) {
        left.add(entry);
      } else if (entry.group() != 0 && list.seen().length > 0) {
        gone++;
      }
    }
    return new Kept(false, list.hosts(), list.seen(), gone, left.toArray(Entry[]::new));
  }

  private Kept of(long key) {
    try {
      Kept list = RecordCodec.state(lists.get(Ids.bytes(key)), Kept.class);
      return list == null ? Kept.EMPTY : list;
    } catch (MalformedException damaged) {
      // Else every page with this key would be refused.
      metrics.add(ClusterMetrics.Count.REFUSED);
      return Kept.EMPTY;
    }
  }

  private void put(long key, Kept list) {
    if (list.entries().length == 0 && !list.isHot()) {
      lists.delete(Ids.bytes(key));
    } else {
      lists.put(Ids.bytes(key), RecordCodec.stateBytes(list));
    }
  }
}
