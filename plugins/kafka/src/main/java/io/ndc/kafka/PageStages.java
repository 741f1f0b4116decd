package io.ndc.kafka;

import io.ndc.Features;
import io.ndc.NearDuplicatesException;
import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.crawler.Decision;
import io.ndc.kafka.ClusterMetrics.Count;
import io.ndc.kafka.OpenPage.Candidate;
import io.ndc.kafka.OpenPage.Stage;
import io.ndc.kafka.Outbox.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of a page that is being decided: what its site knows of it, who has its keys, which of these compares
 * well. The last one commits it.
 */
final class PageStages {
  private static final Logger LOG = LoggerFactory.getLogger(PageStages.class);

  /** A changed page stays in its group if that still accepts it: the group is asked before all others. */
  private static final long OF_PREVIOUS = KeyStep.VOTE << 20;

  private final PageTables tables;
  private final Outbox out;
  private final Rules rules;
  private final ClusterMetrics metrics;
  private final GroupStep groups;
  private final PageCommits commits;
  private final LongSupplier clock;

  PageStages(PageTables tables, Outbox out, Rules rules, ClusterMetrics metrics, GroupStep groups, PageCommits commits,
      LongSupplier clock) {
    this.tables = tables;
    this.out = out;
    this.rules = rules;
    this.metrics = metrics;
    this.groups = groups;
    this.commits = commits;
    this.clock = clock;
  }

  /** Null: the page is not open, or a crash kept its state without its text; then its question comes again. */
  OpenPage open(long id) {
    return tables.text(id) == null ? null : tables.open().get(id);
  }

  /** With a text that the page has from now on. */
  void begin(long id, OpenPage open, PageFacts facts, byte[] features, PageState state) {
    if (state != null) {
      groups.leaveText(id);
      byte[] before = tables.text(id);
      // A group that keeps the old text keeps its keys.
      boolean leavesGroup = tables.group(id) != null && tables.group(id).hasOwnText();
      if (before != null && !leavesGroup && state.result().verdict() != Verdict.NO_TEXT)
        KeyLookups.lost(before, features, rules).withdraw(id, 0, out);
      if (!tables.represents(id)) open.vote(state.group(), state.group(), OF_PREVIOUS);
    }
    tables.texts().put(Ids.bytes(id), features);
    if (!facts.hasText()) {
      commits.commit(id, open, new Decision(PageCommits.ITSELF, PageCommits.ITSELF, List.of(), false));
    } else if (facts.host().isEmpty()) {
      look(id, open, features);
    } else {
      open.sent(clock.getAsLong());
      tables.open().put(id, open);
      learn(id, open, facts.host(), features);
    }
  }

  private void learn(long id, OpenPage open, String host, byte[] features) {
    byte[] key = host.getBytes(StandardCharsets.UTF_8);
    Message asked = open.settles ? new Message.Refresh(id, open.round)
                                 : new Message.Learn(id, open.round, Features.parts(features));
    out.send(Topic.SITES, key, asked);
  }

  /** Decides a page once more, by what is known now. */
  void settle(long id) {
    PageState state = tables.page(id);
    boolean isSettled = state == null || tables.open().get(id) != null || tables.text(id) == null
        || state.result().verdict() == Verdict.NO_TEXT;
    if (isSettled) return;
    OpenPage open = new OpenPage(Math.max(clock.getAsLong(), state.round() + 1), state.time());
    open.settles = true;
    open.sent(clock.getAsLong());
    tables.open().put(id, open);
    if (state.host().isEmpty()) {
      look(id, open, tables.text(id));
    } else {
      learn(id, open, state.host(), tables.text(id));
    }
  }

  void known(long id, Message.Known known) {
    OpenPage open = open(id);
    boolean isAwaited = open != null && open.stage == Stage.SITE && open.round == known.round();
    boolean isRenewal = known.round() == 0 && open == null && tables.represents(id);
    byte[] before = tables.text(id);
    if ((!isAwaited && !isRenewal) || before == null) return;
    byte[] features = before;
    try {
      features = Features.withSite(before, known.saved());
    } catch (NearDuplicatesException failure) {
      LOG.warn("the model of a site: {}", Refusal.of(failure));
      metrics.add(Count.REFUSED);
    }
    if (isRenewal) {
      tables.texts().put(Ids.bytes(id), features);
      return;
    }
    if (open.settles) KeyLookups.lost(before, features, rules).withdraw(id, 0, out);
    look(id, open, features);
  }

