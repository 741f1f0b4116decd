package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the native library is found, loaded and refused; each case in a separate JVM. */
class NativeLibraryTest {
  private static final String VERSION = NearDuplicates.version();
  private static final String GOOD = ("EXACT by " + VERSION + "\n").repeat(2);

  @TempDir private Path directory;

  private static String load(String... jvmArguments) throws IOException, InterruptedException {
    return ChildJvm.run(List.of(jvmArguments), Programs.Load.class).output();
  }

  /** Both attempts say the same: why, and what helps. */
  private static void assertRefused(String output, String... parts) {
    // The JVM writes messages of its own.
    List<String> lines = output.lines()
        .filter(line -> !line.contains("stack guard") && !line.contains("execstack") && !line.startsWith("WARNING: "))
        .toList();
    assertEquals(2, lines.size(), output);
    // The second may have come so late that it was attempted again, in another directory.
    assertEquals(withoutDirectory(lines.get(0)), withoutDirectory(lines.get(1)));
    assertTrue(lines.get(0).startsWith("io.ndc.NativeLibraryException: "), output);
    for (String part : parts) {
      assertTrue(lines.get(0).contains(part), output);
    }
  }

  private static String withoutDirectory(String line) {
    return line.replaceAll("ndc-native-[-0-9.]+", "");
  }

  private Set<String> left() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  @Test
  void theJarsLibraryIsUnpackedAndLeavesNothing() throws Exception {
    assertEquals(GOOD, load("-Dndc.tmpdir=" + directory));
    assertEquals(Set.of(), left());
    assertEquals(GOOD, load("-Djava.io.tmpdir=" + directory));
    assertEquals(Set.of(), left());
  }

  @Test
  void theJarAloneIsEnough() throws Exception {
    Path jar = Places.built("java/ndc/ndc-" + VERSION + ".jar");
    String tests = Places.built("java/ndc/test-classes").toString();
    ChildJvm.Outcome outcome = ChildJvm.outcome(
        ChildJvm.start(List.of(ChildJvm.java(), ChildJvm.NATIVE_ACCESS.get(0), "--class-path", jar + ":" + tests,
            Programs.Load.class.getName())));
    assertEquals(GOOD, outcome.output());
  }

  @Test
  void theLibraryPathWins() throws Exception {
    Path bundle = Places.built("java/native").resolve(NativeLibrary.platform());
    String nowhere = "-Dndc.tmpdir=" + directory.resolve("nowhere");
    assertEquals(GOOD, load(nowhere, "-Dndc.library.path=" + bundle));
    assertEquals(GOOD, load(nowhere, "-Dndc.library.path=" + bundle.resolve("libndcjni.so")));
    assertRefused(load("-Dndc.library.path=" + directory), directory + "/libndcjni.so", "-Dndc.library.path");
    Path text = Files.writeString(directory.resolve("libndcjni.so"), "this is no library");
    assertRefused(load("-Dndc.library.path=" + directory), text.toString(), "ndc " + VERSION);
    assertRefused(load("-Dndc.library.path=" + "x".repeat(5000)), "-Dndc.library.path");
  }

  @Test
  void anotherVersionIsRefused() throws Exception {
    Path version = Places.built("java/other-version");
    assertRefused(load("-Dndc.library.path=" + version),
        version + "/libndcjni.so has version 0.9.7, but this jar has " + VERSION);
    Path abi = Places.built("java/other-abi");
    assertRefused(load("-Dndc.library.path=" + abi), abi.toString(), "revision 4711", "same release");
    Path stranger = Places.built("lib/libndc.so");
    assertRefused(load("-Dndc.library.path=" + stranger), stranger.toString(), "not the native library of ndc");
  }

