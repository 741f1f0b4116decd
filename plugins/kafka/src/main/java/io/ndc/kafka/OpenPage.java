package io.ndc.kafka;

import io.ndc.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A page that is being decided: who asks, what is known, what is still to come. */
final class OpenPage {
  /** What the page waits for. */
  enum Stage {
    /** What its site knows. */
    SITE,
    /** The lists of its keys. */
    KEYS,
    /** Comparisons with representatives. */
    COMPARISONS
  }

  /** A client's question. */
  record Asker(String name, long number) {}

  /**
   * A group, or a page that may be in one.
   *
   * @param id that is asked
   * @param group 0: not known yet
   * @param groupTime of its place, once it has answered
   * @param matched the page that was compared, or its group
   * @param url of that page
   * @param result of the comparison; null: none yet
   */
  record Candidate(long id, long group, long groupTime, long votes, boolean isAsked, boolean isNone, long matched,
      String url, Result result) {
    /** One that has not been asked. */
    static Candidate of(long id, long group, long votes) {
      return new Candidate(id, group, 0, votes, false, false, 0, "", null);
    }

    Candidate asked() {
      return new Candidate(id, group, groupTime, votes, true, isNone, matched, url, result);
    }

    Candidate none() {
      return new Candidate(id, group, groupTime, 0, true, true, 0, "", null);
    }

    /** Without a result: that group is still to be asked, even if it is the same. */
    Candidate answered(Message.Compared told) {
      boolean isDone = told.result() != null || told.group() != id;
      return new Candidate(id, told.group(), told.groupTime(), votes, isDone, false, told.matched(), told.url(),
          told.result());
    }

    /** Its group is part of another one. */
    Candidate in(long itsGroup, long time) {
      return new Candidate(id, itsGroup, time, votes, isAsked, isNone, matched, url, result);
    }

    Candidate plus(long more) {
      return new Candidate(id, group, groupTime, votes + more, isAsked, isNone, matched, url, result);
    }
  }

  /** A page behind this one, which waits for it. */
  record Held(long page, long round) {}

  /** As bytes are made of it. */
  record Saved(int stage, long round, long time, long sentMs, int tries, long comparedMs, boolean settles,
      long[] buckets, Asker[] askers, Candidate[] candidates, Held[] held, long[] later) {}

  /** More would make each change of a page as dear as all of them; who is not held asks again. */
  private static final int MOST_HELD = 1024;
  private static final int MOST_ASKERS = 256;
  /** After the first ones each waits twice as long as the one before, up to the last. */
  private static final int QUICK_TRIES = 2;
  private static final int MOST_TRIES = 7;

  /** Its own: what belongs to another one is not for it. */
  long round;
  /** Of its place. */
  final long time;
  /** Whether it was committed before and is decided once more, by what is known now. */
  boolean settles;
  Stage stage = Stage.SITE;
  /** When it last asked somebody. */
  long sentMs;
  /** How often it has asked the same again. */
  int tries;
  /** When it began to wait for comparisons. */
  long comparedMs;
  /** That have not answered. */
  final Set<Long> buckets = new LinkedHashSet<>();
  final Set<Asker> askers = new LinkedHashSet<>();
  final Map<Long, Candidate> candidates = new LinkedHashMap<>();
  private final Set<Held> held = new LinkedHashSet<>();
  /** Groups that accept it but are behind it: it may not join them, and they become part of its own. */
  final Set<Long> later = new LinkedHashSet<>();

  OpenPage(long round, long time) {
    this.round = round;
    this.time = time;
  }

  /** Null: there is none. */
  static OpenPage of(byte[] bytes) {
    Saved saved = RecordCodec.state(bytes, Saved.class);
    if (saved == null) return null;
    OpenPage open = new OpenPage(saved.round(), saved.time());
    open.settles = saved.settles();
    open.stage = Stage.values()[saved.stage()];
    open.sentMs = saved.sentMs();
    open.tries = saved.tries();
    open.comparedMs = saved.comparedMs();
    Arrays.stream(saved.buckets()).forEach(open.buckets::add);
    open.askers.addAll(List.of(saved.askers()));
    for (Candidate candidate : saved.candidates())
      open.candidates.put(candidate.id(), candidate);
    open.held.addAll(List.of(saved.held()));
    Arrays.stream(saved.later()).forEach(open.later::add);
    return open;
  }

  byte[] bytes() {
    return RecordCodec.stateBytes(new Saved(stage.ordinal(), round, time, sentMs, tries, comparedMs, settles,
        buckets.stream().mapToLong(Long::longValue).toArray(), askers.toArray(Asker[]::new),
        candidates.values().toArray(Candidate[]::new), held.toArray(Held[]::new),
        later.stream().mapToLong(Long::longValue).toArray()));
  }

  /** It has asked somebody, for the first time. */
  void sent(long now) {
    sentMs = now;
    tries = 0;
  }

  /** What was lost is soon made up for; but who still does not answer has too much to do, and is left more time. */
  boolean mustAskAgain(long now, long retryMs) {
    return now - sentMs >= retryMs << Math.max(0, Math.min(tries, MOST_TRIES) - QUICK_TRIES);
  }

  /** Begins anew with another text, for the same askers. */
  void restart(long newRound) {
    round = newRound;
    stage = Stage.SITE;
    settles = false;
    buckets.clear();
    candidates.clear();
    later.clear();
  }

  /** Whether there was room: it will be answered. */
  boolean add(Asker asker) {
    return askers.contains(asker) || (askers.size() < MOST_ASKERS && askers.add(asker));
  }

  void hold(long page, long itsRound) {
    if (held.size() < MOST_HELD) held.add(new Held(page, itsRound));
  }

  Set<Held> held() {
    return held;
  }

  void vote(long id, long group, long votes) {
    candidates.merge(id, Candidate.of(id, group, votes),
        (known, more) -> known.isNone() ? known : known.plus(votes));
  }

  /** Keeps so many, of most votes; ties: the smaller number. */
  void keepBest(int most) {
    List<Candidate> best = new ArrayList<>(candidates.values());
    best.sort(Comparator.comparingLong(Candidate::votes).reversed().thenComparing(Candidate::id));
    candidates.clear();
    best.stream().limit(most).forEach(candidate -> candidates.put(candidate.id(), candidate));
  }
}
