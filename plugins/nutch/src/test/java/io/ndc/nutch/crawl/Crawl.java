package io.ndc.nutch.crawl;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.CrawlDbReader;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.crawl.LinkDb;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.indexer.IndexingJob;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.util.NutchConfiguration;

/** A crawl by Nutch's own jobs, run as bin/nutch runs them, in a directory of its own. */
public final class Crawl {
  private final Configuration conf;
  private final Path directory;
  private final List<Path> segments = new ArrayList<>();

  /** A crawl below {@code directory}, in the configuration of {@link #configuration}. */
  public Crawl(Configuration conf, java.nio.file.Path directory) {
    this.conf = conf;
    this.directory = new Path(directory.toUri());
  }

  /** The same crawl in a configuration with one more property, as a process with another nutch-site.xml has it. */
  public Crawl with(String key, String value) {
    Configuration other = new Configuration(conf);
    // Nutch keeps plugins by this name, as they were configured first.
    other.set("nutch.conf.uuid", UUID.randomUUID().toString());
    other.set(key, value);
    Crawl crawl = new Crawl(other, java.nio.file.Path.of(directory.toUri()));
    crawl.segments.addAll(segments);
    return crawl;
  }

  /**
   * Nutch's defaults, local mode, without politeness or waiting, with the plugins of the tests and those of {@code
   * plugins}.
   *
   * @param directory for Hadoop's temporary files and the documents of the index
   * @param pluginFolders folders of plugins besides those of the tests
   */
  public static Configuration configuration(java.nio.file.Path directory, int port, String... pluginFolders) {
    Hosts.give();
    Configuration conf = NutchConfiguration.create();
    conf.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 20);
    conf.setInt("mapreduce.client.completion.pollinterval", 20);
    conf.setInt("mapreduce.task.io.sort.mb", 32);
    conf.set("http.agent.name", "ndc-test");
    conf.setInt("test.loopback.port", port);
    conf.set("test.index.file", directory.resolve("index.tsv").toString());
    conf.set("plugin.folders", String.join(",", Stream.concat(
        Stream.of(System.getProperty("ndc.source.directory") + "/plugins/nutch/src/test/plugins"),
        Arrays.stream(pluginFolders)).toList()));
    conf.set("plugin.includes", "nutch-extensionpoints|test-.*|nd-groups");
    conf.setFloat("fetcher.server.delay", 0);
    conf.setInt("fetcher.threads.per.queue", 4);
    conf.setInt("fetcher.threads.fetch", 4);
    conf.setInt("db.max.outlinks.per.page", -1);
    conf.setBoolean("db.ignore.internal.links", false);
    conf.setBoolean("linkdb.ignore.internal.links", false);
    conf.setInt("db.injector.overwrite", 0);
    return conf;
  }

  /** Where the crawldb is. */
  public Path crawlDb() {
    return new Path(directory, "crawldb");
  }

  /** Puts {@code urls} into the crawldb. */
  public void inject(Collection<String> urls) throws Exception {
    Path seeds = new Path(directory, "seeds");
    FileSystem fs = seeds.getFileSystem(conf);
    try (var out = fs.create(new Path(seeds, "seeds.txt"))) {
      out.write(String.join("\n", urls).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    run(new Injector(), crawlDb().toString(), seeds.toString());
  }

  /** Generates a segment of all pages that are due, fetches and parses it, updates the crawldb and the linkdb. */
  public Path round() throws Exception {
    Path parent = new Path(directory, "segments");
    run(new Generator(), crawlDb().toString(), parent.toString(), "-noFilter", "-noNorm");
    FileSystem fs = parent.getFileSystem(conf);
    Path segment = Arrays.stream(fs.listStatus(parent)).map(FileStatus::getPath).max(Path::compareTo).orElseThrow();
    segments.add(segment);
    run(new Fetcher(), segment.toString());
    run(new ParseSegment(), segment.toString());
    run(new CrawlDb(), crawlDb().toString(), segment.toString());
    run(new LinkDb(), new Path(directory, "linkdb").toString(), segment.toString(), "-noNormalize", "-noFilter");
    return segment;
  }

  /** Parses {@code segment} again, as a job does that was lost and is run again. */
  public void parseAgain(Path segment) throws Exception {
    FileSystem fs = segment.getFileSystem(conf);
    for (String part : List.of("crawl_parse", "parse_data", "parse_text")) {
      fs.delete(new Path(segment, part), true);
    }
    run(new ParseSegment(), segment.toString());
  }

  /** Prints the crawldb's statistics; as a job of Nutch it reads every entry. */
  public void readDb() throws Exception {
    run(new CrawlDbReader(), crawlDb().toString(), "-stats");
  }

  /** Sends all segments to the index and returns its documents: action, id, nd_group, nd_verdict. */
  public List<String[]> index(String... arguments) throws Exception {
    java.nio.file.Path file = java.nio.file.Path.of(conf.get("test.index.file"));
    Files.deleteIfExists(file);
    List<String> all = new ArrayList<>(List.of(crawlDb().toString(), "-linkdb",
        new Path(directory, "linkdb").toString()));
    segments.forEach(segment -> all.add(segment.toString()));
    all.addAll(List.of(arguments));
    run(new IndexingJob(), all.toArray(String[]::new));
    try (Stream<String> lines = Files.lines(file)) {
      return lines.map(line -> line.split("\t")).toList();
    }
  }

  /** Runs a job as its main function does; anything but success is an error. */
  public void run(Tool tool, String... arguments) throws Exception {
    int status = ToolRunner.run(conf, tool, arguments);
    if (status != 0) {
      throw new IllegalStateException(tool.getClass()
          .getSimpleName() + ' ' + List.of(arguments) + " returned " + status);
    }
  }

  /** All entries of the crawldb, by URL. */
  public Map<String, CrawlDatum> entries() throws IOException {
    return read(new Path(crawlDb(), CrawlDb.CURRENT_NAME), CrawlDatum::new);
  }

  /** What the parser found on the pages of {@code segment}, by URL. */
  public Map<String, ParseData> parsed(Path segment) throws IOException {
    return read(new Path(segment, ParseData.DIR_NAME), ParseData::new);
  }

  private <T extends Writable> Map<String, T> read(Path mapFiles, java.util.function.Supplier<T> empty)
      throws IOException {
    Map<String, T> entries = new TreeMap<>();
    FileSystem fs = mapFiles.getFileSystem(conf);
    for (FileStatus part : fs.listStatus(mapFiles, path -> path.getName().startsWith("part-"))) {
      try (var reader = new SequenceFile.Reader(conf, SequenceFile.Reader.file(new Path(part.getPath(), "data")))) {
        Text key = new Text();
        for (T value = empty.get(); reader.next(key, value); value = empty.get()) {
          entries.put(key.toString(), value);
        }
      }
    }
    return entries;
  }
}
