package io.ndc.kafka;

import io.ndc.NearDuplicatesException;
import io.ndc.kafka.ClusterMetrics.Count;
import io.ndc.kafka.OpenPage.Asker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages of a partition, from the question to the answer: takes what comes about them and their groups, and looks
 * after those that wait. Every message may come twice; what is not answered is asked again.
 */
final class PageStep {
  private static final Logger LOG = LoggerFactory.getLogger(PageStep.class);

  /** Of a client: an open page keeps those of all who ask. */
  private static final int MOST_NAME_CHARACTERS = 255;

  private final PageTables tables;
  private final Rules rules;
  private final ClusterMetrics metrics;
  private final GroupStep groups;
  private final PageCommits commits;
  private final PageStages stages;
  private final Sweeps sweeps;
  private long now;
  private boolean hasTicked;

  PageStep(PageTables tables, Outbox out, Rules rules, ClusterMetrics metrics) {
    this.tables = tables;
    this.rules = rules;
    this.metrics = metrics;
    groups = new GroupStep(tables, out, rules, metrics, this::goOn);
    commits = new PageCommits(tables, out, rules, metrics, groups, () -> now);
    stages = new PageStages(tables, out, rules, metrics, groups, commits, () -> now);
    sweeps = new Sweeps(tables, out, rules, this);
  }

  private void goOn(long id) {
    stages.goOn(id);
  }

  /** Whether so many pages are open that questions had better wait where they are. */
  boolean isFull() {
    return tables.open().count() >= rules.openPages();
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
      commits.answer(new Asker(remove.asker(), remove.number()), id, "");
    } else if (message instanceof Message.Known known) {
      stages.known(id, known);
    } else if (message instanceof Message.Found found) {
      stages.found(id, found);
    } else if (message instanceof Message.Compared compared) {
      stages.compared(id, compared);
    } else if (message instanceof Message.Moved moved) {
      commits.moved(id, moved);
    } else if (message instanceof Message.Merge same) {
      if (!stages.compares(id, same))
        commits.merge(id, same, tables.represents(id) && sweeps.willSettle(id));
    } else if (message instanceof Message.Failed failed) {
      giveUp(id, failed.round(), failed.why());
    } else if (!groups.take(id, now, message)) {
      throw new MalformedException("no message about pages or groups");
    }
  }

  /** Takes a message from control, which each partition has in a record of its own. */
  void control(long time, Message message) {
    if (!(message instanceof Message.Control control)) throw new MalformedException("no message for control");
    sweeps.begin(time, control);
  }

  /** A message that {@link #take} could not take: who waits for what it would have led to hears why. */
  void failed(long id, Message message, String why) {
    if (message instanceof Message.Ask ask) {
      commits.answer(new Asker(ask.asker(), ask.number()), id, why);
      giveUp(id, why);
    } else if (message instanceof Message.Remove remove) {
      commits.answer(new Asker(remove.asker(), remove.number()), id, why);
    } else if (message instanceof Message.Known known) {
      giveUp(id, known.round(), why);
    } else if (message instanceof Message.Found found) {
      giveUp(id, found.round(), why);
    } else if (message instanceof Message.Compared compared) {
      giveUp(id, compared.round(), why);
    } else if (message instanceof Message.Compare compare) {
      groups.none(compare);
    }
  }

  private void giveUp(long id, long round, String why) {
    OpenPage open = tables.open().get(id);
    if (open != null && open.round == round) giveUp(id, why);
  }

  /** Whatever the page has become: it is not open any more, and the next question about it is decided anew. */
  private void giveUp(long id, String why) {
    try {
      commits.close(id, why);
      PageState state = tables.page(id);
      if (state != null) tables.put(id, state.withoutText());
    } catch (RuntimeException damaged) {
      LOG.error("page {}: {}", id, Refusal.of(damaged), damaged);
      tables.open().remove(id);
    }
  }

  /** Does something about a page that must not keep others from going on. */
  void attempt(long id, Runnable something) {
    try {
      something.run();
    } catch (RuntimeException failure) {
      String why = Refusal.of(failure);
      metrics.add(Count.FAILED);
      LOG.error("page {}: {}", id, why, failure);
      giveUp(id, why);
    }
  }

  /** From time to time: asks again, ends what waits too long, goes on with what control asked for. */
  void tick(long wallClock) {
    now = wallClock;
    if (!hasTicked) tables.open().ids().forEach(id -> attempt(id, () -> stages.waitAnew(id)));
    hasTicked = true;
    for (long id : tables.open().takeOver(now))
      attempt(id, () -> commits.tellAgain(id));
    for (long id : tables.open().ids())
      attempt(id, () -> stages.goOnWaiting(id));
    tables.open().forgetTold(now);
    sweeps.goOn();
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
    OpenPage open = stages.open(id);
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
      askOpen(id, time, ask, facts, known);
    } else if (isUnchanged) {
      boolean isRepeated = state.fetchedAtMs() == facts.fetchedAtMs();
      commits.answer(asker, id, state, isRepeated ? state.result() : Answers.unchanged(state.result()));
      tables.put(id, state.seenAt(facts.fetchedAtMs()));
      if (isRepeated && open == null) {
        commits.tellAgain(id, state);
      } else if (state.group() != id) {
        // Which tells if the group has been merged meanwhile.
        groups.tell(state.group(), new Message.Join(id));
      }
    } else if (state != null && facts.fetchedAtMs() < state.fetchedAtMs()) {
      // What a crash repeats, or a crawler was slow to send, is no newer text.
      commits.answer(asker, id, state, state.result());
    } else {
      open = state == null ? new OpenPage(time, time) : new OpenPage(Math.max(time, state.round() + 1), state.time());
      open.add(asker);
      stages.begin(id, open, facts, ask.features(), state);
    }
  }

  /** About a page that is being decided: with the newer one of two texts. */
  private void askOpen(long id, long time, Message.Ask ask, PageFacts facts, PageFacts known) {
    OpenPage open = tables.open().get(id);
    if (!open.add(new Asker(ask.asker(), ask.number()))) {
      refuse(id, ask, "too many ask about this page at once");
    } else if (known.textHash() != facts.textHash() && facts.fetchedAtMs() >= known.fetchedAtMs()) {
      open.restart(Math.max(time, open.round + 1));
      stages.begin(id, open, facts, ask.features(), tables.page(id));
    } else {
      tables.open().put(id, open);
    }
  }

  private void refuse(long id, Message.Ask ask, String why) {
    metrics.add(Count.REFUSED);
    commits.answer(new Asker(ask.asker(), ask.number()), id, why);
  }

  /** Decides a page once more, by what is known now. */
  void settle(long id) {
    stages.settle(id);
  }

  /** Forgets a page; nothing if it is not known. */
  void remove(long id, boolean purge) {
    commits.remove(id, purge);
  }
}
