package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs in the documents compile, run on the jar alone, and print what stands behind them. */
class ReadmeTest {
  private static final Pattern PROGRAM =
      Pattern.compile("(?s)```java\n(.*?public final class (\\w+).*?)```.*?```text\n(.*?)```");

  @ParameterizedTest
  @ValueSource(strings = {"docs/guide-java.md"})
  void theProgramPrintsWhatTheDocumentSays(String document, @TempDir Path directory) throws Exception {
    List<MatchResult> programs = PROGRAM.matcher(Files.readString(Places.source(document))).results().toList();
    assertFalse(programs.isEmpty());
    String jar = Places.built("java/ndc/ndc-" + NearDuplicates.version() + ".jar").toString();
    for (MatchResult program : programs) {
      compile(Files.writeString(directory.resolve(program.group(2) + ".java"), program.group(1)), directory, jar);
      ProcessBuilder java =
          new ProcessBuilder(ChildJvm.java(), ChildJvm.NATIVE_ACCESS.get(0), "-cp",
              jar + File.pathSeparator + directory, program.group(2));
      ChildJvm.Outcome outcome = ChildJvm.outcome(java.directory(directory.toFile()).redirectErrorStream(true).start());
      assertEquals(program.group(3), outcome.output());
      assertEquals(0, outcome.exitCode());
    }
  }

  /** Its lines stand in no class. Each prints what its comment says. */
  @Test
  void theLinesOfTheReadmePrintTheirComments(@TempDir Path directory) throws Exception {
    Matcher lines = Pattern.compile("(?s)```java\n(.*?)```").matcher(Files.readString(Places.source("README.md")));
    assertTrue(lines.find());
    String program = "import io.ndc.NearDuplicates;\nimport java.nio.file.Path;\nimport java.util.Map;\n"
        + "public final class Lines {\npublic static void main(String[] arguments) {\n" + lines.group(1) + "}\n}\n";
    String printed = Pattern.compile(" // (\\w+)$", Pattern.MULTILINE).matcher(lines.group(1)).results()
        .map(comment -> comment.group(1) + "\n").collect(Collectors.joining());
    String jar = Places.built("java/ndc/ndc-" + NearDuplicates.version() + ".jar").toString();
    compile(Files.writeString(directory.resolve("Lines.java"), program), directory, jar);
    ProcessBuilder java = new ProcessBuilder(ChildJvm.java(), "-cp", jar + File.pathSeparator + directory, "Lines");
    ChildJvm.Outcome outcome = ChildJvm.outcome(java.directory(directory.toFile()).redirectErrorStream(true).start());
    assertEquals(printed, outcome.output());
    assertEquals(0, outcome.exitCode());
  }

  private static void compile(Path source, Path output, String jar) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("--release", "17", "-Xlint:all", "-Werror", "-cp", jar, "-d", output.toString());
      Boolean compiled = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source)).call();
      assertEquals(true, compiled, said::toString);
    }
  }
}
