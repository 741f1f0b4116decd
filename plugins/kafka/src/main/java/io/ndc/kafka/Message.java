package io.ndc.kafka;

import io.ndc.Result;
import java.util.List;

/**
 * What travels between the steps (docs/cluster.md). The page or group that a message is for is its key, and not
 * repeated; {@code round} is the one of the page that asks. {@link RecordCodec} makes bytes of them.
 */
sealed interface Message {
  /** From the first on, by their place here: a new one is added at the end. */
  List<Class<? extends Message>> KINDS = List.of(Ask.class, Remove.class, Learn.class, Unlearn.class, Known.class,
      Look.class, Enter.class, Withdraw.class, Found.class, Compare.class, Compared.class, Join.class, Leave.class,
      Moved.class, Represent.class, Elect.class, Elected.class, Commit.class, Merged.class, Answer.class,
      Happened.class, Control.class, Refresh.class, Failed.class, Merge.class);

  /** pages: a client asks about a page; {@code number} is its own for the question. */
  record Ask(String asker, long number, byte[] features) implements Message {}

  /** pages: a client wants a page forgotten; with purge its text as well, at once. */
  record Remove(String asker, long number, String url, boolean purge) implements Message {}

  /** sites: the parts of a page, of which the site shall tell what it knows. */
  record Learn(long page, long round, long[] parts) implements Message {}

  /** sites: the page is gone. */
  record Unlearn(long page) implements Message {}

  /** sites: like {@link Learn}, of a page that was learned; nothing is learned. */
  record Refresh(long page, long round) implements Message {}

  /** work, to a page: what its site knows. Round 0: without being asked, since it knows much more now. */
  record Known(long round, byte[] saved) implements Message {}

  /** keys: which groups have these keys of a page, which has them from now on. */
  record Look(long page, long round, int host, long[] keys, long digestKey) implements Message {}

  /** keys: the page was committed to this group. */
  record Enter(long page, long group, int host, long[] keys) implements Message {}

  /** keys: the page is gone; {@code group}: one that has no page any more, or 0. */
  record Withdraw(long page, long group, long[] keys) implements Message {}

  /** work, to a page: whom to ask, with which votes; {@code groups}: 0 where it is not known yet. */
  record Found(long round, int bucket, long[] ids, long[] groups, long[] votes) implements Message {}

  /** work, to a page: a step cannot answer it, and never will. */
  record Failed(long round, String why) implements Message {}

  /**
   * work, to a group or a page that may be in one: how does this page compare? {@code time}: of its place; {@code
   * hops}: merged groups that have handed it on.
   */
  record Compare(long asked, int hops, long page, long round, long time, long votes, byte[] features)
      implements Message {
    Compare handedOn() {
      return new Compare(asked, hops + 1, page, round, time, votes, features);
    }
  }

  /**
   * work, to the page: {@code group} 0: it is none of yours. Result null: ask that group; else {@code matched} is the
   * page that it was compared with, a group by its number for its representative, with that page's URL.
   */
  record Compared(long asked, long round, long group, long groupTime, long matched, String url, Result result)
      implements Message {}

  /** work, to a group: the page has joined. */
  record Join(long page) implements Message {}

  /** work, to a group: the page is in another one, or gone. */
  record Leave(long page) implements Message {}

  /** work, to a page: its group is merged into another. */
  record Moved(long from, long to) implements Message {}

  /**
   * work, to a group: it is the same as another one, whose place this is; {@code hops}: as of {@link Compare}, and how
   * often the two have changed places.
   */
  record Merge(long other, long time, int hops) implements Message {}

  /** work, to a group: its representative's features; founder 0: an elected one's. */
  record Represent(long founder, long time, byte[] features) implements Message {}

  /** work, to a member: the group needs its features. */
  record Elect(long group) implements Message {}

  /** work, to the group: the member's, or none if it is gone. */
  record Elected(long page, byte[] features) implements Message {}

  /** commits: what was decided about a page. */
  record Commit(String url, String representative, long textHash, long fetchedAtMs, long atMs, Result result)
      implements Message {}

  /** commits, by the group with a byte behind it: its pages are those of another one. */
  record Merged(long into) implements Message {}

  /**
   * answers: about question {@code number}. Result null: {@code failure} says why. Of a page that came again {@code
   * committed} is what it was answered before.
   */
  record Answer(long number, long page, Result result, Result committed, String representative, String failure)
      implements Message {}

  /** events: see {@link ClusterEvent}. */
  record Happened(String kind, long oldGroup, long newGroup, long atMs) implements Message {}

  /** control: to every partition. */
  record Control(String action, String site, String prefix, long beforeMs, boolean purge) implements Message {}
}
