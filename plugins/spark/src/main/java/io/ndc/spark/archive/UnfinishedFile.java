package io.ndc.spark.archive;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Writes files that appear when they are whole: beside their place, under a name that says which process of which
 * machine writes there. So what a killed process has left is told from what a living one still writes; that of another
 * machine stays, since nothing tells whether its process lives.
 */
public final class UnfinishedFile {
  private static final String SUFFIX = ".ndc-unfinished-";

  private UnfinishedFile() {}

  /**
   * Writes a file in the place of what is there.
   *
   * @param files the file system of {@code place}; not null
   * @param place qualified; not null
   * @throws IOException if it cannot be written; what was there is there still. Only where the new file is whole and
   *     cannot be given its name, the old one may be gone: then the message says where the new one is
   */
  public static void write(FileSystem files, Path place, byte[] content) throws IOException {
    String prefix = "." + place.getName() + SUFFIX + machine() + "-";
    removeLeftOvers(files, place.getParent(), prefix);
    Path unfinished = new Path(place.getParent(), prefix + ProcessHandle.current().pid());
    boolean whole = false;
    try {
      try (FSDataOutputStream out = files.create(unfinished, true)) {
        out.write(content);
      }
      whole = true;
    } finally {
      if (!whole) files.delete(unfinished, false);
    }
    // Most file systems do not rename over a file.
    files.delete(place, false);
    if (!files.rename(unfinished, place)) throw new IOException(unfinished + " cannot be renamed to " + place);
  }

  private static void removeLeftOvers(FileSystem files, Path folder, String prefix) throws IOException {
    if (!files.exists(folder)) return;
    for (FileStatus file : files.listStatus(folder, path -> path.getName().startsWith(prefix))) {
      String process = file.getPath().getName().substring(prefix.length());
      if (process.matches("\\d{1,18}") && ProcessHandle.of(Long.parseLong(process)).isEmpty())
        files.delete(file.getPath(), false);
    }
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unnamed) {
      return "localhost";
    }
  }
}
