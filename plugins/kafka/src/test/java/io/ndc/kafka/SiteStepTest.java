package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.SiteModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A host's model knows what one model knows that learned the same pages, however often it is closed and told. */
class SiteStepTest {
  private static final byte[] HOST = "a.example".getBytes(StandardCharsets.UTF_8);
  private static final byte[] LONGER_HOST = "a.example.org".getBytes(StandardCharsets.UTF_8);

  private final MapTable models = new MapTable();
  private final List<Message.Known> known = new ArrayList<>();
  private SiteStep step = step();

  private SiteStep step() {
    return new SiteStep(models, (topic, key, message) -> known.add((Message.Known) message));
  }

  private static long[] parts(Random random) {
    return random.longs(30, 0, 200).distinct().sorted().toArray();
  }

  private byte[] last() {
    return known.get(known.size() - 1).saved();
  }

  @Test
  void knowsWhatOneModelKnows() {
    Random random = new Random(1);
    try (SiteModel model = new SiteModel()) {
      for (long page = 1; page <= 100; page++) {
        long[] parts = parts(random);
        model.learn(parts);
        step.take(LONGER_HOST, new Message.Learn(page, 1, parts(new Random(page))));
        step.take(HOST, new Message.Learn(page, 1, parts));
        // Again, and by another machine.
        step.take(HOST, new Message.Learn(page, 1, parts));
        assertArrayEquals(model.save(parts), last());
        if (page % 9 == 0) {
          step.close();
          step = step();
        }
      }
    }
  }

  @Test
  void forgetsWhatAPageHadAndWhatIsGone() {
    Random random = new Random(2);
    long[] stays = parts(random);
    long[] before = parts(random);
    long[] after = parts(random);
    try (SiteModel model = new SiteModel()) {
      model.learn(before);
      model.learn(stays);
      model.forget(before);
      model.learn(after);
      step.take(HOST, new Message.Learn(1, 1, before));
      step.take(HOST, new Message.Learn(2, 1, stays));
      step.take(HOST, new Message.Learn(1, 2, after));
      assertArrayEquals(model.save(after), last());
      model.forget(after);
      step.take(HOST, new Message.Unlearn(1));
      step.take(HOST, new Message.Unlearn(1));
      step.close();
      step = step();
      step.take(HOST, new Message.Refresh(2, 7));
      assertArrayEquals(model.save(stays), last());
      assertEquals(7, known.get(known.size() - 1).round());
      // Who is not known, too, lest it ask for ever.
      step.take(HOST, new Message.Refresh(3, 8));
      assertEquals(8, known.get(known.size() - 1).round());
    }
  }

  @Test
  void tellsAllPagesWheneverTheSiteIsTwiceAsLarge() {
    for (long page = 1; page <= 8; page++)
      step.take(HOST, new Message.Learn(page, 1, new long[] {page, 99}));
    // 8 answers; 4 and 8 pages are told what is known by then.
    assertEquals(8 + 4 + 8, known.size());
    assertEquals(12, known.stream().filter(each -> each.round() == 0).count());
    // A page with another text makes no site larger.
    step.take(HOST, new Message.Learn(8, 2, new long[] {5, 99}));
    assertEquals(8 + 4 + 8 + 1, known.size());
  }

  @Test
  void whatIsKeptGrowsWithThePagesAndNotWithTheirSquare() {
    long written = 0;
    for (long page = 1; page <= 2000; page++) {
      long[] parts = new Random(page).longs(60, 0, 1L << 40).sorted().distinct().toArray();
      step.take(HOST, new Message.Learn(page, 1, parts));
    }
    for (byte[] value : models.entries.values())
      written += value.length;
    assertTrue(written < 2000 * 60 * 8 * 3, "bytes: " + written);
  }
}
