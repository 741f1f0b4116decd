package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ndc.Flag;
import io.ndc.Result;
import io.ndc.Verdict;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records become bytes and the same records again; bytes that are none are refused, whatever they are. */
class RecordCodecTest {
  private static final Result RESULT =
      new Result(Verdict.NEAR, EnumSet.of(Flag.SHORT, Flag.CONTAINS), 1, 2, 3, .1, .2, .3, .4, .5, 0);
  private static final List<Message> MESSAGES = List.of(
      new Message.Commit("http://é.example/", "", 1, 2, 3, RESULT),
      new Message.Compared(1, 2, 3, 4, 5, "a", null),
      new Message.Answer(1, 2, null, RESULT, "", "why"),
      new Message.Control("SETTLE", "", "http://", Long.MAX_VALUE, true));

  @Test
  void whatIsWrittenIsRead() {
    for (Message message : MESSAGES)
      assertEquals(message, RecordCodec.message(RecordCodec.bytes(message)));
    Message.Look look = (Message.Look) RecordCodec.message(
        RecordCodec.bytes(new Message.Look(1, 2, -3, new long[] {4, -5}, 6)));
    assertArrayEquals(new long[] {4, -5}, look.keys());
    assertEquals(-3, look.host());
    Message.Ask ask = (Message.Ask) RecordCodec.message(RecordCodec.bytes(new Message.Ask("a", 1, new byte[] {7, 8})));
    assertArrayEquals(new byte[] {7, 8}, ask.features());
  }

  @Test
  void anOpenPageIsReadAsItWas() {
    OpenPage open = new OpenPage(5, 4);
    open.stage = OpenPage.Stage.COMPARISONS;
    open.add(new OpenPage.Asker("a", 1));
    open.hold(7, 8);
    open.buckets.add(3L);
    open.vote(9, 0, 10);
    open.candidates.put(11L, new OpenPage.Candidate(11, 11, 1, 2, true, false, 11, "a", RESULT));
    OpenPage read = OpenPage.of(open.bytes());
    assertArrayEquals(open.bytes(), read.bytes());
    assertEquals(open.candidates, read.candidates);
    assertEquals(open.held(), read.held());
  }

  @Test
  void whatIsCutOrLongerIsRefused() {
    for (Message message : MESSAGES) {
      byte[] bytes = RecordCodec.bytes(message);
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThrows(MalformedException.class, () -> RecordCodec.message(cut));
      }
      byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
      assertThrows(MalformedException.class, () -> RecordCodec.message(longer));
    }
  }

  @Test
  void anyBytesAreReadOrRefused() {
    Random random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(80)];
      random.nextBytes(bytes);
      if (bytes.length > 1) {
        bytes[0] = RecordCodec.VERSION;
        bytes[1] = (byte) random.nextInt(Message.KINDS.size());
      }
      try {
        RecordCodec.message(bytes);
      } catch (MalformedException expected) {
        refused++;
      }
    }
    assertEquals(20_000, refused, 1_000);
  }
}
