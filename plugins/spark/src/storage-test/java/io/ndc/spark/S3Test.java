package io.ndc.spark;

import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The job on {@code s3a:}, which speaks with S3Proxy in this JVM. */
class S3Test {
  private static final String BUCKET = "archive";
  private static final String NAME = "name";
  private static final String SECRET = "secret";
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();
  @TempDir Path folder;

  @Test
  void whatIsReadAndWrittenThereIsWhatItIsOnTheDisk() throws Exception {
    // In memory: its folders on a disk fail where two are made at once.
    try (BlobStoreContext context = ContextBuilder.newBuilder("transient").credentials(NAME, SECRET)
        .build(BlobStoreContext.class)) {
      BlobStore store = context.getBlobStore();
      store.createContainerInLocation(null, BUCKET);
      S3Proxy proxy = S3Proxy.builder().blobStore(store).endpoint(URI.create("http://127.0.0.1:0"))
          .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, NAME, SECRET).build();
      proxy.start();
      try {
        configure(SPARK.session().sparkContext().hadoopConfiguration(), proxy.getPort());
        new StorageRuns(SPARK.session(), folder, "s3a://" + BUCKET + "/2026").check();
      } finally {
        proxy.stop();
      }
    }
  }

  private static void configure(Configuration configuration, int port) {
    configuration.set("fs.s3a.endpoint", "http://127.0.0.1:" + port);
    configuration.set("fs.s3a.endpoint.region", "us-east-1");
    configuration.set("fs.s3a.path.style.access", "true");
    configuration.set("fs.s3a.access.key", NAME);
    configuration.set("fs.s3a.secret.key", SECRET);
    configuration.set("fs.s3a.attempts.maximum", "2");
  }
}
