package io.ndc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Loads the native library once, checks that it is this jar's other half, and remembers if that failed: a crawler that
 * asks for each page gets the same sentence each time. What is not there for this platform, or does not fit this jar,
 * is refused for ever; anything else, such as a full disk, is attempted again occasionally.
 */
final class NativeLibrary {
  static final String FILE = "libndcjni.so";
  static final String PATH_PROPERTY = "ndc.library.path";

  /** The version of the jar; equal to that of ndcapi.h. */
  static final String VERSION = jarVersion();

  private static volatile boolean loaded;
  private static @Nullable NativeLibraryException failure;
  private static boolean refusedForEver;
  private static final RetryPause PAUSE = new RetryPause();

  private NativeLibrary() {}

  /** Returns if the library can be used. */
  static void require() {
    if (!loaded) load();
  }

  private static synchronized void load() {
    if (loaded) return;
    if (failure != null && (refusedForEver || !PAUSE.isOver(System.nanoTime()))) {
      throw new NativeLibraryException(failure.getMessage(), failure.getCause());
    }
    try {
      String path = System.getProperty(PATH_PROPERTY);
      checkIsOurs(path == null || path.isEmpty() ? loadFromJar() : loadFrom(Path.of(path)));
      loaded = true;
    } catch (NativeLibraryException known) {
      throw failed(known);
    } catch (RuntimeException | LinkageError unforeseen) {
      throw failed(
          new NativeLibraryException("the native library of ndc could not be loaded: " + unforeseen, unforeseen));
    }
  }

  private static NativeLibraryException failed(NativeLibraryException latest) {
    failure = latest;
    PAUSE.failed(System.nanoTime());
    return latest;
  }

  private static NativeLibraryException refusal(String message, @Nullable Throwable cause) {
    refusedForEver = true;
    return new NativeLibraryException(message, cause);
  }

  /** Returns what to call it in messages. */
  private static String loadFromJar() {
    String platform = platform();
    LibraryBundle bundle = LibraryBundle.inJar(platform);
    if (bundle == null) {
      throw refusal("ndc " + VERSION + " has no native library for " + platform
              + " in its jar (there are those of Linux with glibc that it was made with); build " + FILE
              + " from source and say where it is with -D" + PATH_PROPERTY + "=DIR",
          null);
    }
    LibraryDirectory.load(bundle);
    return "the native library in ndc's jar";
  }

  private static String loadFrom(Path path) {
    Path file = Files.isDirectory(path) ? path.resolve(FILE) : path;
    if (!Files.isRegularFile(file)) {
      throw new NativeLibraryException("there is no " + file + "; -D" + PATH_PROPERTY + " must name a directory with "
              + FILE + " in it, or that file",
          null);
    }
    try {
      systemLoad(file);
    } catch (UnsatisfiedLinkError refused) {
      // The JVM lends a file to one class loader only; another one gets a copy.
      if (!String.valueOf(refused.getMessage()).contains("already loaded in another classloader")) {
        throw new NativeLibraryException(
            file + ", which -D" + PATH_PROPERTY + " names, could not be loaded (" + refused.getMessage()
                + "); it must be the library of ndc " + VERSION + " with its companions beside it",
            refused);
      }
      LibraryDirectory.load(LibraryBundle.inDirectory(file));
    }
    return file.toString();
  }

  /** System.load, with the remedy where the JVM denies native access (JEP 472, Java 24 and newer). */
  static void systemLoad(Path file) {
    try {
      System.load(file.toAbsolutePath().toString());
    } catch (IllegalCallerException denied) {
      throw refusal(denial(NativeLibrary.class.getModule(), denied.getMessage()), denied);
    }
  }

  static String denial(Module module, @Nullable String reason) {
    return "this JVM denies native access to ndc, which is a native library (" + reason
        + "): start it with --enable-native-access=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
  }

  private static void checkIsOurs(String library) {
    int abi;
    int version;
    try {
      abi = NativeCalls.bindingAbi();
      version = NativeCalls.version();
    } catch (UnsatisfiedLinkError notOurs) {
      throw refusal(library + " is not the native library of ndc; " + remedy(), notOurs);
    }
    String text = (version >> 16) + "." + (version >> 8 & 0xFF) + "." + (version & 0xFF);
    if (!text.equals(VERSION)) {
      throw refusal(
          library + " has version " + text + ", but this jar has " + VERSION + "; " + remedy(), null);
    }
    if (abi != NativeCalls.BINDING_ABI) {
      throw refusal(library + " has revision " + abi
              + " of the calls between Java and C, but this jar has " + NativeCalls.BINDING_ABI + "; " + remedy(),
          null);
    }
  }

  private static String remedy() {
    return "take both from the same release, or leave -D" + PATH_PROPERTY + " out to use the library in the jar";
  }

  /** The name of the folder in the jar. */
  static String platform() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    return system + "-" + (machine.equals("amd64") ? "x86_64" : machine);
  }

  private static String jarVersion() {
    try (InputStream file = NativeLibrary.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      if (file != null) properties.load(file);
      return properties.getProperty("version", "unknown").replaceFirst("-SNAPSHOT$", "");
    } catch (IOException unreadable) {
      return "unknown";
    }
  }
}
