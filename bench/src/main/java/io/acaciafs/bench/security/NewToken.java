package io.acaciafs.bench.security;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.LoadGenerator;
import io.acaciafs.bench.client.Meter;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Recording;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.client.Step;
import io.acaciafs.bench.sasl.Credentials;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.apache.hadoop.security.proto.SecurityProtos.GetDelegationTokenResponseProto;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;
import org.jspecify.annotations.Nullable;

/** Asks once for a delegation token. For one network thread at a time. */
final class NewToken implements CallSource {
  private static final byte[] RENEWER = "renewer".getBytes(StandardCharsets.US_ASCII);

  private volatile @Nullable TokenProto token;
  private boolean asked;

  private NewToken() {}

  /** Gets a token from a NameNode. */
  static TokenProto get(InetSocketAddress server, Credentials credentials) throws IOException {
    NewToken source = new NewToken();
    try (LoadGenerator generator =
        LoadGenerator.connect(server, new Shape(1, 1), 1, credentials, 0, new SplittableRandom())) {
      Recording recording =
          generator.run(slot -> source, Span.whole(), Meter.NONE, (fraction, rate) -> {});
      TokenProto got = source.token;
      if (got == null) {
        throw new IOException("No delegation token: " + recording.failures());
      }
      return got;
    }
  }

  @Override
  public Step next(Slot slot) {
    if (asked) {
      return Step.END;
    }
    asked = true;
    slot.call(Method.GET_DELEGATION_TOKEN, new PathBuffer().set(RENEWER));
    return Step.CALL;
  }

  @Override
  public boolean answered(Slot slot, ByteBuf in, int lengthBytes) {
    try {
      token =
          GetDelegationTokenResponseProto.parseFrom(new ByteBufInputStream(in, lengthBytes))
              .getToken();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }
}
