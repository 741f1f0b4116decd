package io.ndc.kafka;

import io.ndc.kafka.Outbox.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lists of the candidate keys of a bucket: which groups have a key. A page is appended and the groups
 * before it are returned in one step, so that of two pages with a common key at least one finds the other,
 * whenever they come.
 */
final class KeyStep {
  /** A vote of a whole key. A whole number, since sums of those do not depend on their order. */
  static final long VOTE = 1L << 20;

  /** So many of those that came first, and as many of those that came last, are kept of a list. */
  static final int ENDS = 8;

  /** By which page a group came to the list; group 0: that page is not committed yet. */
  record Entry(long page, long group) {}

  /**
   * A list.
   *
   * @param count of groups that came, those that are not kept included; {@link #HOT}: the key was deleted
   * @param hosts of these, each once, and no more than the limit asks for
   */
  record Kept(int count, int[] hosts, Entry[] entries) {}

  private static final int HOT = -1;
  private static final Kept EMPTY = new Kept(0, new int[0], new Entry[0]);

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
    if (list.count() == HOT) return list;
    List<Entry> entries = new ArrayList<>(Arrays.asList(list.entries()));
    int at = 0;
    while (at < entries.size() && entries.get(at).page() != page)
      at++;
    boolean isOther = at == entries.size();
    if (!isOther && group == 0) return list;
    boolean isThere =
        group != 0 && entries.stream().anyMatch(entry -> entry.group() == group && entry.page() != page);
    if (isThere) {
      // If others have pushed it out of the list meanwhile, it counts there all the same.
      if (!isOther) entries.remove(at);
      return new Kept(
          Math.max(list.count() - 1, entries.size()), list.hosts(), entries.toArray(Entry[] ::new));
    }
    if (!isOther) {
      entries.set(at, new Entry(page, group));
      return new Kept(list.count(), list.hosts(), entries.toArray(Entry[] ::new));
    }
    return appended(list, entries, new Entry(page, group), host);
  }

  private Kept appended(Kept list, List<Entry> entries, Entry entry, int host) {
    int count = list.count() + 1;
    int[] hosts = list.hosts();
    if (hosts.length <= rules.hotHosts() && Arrays.stream(hosts).noneMatch(known -> known == host)) {
      hosts = Arrays.copyOf(hosts, hosts.length + 1);
      hosts[hosts.length - 1] = host;
    }
    if (count > rules.hotGroups() || (count > rules.hotHostGroups() && hosts.length <= rules.hotHosts())) {
      metrics.add(ClusterMetrics.Count.HOT_KEYS);
      return new Kept(HOT, new int[0], new Entry[0]);
    }
    if (entries.size() == 2 * ENDS) entries.remove(ENDS);
    entries.add(entry);
    return new Kept(count, hosts, entries.toArray(Entry[] ::new));
  }

  private static Kept without(Kept list, long page, long group) {
    if (list.count() == HOT) return list;
    Entry[] left = Arrays.stream(list.entries())
                       .filter(entry -> entry.page() != page && (group == 0 || entry.group() != group))
                       .toArray(Entry[] ::new);
    int gone = list.entries().length - left.length;
    return new Kept(Math.max(list.count() - gone, left.length), list.hosts(), left);
  }

  private Kept of(long key) {
    try {
      Kept list = RecordCodec.state(lists.get(Ids.bytes(key)), Kept.class);
      return list == null ? EMPTY : list;
    } catch (MalformedException damaged) {
      // Else every page with this key would be refused.
      metrics.add(ClusterMetrics.Count.REFUSED);
      return EMPTY;
    }
  }

  private void put(long key, Kept list) {
    if (list.count() == 0) {
      lists.delete(Ids.bytes(key));
    } else {
      lists.put(Ids.bytes(key), RecordCodec.stateBytes(list));
    }
  }
}
