package io.ndc.kafka;

import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import javax.management.JMException;
import javax.management.MXBean;
import javax.management.ObjectName;

/** Counts what the steps of a process did, for JMX: {@code io.ndc:type=Cluster,name=…}. Threads: any number. */
final class ClusterMetrics {
  /** What is counted. */
  enum Count {
    /** Pages that were asked about, each time. */
    ASKED,
    /** Decisions that were committed. */
    COMMITTED,
    /** Of these, pages that joined a group. */
    JOINED,
    /** Pairs that were compared. */
    COMPARED,
    /** Pages that were decided without a comparison, at the deadline. */
    LATE,
    /** Questions that were asked again, since there was no answer. */
    RETRIED,
    /** Groups that were merged into others. */
    MERGED,
    /** Pages that moved to another group. */
    REGROUPED,
    /** Keys that were deleted, since too many groups had them. */
    HOT_KEYS,
    /** Records that were refused: malformed, damaged or of another version. */
    REFUSED,
    /** Records that nobody foresaw: those that they are about are answered with an error, and the log has why. */
    FAILED,
    /** Pages that were removed. */
    REMOVED
  }

  /** What JMX shows. */
  @MXBean
  public interface View {
    /** By name, since the process began. */
    Map<String, Long> getCounts();
  }

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  ClusterMetrics() {
    for (Count count : Count.values())
      counts.put(count, new LongAdder());
  }

  void add(Count count) {
    counts.get(count).increment();
  }

  long get(Count count) {
    return counts.get(count).sum();
  }

  Map<String, Long> all() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((count, value) -> all.put(count.name().toLowerCase(Locale.ROOT), value.sum()));
    return all;
  }

  /** Shows them under a name; a second time the newer ones. */
  void register(String name) {
    try {
      ObjectName bean = new ObjectName("io.ndc:type=Cluster,name=" + ObjectName.quote(name));
      if (ManagementFactory.getPlatformMBeanServer().isRegistered(bean))
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(bean);
      View view = this::all;
      ManagementFactory.getPlatformMBeanServer().registerMBean(view, bean);
    } catch (JMException refused) {
      throw new IllegalStateException("JMX refuses " + name, refused);
    }
  }
}
