package io.acaciafs.bench;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Failure;
import io.acaciafs.bench.client.LoadGenerator;
import io.acaciafs.bench.client.Meter;
import io.acaciafs.bench.client.Recording;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.client.Step;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Replicas;
import io.acaciafs.bench.workload.Stage;
import io.acaciafs.bench.workload.Workload;
import io.acaciafs.bench.workload.Workloads;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Benchmarks one server: prepares what an operation needs, measures it, and removes what was made.
 * For one thread.
 */
public final class Bench {
  /** For what is not measured: enough to share the server's disk syncs well. */
  private static final Shape PREPARATION = new Shape(16, 16);

  private final BenchSettings settings;
  private final Workloads workloads;
  private final SplittableRandom random;
  private final Steps steps;
  private boolean changed;
  private boolean readable;

  /**
   * @param run part of the name of what this run changes on the server; of no other run
   * @param replicas hold a block of each file to read; null: those are empty
   */
  public Bench(BenchSettings settings, String run, @Nullable Replicas replicas, Steps steps) {
    this.settings = settings;
    this.steps = steps;
    workloads =
        new Workloads(settings.target().root(), run, settings.sizes(), settings.seed(), replicas);
    random = new SplittableRandom(settings.seed() ^ System.nanoTime());
  }

  /** Makes the files that operations read, unless an earlier run has left them. */
  public void prepareReads() throws IOException {
    if (readable) {
      return;
    }
    try (LoadGenerator generator = connect(PREPARATION)) {
      if (!run(generator, workloads.askWhetherReadable()).failures().isEmpty()) {
        prepare(generator, workloads.filesToRead());
        prepare(generator, workloads.sayReadable());
      }
    }
    readable = true;
  }

  /** Prepares and measures one operation; some have more than one result. */
  public List<Measurement> measure(Operation operation) throws IOException {
    Workload workload = prepare(operation);
    List<Measurement> results = new ArrayList<>();
    try (LoadGenerator generator = connect(settings.shape())) {
      for (Stage stage : workload.measured()) {
        results.add(measure(generator, stage, span(stage)));
      }
    }
    return results;
  }

  /**
   * Prepares and measures connections: each is opened, serves one operation, and is closed. The
   * shape's connections are there at a time.
   *
   * @param operation has no end
   */
  public Measurement measureConnections(Operation operation) throws IOException {
    Stage stage = prepare(operation).measured().get(0);
    BenchSettings.Target target = settings.target();
    try (LoadGenerator generator =
        LoadGenerator.reconnecting(
            target.server(),
            settings.shape().connections(),
            settings.threads(),
            target.credentials(),
            random)) {
      return measure(generator, stage, span(stage));
    }
  }

  /** Measures a stage that needs no preparation. */
  public Measurement measure(Stage stage) throws IOException {
    try (LoadGenerator generator = connect(settings.shape())) {
      return measure(generator, stage, span(stage));
    }
  }

  /** Makes what an operation needs. */
  public Workload prepare(Operation operation) throws IOException {
    if (Workloads.reads(operation)) {
      prepareReads();
    }
    Workload workload = workloads.of(operation);
    if (!workload.preparation().isEmpty()) {
      changed = true;
      try (LoadGenerator generator = connect(PREPARATION)) {
        prepare(generator, workload.preparation());
        prepare(generator, workload.rehearsal());
      }
    }
    return workload;
  }

  private Span span(Stage stage) {
    return stage.endless()
        ? new Span(settings.times().warmUp(), settings.times().duration())
        : Span.whole();
  }

  /** Measures one stage on connections that are there already. */
  public Measurement measure(LoadGenerator generator, Stage stage, Span span) throws IOException {
    CpuMeter meter = new CpuMeter(settings.target().pids());
    Recording recording =
        generator.run(sources(generator, stage), span, meter, steps.begin(stage.name()));
    return new Measurement(
        stage.name(),
        generator.shape(),
        recording.latencies(),
        meter.seconds(),
        meter.serverSeconds(),
        meter.ownSeconds(),
        recording.failures());
  }

  /** How long the message in a reply to one call of an operation is. */
  public int messageBytes(Operation operation) throws IOException {
    CallSource calls = prepare(operation).measured().get(0).sources().of(0, 1);
    int[] bytes = new int[1];
    CallSource one =
        new CallSource() {
          private boolean asked;

          @Override
          public Step next(Slot slot) {
            boolean again = asked;
            asked = true;
            return again ? Step.END : calls.next(slot);
          }

          @Override
          public boolean answered(Slot slot, ByteBuf in, int lengthBytes) {
            bytes[0] = lengthBytes;
            return true;
          }
        };
    try (LoadGenerator generator = connect(new Shape(1, 1))) {
      generator.run(slot -> one, Span.whole(), Meter.NONE, steps.begin(operation.label()));
    }
    return bytes[0];
  }

  /** Connects to the server. */
  public LoadGenerator connect(Shape shape) throws IOException {
    BenchSettings.Target target = settings.target();
    return LoadGenerator.connect(
        target.server(),
        shape,
        settings.threads(),
        target.credentials(),
        target.seenState(),
        random);
  }

  private void prepare(LoadGenerator generator, List<Stage> stages) throws IOException {
    for (Stage stage : stages) {
      prepare(generator, stage);
    }
  }

  private void prepare(LoadGenerator generator, Stage stage) throws IOException {
    Recording recording = run(generator, stage);
    if (!recording.failures().isEmpty()) {
      Map.Entry<String, Failure> first = recording.failures().entrySet().iterator().next();
      String kind = first.getKey();
      Failure failure = first.getValue();
      throw new IOException(
          "Could not prepare "
              + stage.name()
              + ": "
              + failure.count()
              + " calls failed with "
              + kind
              + ": "
              + failure.example());
    }
  }

  private Recording run(LoadGenerator generator, Stage stage) throws IOException {
    return generator.run(
        sources(generator, stage), Span.whole(), Meter.NONE, steps.begin(stage.name()));
  }

  private static IntFunction<CallSource> sources(LoadGenerator generator, Stage stage) {
    int slots = generator.shape().slots();
    // one for nobody: what is wrong with the sizes is to be said here, not on a network thread
    stage.sources().of(0, slots);
    return slot -> stage.sources().of(slot, slots);
  }

  /** Removes what was made, unless it is to be kept. */
  public void cleanUp() throws IOException {
    if (settings.keep()) {
      return;
    }
    try (LoadGenerator generator = connect(new Shape(1, 1))) {
      if (changed) {
        run(generator, workloads.removeRun());
      }
      if (readable) {
        run(generator, workloads.removeFilesToRead());
      }
    }
  }
}
