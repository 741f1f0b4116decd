package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of versions whose classes are kept in tests/abi/java compile and run with this one. */
class OldCallerTest {
  private static final List<String> OUTPUT =
      List.of("http://a.example/", "NEW EXACT true false", "UNCHANGED 1", "true 1", "true 2", "true", "2 0 1",
          "false UNCHANGED", "1 REMOVED 1 true", "-8", "true true false", "true", "true", "true");

  @TempDir private Path folder;

  private static Stream<Path> releases() throws IOException {
    return Files.list(Places.source("tests/abi/java")).filter(path -> path.toString().endsWith(".jar")).sorted();
  }

  @Test
  void whatWasCompiledWithAnEarlierVersionRuns() throws Exception {
    List<Path> releases = releases().toList();
    assertFalse(releases.isEmpty());
    for (Path release : releases) {
      Path classes = compiled(release.getFileName().toString(), release.toString());
      assertEquals(OUTPUT, run(classes), release::toString);
    }
  }

  @Test
  void theSourceOfAnEarlierVersionsCallerCompiles() throws Exception {
    assertEquals(OUTPUT, run(compiled("this", Places.built("java/ndc/classes").toString())));
  }

  private Path compiled(String name, String classPath) throws IOException {
    Path classes = Files.createDirectories(folder.resolve(name));
    Path source = Places.source("bindings/java/src/test/old-caller/OldCaller.java");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("--release", "17", "-Xlint:all", "-Werror", "-cp", classPath, "-d", classes.toString());
      assertTrue(
          compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source)).call(), said::toString);
    }
    return classes;
  }

  private List<String> run(Path classes) throws Exception {
    String jar = Places.built("java/ndc/ndc-" + NearDuplicates.version() + ".jar").toString();
    List<String> command = new ArrayList<>(List.of(ChildJvm.java()));
    command.addAll(ChildJvm.NATIVE_ACCESS);
    command.addAll(
        List.of("-cp", jar + File.pathSeparator + classes, "OldCaller", classes.resolve("store").toString()));
    return ChildJvm.outcome(ChildJvm.start(command)).output().lines().toList();
  }

  /** All that could be linked to: not only what OldCaller calls. */
  @Test
  void noPublicSignatureIsGone() throws Exception {
    for (Path release : releases().toList()) {
      List<String> gone = new ArrayList<>();
      URL[] jar = {release.toUri().toURL()};
      try (URLClassLoader old = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader());
           JarFile entries = new JarFile(release.toFile())) {
        for (String name : entries.stream().map(ZipEntry::getName).toList()) {
          String type = name.replace(".class", "").replace('/', '.');
          if (type.endsWith("package-info") || type.startsWith("io.ndc.crawler."))
            continue;
          Class<?> before = old.loadClass(type);
          if (isSeen(before.getModifiers()))
            compare(before, Class.forName(type), gone);
        }
      }
      assertEquals(List.of(), gone, release::toString);
    }
  }

  private static void compare(Class<?> before, Class<?> now, List<String> gone) {
    if (kind(before) != kind(now))
      gone.add(before + " is another kind");
    List<String> have = members(now);
    members(before).stream().filter(member -> !have.contains(member)).forEach(gone::add);
  }

  private static int kind(Class<?> type) {
    return type.getModifiers() & (Modifier.INTERFACE | Modifier.ABSTRACT | Modifier.FINAL | Modifier.STATIC);
  }

  private static List<String> members(Class<?> type) {
    List<AccessibleObject> members = new ArrayList<>(Arrays.asList(type.getDeclaredFields()));
    members.addAll(Arrays.asList(type.getDeclaredMethods()));
    members.addAll(Arrays.asList(type.getDeclaredConstructors()));
    return members.stream()
        .filter(member -> isSeen(((Member) member).getModifiers()))
        .map(OldCallerTest::text)
        .toList();
  }

  private static boolean isSeen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /** With the types as the linker needs them; generic types, names of parameters and annotations it does not see. */
  private static String text(AccessibleObject member) {
    String owner = ((Member) member).getDeclaringClass().getName() + "." + ((Member) member).getName();
    String isStatic = Modifier.isStatic(((Member) member).getModifiers()) ? "static " : "";
    if (member instanceof Field field)
      return isStatic + field.getType().getName() + " " + owner;
    String arguments =
        Arrays.toString(Arrays.stream(((Executable) member).getParameterTypes()).map(Class::getName).toArray());
    if (member instanceof Constructor<?>)
      return owner + arguments;
    return isStatic + ((Method) member).getReturnType().getName() + " " + owner + arguments;
  }
}
