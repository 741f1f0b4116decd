package io.ndc.spark.archive;

import io.ndc.Archive;
import io.ndc.ArchiveItem;
import io.ndc.CorruptException;
import io.ndc.InvalidArgumentException;
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
 * The pages of a stretch of an archive, in order: the same ones, with the same bodies, that the command line reads.
 * What a `revisit` record refers to must come before it in the same stretch.
 *
 * <p>Bad input is never an error: a damaged record is logged, and reading continues at the next one;
 * so is a file that is missing, forbidden, empty or no archive. A failure of the storage is one, because another
 * machine may succeed.
 *
 * <p>One thread at a time. {@link #close} frees native memory and the file; the end of the pages does so too.
 */
public final class ArchiveReader implements Iterator<ArchiveItem>, Closeable {
  private final ArchiveSplit split;
  private final ReadRules rules;
  private final ReadLog log;
  private final Configuration configuration;
  private final boolean lastAttempt;
  private StorageInput input;
  private Archive archive;
  private ArchiveItem next;
  private UncheckedIOException fault;
  private boolean ended;

  /**
   * A reader that opens the file when it is first asked for a page.
   *
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
  public ArchiveItem next() {
    if (!hasNext()) throw new NoSuchElementException();
    ArchiveItem page = next;
    next = null;
    return page;
  }

  /** Ends the pages. May be called again, and by the thread that reads only. */
  @Override
  public void close() {
    ended = true;
    if (archive != null) archive.close();
    if (input != null) input.close();
    archive = null;
    input = null;
  }

  private void readOn() {
    if (fault != null) throw fault;
    if (input == null && !openInput()) return;
    ArchiveItem item;
    try {
      if (archive == null) archive = openArchive();
      item = archive.next();
    } catch (CorruptException | InvalidArgumentException none) {
      failForGood(none.getMessage());
      return;
    } catch (IOException failure) {
      fail("cannot be read from byte " + input.offset() + " on", failure);
      return;
    }
    if (item == null) close();
    else take(item);
  }

  private boolean openInput() {
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
    if (input.size() > 0) return true;
    failForGood(split.begin() == 0 ? "is empty" : "ends before byte " + split.begin());
    return false;
  }

  private Archive openArchive() throws IOException {
    Archive opened = input.open(rules);
    if (split.file() != ArchiveSplit.ALL_FILES) opened.select(split.file());
    return opened;
  }

  private void take(ArchiveItem item) {
    log.item(item);
    if (item.kind() == ArchiveItem.Kind.PAGE) next = item;
    if (item.kind() == ArchiveItem.Kind.DAMAGE) tellDamage(item);
  }

  private void tellDamage(ArchiveItem damage) {
    String place = damage.memberOffset() == 0 ? "" : " (decompressed byte " + damage.memberOffset() + " from there)";
    log.failed(damage.file(), damage.fileOffset(), VisibleText.of(damage.reason() + place));
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
    log.failed(split.path(), ReadLog.WHOLE_FILE, VisibleText.of(reason));
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
