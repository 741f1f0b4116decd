package io.ndc.nutch.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.indexer.IndexWriter;
import org.apache.nutch.indexer.IndexWriterParams;
import org.apache.nutch.indexer.NutchDocument;

/** Stands in for a search engine: appends a line a call to the file {@code test.index.file}: action, id, nd_group, nd_verdict. */
public final class CollectingIndexWriter implements IndexWriter {
  private Configuration conf;

  @Deprecated
  @Override
  public void open(Configuration conf, String name) {}

  @Override
  public void open(IndexWriterParams params) {}

  @Override
  public void write(NutchDocument doc) throws IOException {
    append("add\t" + doc.getFieldValue("id") + '\t' + doc.getFieldValue("nd_group") + '\t' + doc.getFieldValue("nd_verdict"));
  }

  @Override
  public void delete(String key) throws IOException {
    append("delete\t" + key + "\tnull\tnull");
  }

  @Override
  public void update(NutchDocument doc) throws IOException {
    write(doc);
  }

  private void append(String line) throws IOException {
    synchronized (CollectingIndexWriter.class) {
      Files.writeString(Path.of(conf.get("test.index.file")), line + '\n', StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  @Override
  public void commit() {}

  @Override
  public void close() {}

  @Override
  public Map<String, Map.Entry<String, Object>> describe() {
    return Map.of("file", Map.entry("where the documents go", conf.get("test.index.file")));
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }
}
