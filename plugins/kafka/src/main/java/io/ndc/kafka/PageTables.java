package io.ndc.kafka;

import java.nio.ByteBuffer;

/**
 * What a partition of pages and groups keeps; those that a page's and a group's steps both use.
 *
 * @param pages {@link PageState}
 * @param texts features of pages, and of groups that have their own
 * @param open what is being decided
 * @param groups {@link GroupState}
 * @param members group and page: nothing else
 * @param jobs {@link Sweeps}
 */
record PageTables(Table pages, Table texts, OpenPages open, Table groups, Table members, Table jobs) {
  private static final byte OF_A_GROUP = 'g';

  /** The key of a text that a group has for itself, beside that of the page of its number. */
  static byte[] groupKey(long group) {
    return ByteBuffer.allocate(Long.BYTES + 1).putLong(group).put(OF_A_GROUP).array();
  }

  static byte[] memberKey(long group, long page) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(group).putLong(page).array();
  }

  PageState page(long id) {
    return RecordCodec.state(pages.get(Ids.bytes(id)), PageState.class);
  }

  void put(long id, PageState state) {
    pages.put(Ids.bytes(id), RecordCodec.stateBytes(state));
  }

  GroupState group(long id) {
    return RecordCodec.state(groups.get(Ids.bytes(id)), GroupState.class);
  }

  void put(long id, GroupState group) {
    groups.put(Ids.bytes(id), RecordCodec.stateBytes(group));
  }

  byte[] text(long page) {
    return texts.get(Ids.bytes(page));
  }

  /** 0: the group has none. */
  long firstMember(long group) {
    long[] first = {0};
    members.scan(Ids.bytes(group), Ids.bytes(group), (key, value) -> {
      first[0] = ByteBuffer.wrap(key).getLong(Long.BYTES);
      return false;
    });
    return first[0];
  }

  /** Whether the page is the founder of the group of its number, and that has the page's text. */
  boolean represents(long page) {
    GroupState group = group(page);
    return group != null && group.isLive() && !group.hasOwnText();
  }
}
