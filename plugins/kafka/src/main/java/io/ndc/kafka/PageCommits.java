package io.ndc.kafka;

import io.ndc.Features;
import io.ndc.Flag;
import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.crawler.Decision;
import io.ndc.kafka.ClusterMetrics.Count;
import io.ndc.kafka.OpenPage.Asker;
import io.ndc.kafka.OpenPage.Candidate;
import io.ndc.kafka.OpenPages.Told;
import io.ndc.kafka.Outbox.Topic;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What was decided about the pages of a partition, and what follows from it: they are committed and told of, move with
 * their groups, and are removed.
 */
final class PageCommits {
  /** The page in its own decision; its number may be that of a group that it left its old text to. */
  static final long ITSELF = 0;

  private final PageTables tables;
  private final Outbox out;
  private final Rules rules;
  private final ClusterMetrics metrics;
  private final GroupStep groups;
  private final LongSupplier clock;

  PageCommits(
      PageTables tables, Outbox out, Rules rules, ClusterMetrics metrics, GroupStep groups, LongSupplier clock) {
    this.tables = tables;
    this.out = out;
    this.rules = rules;
    this.metrics = metrics;
    this.groups = groups;
    this.clock = clock;
  }

  private void tell(long id, Message message) {
    out.send(Topic.WORK, Ids.bytes(id), message);
  }

  void answer(Asker asker, long id, PageState state, Result result) {
    out.send(Topic.ANSWERS, asker.name().getBytes(StandardCharsets.UTF_8),
        new Message.Answer(asker.number(), id, result, state.result(), state.representative(), ""));
  }

  /** Answers without a result: why there is none; empty: there is nothing to tell. */
  void answer(Asker asker, long id, String why) {
    out.send(Topic.ANSWERS, asker.name().getBytes(StandardCharsets.UTF_8),
        new Message.Answer(asker.number(), id, null, null, "", why));
  }

  void commit(long id, OpenPage open, Decision decision) {
    PageFacts facts = PageFacts.of(tables.text(id));
    PageState before = tables.page(id);
    Candidate match = best(open, decision.representative());
    boolean joins = decision.representative() != ITSELF;
    long group = joins ? decision.representative() : groups.found(id, open.round, open.time);
    boolean isMoved = before != null && before.group() != group;
    Set<Flag> flags = Answers.with(facts.flags(), Set.of());
    if (before != null) flags.add(Flag.RECRAWL);
    if (before != null && before.textHash() != facts.textHash()) flags.add(Flag.CHANGED);
    if (isMoved) flags.add(Flag.REGROUPED);
    if (decision.limited()) flags.add(Flag.LIMIT);
    Verdict verdict = facts.hasText() ? Verdict.NEW : Verdict.NO_TEXT;
    Result result = joins ? Answers.joined(match.result(), id, group, match.matched(), flags)
                          : Answers.founded(match == null ? null : match.result(), id, group, verdict, flags);
    PageState state = new PageState(facts.url(), facts.host(), facts.textHash(), facts.fetchedAtMs(), open.round,
        open.time, group, joins ? match.groupTime() : open.time, joins ? match.url() : "", decision.limited(), result);
    tables.put(id, state);
    tables.open().remove(id);
    metrics.add(Count.COMMITTED);
    if (joins) metrics.add(Count.JOINED);
    if (isMoved) leave(id, before.group(), group, state.groupTime());
    tell(id, state, tables.open().told(id, open, isMoved ? before.group() : 0, !joins, clock.getAsLong()));
  }

  /** Of a group, or, for {@link #ITSELF}, of all that were compared, the likeliest. Null: none was. */
  private static Candidate best(OpenPage open, long group) {
    Candidate best = null;
    for (Candidate candidate : open.candidates.values()) {
      boolean counts = candidate.result() != null && (group == ITSELF || candidate.group() == group);
      if (counts && (best == null || candidate.result().probability() > best.result().probability())) best = candidate;
    }
    return best;
  }

  private void leave(long id, long old, long group, long groupTime) {
    metrics.add(Count.REGROUPED);
    if (old == id && tables.represents(id)) {
      if (GroupState.isBefore(groupTime, group, tables.group(id).time(), id)) {
        groups.merge(id, group, clock.getAsLong());
      } else {
        // With another text it may join a later group; but aliases lead to earlier ones only, else there were
        // rings.
        groups.removeFounder(id, true);
      }
    }
    happened(id, ClusterEvent.Kind.REGROUPED, old, group);
  }

  /** Tells all whom it concerns. Nothing that comes twice does harm. */
  private void tell(long id, PageState state, Told told) {
    byte[] features = tables.text(id);
    long group = state.group();
    if (group == Ids.ofGroup(id, state.round())) {
      tell(group, new Message.Represent(id, state.groupTime(), features));
    } else if (!tables.represents(id) || group != id) {
      tell(group, new Message.Join(id));
    }
    if (told.left() != 0 && told.left() != group) tell(told.left(), new Message.Leave(id));
    if (state.result().verdict() != Verdict.NO_TEXT) KeyLookups.of(features, rules).enter(id, group, out);
    log(id, state);
    for (Asker asker : told.askers())
      answer(asker, id, state, state.result());
    Arrays.stream(told.held())
        .forEach(
            held -> tell(held.page(), new Message.Compared(id, held.round(), group, state.groupTime(), 0, "", null)));
    for (long later : told.later())
      tell(later, new Message.Merge(group, state.groupTime(), 0));
  }

