package io.ndc.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;

class SiteBoilerplateTest {
  private final SiteBoilerplate boilerplate = new SiteBoilerplate();

  private static long[] keys(long first) {
    return LongStream.range(first, first + 16).toArray();
  }

  /** At a URL of its own. */
  private static ProvisionalGroups.First page(long digest, long[] keys) {
    return new ProvisionalGroups.First(-digest, digest, keys);
  }

  private static long[] blocks(long... blocks) {
    return blocks;
  }

  @Test
  void whatThreeDifferentPagesHoldIsBoilerplate() {
    boilerplate.learn(page(1, keys(100)), blocks(7, 8));
    boilerplate.learn(page(2, keys(200)), blocks(7, 8));
    assertArrayEquals(blocks(), boilerplate.of(blocks(7, 8)), "two may be one page and an edit of it");
    boilerplate.learn(page(3, keys(300)), blocks(7, 9));
    boilerplate.learn(page(4, keys(400)), blocks(7, 9));
    assertArrayEquals(blocks(7), boilerplate.of(blocks(7, 8)));
    assertArrayEquals(blocks(), boilerplate.of(blocks(9, 10)));
  }

  @Test
  void theFirstTwoPagesMakeNoBoilerplateHoweverOftenTheyCome() {
    for (int turn = 0; turn < 3; turn++) {
      boilerplate.learn(page(1, keys(100)), blocks(7));
      boilerplate.learn(page(2, keys(200)), blocks(7));
    }
    assertArrayEquals(blocks(), boilerplate.of(blocks(7)));
  }

  @Test
  void whatCopiesOfOnePageHoldIsNoBoilerplateHoweverManyThereAre() {
    for (int copy = 0; copy < 50; copy++)
      boilerplate.learn(page(1, keys(100)), blocks(7, 8));
    assertArrayEquals(blocks(), boilerplate.of(blocks(7, 8)));
  }

  @Test
  void whatEditsOfOnePageHoldIsNoBoilerplate() {
    // Other digests; 10 of 16 shingle keys in common with the first.
    boilerplate.learn(page(1, keys(100)), blocks(7, 8));
    boilerplate.learn(page(2, keys(106)), blocks(7, 9));
    boilerplate.learn(page(3, keys(500)), blocks(7));
    assertArrayEquals(blocks(), boilerplate.of(blocks(7)));
  }

  @Test
  void pagesThatShareLessAreDifferent() {
    // 9 of 16.
    boilerplate.learn(page(1, keys(100)), blocks(7, 8));
    boilerplate.learn(page(2, keys(107)), blocks(7, 9));
    boilerplate.learn(page(3, keys(500)), blocks(7));
    assertArrayEquals(blocks(7), boilerplate.of(blocks(7)));
  }

  @Test
  void aBlockThatAPageHoldsTwiceIsNoBoilerplate() {
    boilerplate.learn(page(1, keys(100)), blocks(7, 7));
    assertArrayEquals(blocks(), boilerplate.of(blocks(7)));
  }

  @Test
  void theNextRunGoesOnWhereThisOneEnded() {
    boilerplate.learn(page(1, keys(100)), blocks(7, 8));
    boilerplate.learn(page(2, keys(200)), blocks(7, 8));
    SiteBoilerplate next = new SiteBoilerplate(boilerplate.model());
    assertArrayEquals(blocks(), next.of(blocks(7, 8)));
    // A copy of the first page elsewhere, and an edit of the second one.
    next.learn(new ProvisionalGroups.First(50, 1, keys(100)), blocks(7, 8));
    next.learn(new ProvisionalGroups.First(51, 9, keys(201)), blocks(7, 8));
    assertArrayEquals(blocks(), next.of(blocks(7, 8)));
    next.learn(page(3, keys(300)), blocks(7, 9));
    assertArrayEquals(blocks(7), next.of(blocks(7, 8, 9)));
    SiteBoilerplate last = new SiteBoilerplate(next.model());
    assertArrayEquals(blocks(7), last.of(blocks(7, 8, 9)));
    last.learn(page(4, keys(400)), blocks(8));
    assertArrayEquals(blocks(7, 8), last.of(blocks(7, 8, 9)));
  }

  @Test
  void aPageThatIsCapturedAgainIsNoOtherPage() {
    SiteModel model = SiteModel.EMPTY;
    for (int year = 0; year < 4; year++) {
      SiteBoilerplate sees = new SiteBoilerplate(model);
      // With another text each time, of which a block stays.
      sees.learn(new ProvisionalGroups.First(1, year, keys(100L * year)), blocks(7, 100 + year));
      sees.learn(new ProvisionalGroups.First(2, -1, keys(9000)), blocks(7));
      assertArrayEquals(blocks(), sees.of(blocks(7)), "in year " + year);
      model = sees.model();
      assertEquals(2, model.groups().size());
    }
    assertArrayEquals(blocks(7, 103), model.groups().get(0).blocks(), "of the last text alone");
    // The next run knows copies of the text that it has now.
    SiteBoilerplate next = new SiteBoilerplate(model);
    next.learn(page(99, keys(301)), blocks(7));
    assertEquals(2, next.model().groups().size());
  }

