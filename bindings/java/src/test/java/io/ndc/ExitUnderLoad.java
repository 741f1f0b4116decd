package io.ndc;

import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A program that ends while its threads are inside of the native library. */
final class ExitUnderLoad {
  private ExitUnderLoad() {}

  public static void main(String[] arguments) throws InterruptedException {
    NearDuplicates pages = NearDuplicates.inMemory(Map.of());
    CountDownLatch busy = new CountDownLatch(8);
    for (int i = 0; i < 8; ++i) {
      int number = i;
      Thread thread = new Thread(() -> {
        byte[] body = Texts.largePage(number, 200_000);
        for (int n = 0; ; ++n) {
          pages.check("http://" + number + ".example/" + n, body, "text/html");
          busy.countDown();
        }
      });
      thread.setDaemon(true);
      thread.start();
    }
    busy.await();
    System.exit(7);
  }
}