  /** What was told before a crash, which may have lost it. */
  void tellAgain(long id) {
    Told told = tables.open().told(id);
    PageState state = tables.page(id);
    if (told != null && state != null && state.round() == told.round() && tables.text(id) != null)
      tell(id, state, told);
  }

  /** The question that was answered comes again: if a crash lost what was told, that has to be told again. */
  void tellAgain(long id, PageState state) {
    if (tables.text(id) != null) tell(id, state, Told.nothing(state.round()));
  }

  private void log(long id, PageState state) {
    out.send(Topic.COMMITS, Ids.bytes(id),
        new Message.Commit(state.url(), state.representative(), state.textHash(), state.fetchedAtMs(),
            clock.getAsLong(), state.result()));
  }

  private void happened(long id, ClusterEvent.Kind kind, long old, long group) {
    out.send(Topic.EVENTS, Ids.bytes(id), new Message.Happened(kind.name(), old, group, clock.getAsLong()));
  }

  /**
   * A comparison that comes after the deadline, and would have been accepted; or whose group is known only now.
   *
   * @return whether the page is to be decided again: it has joined another group
   */
  boolean late(long id, Message.Compared told) {
    PageState state = tables.page(id);
    boolean counts = state != null && state.isLate() && state.round() == told.round() && told.group() != 0
        && told.group() != state.group();
    if (!counts) return false;
    if (told.result() == null) {
      // A page that was open itself, and kept the question.
      tell(told.group(),
          new Message.Compare(
              told.group(), 0, id, told.round(), state.time(), 0, Features.representative(tables.text(id), null)));
      return false;
    }
    if (!told.result().isDuplicate()) return false;
    if (state.group() != id) return true;
    if (tables.represents(id)) tell(told.group(), new Message.Merge(id, state.time(), 0));
    return false;
  }

  /**
   * Two groups are the same: the later one becomes part of the earlier one, whichever was asked about the other. The
   * other one may never have heard of this one. A founder that is still to be settled finds the other group by itself,
   * or one that fits better.
   */
  void merge(long id, Message.Merge same, boolean isStillToBeSettled) {
    GroupState group = tables.group(id);
    if (group == null || same.other() == id) return;
    if (!group.isLive()) {
      // A crash may have lost what was logged of it.
      groups.log(id, group.into());
      groups.handOn(group.into(), same);
    } else if (GroupState.isBefore(group.time(), id, same.time(), same.other())) {
      groups.handOn(same.other(), new Message.Merge(id, group.time(), same.hops()));
    } else if (!isStillToBeSettled) {
      PageState state = tables.page(id);
      if (state != null && state.group() == id && tables.represents(id)) move(id, state, same.other());
      groups.merge(id, same.other(), clock.getAsLong());
    }
  }

  /**
   * A page that is decided again waited too long: it stays where it was. A founder hears what comes later; a member
   * would be decided again and again where there is too much to do.
   */
  void stay(long id, OpenPage open) {
    PageState before = tables.page(id);
    boolean isFounder = before.group() == id;
    PageState state = before.inRound(open.round, isFounder);
    tables.put(id, state);
    tables.open().remove(id);
    tell(id, state, tables.open().told(id, open, 0, isFounder, clock.getAsLong()));
  }

  /** The page's group is part of another one by now. */
  void moved(long id, Message.Moved moved) {
    PageState state = tables.page(id);
    if (state != null && state.group() == moved.from()) move(id, state, moved.to());
  }

  private void move(long id, PageState state, long group) {
    PageState moved = state.in(group);
    tables.put(id, moved);
    tables.open().toldToMove(id, state.round(), clock.getAsLong());
    metrics.add(Count.REGROUPED);
    tell(group, new Message.Join(id));
    log(id, moved);
    happened(id, ClusterEvent.Kind.REGROUPED, state.group(), group);
  }

  /** Forgets a page; nothing if it is not known. */
  void remove(long id, boolean purge) {
    PageState state = tables.page(id);
    byte[] text = tables.text(id);
    close(id, "removed");
    if (text != null) {
      PageFacts facts = PageFacts.of(text);
      boolean keepsKeys = tables.represents(id) && tables.firstMember(id) != 0;
      if (facts.hasText() && (!keepsKeys || purge)) KeyLookups.of(text, rules).withdraw(id, keepsKeys ? 0 : id, out);
      if (!facts.host().isEmpty())
        out.send(Topic.SITES, facts.host().getBytes(StandardCharsets.UTF_8), new Message.Unlearn(id));
    }
    groups.removeFounder(id, purge);
    tables.texts().delete(Ids.bytes(id));
    // Also of a page that is gone: a crash may have lost the first one.
    out.send(Topic.COMMITS, Ids.bytes(id), null);
    if (state == null) return;
    // Also its own: a founder that came back to the text which it had left to its group is a member.
    tell(state.group(), new Message.Leave(id));
    tables.pages().delete(Ids.bytes(id));
    metrics.add(Count.REMOVED);
    happened(id, ClusterEvent.Kind.REMOVED, state.group(), 0);
  }

  /** The page is not decided any more: those who ask hear why, those who wait that it is in none of their groups. */
  void close(long id, String why) {
    OpenPage open = tables.open().get(id);
    if (open == null) return;
    open.askers.forEach(asker -> answer(asker, id, why));
    open.held().forEach(held -> tell(held.page(), new Message.Compared(id, held.round(), 0, 0, 0, "", null)));
    tables.open().remove(id);
  }
}
