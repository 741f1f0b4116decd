package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Flag;
import io.ndc.Page;
import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.kafka.ClusterMetrics.Count;
import io.ndc.kafka.GeneratedPages.Copy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All steps together, over several partitions: what they find, whatever the order is, what comes twice or is lost. */
class StepsTest {
  private final GeneratedPages generated = new GeneratedPages(1);
  private long fetchedAtMs = 1_700_000_000_000L;

  private long ask(SimulatedCluster cluster, Copy copy) {
    return cluster.ask(copy.page(++fetchedAtMs));
  }

  @Test
  void findsAllCopies() {
    try (SimulatedCluster cluster = new SimulatedCluster(4, 1)) {
      List<Copy> copies = generated.copies(20, 4);
      for (Copy copy : copies) {
        long question = ask(cluster, copy);
        cluster.run();
        Result result = cluster.answer(question);
        boolean isFirst = copy.url().startsWith("http://host0.");
        assertEquals(isFirst ? Verdict.NEW : Verdict.NEAR, result.verdict(), copy.url());
        assertEquals(Ids.ofUrl("http://host0.example/page" + copy.document()), result.groupId());
      }
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void findsCopiesThatComeAtOnce(long seed) {
    try (SimulatedCluster cluster = new SimulatedCluster(5, seed)) {
      List<Copy> copies = generated.shuffled(generated.copies(12, 4));
      List<Long> questions = new ArrayList<>();
      copies.forEach(copy -> questions.add(ask(cluster, copy)));
      cluster.run();
      questions.forEach(cluster::answer);
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
      assertEquals(0, cluster.metrics.get(Count.LATE));
      assertEquals(0, cluster.metrics.get(Count.RETRIED));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void repeatedMessagesChangeNothing(long seed) {
    try (SimulatedCluster cluster = new SimulatedCluster(3, seed).repeating(0.3)) {
      List<Copy> copies = generated.shuffled(generated.copies(10, 3));
      List<Long> questions = new ArrayList<>();
      copies.forEach(copy -> questions.add(ask(cluster, copy)));
      cluster.run();
      questions.forEach(cluster::answer);
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void lostMessagesAreMadeUpFor(long seed) {
    try (SimulatedCluster cluster = new SimulatedCluster(3, seed).losing(0.1).repeating(0.1)) {
      List<Copy> copies = generated.shuffled(generated.copies(10, 3));
      List<Long> questions = new ArrayList<>();
      for (Copy copy : copies) {
        questions.add(ask(cluster, copy));
        cluster.run(5);
        if (questions.size() % 7 == 0) cluster.restart();
      }
      cluster.run();
      questions.forEach(cluster::answer);
      assertTrue(cluster.metrics.get(Count.RETRIED) > 0);
      // A join or a new entry that is lost costs a copy at most; no page is in two groups, none is without.
      assertEquals(copies.size(), cluster.groups().size());
      assertTrue(GeneratedPages.f1(copies, cluster.groups()) > 0.9);
    }
  }

  @Test
  void aPageThatComesAgainIsUnchangedOrDecidedAnew() {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      List<String> text = generated.text(300);
      List<String> other = generated.text(300);
      Copy first = GeneratedPages.copy("http://a.example/1", 0, text);
      Copy second = GeneratedPages.copy("http://b.example/2", 0, generated.changed(text, 5));
      ask(cluster, first);
      cluster.run();
      ask(cluster, second);
      cluster.run();
      long again = ask(cluster, first);
      cluster.run();
      assertEquals(Verdict.UNCHANGED, cluster.answer(again).verdict());
      // The founder has another text: its group keeps the old one, and the page founds another group.
      long changed = ask(cluster, GeneratedPages.copy(first.url(), 1, other));
      cluster.run();
      assertEquals(Verdict.NEW, cluster.answer(changed).verdict());
      assertNotEquals(cluster.groupOf(first.url()), cluster.groupOf(second.url()));
      long third = ask(cluster, GeneratedPages.copy("http://c.example/3", 0, generated.changed(text, 5)));
      long fourth = ask(cluster, GeneratedPages.copy("http://d.example/4", 1, generated.changed(other, 5)));
      cluster.run();
      assertEquals(cluster.groupOf(second.url()), cluster.answer(third).groupId());
      assertEquals(cluster.groupOf(first.url()), cluster.answer(fourth).groupId());
      // And back.
      long back = ask(cluster, first);
      cluster.run();
      assertEquals(cluster.groupOf(second.url()), cluster.answer(back).groupId());
    }
  }

  @Test
  void anOlderTextThatComesLateChangesNothing() {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      Copy before = GeneratedPages.copy("http://a.example/1", 0, generated.text(300));
      Copy after = GeneratedPages.copy("http://a.example/1", 1, generated.text(300));
      cluster.ask(before.page(5));
      cluster.run();
      cluster.ask(after.page(7));
      cluster.run();
      long late = cluster.ask(before.page(6));
      cluster.run();
      assertTrue(cluster.answer(late).flags().contains(Flag.CHANGED));
      long copy = ask(cluster, new Copy("http://b.example/2", 1, after.html()));
      cluster.run();
      assertEquals(cluster.groupOf(after.url()), cluster.answer(copy).groupId());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatACrashLostIsToldAgain(boolean asksAgain) {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      List<String> text = generated.text(300);
      ask(cluster, GeneratedPages.copy("http://a.example/1", 0, text));
      cluster.run();
      Page copy = GeneratedPages.copy("http://b.example/2", 0, generated.changed(text, 5)).page(9);
      cluster.ask(copy);
      while (!cluster.groups().containsKey("http://b.example/2"))
        cluster.run(1);
      // Committed; that it joined is lost, and its new keys are.
      cluster.loseAll();
      if (asksAgain) {
        cluster.ask(copy);
      } else {
        cluster.restart();
        cluster.runFor(1_000);
      }
      cluster.run();
      cluster.remove("http://a.example/1", true);
      cluster.run();
      // Its group lives on, for it has a member.
      long third = ask(cluster, GeneratedPages.copy("http://c.example/3", 0, generated.changed(text, 5)));
      cluster.run();
      assertEquals(cluster.groupOf("http://b.example/2"), cluster.answer(third).groupId());
    }
  }

  @Test
  void anOpenPageThatIsDamagedIsGivenUp() {
    try (SimulatedCluster cluster = new SimulatedCluster(2, 1)) {
      List<Copy> copies = generated.copies(3, 2);
      copies.forEach(copy -> ask(cluster, copy));
      cluster.run(8);
      cluster.loseAll();
      cluster.damageOpen();
      cluster.run();
      assertTrue(cluster.metrics.get(Count.FAILED) > 0);
      List<Long> questions = new ArrayList<>();
      copies.forEach(copy -> questions.add(ask(cluster, copy)));
      cluster.run();
      questions.forEach(cluster::answer);
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
    }
  }

  @Test
  void aGroupThatElectsARepresentativeIsWaitedFor() {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      List<String> text = generated.text(300);
      for (String host : List.of("a", "b")) {
        ask(cluster, GeneratedPages.copy("http://" + host + ".example/", 0, generated.changed(text, 4)));
        cluster.run();
      }
      long group = cluster.groupOf("http://b.example/");
      cluster.remove("http://a.example/", true);
      cluster.run(1);
      // Neither the member nor the keys hear of it.
      cluster.loseAll();
      long third = ask(cluster, GeneratedPages.copy("http://c.example/", 0, generated.changed(text, 4)));
      cluster.run();
      assertEquals(group, cluster.answer(third).groupId());
      assertEquals(0, cluster.metrics.get(Count.LATE));
    }
  }

  @Test
  void aFounderThatMovesToALaterGroupLeavesNoAlias() {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      List<String> text = generated.text(300);
      List<String> other = generated.text(300);
      Copy first = GeneratedPages.copy("http://a.example/1", 0, text);
      Copy second = GeneratedPages.copy("http://b.example/2", 1, other);
      for (Copy copy : List.of(first, second)) {
        ask(cluster, copy);
        cluster.run();
      }
      long moved = ask(cluster, GeneratedPages.copy(first.url(), 1, generated.changed(other, 5)));
      cluster.run();
      assertEquals(cluster.groupOf(second.url()), cluster.answer(moved).groupId());
      assertTrue(cluster.merged.isEmpty());
      long old = ask(cluster, GeneratedPages.copy("http://c.example/3", 0, text));
      cluster.run();
      assertEquals(Verdict.NEW, cluster.answer(old).verdict());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRemovedPageIsForgotten(boolean purge) {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      List<String> text = generated.text(300);
      List<Copy> copies = new ArrayList<>();
      for (String host : List.of("a", "b", "c"))
        copies.add(GeneratedPages.copy("http://" + host + ".example/", 0, generated.changed(text, 4)));
      for (Copy copy : copies) {
        ask(cluster, copy);
        cluster.run();
      }
      long group = cluster.groupOf("http://b.example/");
      cluster.remove("http://a.example/", purge);
      cluster.run();
      assertEquals(2, cluster.commits.size());
      assertEquals(!purge, cluster.keepsText("http://a.example/"));
      Copy more = GeneratedPages.copy("http://d.example/", 0, generated.changed(text, 4));
      long question = ask(cluster, more);
      cluster.run();
      assertEquals(group, cluster.answer(question).groupId());
      assertEquals(purge, cluster.events.stream().anyMatch(event -> event.kind() == ClusterEvent.Kind.REELECTED));
      for (String host : List.of("b", "c", "d")) {
        cluster.remove("http://" + host + ".example/", purge);
        cluster.run();
      }
      assertEquals(0, cluster.tableSizes());
      long anew = ask(cluster, more);
      cluster.run();
      assertEquals(Verdict.NEW, cluster.answer(anew).verdict());
    }
  }

  @Test
  void controlRemovesNoEveryPage() {
    try (SimulatedCluster cluster = new SimulatedCluster(1, 1)) {
      assertThrows(MalformedException.class, () -> cluster.control(Sweeps.Action.REMOVE, "", true));
    }
  }

  @Test
  void controlRemovesByPrefix() {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      List<Copy> copies = generated.copies(30, 2);
      copies.forEach(copy -> ask(cluster, copy));
      cluster.run();
      cluster.control(Sweeps.Action.REMOVE, "http://host1.", true);
      cluster.restart();
      cluster.run();
      assertEquals(30, cluster.commits.size());
      assertTrue(cluster.groups().keySet().stream().allMatch(url -> url.startsWith("http://host0.")));
      assertFalse(cluster.keepsText("http://host1."));
    }
  }

  @Test
  void aSettlementKeepsWhatIsRight() {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      List<Copy> copies = generated.copies(15, 4);
      copies.forEach(copy -> ask(cluster, copy));
      cluster.run();
      cluster.control(Sweeps.Action.SETTLE, "", false);
      cluster.run();
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
    }
  }

  @Test
  void aPageThatComesAgainWhileItIsSettledIsUnchanged() {
    try (SimulatedCluster cluster = new SimulatedCluster(2, 1)) {
      List<Copy> copies = generated.copies(5, 3);
      copies.forEach(copy -> ask(cluster, copy));
      cluster.run();
      cluster.control(Sweeps.Action.SETTLE, "", false);
      List<Long> questions = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        cluster.runFor(500);
        copies.forEach(copy -> questions.add(ask(cluster, copy)));
        cluster.run(20);
      }
      cluster.run();
      for (long question : questions)
        assertEquals(Verdict.UNCHANGED, cluster.answer(question).verdict());
      assertEquals(1, GeneratedPages.f1(copies, cluster.groups()));
      assertEquals(5, cluster.commits.values().stream()
          .filter(commit -> commit.result().verdict() == Verdict.NEW).count());
    }
  }

  @Test
  void aSettlementEndsWhereMuchIsSharedAndRefused() {
    try (SimulatedCluster cluster = new SimulatedCluster(3, 1)) {
      List<String> common = generated.text(150);
      List<Copy> pages = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        List<String> text = new ArrayList<>(generated.text(200));
        text.addAll(common);
        pages.add(GeneratedPages.copy("http://host" + i % 10 + ".example/" + i, i, text));
      }
      pages.forEach(page -> ask(cluster, page));
      cluster.run();
      long compared = cluster.metrics.get(Count.COMPARED);
      assertTrue(compared > pages.size(), () -> compared + " comparisons");
      assertEquals(0, cluster.metrics.get(Count.RETRIED));
      cluster.control(Sweeps.Action.SETTLE, "", false);
      cluster.run();
      assertEquals(0, cluster.metrics.get(Count.RETRIED) + cluster.metrics.get(Count.LATE));
      assertEquals(pages.size(), Set.copyOf(cluster.groups().values()).size());
    }
  }

  @Test
  void badFeaturesAreRefusedAndHarmless() {
    try (SimulatedCluster cluster = new SimulatedCluster(2, 1)) {
      Copy copy = generated.copies(1, 1).get(0);
      byte[] features = io.ndc.Features.compute(copy.page(1), null);
      byte[] damaged = features.clone();
      damaged[200] ^= 1;
      long cut = cluster.ask(copy.url(), java.util.Arrays.copyOf(features, 100));
      long forged = cluster.ask(copy.url(), damaged);
      long other = cluster.ask("http://other.example/", features);
      cluster.run();
      for (long question : List.of(cut, forged, other))
        assertFalse(cluster.answers.get(question).failure().isEmpty());
      assertEquals(3, cluster.metrics.get(Count.REFUSED));
      assertEquals(0, cluster.tableSizes());
    }
  }
}
