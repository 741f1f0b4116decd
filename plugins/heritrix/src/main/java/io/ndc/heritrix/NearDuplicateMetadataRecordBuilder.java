package io.ndc.heritrix;

import io.ndc.NearDuplicates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import org.archive.format.warc.WARCConstants;
import org.archive.format.warc.WARCConstants.WARCRecordType;
import org.archive.io.warc.WARCRecordInfo;
import org.archive.modules.CrawlURI;
import org.archive.modules.warc.BaseWARCRecordBuilder;
import org.archive.util.ArchiveUtils;
import org.archive.util.anvl.ANVLRecord;

/**
 * Writes what {@link NearDuplicateProcessor} found out about a page as a WARC {@code metadata} record of its own,
 * concurrent to the page's response if that is written before it. It goes into the {@code chain} of a
 * {@code WARCWriterChainProcessor}. The page itself stays a whole response: a near-duplicate is not identical, and a
 * revisit record would lose its content.
 *
 * <p>Fields ({@code application/warc-fields}): {@code nd-verdict}, {@code nd-group}, {@code nd-group-url},
 * {@code nd-page}; of a page that was verified against another {@code nd-matched-url}, {@code nd-resemblance},
 * {@code nd-containment}, {@code nd-probability}; of a new page {@code nd-probability} and, if another one came near,
 * {@code nd-related-group}; {@code nd-flags} if there are any; {@code nd-version}.
 */
public final class NearDuplicateMetadataRecordBuilder extends BaseWARCRecordBuilder {
  private boolean duplicatesOnly;

  /** Whether only exact and near duplicates get a record. */
  public boolean getDuplicatesOnly() {
    return duplicatesOnly;
  }

  /** Sets whether only exact and near duplicates get a record; default false: every page that was checked. */
  public void setDuplicatesOnly(boolean duplicatesOnly) {
    this.duplicatesOnly = duplicatesOnly;
  }

  @Override
  public boolean shouldBuildRecord(CrawlURI uri) {
    return NearDuplicateVerdict.of(uri).filter(page -> page.isDuplicate() || !duplicatesOnly).isPresent();
  }

  @Override
  public WARCRecordInfo buildRecord(CrawlURI uri, URI concurrentTo) throws IOException {
    WARCRecordInfo record = new WARCRecordInfo();
    record.setType(WARCRecordType.metadata);
    record.setRecordId(generateRecordID());
    if (concurrentTo != null) {
      record.addExtraHeader(WARCConstants.HEADER_KEY_CONCURRENT_TO, "<" + concurrentTo + ">");
      // As in the records of ndc dedup, so that one reader finds the page of both.
      record.addExtraHeader("WARC-Refers-To", "<" + concurrentTo + ">");
    }
    record.setUrl(uri.toString());
    record.setCreate14DigitDate(ArchiveUtils.getLog14Date(uri.getFetchBeginTime()));
    record.setMimetype(ANVLRecord.MIMETYPE);
    record.setEnforceLength(true);
    byte[] block = fields(NearDuplicateVerdict.of(uri).orElseThrow()).getUTF8Bytes();
    record.setContentStream(new ByteArrayInputStream(block));
    record.setContentLength(block.length);
    return record;
  }

  private static ANVLRecord fields(NearDuplicateVerdict page) {
    ANVLRecord fields = new ANVLRecord();
    fields.addLabelValue("nd-verdict", page.verdictName());
    fields.addLabelValue("nd-group", Long.toString(page.groupId()));
    addUrl(fields, "nd-group-url", page.groupUrl());
    fields.addLabelValue("nd-page", Long.toString(page.pageId()));
    addUrl(fields, "nd-matched-url", page.matchedUrl());
    if (page.isDuplicate() || page.matchedUrl() != null) {
      fields.addLabelValue("nd-resemblance", NearDuplicateVerdict.ratio(page.resemblance()));
      fields.addLabelValue("nd-containment", NearDuplicateVerdict.ratio(page.containment()));
    }
    if (page.tellsProbability()) {
      fields.addLabelValue("nd-probability", NearDuplicateVerdict.ratio(page.probability()));
    }
    if (page.relatedGroupId() != 0) {
      fields.addLabelValue("nd-related-group", Long.toString(page.relatedGroupId()));
    }
    if (!page.flags().isEmpty()) {
      fields.addLabelValue("nd-flags", page.flagNames());
    }
    fields.addLabelValue("nd-version", NearDuplicates.version());
    return fields;
  }

  /**
   * A URL may come from a store that others fill, and must not be able to add a field: control characters are
   * percent-encoded.
   */
  private static void addUrl(ANVLRecord fields, String name, String url) {
    if (url != null) {
      StringBuilder line = new StringBuilder();
      url.chars().forEach(c -> line.append(c < 0x20 || c == 0x7f ? String.format("%%%02X", c) : Character.toString(c)));
      fields.addLabelValue(name, line.toString());
    }
  }
}
