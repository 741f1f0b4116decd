package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** All groups as a stream: of several pieces, read in part or not at all, beside changes, and after the engine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupStreamTest {
  private static final int GROUPS = 9000;

  private NearDuplicates engine;
  private List<GroupInfo> all;

  @BeforeAll
  void fill() {
    engine = NearDuplicates.inMemory(Map.of());
    for (int i = 0; i < GROUPS; ++i) {
      engine.check("http://a.example/" + i, new byte[0], "text/html");
    }
    all = engine.groups();
    assertEquals(GROUPS, all.size());
  }

  @AfterAll
  void close() {
    engine.close();
  }

  @Test
  void itHasWhatTheListHas() {
    try (Stream<GroupInfo> groups = engine.groupStream()) {
      assertEquals(all, groups.toList());
    }
    try (Stream<GroupInfo> groups = engine.groupStream()) {
      assertEquals(all, groups.parallel().collect(Collectors.toList()));
    }
    try (NearDuplicates empty = NearDuplicates.inMemory(null); Stream<GroupInfo> groups = empty.groupStream()) {
      assertEquals(0, groups.count());
    }
  }

  @Test
  void itMayBeClosedBeforeItsEndAndMoreThanOnce() {
    Stream<GroupInfo> groups = engine.groupStream();
    Iterator<GroupInfo> iterator = groups.iterator();
    assertEquals(all.get(0), iterator.next());
    groups.close();
    groups.close();
    // The rest of the current piece may still come; nothing is read from freed memory.
    int rest = 0;
    while (iterator.hasNext()) {
      iterator.next();
      ++rest;
    }
    assertTrue(rest < GROUPS - 1, "read to the end after it was closed");
    assertThrows(IllegalStateException.class, groups::count);
    engine.groupStream().close();
    for (int i = 0; i < 20; ++i) {
      assertEquals(
          all.get(0), engine.groupStream().findFirst().orElseThrow()); // forgotten: the garbage collector frees it
    }
  }

  @Test
  void changesAndTheEndOfTheEngineDoNotReachIt() {
    NearDuplicates other = NearDuplicates.inMemory(null);
    other.check("http://a.example/", Texts.page(1), "text/html");
    other.check("http://b.example/", Texts.page(2), "text/html");
    List<GroupInfo> before = other.groups();
    Stream<GroupInfo> groups = other.groupStream();
    other.remove("http://a.example/");
    other.close();
    assertThrows(ClosedException.class, other::groupStream);
    try (groups) {
      assertEquals(before, groups.toList());
    }
    assertFalse(before.isEmpty());
  }
}