  private void look(long id, OpenPage open, byte[] features) {
    tables.texts().put(Ids.bytes(id), features);
    KeyLookups lookups = KeyLookups.of(features, rules);
    open.stage = Stage.KEYS;
    open.sent(clock.getAsLong());
    lookups.buckets().forEach(bucket -> {
      open.buckets.add((long) bucket);
      lookups.look(id, open.round, bucket, out);
    });
    if (open.buckets.isEmpty()) {
      compare(id, open);
    } else {
      tables.open().put(id, open);
    }
  }

  void found(long id, Message.Found found) {
    OpenPage open = open(id);
    if (open == null || open.round != found.round() || open.stage != Stage.KEYS
        || !open.buckets.remove((long) found.bucket()))
      return;
    int count = Math.min(found.ids().length, Math.min(found.groups().length, found.votes().length));
    for (int i = 0; i < count; i++) {
      boolean isOwn = found.ids()[i] == id && !(tables.group(id) != null && tables.group(id).hasOwnText());
      if (!isOwn) open.vote(found.ids()[i], found.groups()[i], found.votes()[i]);
    }
    if (open.buckets.isEmpty()) {
      compare(id, open);
    } else {
      tables.open().put(id, open);
    }
  }

  private void compare(long id, OpenPage open) {
    open.keepBest(rules.candidates());
    open.stage = Stage.COMPARISONS;
    open.comparedMs = clock.getAsLong();
    decide(id, open, false);
  }

  void goOn(long id) {
    OpenPage open = tables.open().get(id);
    if (open.stage == Stage.COMPARISONS) decide(id, open, false);
  }

  void compared(long id, Message.Compared told) {
    OpenPage open = open(id);
    if (open == null || open.round != told.round()) {
      if (open == null && commits.late(id, told)) settle(id);
      return;
    }
    Candidate candidate = open.candidates.get(told.asked());
    if (candidate == null || candidate.isNone() || candidate.result() != null) return;
    boolean isOwn = told.group() == id && tables.represents(id);
    boolean isClosed = open.settles && told.result() != null && !mayJoin(id, open.time, told);
    if (isClosed && !isOwn && told.result().isDuplicate()) open.later.add(told.group());
    open.candidates.put(
        candidate.id(), told.group() == 0 || isOwn || isClosed ? candidate.none() : candidate.answered(told));
    // A merged group: what was said of it is true of the other one.
    open.candidates.replaceAll(
        (key, each)
            -> each.group() == told.asked() && told.group() != 0 ? each.in(told.group(), told.groupTime()) : each);
    decide(id, open, false);
  }

  /** A page that is decided again joins what was before it, or stays. */
  private boolean mayJoin(long id, long time, Message.Compared told) {
    long own = tables.page(id).group();
    // What it asked as its own group may be part of a later one by now.
    return told.asked() == own || told.group() == own
        || GroupState.isBefore(told.groupTime(), told.group(), time, id);
  }

  /** Commits if all is known that is needed, or nothing more is waited for; else asks for what is missing. */
  private void decide(long id, OpenPage open, boolean last) {
    Decision decision = decision(open, last);
    if (open.settles && decision.limited() && decision.representative() == PageCommits.ITSELF) {
      commits.stay(id, open);
      return;
    }
    if (decision.representative() != Decision.NONE) {
      commits.commit(id, open, decision);
      return;
    }
    byte[] sent = null;
    for (long group : decision.missing()) {
      Candidate known = open.candidates.get(group);
      if (known != null && known.isNone()) {
        // Named by one of its pages, but not there any more.
        open.candidates.replaceAll((key, each) -> each.group() == group ? each.none() : each);
        decide(id, open, last);
        return;
      }
      open.candidates.putIfAbsent(group, Candidate.of(group, group, 0));
      Candidate candidate = open.candidates.get(group);
      if (!candidate.isAsked()) {
        open.candidates.put(group, candidate.asked());
        open.sent(clock.getAsLong());
        if (sent == null) sent = Features.representative(tables.text(id), null);
        send(id, open, candidate, sent);
      }
    }
    tables.open().put(id, open);
  }

  private static Decision decision(
      OpenPage open, boolean last, int most, boolean onlyKnown, Map<Long, Decision.Comparison> comparisons) {
    List<Decision.Candidate> candidates = new ArrayList<>();
    for (Candidate candidate : open.candidates.values()) {
      boolean isKnown = candidate.group() != 0;
      if (!candidate.isNone() && (isKnown || !onlyKnown))
        candidates.add(
            new Decision.Candidate(candidate.votes(), isKnown ? candidate.group() : candidate.id(), isKnown));
    }
    return Decision.of(PageCommits.ITSELF, candidates, comparisons, most, last);
  }

