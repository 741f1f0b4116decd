package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What the jar carries of native code: complete, hidden, licensed, and for the glibc that the documents name. */
class BundleTest {
  private static final Pattern GLIBC = Pattern.compile("(ld-linux-x86-64|lib(c|m|dl|rt|pthread))\\.so\\.\\d+");
  private static final Path FOLDER = Places.built("java/native/linux-x86_64");
  private static final Path LIBRARY = FOLDER.resolve("libndcjni.so");

  private static List<String> lines(String... command) throws IOException, InterruptedException {
    ChildJvm.Outcome outcome = ChildJvm.outcome(ChildJvm.start(List.of(command)));
    assertEquals(0, outcome.exitCode(), outcome.output());
    return outcome.output().lines().toList();
  }

  private static Set<String> found(String pattern, String... command) throws IOException, InterruptedException {
    Pattern wanted = Pattern.compile(pattern);
    return lines(command).stream()
        .flatMap(line -> wanted.matcher(line).results())
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> files() throws IOException {
    return Files.readAllLines(FOLDER.resolve("libraries"));
  }

  @Test
  void theLibraryShowsNothingButTheNativeMethods() throws Exception {
    Set<String> wanted = Arrays.stream(NativeCalls.class.getDeclaredMethods())
        .filter(method -> Modifier.isNative(method.getModifiers()))
        .map(method -> "Java_io_ndc_NativeCalls_" + method.getName())
        .collect(Collectors.toCollection(TreeSet::new));
    wanted.add("JNI_OnLoad");
    assertEquals(wanted, found("^\\S+ \\S (\\S+)$", "nm", "-D", "--defined-only", LIBRARY.toString()));
  }

  @Test
  void theLibraryHasItsOwnCppLibrary() throws Exception {
    assertEquals(Set.of(), found(" (_ZN?K?S[^ ]*)$", "nm", "-D", LIBRARY.toString()));
    assertEquals(Set.of(), found("NEEDED.*\\[(lib(?:stdc\\+\\+|gcc_s)[^]]*)]", "readelf", "-dW", LIBRARY.toString()));
  }

  @Test
  void whatItNeedsIsBundledUnderNamesOfItsOwn() throws Exception {
    List<String> files = files();
    assertEquals("libndcjni.so", files.get(0));
    for (String file : files) {
      String path = FOLDER.resolve(file).toString();
      for (String needed : found("NEEDED.*\\[(.*)]", "readelf", "-dW", path)) {
        assertTrue(files.contains(needed) || GLIBC.matcher(needed).matches(), file + " needs " + needed);
      }
      assertTrue(file.equals("libndcjni.so") || file.matches(".*-ndc[0-9a-f]{8}\\.so.*"), file);
      assertEquals(Set.of(file), found("SONAME.*\\[(.*)]", "readelf", "-dW", path));
      assertEquals(Set.of("$ORIGIN"), found("R(?:UN)?PATH.*\\[(.*)]", "readelf", "-dW", path));
      assertEquals(Set.of(), found("(\\.debug_\\w+)", "readelf", "-SW", path));
    }
  }

  @Test
  void theJarHasThemWithTheirLicences() throws Exception {
    Path path = Places.built("java/ndc/ndc-" + NearDuplicates.version() + ".jar");
    try (JarFile jar = new JarFile(path.toFile())) {
      for (String file : files()) {
        ZipEntry entry = jar.getEntry("io/ndc/native/linux-x86_64/" + file);
        assertEquals(Files.size(FOLDER.resolve(file)), entry.getSize(), file);
      }
      List<? extends ZipEntry> licences =
          jar.stream()
              .filter(entry -> entry.getName().startsWith("META-INF/licences/") && !entry.isDirectory())
              .toList();
      String names = licences.toString();
      for (String library : List.of("icu", "ssl", "xml2", "z", "lzma", "psl", "idn2", "unistring", "stdc++", "gcc")) {
        assertTrue(names.contains(library), () -> "no licence of " + library + " among " + names);
      }
      for (ZipEntry licence : licences) {
        String text = new String(jar.getInputStream(licence).readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(text.toLowerCase().contains("copyright"), licence.getName());
      }
      assertTrue(jar.getEntry("META-INF/LICENSE") != null);
      assertEquals("io.ndc", jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
      assertFalse(jar.stream().anyMatch(entry -> entry.getName().endsWith("Test.class")));
    }
    String guide = guide();
    long megabytes = Math.round(Files.size(path) / 1e6);
    assertTrue(guide.contains("The jar has " + megabytes + " MB"),
        () -> "docs/guide-java.md does not say that it has " + megabytes + " MB");
  }

  @Test
  void theGuideNamesTheGlibcThatIsNeeded() throws Exception {
    int minor = 0;
    for (String file : files()) {
      for (String version : found("\\bGLIBC_2\\.(\\d+)", "readelf", "-VW", FOLDER.resolve(file).toString())) {
        minor = Math.max(minor, Integer.parseInt(version));
      }
      assertEquals(
          Set.of(), found("\\b(GLIBC_ABI_\\w+|GLIBC_3\\w*)", "readelf", "-VW", FOLDER.resolve(file).toString()));
    }
    assertEquals("2." + minor, Files.readString(FOLDER.resolve("glibc")).strip());
    String sentence = "glibc 2." + minor + " or newer";
    assertTrue(guide().contains(sentence), () -> "docs/guide-java.md does not say " + sentence);
    String readme = Files.readString(Places.source("bindings/java/README.md"));
    assertTrue(readme.contains(sentence), () -> "the README does not say " + sentence);
  }

  private static String guide() throws IOException {
    return Files.readString(Places.source("docs/guide-java.md"));
  }
}