  @Test
  void aDirectoryThatCannotBeUsedIsNamed() throws Exception {
    List<Path> useless = new ArrayList<>(List.of(
        directory.resolve("nowhere"), Files.writeString(directory.resolve("file"), ""), Path.of("/proc")));
    Path readOnly = Files.createDirectory(directory.resolve("read-only"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
    if (!Files.isWritable(readOnly)) useless.add(readOnly);  // root may write everywhere; /proc is for root
    for (Path base : useless) {
      assertRefused(load("-Djava.io.tmpdir=" + base), " " + base + " ", "-Dndc.tmpdir=DIR", "-Dndc.library.path=DIR");
      assertRefused(load("-Dndc.tmpdir=" + base), " " + base + " ", "-Dndc.tmpdir=DIR");
    }
  }

  @Test
  @Timeout(120)
  void aDirectoryThatIsMendedIsUsed() throws Exception {
    Path missing = directory.resolve("missing");
    ChildJvm.Outcome outcome =
        ChildJvm.run(List.of("-Dndc.tmpdir=" + missing), Programs.LoadLater.class, missing.toString());
    assertEquals("remembered\n" + VERSION + "\n", outcome.output());
  }

  @Test
  void anotherPlatformIsToldWhatToDo() throws Exception {
    assertRefused(load("-Dos.arch=sparc"), "no native library for linux-sparc", "-Dndc.library.path=DIR");
    assertRefused(load("-Dos.name=Windows 11"), "windows");
  }

  @Test
  void twoClassLoadersHaveOneEach() throws Exception {
    String good = "NEW NEW UNCHANGED UNCHANGED 2\nNEW 1\n";
    assertEquals(
        good, ChildJvm.run(List.of("-Xcheck:jni", "-Dndc.tmpdir=" + directory), Programs.TwoLoaders.class).output());
    Path bundle = Places.built("java/native").resolve(NativeLibrary.platform());
    assertEquals(good,
        ChildJvm.run(List.of("-Dndc.library.path=" + bundle, "-Dndc.tmpdir=" + directory), Programs.TwoLoaders.class)
            .output());
    assertEquals(Set.of(), left());
  }

  @Test
  void aSystemThatIsTooOldIsToldWhatIsNeeded() throws Exception {
    Path bundle = Files.createDirectory(directory.resolve("bundle"));
    Files.writeString(bundle.resolve("libndcjni.so"), "not of this system");
    Files.writeString(bundle.resolve("glibc"), "9.99\n");
    Files.writeString(bundle.resolve("libraries"), "libndcjni.so\n");
    NativeLibraryException refused = assertThrows(NativeLibraryException.class,
        () -> LibraryDirectory.load(LibraryBundle.inDirectory(bundle.resolve("libndcjni.so"))));
    assertTrue(refused.getMessage().contains("it needs glibc 9.99 or newer"), refused.getMessage());
  }

  @Test
  void whatAKilledJvmLeftGoesWithTheNext() throws Exception {
    long nobody = 999_999_999_999L;
    Instant old = Instant.now().minusSeconds(7200);
    Path stale = leftover("ndc-native-1.0.0-" + nobody + "-1", old);
    Path ofAnotherVersion = leftover("ndc-native-0.9.0-" + nobody + "-2", old);
    Path young = leftover("ndc-native-1.0.0-" + nobody + "-3", Instant.now());
    Path inUse = leftover("ndc-native-1.0.0-" + ProcessHandle.current().pid() + "-4", old);
    Path deeper = leftover("ndc-native-1.0.0-" + nobody + "-5", old);
    Files.writeString(Files.createDirectory(deeper.resolve("folder")).resolve("letter"), "not of ours");
    Files.setLastModifiedTime(deeper, FileTime.from(old));
    Path target = Files.createDirectory(directory.resolve("target"));
    Files.writeString(target.resolve("letter"), "not of ours");
    Files.setLastModifiedTime(target, FileTime.from(old));
    Path link = Files.createSymbolicLink(directory.resolve("ndc-native-1.0.0-" + nobody + "-6"), target);
    List<Path> others = new ArrayList<>();
    for (String name :
        List.of("ndc-crawl-2024-1", "ndc-native-1.0.0-" + nobody + "-x", "ndc-native-1.0.0-" + nobody + "-1-old")) {
      others.add(leftover(name, old));
    }

    assertEquals(GOOD, load("-Dndc.tmpdir=" + directory));

    assertFalse(Files.exists(stale));
    assertFalse(Files.exists(ofAnotherVersion));
    assertTrue(Files.exists(young));
    assertTrue(Files.exists(inUse));
    assertTrue(Files.exists(deeper.resolve("folder/letter")));
    assertTrue(Files.exists(deeper.resolve("libndcjni.so")));
    assertTrue(Files.exists(link, LinkOption.NOFOLLOW_LINKS));
    assertTrue(Files.exists(target.resolve("letter")));
    for (Path other : others) {
      assertTrue(Files.exists(other.resolve("libndcjni.so")), other.toString());
    }
  }

  /** One that is killed while it unpacks: the library is a pipe, out of which nothing comes. */
  @Test
  @Timeout(120)
  void whatIsBeingUnpackedStaysUntilItsJvmIsKilled() throws Exception {
    Path bundle = Files.createDirectory(directory.resolve("bundle"));
    Path pipe = bundle.resolve("libndcjni.so");
    assertEquals(0, ChildJvm.outcome(ChildJvm.start(List.of("mkfifo", pipe.toString()))).exitCode());
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    String property = "-Dndc.tmpdir=" + temporary;
    Process unpacking = ChildJvm.start(List.of(property), Programs.Unpack.class, pipe.toString());
    try {
      while (!isLocked(temporary)) {
        assertTrue(unpacking.isAlive());
        Thread.onSpinWait();
      }
      assertEquals(GOOD, load(property));
      assertTrue(isLocked(temporary), "taken away while it was in use");
    } finally {
      unpacking.destroyForcibly().waitFor();
    }
    assertTrue(isLocked(temporary));
    assertEquals(GOOD, load(property));
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.toList());
    }
  }

