package io.ndc.spark.cluster;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** A job that tests the tests: its tasks sleep, then it says where they ran. */
public final class ProbeJob {
  private ProbeJob() {
  }

  /** Arguments: the number of tasks, the milliseconds that each takes. */
  public static void main(String[] arguments) throws IOException {
    int count = Integer.parseInt(arguments[0]);
    long milliseconds = Long.parseLong(arguments[1]);
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
      List<Integer> tasks = IntStream.range(0, count).boxed().toList();
      List<String> executors = context.parallelize(tasks, count)
                                   .map(task -> {
                                     Thread.sleep(milliseconds);
                                     return SparkEnv.get().executorId();
                                   })
                                   .collect();
      System.out.println("executors: " + executors);
    }
  }
}
