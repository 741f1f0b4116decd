package io.ndc.kafka;

import io.ndc.Features;
import io.ndc.Flag;
import io.ndc.NearDuplicatesException;
import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.crawler.Decision;
import io.ndc.kafka.ClusterMetrics.Count;
import io.ndc.kafka.OpenPage.Asker;
import io.ndc.kafka.OpenPage.Candidate;
import io.ndc.kafka.OpenPage.Stage;
import io.ndc.kafka.Outbox.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages of a partition, from the question to the answer: what the site knows of them, who has their keys, which of
 * these compares well, what is committed. Every message may come twice; what is not answered is asked again.
 */
final class PageStep {
  private static final Logger LOG = LoggerFactory.getLogger(PageStep.class);

  /** A changed page stays in its group if that still accepts it: the group is asked before all others. */
  private static final long OF_PREVIOUS = KeyStep.VOTE << 20;

  /** The page in its own decision; its number may be that of a group that it left its old text to. */
  private static final long ITSELF = 0;

  /** Of a client: an open page keeps those of all who ask. */
  private static final int MOST_NAME_CHARACTERS = 255;

  private final PageTables tables;
  private final Outbox out;
  private final Rules rules;
  private final ClusterMetrics metrics;
  private final GroupStep groups;
  private final Sweeps sweeps;
  private long now;

  PageStep(PageTables tables, Outbox out, Rules rules, ClusterMetrics metrics) {
    this.tables = tables;
    this.out = out;
    this.rules = rules;
    this.metrics = metrics;
    groups = new GroupStep(tables, out, rules, metrics, this::goOn);
    sweeps = new Sweeps(tables, out, this);
  }

  /**
   * Takes a message from pages or work.
   *
   * @param id of the page or group that it is for
   * @param time of the record
   * @param wallClock in milliseconds
   * @throws MalformedException if it is none for pages or groups
   */
  void take(long id, long time, long wallClock, Message message) {
    now = wallClock;
    if (message instanceof Message.Ask ask) {
      ask(id, time, ask);
    } else if (message instanceof Message.Remove remove) {
      remove(id, remove.purge());
      answer(remove.asker(), new Message.Answer(remove.number(), id, null, null, "", ""));
    } else if (message instanceof Message.Known known) {
      known(id, known);
    } else if (message instanceof Message.Found found) {
      found(id, found);
    } else if (message instanceof Message.Compared compared) {
      compared(id, compared);
    } else if (message instanceof Message.Moved moved) {
      moved(id, moved);
    } else if (!groups.take(id, now, message)) {
      throw new MalformedException("no message about pages or groups");
    }
  }

  /** Takes a message from control, which each partition has in a record of its own. */
  void control(long time, Message message) {
    if (!(message instanceof Message.Control control)) throw new MalformedException("no message for control");
    sweeps.begin(time, control);
  }

  /** From time to time: asks again, ends what waits too long, goes on with what control asked for. */
  void tick(long wallClock) {
    now = wallClock;
    int[] open = {0};
    List<Long> due = new ArrayList<>();
    tables.open().scan(new byte[0], new byte[0], (key, value) -> {
      open[0]++;
      OpenPage page = OpenPage.of(value);
      if (isAtDeadline(page) || now - page.sentMs >= rules.retryMs()) due.add(Ids.of(key));
      return true;
    });
    for (long id : due) {
      OpenPage page = open(id);
      if (page == null) continue;
      if (isAtDeadline(page)) {
        metrics.add(Count.LATE);
        decide(id, page, true);
      } else {
        metrics.add(Count.RETRIED);
        askAgain(id, page);
      }
    }
    sweeps.goOn(now, open[0]);
  }

  private boolean isAtDeadline(OpenPage page) {
    return page.stage == Stage.COMPARISONS && now - page.comparedMs >= rules.deadlineMs();
  }

  /** Null: the page is not open, or a crash kept its state without its text; then its question comes again. */
  private OpenPage open(long id) {
    return tables.text(id) == null ? null : tables.open(id);
  }

