package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ndc.Features;
import io.ndc.NearDuplicates;
import io.ndc.Page;
import io.ndc.PageInfo;
import io.ndc.Result;
import io.ndc.Verdict;
import io.ndc.kafka.GeneratedPages.Copy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives go into a cluster, and what it decided into a store. */
class NdExportTest {
  private static final long MERGED = 99;

  @TempDir
  Path folder;

  private static byte[] features(String url) {
    String text = new GeneratedPages(1).copies(1, 1).get(0).html();
    return Features.compute(Page.of(url, text.getBytes(StandardCharsets.UTF_8)), Map.of());
  }

  private static byte[] commit(String url, Verdict verdict, long group, long atMs) {
    Result result = new Result(verdict, Set.of(), Ids.ofUrl(url), group, 0, .5, .5, .5, .5, .5, 0);
    return RecordCodec.bytes(new Message.Commit(url, "", 0, 0, atMs, result));
  }

  @Test
  void groupsThatWereMergedOrLostTheirFounderAreOne() {
    List<String> urls = List.of("http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/");
    long a = Ids.ofUrl(urls.get(0));
    long d = Ids.ofUrl(urls.get(3));
    try (NearDuplicates store = NearDuplicates.inMemory(Map.of())) {
      NdExport copy = new NdExport(store);
      // a founded a group, which was merged into one whose founder was removed; d was removed as well.
      byte[][] commits = {commit(urls.get(0), Verdict.NEW, a, 5), commit(urls.get(1), Verdict.NEAR, a, 6),
          commit(urls.get(2), Verdict.NEAR, MERGED, 4), commit(urls.get(3), Verdict.NEAR, MERGED, 3)};
      for (int i = 0; i < commits.length; i++)
        copy.take(Ids.bytes(Ids.ofUrl(urls.get(i))), commits[i]);
      copy.take(PageTables.groupKey(a), RecordCodec.bytes(new Message.Merged(MERGED)));
      copy.take(Ids.bytes(d), null);
      copy.chooseFounders();
      for (boolean founds : new boolean[] {true, false})
        for (String url : urls)
          copy.write(Ids.ofUrl(url), features(url), founds);
      long founder = store.find(urls.get(2)).orElseThrow().pageId();
      assertEquals(Verdict.NEW, store.find(urls.get(2)).orElseThrow().verdict(), "it has been there longest");
      for (String url : urls.subList(0, 3))
        assertEquals(founder, store.find(url).orElseThrow().groupId(), url);
      assertTrue(store.find(urls.get(3)).isEmpty());
    }
  }

  private static boolean founds(Result answer) {
    return answer.groupId() == answer.pageId();
  }

  /** The groups of the store; what founds one there is what the cluster said that it founds. */
  private static Map<String, Long> groups(NearDuplicates store, List<Copy> copies, Map<String, Result> answers) {
    Map<String, Long> groups = new TreeMap<>();
    for (Copy copy : copies) {
      PageInfo info = store.find(copy.url()).orElseThrow();
      groups.put(copy.url(), info.groupId());
      assertEquals(founds(answers.get(copy.url())), info.groupId() == info.pageId(), copy.url());
    }
    return groups;
  }

  @Test
  void whatAClusterDecidedIsInTheStore() throws Exception {
    List<Copy> copies = new GeneratedPages(7).copies(6, 3);
    Path archive = folder.resolve("pages.jsonl");
    List<String> lines = new ArrayList<>();
    for (Copy copy : copies)
      lines.add("{\"url\":\"" + copy.url() + "\",\"html\":\"" + copy.html().replace("\"", "\\\"").replace("\n", " ")
          + "\"}");
    Files.write(archive, lines);
    try (TriedCluster tried = new TriedCluster(folder.resolve("cluster"))) {
      Map<String, String> settings =
          Map.of("bootstrap.servers", tried.address(), "timeout.ms", "240000", "kafka.default.api.timeout.ms", "5000");
      Map<String, Result> answers = new TreeMap<>();
      List<Copy> kept = new ArrayList<>(copies);
      try (NdCluster cluster = NdCluster.connect(settings, new NdCluster.Listener() {})) {
        NdImport all = new NdImport(cluster);
        all.read(archive);
        assertEquals("18 pages, 12 duplicates, 0 without an answer", all.counts());
        for (Copy copy : copies)
          answers.put(copy.url(), cluster.check(copy.page(1)).get());
        // Without its founder a group has another one in the store than in the cluster.
        Copy member = copies.stream().filter(each -> !founds(answers.get(each.url()))).findFirst().orElseThrow();
        kept.remove(member);
        cluster.remove(member.url(), false).get();
      }
      // The changelog is written a moment after the answer; what is not all there must not stay in the store.
      Map<String, Long> groups = Map.of();
      for (int tries = 0; groups.isEmpty() && tries < 50; tries++) {
        if (tries > 0) Thread.sleep(200);
        try (NearDuplicates store = NearDuplicates.open(folder.resolve("store" + tries), Map.of())) {
          if (NdExport.export(settings, store) == 17) groups = groups(store, kept, answers);
        }
      }
      assertEquals(1, GeneratedPages.f1(kept, groups));
      Map<String, String> elsewhere = new TreeMap<>(settings);
      elsewhere.put("prefix", "other");
      try (NearDuplicates none = NearDuplicates.inMemory(Map.of())) {
        String told = assertThrows(KafkaException.class, () -> NdExport.export(elsewhere, none)).getMessage();
        assertEquals("there is no topic other-commits", told);
      }
    }
  }
}
