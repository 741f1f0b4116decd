package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ndc.Flag;
import io.ndc.Result;
import io.ndc.Verdict;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What {@link RecordCodec} writes, against record-shapes.tsv. Topics and stores outlive the instances that wrote them,
 * so a line there changes with {@link RecordCodec#VERSION} alone; a new kind of message comes at the end.
 */
class RecordShapesTest {
  private static final List<Class<? extends Record>> STATES = List.of(PageState.class, GroupState.class,
      OpenPage.Saved.class, OpenPages.Told.class, SiteStep.Saved.class, SiteStep.Change.class, SiteStep.Learned.class,
      KeyStep.Kept.class, Sweeps.Sweep.class);

  @Test
  void recordsAreWrittenAsBefore() throws Exception {
    List<String> lines = new ArrayList<>();
    lines.add("version\t" + RecordCodec.VERSION);
    Set<Class<?>> parts = new LinkedHashSet<>();
    for (int kind = 0; kind < Message.KINDS.size(); kind++)
      lines.add(kind + "\t" + shape(Message.KINDS.get(kind), parts));
    for (Class<?> state : STATES)
      lines.add("state\t" + shape(state, parts));
    for (Class<?> part : parts)
      lines.add("part\t" + shape(part, new LinkedHashSet<>()));
    lines.add("bits\t" + Arrays.toString(Flag.values()));
    lines.add("numbers\t" + Arrays.toString(Verdict.values()));
    lines.add("numbers\t" + Arrays.toString(OpenPage.Stage.values()));
    List<String> kept =
        Files.readAllLines(Path.of(RecordShapesTest.class.getResource("/record-shapes.tsv").toURI()));
    assertEquals(String.join("\n", kept.subList(1, kept.size())), String.join("\n", lines));
  }

  /** The name and what is written of it, in order; the records within it are added to {@code parts}. */
  private static String shape(Class<?> type, Set<Class<?>> parts) {
    return type.getName().replaceFirst(".*\\.", "") + "\t"
        + Arrays.stream(type.getRecordComponents()).map(each -> shape(each, parts)).collect(Collectors.joining(", "));
  }

  private static String shape(RecordComponent component, Set<Class<?>> parts) {
    Class<?> type = component.getType().isArray() ? component.getType().getComponentType() : component.getType();
    if (type.isRecord() && type != Result.class && !Message.KINDS.contains(type)) parts.add(type);
    return component.getType().getSimpleName() + " " + component.getName();
  }
}