  private void ask(long id, long time, Message.Ask ask) {
    metrics.add(Count.ASKED);
    if (ask.asker().length() > MOST_NAME_CHARACTERS) throw new MalformedException("a client with an endless name");
    if (ask.features().length > Rules.MOST_FEATURE_BYTES) {
      refuse(id, ask, "the features have " + ask.features().length + " bytes, more than " + Rules.MOST_FEATURE_BYTES);
      return;
    }
    PageFacts facts;
    try {
      facts = PageFacts.of(ask.features());
    } catch (NearDuplicatesException failure) {
      refuse(id, ask, Refusal.of(failure));
      return;
    }
    if (!facts.hasKeys()) {
      refuse(id, ask, "the features are those of a representative, without keys");
      return;
    }
    PageState state = tables.page(id);
    OpenPage open = open(id);
    PageFacts known = open == null ? null : PageFacts.of(tables.text(id));
    boolean isOther = (state != null && !state.url().equals(facts.url()))
        || (known != null && !known.url().equals(facts.url()));
    if (Ids.ofUrl(facts.url()) != id || isOther) {
      refuse(id, ask, isOther ? "another URL has the same number" : "the features are those of another URL");
      return;
    }
    Asker asker = new Asker(ask.asker(), ask.number());
    boolean isUnchanged = state != null && state.textHash() == facts.textHash() && (open == null || open.settles);
    if (open != null && !isUnchanged) {
      if (!open.add(asker)) {
        refuse(id, ask, "too many ask about this page at once");
        return;
      }
      boolean isNewer = known.textHash() != facts.textHash() && facts.fetchedAtMs() >= known.fetchedAtMs();
      if (isNewer) {
        open.restart(Math.max(time, open.round + 1));
        begin(id, open, facts, ask.features(), state);
      } else {
        tables.put(id, open);
      }
    } else if (isUnchanged) {
      boolean isRepeated = state.fetchedAtMs() == facts.fetchedAtMs();
      answer(asker.name(), new Message.Answer(asker.number(), id,
          isRepeated ? state.result() : Answers.unchanged(state.result()), state.result(), state.representative(), ""));
      tables.put(id, state.seenAt(facts.fetchedAtMs()));
      // Which tells if the group has been merged meanwhile.
      if (state.group() != id) tell(state.group(), new Message.Join(id));
    } else {
      open = state == null ? new OpenPage(time, time) : new OpenPage(Math.max(time, state.round() + 1), state.time());
      open.add(asker);
      begin(id, open, facts, ask.features(), state);
    }
  }

  private void refuse(long id, Message.Ask ask, String why) {
    metrics.add(Count.REFUSED);
    answer(ask.asker(), new Message.Answer(ask.number(), id, null, null, "", why));
  }

  private void answer(String asker, Message.Answer answer) {
    out.send(Topic.ANSWERS, asker.getBytes(StandardCharsets.UTF_8), answer);
  }

  private void tell(long id, Message message) {
    out.send(Topic.WORK, Ids.bytes(id), message);
  }

  /** With a text that the page has from now on. */
  private void begin(long id, OpenPage open, PageFacts facts, byte[] features, PageState state) {
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
      commit(id, open, new Decision(ITSELF, ITSELF, List.of(), false));
    } else if (facts.host().isEmpty()) {
      look(id, open, features);
    } else {
      open.sentMs = now;
      tables.put(id, open);
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
    boolean isSettled = state == null || tables.open(id) != null || tables.text(id) == null
        || state.result().verdict() == Verdict.NO_TEXT;
    if (isSettled) return;
    OpenPage open = new OpenPage(Math.max(now, state.round() + 1), state.time());
    open.settles = true;
    open.sentMs = now;
    tables.put(id, open);
    if (state.host().isEmpty()) {
      look(id, open, tables.text(id));
    } else {
      learn(id, open, state.host(), tables.text(id));
    }
  }

  private void known(long id, Message.Known known) {
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
    open.sentMs = now;
    lookups.buckets().forEach(bucket -> {
      open.buckets.add((long) bucket);
      lookups.look(id, open.round, bucket, out);
    });
    if (open.buckets.isEmpty()) {
      compare(id, open);
    } else {
      tables.put(id, open);
    }
  }

