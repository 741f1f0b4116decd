package io.ndc.nutch.crawl;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;

/** Writes a crawldb directly, because a crawl for each test would take minutes. */
public final class CrawlDbFile {
  private CrawlDbFile() {}

  /** A page that was fetched. */
  public static CrawlDatum fetched(float score, long fetchTime, byte[] signature) {
    CrawlDatum datum = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 1, score);
    datum.setFetchTime(fetchTime);
    datum.setSignature(signature);
    return datum;
  }

  /** Distributes {@code entries} over {@code parts} files. */
  public static void write(Configuration conf, Path crawlDb, Map<String, CrawlDatum> entries, int parts)
      throws IOException {
    List<MapFile.Writer> writers = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      Path part = new Path(new Path(crawlDb, CrawlDb.CURRENT_NAME), "part-r-0000" + i);
      writers.add(new MapFile.Writer(conf, part, MapFile.Writer.keyClass(Text.class),
          MapFile.Writer.valueClass(CrawlDatum.class)));
    }
    Map<Text, CrawlDatum> sorted = new TreeMap<>();
    entries.forEach((url, datum) -> sorted.put(new Text(url), datum));
    for (Map.Entry<Text, CrawlDatum> entry : sorted.entrySet()) {
      writers.get(Math.floorMod(entry.getKey().hashCode(), parts)).append(entry.getKey(), entry.getValue());
    }
    for (MapFile.Writer writer : writers) {
      writer.close();
    }
  }
}
