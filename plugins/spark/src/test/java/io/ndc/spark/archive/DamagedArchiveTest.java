package io.ndc.spark.archive;

import static io.ndc.spark.archive.Warcs.bytes;
import static io.ndc.spark.archive.Warcs.gzip;
import static io.ndc.spark.archive.Warcs.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Damage at every byte: the records before it must be given, those behind it too where they can be found. The
 * cases of the command line's tests (tests/unit/tools/warc_damage_test.cpp).
 */
class DamagedArchiveTest {
  private static final List<byte[]> RECORDS = records();
  private static final Archive PLAIN = Archive.of(RECORDS);
  private static final Archive GZIP = Archive.of(RECORDS.stream().map(Warcs::gzip).toList());

  /** @param ends of the records */
  private record Archive(byte[] bytes, List<Integer> ends) {
    static Archive of(List<byte[]> parts) {
      List<Integer> ends = new ArrayList<>();
      byte[] all = new byte[0];
      for (byte[] part : parts) {
        all = join(all, part);
        ends.add(all.length);
      }
      return new Archive(all, ends);
    }

    int recordsUntil(int offset) {
      return (int) ends.stream().filter(end -> end <= offset).count();
    }

    int begin(int record) {
      return record == 0 ? 0 : ends.get(record - 1);
    }
  }