  private void found(long id, Message.Found found) {
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
      tables.put(id, open);
    }
  }

  private void compare(long id, OpenPage open) {
    open.keepBest(rules.candidates());
    open.stage = Stage.COMPARISONS;
    open.comparedMs = now;
    decide(id, open, false);
  }

  private void goOn(long id) {
    OpenPage open = tables.open(id);
    if (open.stage == Stage.COMPARISONS) decide(id, open, false);
  }

  private void compared(long id, Message.Compared told) {
    OpenPage open = open(id);
    if (open == null || open.round != told.round()) {
      if (open == null) late(id, told);
      return;
    }
    Candidate candidate = open.candidates.get(told.asked());
    if (candidate == null || candidate.isNone() || candidate.result() != null) return;
    boolean isOwn = told.group() == id && tables.represents(id);
    boolean isClosed = open.settles && told.result() != null && !mayJoin(id, open.time, told);
    open.candidates.put(candidate.id(), told.group() == 0 || isOwn || isClosed
        ? candidate.none() : candidate.answered(told));
    // A merged group: what was said of it is true of the other one.
    open.candidates.replaceAll((key, each) -> each.group() == told.asked() && told.group() != 0
        ? each.in(told.group(), told.groupTime()) : each);
    decide(id, open, false);
  }

  /** A page that is decided again joins what was before it, or stays. */
  private boolean mayJoin(long id, long time, Message.Compared told) {
    return told.group() == tables.page(id).group()
        || GroupState.isBefore(told.groupTime(), told.group(), time, id);
  }

  /** Commits if all is known that is needed, or nothing more is waited for; else asks for what is missing. */
  private void decide(long id, OpenPage open, boolean last) {
    Decision decision = decision(open, last);
    if (decision.representative() != Decision.NONE) {
      commit(id, open, decision);
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
        open.sentMs = now;
        if (sent == null) sent = Features.representative(tables.text(id), null);
        send(id, open, candidate, sent);
      }
    }
    tables.put(id, open);
  }

  private static Decision decision(OpenPage open, boolean last, int most, boolean onlyKnown,
      Map<Long, Decision.Comparison> comparisons) {
    List<Decision.Candidate> candidates = new ArrayList<>();
    for (Candidate candidate : open.candidates.values()) {
      boolean isKnown = candidate.group() != 0;
      if (!candidate.isNone() && (isKnown || !onlyKnown))
        candidates.add(new Decision.Candidate(candidate.votes(), isKnown ? candidate.group() : candidate.id(),
            isKnown));
    }
    return Decision.of(ITSELF, candidates, comparisons, most, last);
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
        boolean isLacking = !onlyKnown && decision.representative() == Decision.NONE;
        if (isClear || isLacking || (most == rules.comparisons() && !onlyKnown)) return decision;
      }
    }
    throw new IllegalStateException("the last one decides");
  }

  /** With as much of the features as comparisons need. */
  private void send(long id, OpenPage open, Candidate candidate, byte[] sent) {
    tell(candidate.id(),
        new Message.Compare(candidate.id(), id, open.round, open.time, candidate.votes(), sent));
  }

  private void askAgain(long id, OpenPage open) {
    open.sentMs = now;
    tables.put(id, open);
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

  private void commit(long id, OpenPage open, Decision decision) {
    byte[] features = tables.text(id);
    PageFacts facts = PageFacts.of(features);
    PageState before = tables.page(id);
    Candidate match = best(open, decision.representative());
    boolean joins = decision.representative() != ITSELF;
    long group = joins ? decision.representative() : groups.found(id, open.round, open.time, features);
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
        open.time, group, joins ? match.groupTime() : open.time, joins ? match.url() : "", decision.limited(),
        result);
    tables.put(id, state);
    tables.open().delete(Ids.bytes(id));
    metrics.add(Count.COMMITTED);
    if (joins) metrics.add(Count.JOINED);
    if (joins) tell(group, new Message.Join(id));
    if (isMoved) leave(id, before.group(), group, state.groupTime());
    if (facts.hasText()) KeyLookups.of(features, rules).enter(id, group, out);
    log(id, state);
    open.askers.forEach(asker -> answer(asker.name(),
        new Message.Answer(asker.number(), id, result, result, state.representative(), "")));
    open.held().forEach(
        held -> tell(held.page(), new Message.Compared(id, held.round(), group, state.groupTime(), 0, "", null)));
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
        groups.merge(id, group, now);
      } else {
        // With another text it may join a later group; but aliases lead to earlier ones only, else there were rings.
        groups.removeFounder(id, true);
      }
    } else {
      tell(old, new Message.Leave(id));
    }
    happened(id, ClusterEvent.Kind.REGROUPED, old, group);
  }

  private void log(long id, PageState state) {
    out.send(Topic.COMMITS, Ids.bytes(id),
        new Message.Commit(state.url(), state.representative(), state.textHash(), state.fetchedAtMs(), now,
            state.result()));
  }

  private void happened(long id, ClusterEvent.Kind kind, long old, long group) {
    out.send(Topic.EVENTS, Ids.bytes(id), new Message.Happened(kind.name(), old, group, now));
  }

  /** A comparison that comes after the deadline, and would have been accepted; or whose group is known only now. */
  private void late(long id, Message.Compared told) {
    PageState state = tables.page(id);
    boolean counts = state != null && state.isLate() && state.round() == told.round() && state.group() == id
        && tables.represents(id) && told.group() != 0 && told.group() != id
        && GroupState.isBefore(told.groupTime(), told.group(), state.time(), id);
    if (!counts) return;
    if (told.result() == null) {
      // A page that was open itself, and kept the question.
      tell(told.group(), new Message.Compare(told.group(), id, told.round(), state.time(), 0,
          Features.representative(tables.text(id), null)));
      return;
    }
    if (!told.result().isDuplicate()) return;
    move(id, state, told.group());
    groups.merge(id, told.group(), now);
  }

  /** The page's group is part of another one by now. */
  private void moved(long id, Message.Moved moved) {
    PageState state = tables.page(id);
    if (state != null && state.group() == moved.from()) move(id, state, moved.to());
  }

  private void move(long id, PageState state, long group) {
    PageState moved = state.in(group);
    tables.put(id, moved);
    metrics.add(Count.REGROUPED);
    tell(group, new Message.Join(id));
    log(id, moved);
    happened(id, ClusterEvent.Kind.REGROUPED, state.group(), group);
  }

  /** Forgets a page; nothing if it is not known. */
  void remove(long id, boolean purge) {
    PageState state = tables.page(id);
    OpenPage open = tables.open(id);
    byte[] text = tables.text(id);
    if (open != null) {
      open.askers.forEach(asker -> answer(asker.name(), new Message.Answer(asker.number(), id, null, null, "",
          "removed")));
      open.held().forEach(held -> tell(held.page(), new Message.Compared(id, held.round(), 0, 0, 0, "", null)));
      tables.open().delete(Ids.bytes(id));
    }
    if (text != null) {
      PageFacts facts = PageFacts.of(text);
      boolean keepsKeys = tables.represents(id) && tables.firstMember(id) != 0;
      if (facts.hasText() && (!keepsKeys || purge)) KeyLookups.of(text, rules).withdraw(id, keepsKeys ? 0 : id, out);
      if (!facts.host().isEmpty())
        out.send(Topic.SITES, facts.host().getBytes(StandardCharsets.UTF_8), new Message.Unlearn(id));
    }
    groups.removeFounder(id, purge);
    tables.texts().delete(Ids.bytes(id));
    if (state == null) return;
    // Also its own: a founder that came back to the text which it had left to its group is a member.
    tell(state.group(), new Message.Leave(id));
    tables.pages().delete(Ids.bytes(id));
    metrics.add(Count.REMOVED);
    out.send(Topic.COMMITS, Ids.bytes(id), null);
    happened(id, ClusterEvent.Kind.REMOVED, state.group(), 0);
  }
}
