package io.acaciafs.bench.compare;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.LoadGenerator;
import io.acaciafs.bench.client.Meter;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.client.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** How long a NameNode takes from the start of its process to its first answer. Stateless. */
public final class FirstCall {
  private static final byte[] ROOT = "/".getBytes(StandardCharsets.US_ASCII);

  private FirstCall() {}

  /** Starts the NameNode of a site, asks it for the status of the root, and stops it. */
  static double ms(Site site) throws IOException {
    long begin = System.nanoTime();
    try (JavaProgram program = site.start(site.contestant().serve(), "output")) {
      await(site, program);
      return (System.nanoTime() - begin) / 1e6;
    }
  }

  /** Returns when a NameNode that was started has answered. */
  public static void await(Site site, JavaProgram program) throws IOException {
    Listening.await(site.address(), program);
    askForRoot(site);
  }

  private static void askForRoot(Site site) throws IOException {
    try (LoadGenerator generator =
        LoadGenerator.connect(
            site.address(),
            new Shape(1, 1),
            1,
            System.getProperty("user.name"),
            new SplittableRandom())) {
      boolean answered =
          generator
              .run(slot -> new OneCall(), Span.whole(), Meter.NONE, (fraction, rate) -> {})
              .failures()
              .isEmpty();
      if (!answered) {
        throw new IOException("The status of the root cannot be had");
      }
    }
  }

  /** Asks once. */
  private static final class OneCall implements CallSource {
    private boolean asked;

    @Override
    public Step next(Slot slot) {
      if (asked) {
        return Step.END;
      }
      asked = true;
      slot.call(Method.GET_FILE_INFO, new PathBuffer().set(ROOT));
      return Step.CALL;
    }
  }
}
