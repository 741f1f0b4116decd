package io.ndc.kafka;

import io.ndc.Features;
import io.ndc.NearDuplicatesException;
import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.kafka.ClusterMetrics.Count;
import io.ndc.kafka.Outbox.Topic;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of a partition: they compare pages with their representatives, count their members, are merged, and elect
 * another representative when theirs is purged. A page that is asked in place of its group tells which that is, or, as
 * long as it is open, lets the later one of the two wait.
 */
final class GroupStep {
  private static final Logger LOG = LoggerFactory.getLogger(GroupStep.class);

  /** Each leads to an earlier group, so they end; if a state is damaged, here. */
  private static final int MOST_HOPS = 64;

  private final PageTables tables;
  private final Outbox out;
  private final Rules rules;
  private final ClusterMetrics metrics;
  private final LongConsumer goOn;

  /**
   * Of a partition.
   *
   * @param goOn is called with an open page that has a new candidate
   */
  GroupStep(PageTables tables, Outbox out, Rules rules, ClusterMetrics metrics, LongConsumer goOn) {
    this.tables = tables;
    this.out = out;
    this.rules = rules;
    this.metrics = metrics;
    this.goOn = goOn;
  }

  /** Whether the message was one about groups. */
  boolean take(long id, long now, Message message) {
    if (message instanceof Message.Compare compare) {
      compare(id, compare);
    } else if (message instanceof Message.Join join) {
      join(id, join.page());
    } else if (message instanceof Message.Leave leave) {
      leave(id, leave.page());
    } else if (message instanceof Message.Represent represent) {
      represent(id, represent);
    } else if (message instanceof Message.Elect elect) {
      byte[] text = tables.page(id) == null ? null : tables.text(id);
      tell(elect.group(), new Message.Elected(id, text == null ? new byte[0] : text));
    } else if (message instanceof Message.Elected elected) {
      elected(id, now, elected);
    } else {
      return false;
    }
    return true;
  }

  void tell(long id, Message message) {
    out.send(Topic.WORK, Ids.bytes(id), message);
  }

  private void compare(long id, Message.Compare asked) {
    GroupState group = tables.group(id);
    if (group != null && !group.isLive()) {
      handOn(group.into(), asked);
      return;
    }
    OpenPage open = tables.open().get(id);
    boolean isChanging = open != null && !open.settles;
    if (group != null && (group.hasOwnText() || !isChanging)) {
      byte[] text = textOf(id, group);
      long member = text == null ? tables.firstMember(id) : 0;
      Result result = text == null ? null : compared(text, asked.features());
      if (member != 0) {
        // It elects a representative. Who asks will ask again, and find one.
        tell(member, new Message.Elect(id));
      } else if (result == null) {
        none(asked);
      } else {
        answer(asked, id, group.time(), id, PageFacts.of(text).url(), result);
      }
    } else if (isChanging) {
      beside(id, open, asked);
    } else {
      ofMember(id, asked);
    }
  }

  private void handOn(long into, Message.Compare asked) {
    if (mayGoOn(asked.hops(), into)) {
      tell(into, asked.handedOn());
    } else {
      none(asked);
    }
  }

  /** The same for two groups that are to be merged: they stay apart if this ends it. */
  void handOn(long into, Message.Merge same) {
    if (mayGoOn(same.hops(), into)) tell(into, new Message.Merge(same.other(), same.time(), same.hops() + 1));
  }

  private boolean mayGoOn(int hops, long into) {
    if (hops < MOST_HOPS) return true;
    LOG.warn("a message was handed on {} times, last to group {}", MOST_HOPS, into);
    metrics.add(Count.REFUSED);
    return false;
  }

  private byte[] textOf(long id, GroupState group) {
    return group.hasOwnText() ? tables.texts().get(PageTables.groupKey(id)) : tables.text(id);
  }

  /** Null: the library refused. */
  private Result compared(byte[] representative, byte[] page) {
    metrics.add(Count.COMPARED);
    try {
      return Features.decide(representative, page, rules.decisions());
    } catch (NearDuplicatesException failure) {
      LOG.warn("a comparison: {}", Refusal.of(failure));
      metrics.add(Count.REFUSED);
      return null;
    }
  }

  private void answer(Message.Compare asked, long group, long time, long matched, String url, Result result) {
    tell(asked.page(), new Message.Compared(asked.asked(), asked.round(), group, time, matched, url, result));
  }

  /** Answers that it is none of its pages. */
  void none(Message.Compare asked) {
    answer(asked, 0, 0, 0, "", null);
  }

  /** Two pages that are decided at once: the later one waits for the earlier one. */
  private void beside(long id, OpenPage open, Message.Compare asked) {
    if (GroupState.isBefore(open.time, id, asked.time(), asked.page())) {
      open.hold(asked.page(), asked.round());
      tables.open().put(id, open);
      return;
    }
    none(asked);
    if (open.candidates.containsKey(asked.page())) return;
    open.vote(asked.page(), 0, asked.votes());
    tables.open().put(id, open);
    goOn.accept(id);
  }

