package io.ndc.heritrix;

import java.io.IOException;
import java.net.URI;
import org.archive.io.warc.WARCRecordInfo;
import org.archive.modules.CrawlURI;
import org.archive.modules.warc.BaseWARCRecordBuilder;

/** In the chain of a WARC writer: pages with "unwritable" in their URL cannot be written, as on a full disk. */
public final class FailingRecordBuilder extends BaseWARCRecordBuilder {
  @Override
  public boolean shouldBuildRecord(CrawlURI uri) {
    return uri.getURI().contains("unwritable");
  }

  @Override
  public WARCRecordInfo buildRecord(CrawlURI uri, URI concurrentTo) throws IOException {
    throw new IOException("No space left on device");
  }
}