  private static List<byte[]> records() {
    Random random = new Random(7);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      StringBuilder body = new StringBuilder();
      for (int word = 0; word < 30; word++)
        body.append(random.nextInt(5000)).append(' ');
      records.add(Warcs.page("http://" + i + "/", body.toString()));
    }
    return records;
  }

  private static List<String> firstUris(int count) {
    List<String> uris = new ArrayList<>();
    for (int i = 0; i < count; i++)
      uris.add("http://" + i + "/");
    return uris;
  }

  @Test
  void aPlainFileCutAnywhereGivesWhatIsWhole() {
    for (int cut = 1; cut <= PLAIN.bytes().length; cut++) {
      // The empty line behind the last record may be missing.
      int count = PLAIN.recordsUntil(cut + 4);
      boolean damaged = cut > PLAIN.begin(count);
      RecordReads reads = RecordReads.of(Arrays.copyOf(PLAIN.bytes(), cut), 1000, 1 << 20);
      assertEquals(firstUris(count), reads.uris, "cut at " + cut);
      assertEquals(damaged ? List.of(new Position(PLAIN.begin(count), 0)) : List.of(), reads.damages,
          "cut at " + cut);
    }
  }

  @Test
  void aGzipFileCutAnywhereGivesWhatIsWhole() {
    for (int cut = 1; cut <= GZIP.bytes().length; cut++) {
      int count = GZIP.recordsUntil(cut);
      boolean damaged = cut > GZIP.begin(count);
      RecordReads reads = RecordReads.of(Arrays.copyOf(GZIP.bytes(), cut));
      assertEquals(firstUris(count), reads.uris, "cut at " + cut);
      assertEquals(damaged ? List.of(new Position(GZIP.begin(count), 0)) : List.of(), reads.damages,
          "cut at " + cut);
    }
  }

  @Test
  void aMemberOfManyRecordsThatIsCutGivesWhatCameBefore() {
    byte[] whole = gzip(PLAIN.bytes());
    int most = 0;
    for (int cut = 1; cut < whole.length; cut++) {
      RecordReads reads = RecordReads.of(Arrays.copyOf(whole, cut));
      assertEquals(firstUris(reads.uris.size()), reads.uris, "cut at " + cut);
      assertEquals(1, reads.damages.size(), "cut at " + cut);
      assertTrue(reads.uris.size() >= most, "cut at " + cut);
      most = reads.uris.size();
    }
    assertEquals(4, most);
  }

  @Test
  void aWrongByteInAGzipFileCostsItsRecord() {
    for (int at = 0; at < GZIP.bytes().length; at++) {
      for (int change : new int[] {0x01, 0xFF}) {
        byte[] damaged = GZIP.bytes().clone();
        damaged[at] ^= (byte) change;
        int hit = GZIP.recordsUntil(at);
        int begin = GZIP.begin(hit);
        RecordReads reads = RecordReads.of(damaged);
        // Time, flags and system in a member's header are not covered by its checksum.
        if (at - begin >= 3 && at - begin < 10 && reads.damages.isEmpty()) {
          assertEquals(firstUris(5), reads.uris, "byte " + at);
          continue;
        }
        List<String> rest = firstUris(5);
        rest.remove(hit);
        assertEquals(rest, reads.uris, "byte " + at);
        assertEquals(1, reads.damages.size(), "byte " + at);
        assertEquals(begin, reads.damages.get(0).fileOffset(), "byte " + at);
      }
    }
  }

  @Test
  void aWrongByteInAPlainFileCostsItsRecordAtMost() {
    for (int at = 0; at < PLAIN.bytes().length; at++) {
      byte[] damaged = PLAIN.bytes().clone();
      damaged[at] ^= 0x15;
      List<String> rest = firstUris(5);
      rest.remove(PLAIN.recordsUntil(at));
      List<String> uris = RecordReads.of(damaged).uris;
      assertTrue(uris.containsAll(rest), "byte " + at + " leaves " + uris);
    }
  }

  @Test
  void lostAndInsertedStretchesOfAGzipFileCostWhatTheyTouch() {
    Random random = new Random(11);
    for (int round = 0; round < 400; round++) {
      int begin = random.nextInt(GZIP.bytes().length);
      int count = 1 + random.nextInt(600);
      int resume = round % 2 == 0 ? Math.min(begin + count, GZIP.bytes().length) : begin;
      byte[] noise = new byte[round % 2 == 0 ? 0 : count];
      random.nextBytes(noise);
      byte[] damaged = join(Arrays.copyOf(GZIP.bytes(), begin), noise,
          Arrays.copyOfRange(GZIP.bytes(), resume, GZIP.bytes().length));
      if (damaged.length == 0) continue;
      List<String> expected = firstUris(GZIP.recordsUntil(begin));
      for (int i = expected.size(); i < 5; i++)
        if (GZIP.begin(i) >= resume) expected.add("http://" + i + "/");
      assertEquals(expected, RecordReads.of(damaged).uris,
          "round " + round + " at " + begin + " by " + count);
    }
  }

  @Test
  void thePiecesOfReadingDoNotMatter() {
    Random random = new Random(23);
    for (int round = 0; round < 300; round++) {
      byte[] damaged = GZIP.bytes().clone();
      for (int i = 0; i < 2; i++)
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      RecordReads one = RecordReads.of(damaged);
      RecordReads other = RecordReads.of(damaged, 1 + random.nextInt(9), 1 << 20);
      assertEquals(one.uris, other.uris, "round " + round);
      assertEquals(one.damages, other.damages, "round " + round);
    }
  }

  @Test
  void thePiecesOfReadingDoNotMatterBehindTheLimitOfABlock() {
    byte[] archive = join(
        bytes("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://long/\r\n"
            + "Content-Length: 300\r\n\r\nx\r\n"),
        Warcs.page("http://within/", "a page"), Warcs.page("http://across/", "a page"),
        Warcs.page("http://behind/", "a page"));
    for (int piece : new int[] {1, 7, 1 << 20}) {
      RecordReads reads = RecordReads.of(archive, piece, 200);
      assertEquals(List.of("http://behind/"), reads.uris, "pieces of " + piece);
      assertEquals(1, reads.damages.size(), "pieces of " + piece);
    }
  }

  @Test
  void garbageBehindAMemberIsDamageAndZerosAreNot() {
    assertEquals(List.of(), RecordReads.of(join(GZIP.bytes(), new byte[5000])).reasons);
    RecordReads garbage = RecordReads.of(join(GZIP.bytes(), bytes("garbage")));
    assertEquals(firstUris(5), garbage.uris);
    assertEquals(List.of(new Position(GZIP.bytes().length, 0)), garbage.damages);
    assertEquals(List.of("no gzip member begins here"), garbage.reasons);
    assertEquals(10, RecordReads.of(join(GZIP.bytes(), bytes("garbage"), GZIP.bytes())).uris.size());
  }

  @Test
  void aMemberThatGivesALineEndAndIsDamagedDoesNotCostTheOneBefore() {
    // A stored block of "\n", then a block of a type that does not exist.
    byte[] damaged = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, (byte) 0xFE, (byte) 0xFF, '\n', 7};
    byte[] first = gzip(RECORDS.get(0));
    RecordReads reads = RecordReads.of(join(first, damaged, gzip(RECORDS.get(1))));
    assertEquals(firstUris(2), reads.uris);
    assertEquals(List.of(new Position(first.length, 0)), reads.damages);
  }

  // Members of stored blocks; `last`: the length that the last block claims.
  private static byte[] stored(byte[] bytes, int last) {
    int blockBytes = 60_000;
    byte[] all = {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, 0};
    List<byte[]> parts = new ArrayList<>(List.of(all));
    for (int at = 0; at < bytes.length; at += blockBytes) {
      byte[] block = Arrays.copyOfRange(bytes, at, Math.min(at + blockBytes, bytes.length));
      int size = at + blockBytes < bytes.length ? block.length : last;
      parts.add(new byte[] {0, (byte) size, (byte) (size >> 8), (byte) ~size, (byte) (~size >> 8)});
      parts.add(block);
    }
    return join(parts.toArray(new byte[0][]));
  }

  @Test
  void aMemberThatIsReadAcrossItsEndDoesNotCostTheNext() {
    Random random = new Random(9);
    byte[] noise = new byte[100_000];
    random.nextBytes(noise);
    byte[] behind = join(gzip(RECORDS.get(1)), gzip(RECORDS.get(2)),
        gzip(Warcs.record("resource", "http://3/", noise)), gzip(RECORDS.get(4)));
    // Wherever in the memory of the reader the member ends.
    for (int size = 2_000_000; size < 4_200_000; size += 55_000) {
      byte[] large = Warcs.record("resource", "http://large/", new byte[size]);
      RecordReads reads = RecordReads.of(join(stored(large, 0xFFFF), behind), Integer.MAX_VALUE, 8 << 20);
      assertEquals(firstUris(5).subList(1, 5), reads.uris, "a block of " + size);
      assertEquals(List.of(new Position(0, 0)), reads.damages, "a block of " + size);
    }
  }

  @Test
  void randomBytesEnd() {
    Random random = new Random(3);
    List<byte[]> starts = List.of(new byte[] {0x1F, (byte) 0x8B, 8}, bytes("WARC/1.0\r\n"), new byte[] {0});
    for (int round = 0; round < 300; round++) {
      byte[] noise = new byte[random.nextInt(3000)];
      random.nextBytes(noise);
      assertEquals(List.of(), RecordReads.of(join(starts.get(round % 3), noise)).uris);
    }
  }

  @Test
  void manyWrongLengthsAreReadInLinearTime() {
    // None ends where another one begins.
    byte[] one = bytes("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 900020\r\n\r\nx\r\n\r\n");
    byte[][] all = new byte[40_000][];
    Arrays.fill(all, one);
    RecordReads reads = RecordReads.of(join(all));
    assertEquals(List.of(), reads.uris);
    assertTrue(reads.damages.size() >= 100);
  }
}
