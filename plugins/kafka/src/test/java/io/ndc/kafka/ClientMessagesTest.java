package io.ndc.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ndc.Flag;
import io.ndc.Result;
import io.ndc.Verdict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bytes of client-messages.tsv, which the client in Python (test_cluster.py) writes and reads as well. */
class ClientMessagesTest {
  private static final String URL = "http://é.example/";
  private static final Result UNCHANGED =
      new Result(Verdict.UNCHANGED, EnumSet.of(Flag.RECRAWL), 5, 3, 3, .5, .75, .625, .5, 1, 0);
  private static final Result NEAR =
      new Result(Verdict.NEAR, EnumSet.of(Flag.SHORT, Flag.CONTAINS), 5, 3, 3, .5, .75, .625, .5, .875, 0);

  @Test
  void bothClientsWriteAndReadTheSameBytes() throws Exception {
    Map<String, byte[]> bytes = new LinkedHashMap<>();
    bytes.put("ask", RecordCodec.bytes(new Message.Ask("client", 7, new byte[] {1, 2, -1})));
    bytes.put("remove", RecordCodec.bytes(new Message.Remove("client", 8, URL, true)));
    bytes.put("answer", RecordCodec.bytes(new Message.Answer(7, 5, UNCHANGED, NEAR, URL, "")));
    bytes.put("refused", RecordCodec.bytes(new Message.Answer(9, 5, null, null, "", "why")));
    bytes.put("happened", RecordCodec.bytes(new Message.Happened("MERGED", 5, 3, 1764000000000L)));
    bytes.put("page id", Ids.bytes(Ids.ofUrl(URL)));
    byte[] partitions = new byte[6];
    List<String> keys = List.of("", "a", "ab", "abc", "abcd", "3f2c9a52-0000-4000-8000-0123456789ab");
    for (int i = 0; i < partitions.length; i++)
      partitions[i] = (byte) NdCluster.partition(keys.get(i).getBytes(StandardCharsets.UTF_8), 16);
    bytes.put("partition of 16", partitions);
    List<String> lines = new ArrayList<>();
    bytes.forEach((name, value) -> lines.add(name + "\t" + HexFormat.of().formatHex(value)));
    List<String> kept =
        Files.readAllLines(Path.of(ClientMessagesTest.class.getResource("/client-messages.tsv").toURI()));
    assertEquals(kept.subList(1, kept.size()), lines);
  }
}
