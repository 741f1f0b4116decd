package io.ndc.nutch.crawl;

import io.ndc.nutch.NdParseFilter;
import io.ndc.nutch.NdSignature;
import io.ndc.nutch.NearDedupJob;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.protocol.Content;

/** Does with one page, and with a crawldb, what a crawl does, in a process whose library may not work, and prints what came out. */
public final class FailureProbe {
  private FailureProbe() {}

  /** Argument: a directory with a crawldb. */
  public static void main(String[] arguments) throws Exception {
    java.nio.file.Path directory = java.nio.file.Path.of(arguments[0]);
    Configuration conf = Crawl.configuration(directory, 0);
    conf.set("nd.store", directory.resolve("store").toString());
    NdSignature signature = new NdSignature();
    signature.setConf(conf);
    NdParseFilter filter = new NdParseFilter();
    filter.setConf(conf);
    for (int i = 0; i < 2; i++) {
      Content content = Contents.html(conf, "http://x.example/" + i, Contents.words(0, 200), null);
      ParseResult parsed = filter.filter(content, Contents.parsed(content, "text"), null, null);
      Metadata metadata = parsed.get(content.getUrl()).getData().getParseMeta();
      System.out.println("signature " + signature.calculate(content, null).length + ", group " + metadata.get("nd.group") + ", failure "
          + metadata.get("nd.failure"));
    }
    System.out.println("failures " + NdSignature.failures() + ' ' + NdParseFilter.failures());
    System.out.println("job " + ToolRunner.run(conf, new NearDedupJob(), new String[] {new Crawl(conf, directory).crawlDb().toString()}));
  }
}
