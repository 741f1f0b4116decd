package io.ndc.spark.archive;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The pages of a stretch of a WARC file, plain or gzip, in order: the same ones, with the same bodies, that
 * the command line reads, but for `revisit` records, whose pages are there already. Pages are `response` records
 * with an HTTP response, `resource` records and `conversion` records, if they declare the media type of a page or none.
 *
 * <p>Bad input is never an error: a damaged record is logged, and reading continues at the next one;
 * so is a file that is missing, forbidden or empty. A failure of the storage is one, because another machine
 * may succeed.
 *
 * <p>One thread at a time. Memory: about 3 MiB, and two and a half times the limit of a page while there is a
 * page as long. {@link #close} frees native memory and the file; the end of the pages does so too.
 */
public final class ArchiveReader implements Iterator<ArchivePage>, Closeable {
  private final ArchiveSplit split;
  private final ReadRules rules;
  private final ReadLog log;
  private final Configuration configuration;
  private final boolean lastAttempt;
  private StorageInput input;
  private ArchiveStream stream;
  private RecordReader records;
  private ArchivePage next;
  private UncheckedIOException fault;
  private boolean ended;

  /**
   * A reader that opens the file when it is first asked for a page.
   *
   * @param split what to read; not null
   * @param rules not null
   * @param log receives what the reader meets; not null
   * @param configuration of Hadoop's file systems; not null
   * @param lastAttempt whether nobody will try again: a failure of the storage is logged, and the
   *     pages end
   */
  public ArchiveReader(
      ArchiveSplit split, ReadRules rules, ReadLog log, Configuration configuration, boolean lastAttempt) {
    this.split = split;
    this.rules = rules;
    this.log = log;
    this.configuration = configuration;
    this.lastAttempt = lastAttempt;
  }

  /**
   * Reads up to the next page.
   *
   * @throws UncheckedIOException if the storage failed, unless this is the last attempt; the message names
   *     the file. Or if the thread was interrupted while it read
   */
  @Override
  public boolean hasNext() {
    while (next == null && !ended)
      readOn();
    return next != null;
  }

  /**
   * The next page.
   *
   * @throws NoSuchElementException if there is none
   * @throws UncheckedIOException as {@link #hasNext}
   */
  @Override
  public ArchivePage next() {
    if (!hasNext()) throw new NoSuchElementException();
    ArchivePage page = next;
    next = null;
    return page;
  }

  /** Ends the pages. May be called again, and by the thread that reads only. */
  @Override
  public void close() {
    ended = true;
    if (stream != null) stream.close();
    if (input != null) input.close();
    stream = null;
    input = null;
    records = null;
  }

  private void readOn() {
    if (fault != null) throw fault;
    if (records == null && !open()) return;
    switch (records.next()) {
      case RECORD:
        take(records.record());
        break;
      case DAMAGED:
        tellDamage(records.damagePosition(), records.damageReason());
        break;
      case STORAGE_FAILED:
        fail("cannot be read from byte " + input.offset() + " on", stream.failure());
        break;
      default:
        close();
        break;
    }
  }

  private boolean open() {
    try {
      input = new StorageInput(split, configuration);
    } catch (IOException failure) {
      if (isPermanent(failure)) failForGood(reason(failure));
      else fail("cannot be opened", failure);
      return false;
    } catch (IllegalArgumentException wrong) {
      // No path, or a host that the file system cannot find, which may be this machine's fault.
      if (wrong.getCause() instanceof IOException) fail("cannot be opened", (IOException) wrong.getCause());
      else failForGood(reason(wrong));
      return false;
    }
    if (input.size() == 0) {
      failForGood(split.begin() == 0 ? "is empty" : "ends before byte " + split.begin());
      return false;
    }
    stream = new ArchiveStream(input, split.begin());
    records = new RecordReader(stream, rules.pageBytes());
    return true;
  }

  private void take(ArchiveRecord record) {
    log.record();
    PageBody page;
    try {
      page = PageBody.of(record, rules);
    } catch (UnreadableException damage) {
      tellDamage(record.position(), damage.getMessage());
      return;
    }
    switch (page.outcome()) {
      case PAGE:
        next = new ArchivePage(record, page, split.path());
        log.page(page.size(), page.truncated());
        break;
      case OTHER_STATUS:
        log.otherStatus();
        break;
      default:
        log.noPage();
        break;
    }
  }

  private void tellDamage(Position position, String reason) {
    String place =
        position.memberOffset() == 0 ? "" : " (byte " + position.memberOffset() + " of the gzip member)";
    log.damaged(split.path(), position.fileOffset(), VisibleText.of(reason + place));
  }

  private void fail(String what, IOException failure) {
    boolean interrupted =
        failure instanceof InterruptedIOException || failure instanceof ClosedByInterruptException;
    String reason = what + ": " + reason(failure);
    if (lastAttempt && !interrupted) {
      failForGood(reason);
      return;
    }
    close();
    ended = false;
    fault = new UncheckedIOException(new IOException(VisibleText.of(split + ": " + reason), failure));
    throw fault;
  }

  private void failForGood(String reason) {
    log.failedFile(split.path(), VisibleText.of(reason));
    close();
  }

  // Whether any machine would find the same.
  private static boolean isPermanent(IOException failure) {
    return failure instanceof FileNotFoundException || failure instanceof NoSuchFileException
        || failure instanceof AccessControlException || failure instanceof AccessDeniedException
        || failure instanceof ParentNotDirectoryException
        || failure instanceof UnsupportedFileSystemException;
  }

  private static String reason(Exception failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName()
        : failure.getClass().getSimpleName() + ": " + message;
  }
}
