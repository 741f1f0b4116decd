package io.ndc.spark;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Adds up the costs of tasks. Spark calls it on a separate thread. */
final class StageMetrics extends SparkListener {
  final AtomicLong shuffleBytesWritten = new AtomicLong();
  final AtomicLong shuffleBytesRead = new AtomicLong();
  final AtomicLong cpuNanoseconds = new AtomicLong();
  final AtomicLong spilledBytes = new AtomicLong();
  final AtomicLong failedTasks = new AtomicLong();

  @Override
  public void onTaskEnd(SparkListenerTaskEnd task) {
    if (!task.taskInfo().successful()) failedTasks.incrementAndGet();
    TaskMetrics metrics = task.taskMetrics();
    if (metrics == null) return;
    shuffleBytesWritten.addAndGet(metrics.shuffleWriteMetrics().bytesWritten());
    shuffleBytesRead.addAndGet(metrics.shuffleReadMetrics().totalBytesRead());
    cpuNanoseconds.addAndGet(metrics.executorCpuTime());
    spilledBytes.addAndGet(metrics.diskBytesSpilled());
  }
}
