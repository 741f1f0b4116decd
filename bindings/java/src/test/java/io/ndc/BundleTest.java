package io.ndc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The native code in the jar: complete, hidden, licensed, and for the glibc that the documents name. */
class BundleTest {
  private static final Pattern GLIBC = Pattern.compile("(ld-linux[-\\w]*|lib(c|m|dl|rt|pthread))\\.so\\.\\d+");
  private static final String NATIVES = "io/ndc/native/" + NativeLibrary.platform() + "/";
  private static final String LICENCES = "META-INF/licences/";
  private static final Path FOLDER = Places.built("java/native").resolve(NativeLibrary.platform());
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

  private static JarFile jar() throws IOException {
    return new JarFile(Places.built("java/ndc/ndc-" + NearDuplicates.version() + ".jar").toFile());
  }

  private static Set<String> entries(JarFile jar, String folder) {
    return jar.stream()
        .filter(entry -> entry.getName().startsWith(folder) && !entry.isDirectory())
        .map(ZipEntry::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theJarHasThemAndNoOthers() throws Exception {
    Set<String> wanted = new TreeSet<>(Set.of(NATIVES + "libraries", NATIVES + "glibc"));
    files().forEach(file -> wanted.add(NATIVES + file));
    try (JarFile jar = jar()) {
      assertEquals(wanted, entries(jar, "io/ndc/native/"));
      for (String file : files()) {
        assertEquals(Files.size(FOLDER.resolve(file)), jar.getEntry(NATIVES + file).getSize(), file);
      }
      assertEquals("io.ndc", jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
      assertFalse(jar.stream().anyMatch(entry -> entry.getName().endsWith("Test.class")));
    }
  }

  @Test
  void theJarHasTheirLicences() throws Exception {
    Set<String> wanted;
    try (Stream<Path> files = Files.list(Places.built("java/licences"))) {
      wanted = files.map(file -> LICENCES + file.getFileName()).collect(Collectors.toCollection(TreeSet::new));
    }
    try (JarFile jar = jar()) {
      Set<String> licences = entries(jar, LICENCES);
      assertEquals(wanted, licences);
      String names = licences.toString();
      for (String library :
          List.of("icu", "xml2", "z", "lzma", "psl", "idn2", "unistring", "stdc++", "gcc", "xxhash", "zip",
              "isal", "brotli", "zstd", "bz2", "lz4", "nlohmann-json")) {
        assertTrue(names.contains(library), () -> "no licence of " + library + " among " + names);
      }
      Pattern reference = Pattern.compile("/usr/share/common-licenses/([A-Za-z0-9.+-]*[A-Za-z0-9])");
      Set<String> texts = new TreeSet<>();
      for (String licence : licences) {
        String text = new String(jar.getInputStream(jar.getEntry(licence)).readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(text.toLowerCase(Locale.ROOT).contains("copyright"), licence);
        reference.matcher(text).results().forEach(found -> texts.add(LICENCES + found.group(1)));
      }
      assertTrue(licences.containsAll(texts), () -> texts + " are referred to");
      assertTrue(texts.contains(LICENCES + "LGPL-3"), texts::toString);
      byte[] own = jar.getInputStream(jar.getEntry("META-INF/LICENSE")).readAllBytes();
      assertArrayEquals(Files.readAllBytes(Places.source("LICENSE")), own);
    }
  }

  @Test
  void theGlibcThatIsNeededIsSaidInTheJar() throws Exception {
    int minor = 17;
    for (String file : files()) {
      for (String version : found("\\bGLIBC_2\\.(\\d+)", "readelf", "-VW", FOLDER.resolve(file).toString())) {
        minor = Math.max(minor, Integer.parseInt(version));
      }
      assertEquals(
          Set.of(), found("\\b(GLIBC_ABI_\\w+|GLIBC_3\\w*)", "readelf", "-VW", FOLDER.resolve(file).toString()));
    }
    assertEquals("2." + minor, Files.readString(FOLDER.resolve("glibc")).strip());
  }

  /** The documents speak of a jar that was built on Debian 12; one that was built elsewhere may differ. */
  @Test
  void theDocumentsSayWhatAJarOfDebian12IsLike() throws Exception {
    String system = Files.readString(Path.of("/etc/os-release"));
    if (!system.contains("\nID=debian\n") || !system.contains("VERSION_ID=\"12\"")) return;
    String sentence = "glibc " + Files.readString(FOLDER.resolve("glibc")).strip() + " or newer";
    assertTrue(guide().contains(sentence), () -> "docs/guide-java.md does not say " + sentence);
    String readme = Files.readString(Places.source("bindings/java/README.md"));
    assertTrue(readme.contains(sentence), () -> "the README does not say " + sentence);
    Matcher size = Pattern.compile("The jar has about (\\d+) MB").matcher(guide());
    assertTrue(size.find());
    try (JarFile jar = jar()) {
      assertEquals(Integer.parseInt(size.group(1)), Files.size(Path.of(jar.getName())) / 1e6, 3);
    }
  }

  private static String guide() throws IOException {
    return Files.readString(Places.source("docs/guide-java.md"));
  }
}
