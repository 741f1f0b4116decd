package io.ndc.spark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Adds up the costs of tasks. Spark calls it on a separate thread. */
final class StageMetrics extends SparkListener {
  private long cpuNanoseconds;
  private long shuffleBytesWritten;
  private long shuffleBytesRead;
  private long spilledBytes;
  private long failedTasks;

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd task) {
    if (!task.taskInfo().successful()) failedTasks++;
    TaskMetrics metrics = task.taskMetrics();
    if (metrics == null) return;
    shuffleBytesWritten += metrics.shuffleWriteMetrics().bytesWritten();
    shuffleBytesRead += metrics.shuffleReadMetrics().totalBytesRead();
    cpuNanoseconds += metrics.executorCpuTime();
    spilledBytes += metrics.diskBytesSpilled();
  }

  /** Writes the sums into a report, and begins anew. */
  synchronized void take(ObjectNode report) {
    report.put("cpu_seconds", cpuNanoseconds / 1e9)
        .put("shuffle_bytes_written", shuffleBytesWritten)
        .put("shuffle_bytes_read", shuffleBytesRead)
        .put("spilled_bytes", spilledBytes)
        .put("failed_tasks", failedTasks);
    cpuNanoseconds = shuffleBytesWritten = shuffleBytesRead = spilledBytes = failedTasks = 0;
  }
}