  private static boolean isLocked(Path temporary) throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.anyMatch(unpacked -> Files.exists(unpacked.resolve("lock")));
    }
  }

  /** In a container the next JVM may have the process id of the one that was killed. */
  @Test
  void whatAJvmOfTheSameProcessIdLeftGoesToo() throws Exception {
    String classPath = System.getProperty("java.class.path");
    String program = "for age in 'now' '1 hour ago' '2 hours ago'; do"
        + "  folder=\"$1/ndc-native-2.0.0-$$-$(date -d \"$age\" +%s)\"; mkdir \"$folder\";"
        + " touch \"$folder/libndcjni.so\";"
        + "  [ \"$age\" = '2 hours ago' ] || touch \"$folder/lock\"; touch -d \"$age\" \"$folder\";"
        + " done; exec \"$2\" \"$3\" -cp \"$4\" \"-Dndc.tmpdir=$1\" \"$5\"";
    ChildJvm.Outcome outcome = ChildJvm.outcome(ChildJvm.start(List.of("bash", "-c", program, "bash",
        directory.toString(), ChildJvm.java(), ChildJvm.NATIVE_ACCESS.get(0), classPath,
        Programs.Load.class.getName())));
    assertEquals(GOOD, outcome.output());
    // A directory as young as this JVM may belong to another class loader in it.
    assertEquals(1, left().size(), () -> directory + " has more");
  }

  @Test
  void deniedNativeAccessSaysSo() throws Exception {
    String unnamed = NativeLibrary.denial(NativeLibrary.class.getModule(), "the JVM's reason");
    assertTrue(unnamed.contains("the JVM's reason") && unnamed.endsWith("--enable-native-access=ALL-UNNAMED"), unnamed);
    assertTrue(NativeLibrary.denial(String.class.getModule(), "").endsWith("--enable-native-access=java.base"));
    if (Runtime.version().feature() < 24) return;  // whose JVMs deny nothing
    String jar = Places.built("java/ndc/ndc-" + VERSION + ".jar").toString();
    String tests = Places.built("java/ndc/test-classes").toString();
    String denied = ChildJvm.outcome(ChildJvm.start(List.of(ChildJvm.java(), "--illegal-native-access=deny", "-cp",
        jar + ":" + tests, Programs.Load.class.getName()))).output();
    assertRefused(denied, "denies native access", "--enable-native-access=ALL-UNNAMED");
    assertFalse(denied.contains("noexec"), denied);
    Path bundle = Places.built("java/native").resolve(NativeLibrary.platform());
    String fromPath = ChildJvm.outcome(ChildJvm.start(List.of(ChildJvm.java(), "--illegal-native-access=deny",
        "-Dndc.library.path=" + bundle, "-cp", jar + ":" + tests, Programs.Load.class.getName()))).output();
    assertRefused(fromPath, "denies native access", "--enable-native-access=ALL-UNNAMED");
  }

  private Path leftover(String name, Instant at) throws IOException {
    Path folder = Files.createDirectory(directory.resolve(name));
    Files.writeString(folder.resolve("libndcjni.so"), "half written");
    Files.setLastModifiedTime(folder, FileTime.from(at));
    return folder;
  }

  @Test
  void aJvmMayEndInTheMidstOfCalls() throws Exception {
    for (int i = 0; i < 5; ++i) {
      ChildJvm.Outcome outcome =
          ChildJvm.run(List.of("-XX:ErrorFile=" + directory.resolve("hs_err")), ExitUnderLoad.class);
      assertEquals("", outcome.output());
      assertEquals(7, outcome.exitCode());
    }
  }
}