  @Test
  void whatIsKeptOfAVeryLargeSiteIsBounded() {
    for (int page = 0; page < 3 * SiteModel.GROUPS; page++) {
      // A thousand blocks of its own, and ten thousand of the site.
      long own = 1_000_000L + page * 1000L;
      long[] held = LongStream.concat(LongStream.range(0, 10_000), LongStream.range(own, own + 1000)).toArray();
      boilerplate.learn(page(page, keys(page * 100L)), held);
    }
    SiteModel model = boilerplate.model();
    assertEquals(SiteModel.BOILERPLATE, model.boilerplate().length);
    assertEquals(SiteModel.GROUPS, model.groups().size());
    assertTrue(model.groups().stream().allMatch(group -> group.blocks().length == SiteModel.BLOCKS_OF_A_GROUP));
    assertTrue(model.limited());
    SiteModel both = model.with(new SiteModel(blocks(-1), blocks(), List.of(), false));
    assertEquals(SiteModel.BOILERPLATE, both.boilerplate().length);
    assertTrue(both.limited());
  }

  @Test
  void whatIsOfTodayIsKeptFirst() {
    long[] old = LongStream.range(0, SiteModel.BOILERPLATE).toArray();
    SiteBoilerplate today = new SiteBoilerplate(new SiteModel(old, old, List.of(), false));
    for (int page = 0; page < 3; page++)
      today.learn(page(page, keys(page * 100L)), blocks(8000, 1_000_000));
    long[] kept = today.model().boilerplate();
    assertArrayEquals(blocks(8000, 1_000_000, 0, 1), Arrays.copyOf(kept, 4));
    assertEquals(SiteModel.BOILERPLATE, kept.length);
  }

  @Test
  void aModelIsTheSameAfterItWasARow() {
    for (int page = 0; page < 4; page++)
      boilerplate.learn(page(page, keys(page * 100L)), blocks(7, page));
    SiteModel model = boilerplate.model();
    SiteModel read = SiteModel.of(model.row());
    assertArrayEquals(model.boilerplate(), read.boilerplate());
    assertEquals(4, read.groups().size());
    assertArrayEquals(blocks(3), read.groups().get(3).blocks());
    assertArrayEquals(keys(300), read.groups().get(3).first().shingleKeys());
    assertEquals(-3, read.groups().get(3).first().url());
    assertFalse(read.limited());
    Row damaged = RowFactory.create(new byte[7], SiteModel.EMPTY.row().get(1), false, new byte[0]);
    assertThrows(IllegalArgumentException.class, () -> SiteModel.of(damaged));
  }

  @Test
  void whatHalfOfThePagesHoldIsEverywhere() {
    for (int page = 0; page < 8; page++) {
      boilerplate.learn(page(page, keys(page * 100L)),
          page < 3 ? blocks(7, 8, 9, 8) : page == 3 ? blocks(7, 9) : blocks(7));
    }
    assertArrayEquals(blocks(7, 8, 9), boilerplate.of(blocks(7, 8, 9)));
    assertArrayEquals(blocks(7, 9), boilerplate.everywhere(blocks(7, 8, 9, 10)), "8 is twice on three pages of eight");
  }

  @Test
  void whatWasEverywhereStaysSoAndAFewPagesSayNothing() {
    for (int page = 0; page < 8; page++)
      boilerplate.learn(page(page, keys(page * 100L)), page < 3 ? blocks(7, 8) : blocks(7));
    SiteBoilerplate next = new SiteBoilerplate(SiteModel.of(boilerplate.model().row()));
    assertArrayEquals(blocks(7), next.everywhere(blocks(7, 8)));
    next.learn(page(100, keys(10_000)), blocks(8));
    assertArrayEquals(blocks(7), next.everywhere(blocks(7, 8)));
    for (int page = 0; page < 7; page++)
      next.learn(page(200 + page, keys(20_000 + page * 100L)), blocks(8));
    assertArrayEquals(blocks(7, 8), next.everywhere(blocks(7, 8)));
    assertArrayEquals(blocks(7, 8), boilerplate.model().with(next.model()).everywhere());
  }

  @Test
  void twoPartsOfASiteKnowWhatEitherKnows() {
    boilerplate.learn(page(1, keys(100)), blocks(7));
    SiteBoilerplate first = new SiteBoilerplate(boilerplate.model());
    SiteBoilerplate second = new SiteBoilerplate(boilerplate.model());
    first.learn(page(2, keys(200)), blocks(8));
    second.learn(page(3, keys(300)), blocks(7));
    second.learn(page(4, keys(400)), blocks(7));
    SiteModel both = first.model().with(second.model());
    assertArrayEquals(blocks(7), both.boilerplate());
    assertEquals(List.of(1L, 2L, 3L, 4L), both.groups().stream().map(group -> group.first().digest()).toList());
  }

  @Test
  void aKeyOnVeryManyGroupsBindsNone() {
    ProvisionalGroups groups = new ProvisionalGroups(0);
    for (int page = 0; page < 100; page++) {
      long[] keys =
          LongStream.concat(LongStream.of(1), LongStream.range(page * 100 + 10, page * 100 + 25)).toArray();
      assertEquals(page, groups.add(page(page, keys)));
    }
    // Of one key, which all of them have.
    assertNotEquals(0, groups.add(page(1000, new long[] {1})));
  }

  @Test
  void ofTwoGroupsAPageGoesToThatOfWhichItSharesMore() {
    ProvisionalGroups groups = new ProvisionalGroups(0);
    int first = groups.add(page(1, keys(100)));
    int second = groups.add(page(2, keys(107)));
    assertNotEquals(first, second);
    assertEquals(second, groups.add(page(3, keys(106))));
    assertEquals(first, groups.add(page(4, keys(101))));
  }
}
