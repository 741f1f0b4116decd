package io.ndc;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Small programs that tests run in a JVM of their own. */
final class Programs {
  private Programs() {}

  /** Uses the library twice and prints what came of it. */
  static final class Load {
    private Load() {}

    public static void main(String[] arguments) {
      for (int i = 0; i < 2; ++i) {
        try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
          pages.check("http://a.example/", Texts.page(1), "text/html");
          System.out.println(pages.check("http://b.example/", Texts.page(1), "text/html").verdict() + " by "
              + NearDuplicates.version());
        } catch (NearDuplicatesException failure) {
          System.out.println(failure);
        }
      }
    }
  }

  /** {@code Unpack LIBRARY}: unpacks a library and what is beside it, as from a jar. */
  static final class Unpack {
    private Unpack() {}

    public static void main(String[] arguments) {
      LibraryDirectory.load(LibraryBundle.inDirectory(Path.of(arguments[0])));
    }
  }

  /** Uses the library in two class loaders at once, and then in a third when those are gone, library and all. */
  static final class TwoLoaders {
    private TwoLoaders() {}

    public static void main(String[] arguments) throws Exception {
      URL classes = NearDuplicates.class.getProtectionDomain().getCodeSource().getLocation();
      WeakReference<ClassLoader> gone = useTwo(classes);
      while (gone.get() != null || mappedLibraries() > 0) {
        System.gc();
      }
      try (URLClassLoader third = loader(classes)) {
        AutoCloseable pages = open(third);
        System.out.println(check(pages) + " " + mappedLibraries());
        pages.close();
      }
    }

    private static WeakReference<ClassLoader> useTwo(URL classes) throws Exception {
      try (URLClassLoader first = loader(classes); URLClassLoader second = loader(classes)) {
        AutoCloseable one = open(first);
        AutoCloseable two = open(second);
        if (one.getClass() == two.getClass()) throw new IllegalStateException("one class loader, not two");
        System.out.println(
            check(one) + " " + check(two) + " " + check(one) + " " + check(two) + " " + mappedLibraries());
        one.close();
        two.close();
        return new WeakReference<>(second);
      }
    }

    /** How many copies of libndcjni.so are in this process. */
    private static long mappedLibraries() throws IOException {
      Pattern executable = Pattern.compile("\\S+ r-xp .*/libndcjni\\.so.*");
      return Files.readAllLines(Path.of("/proc/self/maps"))
          .stream()
          .filter(line -> executable.matcher(line).matches())
          .count();
    }

    private static URLClassLoader loader(URL classes) {
      return new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
    }

    private static AutoCloseable open(ClassLoader loader) throws ReflectiveOperationException {
      Class<?> type = loader.loadClass("io.ndc.NearDuplicates");
      return (AutoCloseable) type.getMethod("inMemory", Map.class).invoke(null, Map.of());
    }

    private static Object check(AutoCloseable pages) throws ReflectiveOperationException {
      Method check = pages.getClass().getMethod("check", String.class, byte[].class, String.class);
      Object result = check.invoke(pages, "http://a.example/", Texts.page(1), "text/html");
      return result.getClass().getMethod("verdict").invoke(result);
    }
  }

  /** Holds a store with a page in it until its input ends. */
  static final class HoldStore {
    private HoldStore() {}

    public static void main(String[] arguments) throws IOException {
      try (NearDuplicates pages = NearDuplicates.open(Path.of(arguments[0]), Map.of())) {
        pages.check("http://a.example/", Texts.page(1), "text/html");
        System.out.println("open");
        System.in.read();
      }
    }
  }

  /** Asks for answers when the heap is full, and continues when there is room again. */
  static final class FullHeap {
    private FullHeap() {}

    public static void main(String[] arguments) {
      Page page = Page.of("http://a.example/", Texts.largePage(1, 2 << 20)).withContentType("text/html");
      try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
        System.out.println(
            pages.check(page).verdict() + " " + (NearDuplicates.extract(page, Map.of()).length() > 1 << 17));
        List<byte[]> filling = new ArrayList<>();
        for (int size = 1 << 20; size >= 1 << 16; size /= 4) {
          fill(filling, size);
        }
        String failed = "";
        try {
          NearDuplicates.extract(page, Map.of());
        } catch (OutOfMemoryError expected) {
          failed = expected.getClass().getSimpleName();
        }
        filling.clear();
        System.out.println(failed);
        System.out.println(pages.check("http://b.example/", Texts.page(1), "text/html").verdict());
      }
    }

    private static void fill(List<byte[]> filling, int size) {
      try {
        while (true) {
          filling.add(new byte[size]);
        }
      } catch (OutOfMemoryError full) {
        // That is what it is for.
      }
    }
  }

  /**
   * {@code CutBody FILE}: checks mapped files that are cut off meanwhile, in code that the JVM interprets and in code
   * that it has compiled, and prints how often that failed as it should.
   */
  static final class CutBody {
    private CutBody() {}

    public static void main(String[] arguments) throws IOException {
      int refused = 0;
      int rounds = 0;
      try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
        for (int size : new int[] {1, 4, 100, 5000, 100_000}) {
          ByteBuffer sound = ByteBuffer.allocateDirect(size);
          for (int round = 0; round < 3; ++round, ++rounds) {
            if (refuses(pages, Path.of(arguments[0]), size)) ++refused;
            for (int i = 0; i < 20_000; ++i) {
              Page.of("u", sound);
            }
          }
        }
        System.out.println(
            refused + " of " + rounds + " " + pages.check("http://a.example/", Texts.page(1), "text/html").verdict());
      }
    }

    private static boolean refuses(NearDuplicates pages, Path path, int size) throws IOException {
      try (FileChannel file = FileChannel.open(path, CREATE, READ, WRITE)) {
        MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, size);
        file.truncate(0);
        pages.check(Page.of("http://cut.example/", mapped));
        return false;
      } catch (InvalidArgumentException expected) {
        return expected.getMessage().contains("cut off");
      }
    }
  }

  /**
   * {@code CutStore STORE [KEY VALUE]}: opens a store with many pages, cuts its files off, asks for each page, and
   * prints what came of it: the names of the exceptions.
   */
  static final class CutStore {
    private static final int PAGES = 2000;

    private CutStore() {}

    public static void main(String[] arguments) throws IOException {
      Path store = Path.of(arguments[0]);
      Map<String, String> options = arguments.length > 1 ? Map.of(arguments[1], arguments[2]) : Map.of();
      try (NearDuplicates pages = NearDuplicates.open(store, options)) {
        for (int i = 0; i < PAGES; ++i) {
          pages.check("http://a.example/" + i, Texts.page(i), "text/html");
        }
      }
      Set<String> failures = new TreeSet<>();
      NearDuplicates pages = NearDuplicates.open(store, options);
      cutFiles(store);
      for (int i = 0; i < PAGES; ++i) {
        String url = "http://a.example/" + i;
        byte[] body = Texts.page(i);
        note(failures, () -> pages.query("http://b.example/", body, "text/html"));
        note(failures, () -> pages.find(url));
      }
      note(failures, () -> pages.check("http://b.example/", Texts.page(1), "text/html"));
      note(failures, pages::compact);
      note(failures, pages::close);
      failures.forEach(System.out::println);
    }

    private static void note(Set<String> failures, Runnable call) {
      try {
        call.run();
      } catch (NearDuplicatesException failure) {
        failures.add(failure.getClass().getSimpleName());
      }
    }

    private static void cutFiles(Path store) throws IOException {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(store)) {
        for (Path path : files) {
          try (FileChannel file = FileChannel.open(path, WRITE)) {
            file.truncate(file.size() / 3);
          }
        }
      }
    }
  }

  /** {@code LoadLater DIRECTORY}: fails without the directory, which ndc.tmpdir names, and makes it meanwhile. */
  static final class LoadLater {
    private LoadLater() {}

    public static void main(String[] arguments) throws IOException {
      // In the pause nothing is attempted: it is the same sentence, of the same cause.
      while (!failure().equals(failure())) {
        Thread.onSpinWait();
      }
      System.out.println("remembered");
      Files.createDirectory(Path.of(arguments[0]));
      while (!failure().isEmpty()) {
        Thread.onSpinWait();
      }
      System.out.println(NearDuplicates.version());
    }

    private static String failure() {
      try {
        NearDuplicates.inMemory(Map.of()).close();
        return "";
      } catch (NativeLibraryException failure) {
        return failure.getMessage() + System.identityHashCode(failure.getCause());
      }
    }
  }
}
