package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SiteFrameTest {
  private final SiteFrame frame = new SiteFrame();

  private static long[] keys(long first) {
    return LongStream.range(first, first + 16).toArray();
  }

  private static long[] blocks(long... blocks) {
    return blocks;
  }

  @Test
  void whatThreeDifferentPagesHoldIsFrame() {
    frame.learn(1, keys(100), blocks(7, 8));
    frame.learn(2, keys(200), blocks(7, 8));
    assertArrayEquals(blocks(), frame.frameOf(blocks(7, 8)), "two may be one page and an edit of it");
    frame.learn(3, keys(300), blocks(7, 9));
    frame.learn(4, keys(400), blocks(7, 9));
    assertArrayEquals(blocks(7), frame.frameOf(blocks(7, 8)));
    assertArrayEquals(blocks(), frame.frameOf(blocks(9, 10)));
  }

  @Test
  void theFirstTwoPagesMakeNoFrameHoweverOftenTheyCome() {
    for (int turn = 0; turn < 3; turn++) {
      frame.learn(1, keys(100), blocks(7));
      frame.learn(2, keys(200), blocks(7));
    }
    assertArrayEquals(blocks(), frame.frameOf(blocks(7)));
  }

  @Test
  void whatCopiesOfOnePageHoldIsNoFrameHoweverManyThereAre() {
    for (int copy = 0; copy < 50; copy++)
      frame.learn(1, keys(100), blocks(7, 8));
    assertArrayEquals(blocks(), frame.frameOf(blocks(7, 8)));
  }

  @Test
  void whatEditsOfOnePageHoldIsNoFrame() {
    // Other digests; 10 of 16 shingle keys in common with the first.
    frame.learn(1, keys(100), blocks(7, 8));
    frame.learn(2, keys(106), blocks(7, 9));
    frame.learn(3, keys(500), blocks(7));
    assertArrayEquals(blocks(), frame.frameOf(blocks(7)));
  }

  @Test
  void pagesThatShareLessAreDifferent() {
    // 9 of 16.
    frame.learn(1, keys(100), blocks(7, 8));
    frame.learn(2, keys(107), blocks(7, 9));
    frame.learn(3, keys(500), blocks(7));
    assertArrayEquals(blocks(7), frame.frameOf(blocks(7)));
  }

  @Test
  void aBlockThatAPageHoldsTwiceIsNoFrame() {
    frame.learn(1, keys(100), blocks(7, 7));
    assertArrayEquals(blocks(), frame.frameOf(blocks(7)));
  }

  @Test
  void aSiteIsKnownByItsDifferentPages() {
    for (int page = 0; page < SiteFrame.KNOWN_GROUPS - 1; page++)
      frame.learn(page, keys(page * 100L), blocks(7));
    frame.learn(0, keys(0), blocks(7));
    assertFalse(frame.isKnown());
    frame.learn(99, keys(9900), blocks(7));
    assertTrue(frame.isKnown());
  }

  @Test
  void aKeyOnVeryManyGroupsBindsNone() {
    ProvisionalGroups groups = new ProvisionalGroups();
    for (int page = 0; page < 100; page++)
      groups.add(page, LongStream.concat(LongStream.of(1), LongStream.range(page * 100 + 10, page * 100 + 25)).toArray());
    assertEquals(100, groups.count());
    // Of one key, which all of them have.
    assertNotEquals(0, groups.add(1000, new long[] {1}));
  }

  @Test
  void ofTwoGroupsAPageGoesToThatOfWhichItSharesMore() {
    ProvisionalGroups groups = new ProvisionalGroups();
    int first = groups.add(1, keys(100));
    int second = groups.add(2, keys(107));
    assertNotEquals(first, second);
    assertEquals(second, groups.add(3, keys(106)));
    assertEquals(first, groups.add(4, keys(101)));
  }
}
