package io.ndc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is known of a site, learned and used without an engine. */
class SiteModelTest {
  private static final String FRAME =
      "<p>The ferry leaves at noon and at six; dogs travel free on weekdays, and nobody has ever asked what the captain"
          + " thinks of it, nor where the second engine went.</p>";

  private static byte[] page(int number) {
    String own = List.of("a choir in a kiln", "letters to nobody", "painted benches", "a barometer").get(number);
    byte[] body = (FRAME + "<p>" + own + "</p>").getBytes(StandardCharsets.UTF_8);
    return Features.compute(Page.of("http://a.example/" + number, body), null);
  }

  private static SiteModel learned(int... numbers) {
    SiteModel site = new SiteModel();
    for (int number : numbers) site.learn(Features.parts(page(number)));
    return site;
  }

  @Test
  void aFrameThatTheSiteKnowsIsNoEvidence() {
    double unknown = Features.decide(page(0), page(1), null).probability();
    try (SiteModel site = learned(0, 1, 2, 3)) {
      byte[][] known = IntStream.range(0, 2)
          .mapToObj(i -> Features.withSite(page(i), site.save(Features.parts(page(i)))))
          .toArray(byte[][]::new);
      assertTrue(Features.decide(known[0], known[1], null).probability() < unknown / 2);
      assertArrayEquals(known[0], Features.withSite(page(0), site.save()));
    }
  }

  @Test
  void whatOneLearnedAnotherTakesOver() {
    try (SiteModel all = learned(0, 1, 2, 3); SiteModel first = learned(0, 1); SiteModel rest = learned(2, 3)) {
      first.merge(rest.save());
      assertArrayEquals(all.save(), first.save());
      first.forget(Features.parts(page(3)));
      assertTrue(first.save().length < all.save().length);
      byte[] damaged = all.save();
      damaged[20] ^= 1;
      assertThrows(CorruptException.class, () -> first.merge(damaged));
    }
  }

  @Test
  void afterClosingEachCallFails() {
    SiteModel site = learned(0);
    site.close();
    site.close();
    assertThrows(ClosedException.class, site::save);
    assertThrows(ClosedException.class, () -> site.learn(new long[0]));
  }
}
