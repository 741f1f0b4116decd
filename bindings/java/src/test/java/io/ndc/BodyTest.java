package io.ndc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A body is the same bytes in whatever it comes, and nothing around them is read or moved. */
class BodyTest {
  private static final byte[] BODY = Texts.page(1);
  private static final byte[] AROUND = Texts.page(2);

  static Stream<ByteBuffer> buffers() {
    return Stream.of(
        ByteBuffer.wrap(BODY),
        ByteBuffer.wrap(BODY).asReadOnlyBuffer(),
        amid(ByteBuffer.allocate(size())),
        amid(ByteBuffer.allocate(size())).asReadOnlyBuffer(),
        amid(ByteBuffer.allocate(size())).slice(),
        amid(ByteBuffer.allocate(size())).slice().asReadOnlyBuffer(),
        amid(ByteBuffer.allocateDirect(size())),
        amid(ByteBuffer.allocateDirect(size())).asReadOnlyBuffer(),
        amid(ByteBuffer.allocateDirect(size())).slice(),
        amid(ByteBuffer.allocateDirect(size())).slice().asReadOnlyBuffer(),
        amid(ByteBuffer.allocateDirect(size())).order(ByteOrder.LITTLE_ENDIAN),
        // A slice with an offset of its own, whose position is not 0 either.
        amid(ByteBuffer.allocate(size() + 100).position(100).slice()));
  }

  private static int size() {
    return BODY.length + 2 * AROUND.length;
  }

  /** The body between other text, which is a page of its own. */
  private static ByteBuffer amid(ByteBuffer buffer) {
    buffer.put(AROUND).put(BODY).put(AROUND).flip();
    return buffer.position(AROUND.length).limit(AROUND.length + BODY.length);
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void aBufferIsItsRemainingBytes(ByteBuffer buffer) {
    int position = buffer.position();
    int limit = buffer.limit();
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      long founder = pages.check("http://a.example/", BODY, "text/html").pageId();
      assertEquals(founder, pages.query(Page.of("http://b.example/", buffer)).matchedPageId());
      Result copy = pages.check(Page.of("http://b.example/", buffer));
      assertEquals(Verdict.EXACT, copy.verdict());
      assertEquals(2L * BODY.length, pages.stats().bodyBytes());
    }
    assertEquals(position, buffer.position());
    assertEquals(limit, buffer.limit());
    assertEquals(
        Features.compute(Page.of("http://a.example/", BODY), Map.of()).length,
        Features.compute(Page.of("http://a.example/", buffer), Map.of()).length);
  }

  @Test
  void anEmptyBufferIsAnEmptyBody() {
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      assertEquals(Verdict.NO_TEXT, pages.check(Page.of("a", ByteBuffer.allocate(0))).verdict());
      assertEquals(Verdict.NO_TEXT, pages.check(Page.of("b", ByteBuffer.allocateDirect(0))).verdict());
      assertEquals(Verdict.NO_TEXT, pages.check(Page.of("c", ByteBuffer.allocateDirect(10).position(10))).verdict());
      assertEquals(0, pages.stats().bodyBytes());
    }
  }

  @Test
  void aPageKeepsTheBytesThatItWasMadeOf() {
    ByteBuffer buffer = amid(ByteBuffer.allocateDirect(size()));
    Page page = Page.of("http://a.example/", buffer);
    buffer.clear();
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      pages.check(page);
      assertEquals(BODY.length, pages.stats().bodyBytes());
      assertEquals(Verdict.EXACT, pages.check("http://b.example/", BODY, null).verdict());
    }
  }

  @Test
  void aMappedFileThatIsCutIsRefusedAndTheJvmLives(@TempDir Path directory) throws Exception {
    ChildJvm.Outcome outcome = ChildJvm.run(List.of("-Xcheck:jni", "-XX:ErrorFile=" + directory.resolve("hs_err")),
        Programs.CutBody.class, directory.resolve("page").toString());
    assertEquals("15 of 15 NEW\n", outcome.output());
    assertEquals(0, outcome.exitCode());
  }

  @Test
  void aBufferThatIsNoArrayMayBeChangedOnceThePageIsMade() {
    ByteBuffer buffer = amid(ByteBuffer.allocateDirect(size()));
    Page page = Page.of("http://a.example/", buffer);
    buffer.clear().put(new byte[size()]);
    try (NearDuplicates pages = NearDuplicates.inMemory(Map.of())) {
      pages.check(page);
      assertEquals(Verdict.EXACT, pages.check("http://b.example/", BODY, null).verdict());
    }
  }
}
