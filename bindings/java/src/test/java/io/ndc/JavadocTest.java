package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation of the API is complete and without faults. */
class JavadocTest {
  @Test
  void doclintHasNothingToSay(@TempDir Path output) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("-Xdoclint:all", "-Werror", "-quiet", "--release", "17", "-d", output.toString(),
            "--class-path", System.getProperty("java.class.path")));
    try (Stream<Path> files = Files.walk(Places.source("bindings/java/src/main/java/io/ndc"))) {
      arguments.addAll(files.map(Path::toString).filter(name -> name.endsWith(".java")).collect(Collectors.toList()));
    }
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int failed = ToolProvider.findFirst("javadoc").orElseThrow().run(writer, writer, arguments.toArray(String[]::new));
    assertEquals(0, failed, said::toString);
    assertEquals("", said.toString());
  }
}
