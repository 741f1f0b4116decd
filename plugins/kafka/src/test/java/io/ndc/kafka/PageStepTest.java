package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Features;
import io.ndc.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One page that is settled, told by hand what the other steps would tell it. */
class PageStepTest {
  private static final String URL = "page:1";  // without a host: its site is not asked
  private static final long ID = Ids.ofUrl(URL);
  private static final long OTHER = 77;

  private record Sent(byte[] key, Message message) {}

  private final List<Sent> sent = new ArrayList<>();
  private final GeneratedPages generated = new GeneratedPages(1);
  private final List<String> text = generated.text(300);
  private final byte[] features = features(URL, text);
  private final byte[] other = features("page:2", generated.changed(text, 5));
  private final PageStep step = new PageStep(
      new PageTables(new MapTable(), new MapTable(), new OpenPages(new MapTable()), new MapTable(), new MapTable(),
          new MapTable()),
      (topic, key, message) -> sent.add(new Sent(key, message)), Rules.defaults(1), new ClusterMetrics());
  private long now = 1_000_000;

  private static byte[] features(String url, List<String> text) {
    return Features.compute(GeneratedPages.copy(url, 0, text).page(1), Map.of());
  }

  private void tell(Message message) {
    step.take(ID, ++now, now, message);
  }

  private <T extends Message> List<T> sent(Class<T> kind) {
    return sent.stream().map(Sent::message).filter(kind::isInstance).map(kind::cast).toList();
  }

  /** What its key is on: nobody, or the other group. */
  private void find(long... groups) {
    Message.Look look = sent(Message.Look.class).get(0);
    sent.clear();
    long[] votes = groups.clone();
    Arrays.fill(votes, KeyStep.VOTE);
    tell(new Message.Found(look.round(), 0, groups, groups, votes));
  }

  /** The other group's answer. */
  private void accept(long groupTime) {
    Message.Compare asked = sent(Message.Compare.class).get(0);
    Result result = Features.decide(other, asked.features(), Map.of());
    assertTrue(result.isDuplicate());
    sent.clear();
    tell(new Message.Compared(OTHER, asked.round(), OTHER, groupTime, OTHER, "page:2", result));
  }

  @BeforeEach
  void found() {
    tell(new Message.Ask("client", 1, features));
    find();
    assertEquals(ID, sent(Message.Commit.class).get(0).result().groupId());
    sent.clear();
  }

  @Test
  void aPageThatIsSettledTakesInALaterGroupThatAcceptsIt() {
    step.settle(ID);
    find(OTHER);
    accept(now + 1_000);
    assertEquals(ID, sent(Message.Commit.class).get(0).result().groupId());
    Message.Merge merge = sent(Message.Merge.class).get(0);
    assertEquals(ID, merge.other());
    assertEquals(List.of(OTHER),
        sent.stream().filter(each -> each.message() == merge).map(each -> Ids.of(each.key())).toList());
  }

  @Test
  void aPageThatIsSettledJoinsAnEarlierGroup() {
    step.settle(ID);
    find(OTHER);
    accept(1);
    assertEquals(OTHER, sent(Message.Commit.class).get(0).result().groupId());
    // Its own group becomes part of that one.
    assertEquals(OTHER, sent(Message.Merged.class).get(0).into());
    assertEquals(List.of(), sent(Message.Merge.class));
  }

  @Test
  void aFounderThatIsStillToBeSettledIsNotMerged() {
    step.control(++now, new Message.Control(Sweeps.Action.SETTLE.name(), "", "", 0, false));
    tell(new Message.Merge(OTHER, 1, 0));
    assertEquals(List.of(), sent(Message.Merged.class));
    for (int i = 0; i < 10 && sent(Message.Look.class).isEmpty(); i++)
      step.tick(++now);
    find();
    for (int i = 0; i < 10; i++)
      step.tick(++now);
    tell(new Message.Merge(OTHER, 1, 0));
    assertEquals(OTHER, sent(Message.Merged.class).get(0).into());
  }

  @Test
  void aFounderThatIsBeingSettledComparesWithTheGroupThatItIsToBeMergedWith() {
    step.settle(ID);
    Message.Look look = sent(Message.Look.class).get(0);
    tell(new Message.Merge(OTHER, 1, 0));
    assertEquals(List.of(), sent(Message.Merged.class));
    sent.clear();
    tell(new Message.Found(look.round(), 0, new long[0], new long[0], new long[0]));
    accept(1);
    assertEquals(OTHER, sent(Message.Commit.class).get(0).result().groupId());
  }

  @Test
  void whatACrashLostOfAMergeIsLoggedAgain() {
    tell(new Message.Merge(OTHER, 1, 0));
    sent.clear();
    tell(new Message.Merge(OTHER, 1, 0));
    assertEquals(OTHER, sent(Message.Merged.class).get(0).into());
  }

  @Test
  void aGroupThatItsFounderLeftIsMergedByAMember() {
    tell(new Message.Join(5));
    tell(new Message.Ask("client", 2, features(URL, generated.text(300))));
    find();
    sent.clear();
    tell(new Message.Merge(OTHER, 1, 0));
    assertEquals(OTHER, sent(Message.Merged.class).get(0).into());
    assertEquals(5, sent(Message.Join.class).get(0).page());
  }
}
