package io.ndc.spark;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The job on HDFS: name node and data nodes of Hadoop's own tests, in this JVM. */
class HdfsTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir Path folder;

  @Test
  void whatIsReadAndWrittenThereIsWhatItIsOnTheDisk() throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(new Configuration(), folder.resolve("hdfs").toFile()).numDataNodes(2).build();
    try {
      new StorageRuns(SPARK.session(), folder, cluster.getURI() + "/archive").check();
    } finally {
      cluster.shutdown();
    }
  }
}