  /** The page tells its group; with its own text alone it decides about equal ones. */
  private void ofMember(long id, Message.Compare asked) {
    PageState page = tables.page(id);
    if (page == null || page.group() == id) {
      none(asked);
      return;
    }
    byte[] text = tables.text(id);
    if (text != null && PageFacts.of(asked.features()).textHash() == page.textHash()) {
      Result result = compared(text, asked.features());
      if (result != null && result.verdict() == Verdict.EXACT) {
        answer(asked, page.group(), page.groupTime(), id, page.url(), result);
        return;
      }
    }
    answer(asked, page.group(), page.groupTime(), 0, "", null);
  }

  private void join(long id, long page) {
    GroupState group = tables.group(id);
    if (group != null && !group.isLive()) {
      tell(page, new Message.Moved(id, group.into()));
      return;
    }
    tables.members().put(PageTables.memberKey(id, page), new byte[0]);
    // Removed meanwhile: it goes on with this page.
    if (group == null) tables.put(id, new GroupState(0, 0, true));
    // Or an election got lost.
    boolean isWithoutText = group == null || (group.hasOwnText() && textOf(id, group) == null);
    if (isWithoutText) tell(page, new Message.Elect(id));
  }

  private void leave(long id, long page) {
    tables.members().delete(PageTables.memberKey(id, page));
    GroupState group = tables.group(id);
    if (group != null && group.isLive() && group.hasOwnText() && tables.firstMember(id) == 0) drop(id);
  }

  /** A group without pages. */
  private void drop(long id) {
    byte[] text = tables.texts().get(PageTables.groupKey(id));
    if (text != null) KeyLookups.of(text, rules).withdraw(0, id, out);
    tables.texts().delete(PageTables.groupKey(id));
    tables.groups().delete(Ids.bytes(id));
  }

  private void represent(long id, Message.Represent founded) {
    tables.texts().put(PageTables.groupKey(id), founded.features());
    tables.put(id, new GroupState(0, founded.time(), true));
    tables.members().put(PageTables.memberKey(id, founded.founder()), new byte[0]);
  }

  private void elected(long id, long now, Message.Elected elected) {
    GroupState group = tables.group(id);
    if (group == null || !group.isLive() || tables.texts().get(PageTables.groupKey(id)) != null) return;
    if (elected.features().length > 0) {
      tables.texts().put(PageTables.groupKey(id), elected.features());
      KeyLookups.of(elected.features(), rules).enter(elected.page(), id, out);
      out.send(Topic.EVENTS, Ids.bytes(elected.page()),
          new Message.Happened(ClusterEvent.Kind.REELECTED.name(), id, id, now));
      return;
    }
    tables.members().delete(PageTables.memberKey(id, elected.page()));
    elect(id);
  }

  /** Asks a member for its text; without one, the group ends. */
  private void elect(long id) {
    long member = tables.firstMember(id);
    if (member == 0) {
      drop(id);
    } else {
      tell(member, new Message.Elect(id));
    }
  }

  /**
   * Makes a group of a page that founds one.
   *
   * @return its number: the page's, unless that is still another group's; then the new one is to be told of its
   *     representative
   */
  long found(long page, long round, long time) {
    if (tables.represents(page)) return page;
    if (tables.group(page) != null) return Ids.ofGroup(page, round);
    tables.put(page, new GroupState(0, time, false));
    return page;
  }

  /** The founder has, or will have, another text: the group keeps this one if it has members. */
  void leaveText(long page) {
    if (!tables.represents(page) || tables.firstMember(page) == 0) return;
    tables.texts().put(PageTables.groupKey(page), tables.text(page));
    tables.put(page, new GroupState(0, tables.group(page).time(), true));
  }

  /** A group becomes part of another one, to which its number leads from now on. */
  void merge(long page, long into, long now) {
    GroupState group = tables.group(page);
    if (group.hasOwnText()) {
      tables.texts().delete(PageTables.groupKey(page));
      // Its founder is elsewhere: another member stands for all, lest the other group has none.
      long member = tables.firstMember(page);
      if (member != 0) tell(into, new Message.Join(member));
    }
    tables.put(page, new GroupState(into, group.time(), false));
    metrics.add(Count.MERGED);
    log(page, into);
    out.send(Topic.EVENTS, Ids.bytes(page), new Message.Happened(ClusterEvent.Kind.MERGED.name(), page, into, now));
  }

  void log(long merged, long into) {
    out.send(Topic.COMMITS, PageTables.groupKey(merged), new Message.Merged(into));
  }

  /** The founder is gone. */
  void removeFounder(long page, boolean purge) {
    if (!tables.represents(page)) {
      // It may have left a text of its own to others.
      GroupState group = tables.group(page);
      if (purge && group != null && group.isLive() && group.hasOwnText()) {
        tables.texts().delete(PageTables.groupKey(page));
        elect(page);
      }
      return;
    }
    if (tables.firstMember(page) == 0) {
      tables.groups().delete(Ids.bytes(page));
    } else if (purge) {
      tables.put(page, new GroupState(0, tables.group(page).time(), true));
      elect(page);
    } else {
      leaveText(page);
    }
  }
}
