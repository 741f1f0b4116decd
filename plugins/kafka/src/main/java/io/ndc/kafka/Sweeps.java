package io.ndc.kafka;

import io.ndc.kafka.Outbox.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Goes through all pages of a partition, a few at a time: to settle them, or to remove those of a host, a prefix or an
 * age. Where it is survives a restart; one sweep follows the other.
 */
final class Sweeps {
  /** What control asks for. */
  enum Action {
    /** Decides all pages again. */
    SETTLE,
    /** Removes some. */
    REMOVE
  }

  /**
   * One sweep.
   *
   * @param isSecond of a settlement: representatives know of their sites what there is; now all pages are decided
   * @param after it goes on behind this key
   */
  record Sweep(Message.Control control, boolean isSecond, byte[] after) {}

  /** Pages that are looked at in one tick. */
  private static final int AT_ONCE = 256;

  private final PageTables tables;
  private final Outbox out;
  private final Rules rules;
  private final PageStep pages;

  Sweeps(PageTables tables, Outbox out, Rules rules, PageStep pages) {
    this.tables = tables;
    this.out = out;
    this.rules = rules;
    this.pages = pages;
  }

  /** Begins one behind those that are under way. */
  void begin(long time, Message.Control control) {
    boolean isKnown = control.action().equals(Action.SETTLE.name()) || control.action().equals(Action.REMOVE.name());
    if (!isKnown) throw new MalformedException("control asks for " + control.action());
    if (control.action().equals(Action.REMOVE.name()) && !isBounded(control))
      throw new MalformedException("control would remove every page");
    long number = time;
    for (byte[] job; (job = tables.jobs().get(Ids.bytes(number))) != null; number++) {
      // The record came twice.
      if (RecordCodec.state(job, Sweep.class).control().equals(control)) return;
    }
    tables.jobs().put(Ids.bytes(number), RecordCodec.stateBytes(new Sweep(control, false, new byte[0])));
  }

  /** Whether a removal has a condition. */
  static boolean isBounded(Message.Control control) {
    return !control.site().isEmpty() || !control.prefix().isEmpty() || control.beforeMs() != 0;
  }

  /** A few pages more. Those that are settled leave room for questions. */
  void goOn() {
    List<byte[]> keys = new ArrayList<>();
    tables.jobs().scan(new byte[0], new byte[0], (key, value) -> {
      keys.add(key);
      return false;
    });
    if (keys.isEmpty()) return;
    byte[] job = keys.get(0);
    Sweep sweep = RecordCodec.state(tables.jobs().get(job), Sweep.class);
    boolean settles = sweep.control().action().equals(Action.SETTLE.name());
    int most = settles && sweep.isSecond() ? (rules.openPages() + 1) / 2 - tables.open().count() : AT_ONCE;
    if (most <= 0) return;
    List<byte[]> next = new ArrayList<>();
    tables.pages().scan(new byte[0], sweep.after(), (key, value) -> next.add(key) && next.size() < most);
    for (byte[] key : next)
      pages.attempt(Ids.of(key), () -> visit(sweep, Ids.of(key)));
    if (!next.isEmpty()) {
      tables.jobs().put(job,
          RecordCodec.stateBytes(new Sweep(sweep.control(), sweep.isSecond(), next.get(next.size() - 1))));
    } else if (settles && !sweep.isSecond()) {
      tables.jobs().put(job, RecordCodec.stateBytes(new Sweep(sweep.control(), true, new byte[0])));
    } else {
      tables.jobs().delete(job);
    }
  }

  /** Whether the settlement that is under way, if one is, has not come to the page yet. */
  boolean willSettle(long id) {
    boolean[] will = {false};
    tables.jobs().scan(new byte[0], new byte[0], (key, value) -> {
      Sweep sweep = RecordCodec.state(value, Sweep.class);
      will[0] = sweep.control().action().equals(Action.SETTLE.name())
          && (!sweep.isSecond() || Arrays.compareUnsigned(Ids.bytes(id), sweep.after()) > 0);
      return false;
    });
    return will[0];
  }

  private void visit(Sweep sweep, long id) {
    PageState page = tables.page(id);
    Message.Control control = sweep.control();
    if (control.action().equals(Action.SETTLE.name())) {
      if (sweep.isSecond()) {
        pages.settle(id);
      } else if (tables.represents(id) && !page.host().isEmpty()) {
        out.send(Topic.SITES, page.host().getBytes(StandardCharsets.UTF_8), new Message.Refresh(id, 0));
      }
      return;
    }
    String site = control.site();
    boolean isMeant = (site.isEmpty() || page.host().equals(site) || page.host().endsWith("." + site))
        && page.url().startsWith(control.prefix())
        && (control.beforeMs() == 0 || page.fetchedAtMs() < control.beforeMs());
    if (isMeant) pages.remove(id, control.purge());
  }
}
