package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A list names the groups that have a key, each once, and with which votes; keys of too many are deleted. */
class KeyStepTest {
  private static final int HOT = 40;
  private static final long[] KEY = {77};

  private final MapTable lists = new MapTable();
  private final ClusterMetrics metrics = new ClusterMetrics();
  private Message.Found found;
  private final KeyStep step = new KeyStep(lists,
      (topic, key, message)
          -> found = (Message.Found) message,
      new Rules(1, HOT, 20, 2, 16, 8, 40, 64, 1, 1, Map.of()), metrics);

  private void look(long page, int host) {
    step.take(0, new Message.Look(page, 1, host, KEY, 0));
  }

  private void enter(long page, long group) {
    step.take(0, new Message.Enter(page, group, 1, KEY));
  }

  private void expect(long[] ids, long[] groups) {
    assertArrayEquals(ids, found.ids());
    assertArrayEquals(groups, found.groups());
  }

  @Test
  void aPageFindsThoseBeforeIt() {
    look(1, 1);
    expect(new long[0], new long[0]);
    look(2, 1);
    expect(new long[] {1}, new long[] {0});
    enter(1, 1);
    look(3, 1);
    expect(new long[] {1, 2}, new long[] {1, 0});
    assertArrayEquals(new long[] {KeyStep.VOTE / 2, KeyStep.VOTE / 2}, found.votes());
  }

  @Test
  void aPageThatComesTwiceFindsWhatItFoundAndWhatCameSince() {
    look(1, 1);
    look(2, 1);
    look(1, 1);
    expect(new long[] {2}, new long[] {0});
    look(2, 1);
    expect(new long[] {1}, new long[] {0});
    assertArrayEquals(new long[] {KeyStep.VOTE / 2}, found.votes());
  }

  @Test
  void aGroupIsOnAListOnce() {
    look(1, 1);
    look(2, 1);
    enter(1, 1);
    enter(2, 1);
    enter(2, 1);
    look(3, 1);
    expect(new long[] {1}, new long[] {1});
    assertArrayEquals(new long[] {KeyStep.VOTE}, found.votes());
  }

  @Test
  void whoHasTheSameTextIsAskedItself() {
    look(1, 1);
    enter(1, 5);
    step.take(0, new Message.Look(2, 1, 1, KEY, KEY[0]));
    expect(new long[] {1}, new long[] {0});
  }

  @Test
  void theFirstAndTheLastOfALongListAreKept() {
    for (long page = 1; page <= 20; page++)
      look(page, (int) page);
    look(21, 21);
    expect(LongStream.concat(LongStream.rangeClosed(1, 8), LongStream.rangeClosed(13, 20)).toArray(), new long[16]);
  }

  @Test
  void aHotKeyIsDeleted() {
    for (long page = 1; page <= 20; page++) {
      look(page, 1);
      enter(page, page);
    }
    assertEquals(16, found.ids().length);
    look(21, 2);
    enter(21, 21);
    look(22, 2);
    expect(new long[0], new long[0]);
    assertEquals(1, metrics.get(ClusterMetrics.Count.HOT_KEYS));
    enter(22, 22);
    look(23, 9);
    expect(new long[0], new long[0]);
  }

  @Test
  void copiesThatAreDecidedAtOnceMakeNoKeyHot() {
    int atOnce = 2 * KeyStep.ENDS + 2;
    for (long page = 1; page <= 200; page++) {
      look(page, 1);
      if (page > atOnce) enter(page - atOnce, 1);
    }
    assertEquals(0, metrics.get(ClusterMetrics.Count.HOT_KEYS));
  }

  @Test
  void whatComesAgainIsNotCountedAgain() {
    for (int times = 0; times < 5; times++) {
      for (long page = 1; page <= 20; page++) {
        look(page, 1);
        enter(page, page);
        enter(page, page);
      }
    }
    assertEquals(0, metrics.get(ClusterMetrics.Count.HOT_KEYS));
    assertEquals(KeyStep.VOTE / 20, found.votes()[0]);
  }

  @Test
  void manyGroupsAreCountedWithinAFewPercent() {
    KeyStep large =
        new KeyStep(lists, (topic, key, message) -> found = (Message.Found) message, Rules.defaults(1), metrics);
    int hosts = 0;
    for (int i = 0; i < 9_000; i++) {
      long page = Ids.ofUrl("http://a.example/" + i);
      large.take(0, new Message.Look(page, 1, hosts++, KEY, 0));
      large.take(0, new Message.Enter(page, page, 1, KEY));
    }
    assertEquals(9_000.0, (double) KeyStep.VOTE / found.votes()[0], 9_000 * .1);
    assertTrue(lists.entries.firstEntry().getValue().length < 700);
  }

  @Test
  void onManyHostsAKeyLivesLonger() {
    for (long page = 1; page <= HOT; page++) {
      look(page, (int) page);
      enter(page, page);
    }
    assertEquals(16, found.ids().length);
    look(HOT + 1, 1);
    enter(HOT + 1, HOT + 1);
    look(HOT + 2, 1);
    expect(new long[0], new long[0]);
  }

  @Test
  void aListWithoutGroupsIsGone() {
    look(1, 1);
    enter(1, 1);
    look(2, 1);
    enter(2, 9);
    step.take(0, new Message.Withdraw(1, 0, KEY));
    look(3, 1);
    expect(new long[] {9}, new long[] {9});
    step.take(0, new Message.Withdraw(0, 9, KEY));
    step.take(0, new Message.Withdraw(3, 0, KEY));
    assertNull(lists.get(Ids.bytes(KEY[0])));
  }
}