  private Decision decision(OpenPage open, boolean last) {
    Map<Long, Decision.Comparison> comparisons = new HashMap<>();
    for (Candidate candidate : open.candidates.values()) {
      Result result = candidate.result();
      if (result != null)
        comparisons.merge(candidate.group(),
            new Decision.Comparison(result.isDuplicate(), result.probability(), result.resemblance()),
            (a, b) -> a.merit() >= b.merit() ? a : b);
    }
    // In this order: without waiting for open pages; with few comparisons; with all.
    for (int most : new int[] {Rules.FIRST_COMPARISONS, rules.comparisons()}) {
      for (boolean onlyKnown : new boolean[] {true, false}) {
        Decision decision = decision(open, last, most, onlyKnown, comparisons);
        Decision.Comparison best = comparisons.get(decision.representative());
        boolean isClear = best != null && best.accepted() && best.merit() >= Decision.BEST_MERIT;
        boolean isLacking = !onlyKnown && !decision.missing().isEmpty();
        boolean isLast = most == rules.comparisons() && !onlyKnown && decision.representative() != Decision.NONE;
        if (isClear || isLacking || isLast) return decision;
      }
    }
    // What is not known has too few votes to be asked: it would be waited for in vain.
    return decision(open, last, rules.comparisons(), true, comparisons);
  }

  /** With as much of the features as comparisons need. */
  private void send(long id, OpenPage open, Candidate candidate, byte[] sent) {
    out.send(Topic.WORK, Ids.bytes(candidate.id()),
        new Message.Compare(candidate.id(), 0, id, open.round, open.time, candidate.votes(), sent));
  }

  /**
   * Whether a founder that is to be merged is being decided: settled again it asks the other group too; with another
   * text and alone it has nothing any more that would be merged.
   */
  boolean compares(long id, Message.Merge same) {
    OpenPage open = tables.represents(id) ? open(id) : null;
    if (open == null || (!open.settles && tables.firstMember(id) != 0)) return false;
    if (open.settles) {
      open.vote(same.other(), same.other(), OF_PREVIOUS);
      tables.open().put(id, open);
      goOn(id);
    }
    return true;
  }

  /** While nobody had the partition nobody read what the page waits for: that time does not count. */
  void waitAnew(long id) {
    OpenPage open = open(id);
    if (open == null) return;
    open.comparedMs = clock.getAsLong();
    tables.open().put(id, open);
  }

  /** Of an open page, from time to time: if it waits too long, asks again, or decides it without. */
  void goOnWaiting(long id) {
    OpenPage open = open(id);
    if (open == null) return;
    long now = clock.getAsLong();
    if (open.sentMs > now || open.comparedMs > now) {
      // By a clock that was ahead: the page would wait until this one is there.
      open.sentMs = Math.min(open.sentMs, now);
      open.comparedMs = Math.min(open.comparedMs, now);
      tables.open().put(id, open);
    }
    if (open.stage == Stage.COMPARISONS && now - open.comparedMs >= rules.deadlineMs()) {
      metrics.add(Count.LATE);
      decide(id, open, true);
    } else if (open.mustAskAgain(now, rules.retryMs())) {
      metrics.add(Count.RETRIED);
      askAgain(id, open);
    }
  }

  private void askAgain(long id, OpenPage open) {
    open.sentMs = clock.getAsLong();
    open.tries++;
    tables.open().put(id, open);
    byte[] features = tables.text(id);
    switch (open.stage) {
      case SITE -> learn(id, open, PageFacts.of(features).host(), features);
      case KEYS -> {
        KeyLookups lookups = KeyLookups.of(features, rules);
        open.buckets.forEach(bucket -> lookups.look(id, open.round, bucket.intValue(), out));
      }
      case COMPARISONS -> {
        byte[] sent = Features.representative(features, null);
        for (Candidate candidate : open.candidates.values()) {
          boolean isAwaited = candidate.isAsked() && !candidate.isNone() && candidate.result() == null;
          // One that has named another group is done.
          if (isAwaited && (candidate.group() == 0 || candidate.group() == candidate.id()))
            send(id, open, candidate, sent);
        }
    }
    default -> throw new IllegalStateException("no other stage");
  }
}
}
