package io.acaciafs.namenode.members;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Session;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.testkit.Methods;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SoleUseTest {
  private static final Method FENCE_OFF = Methods.named(Session.class, "fenceOff");
  private static final Method SESSION = Methods.named(Store.class, "session");

  private final MemoryStore store = new MemoryStore();
  private final Clock clock = Clock.fixed(Instant.EPOCH, UTC);
  private final AtomicLong nowNs = new AtomicLong();
  private final List<String> lost = new ArrayList<>();
  private final List<Object> fencedOff = new ArrayList<>();
  private CompletableFuture<Void> fence = CompletableFuture.completedFuture(null);

  private StoredMembers join(String host) {
    return StoredMembers.join(
        store,
        host,
        8020,
        new LeaseTimes(10_000, clock, nowNs::get),
        new Random(1),
        LastMember.unknown(),
        () -> lost.add(host));
  }

  private SoleUse begin() {
    Session session =
        (Session)
            proxy(
                Session.class,
                (method, arguments) -> {
                  if (!method.equals(FENCE_OFF)) {
                    return method.invoke(store.session(), arguments);
                  }
                  fencedOff.add(arguments[0]);
                  return fence;
                });
    Store fencing =
        (Store)
            proxy(
                Store.class,
                (method, arguments) ->
                    method.equals(SESSION) ? session : method.invoke(store, arguments));
    return SoleUse.begin(fencing, new LeaseTimes(20, clock, nowNs::get));
  }

  private interface Handler {
    Object call(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  private static Object proxy(Class<?> type, Handler handler) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> handler.call(method, arguments));
  }

  private static Key key(StoredMembers members) {
    return MemberRow.key(members.self().number());
  }

  @Test
  void aNameNodeThatStoodStillIsFencedOffAndEnds() {
    StoredMembers still = join("still");
    SoleUse use = begin();
    assertThat(fencedOff).containsExactly(key(still));
    still.tick();
    assertThat(lost).containsExactly("still");
    assertThat(use.isDisturbed()).isFalse();
    assertThat(MemberTable.ended(store)).isEmpty();
  }

  /** As a killed run of the tool leaves one. */
  @Test
  void aNameNodeThatHasEndedIsFencedOff() {
    StoredMembers ended = join("ended");
    ended.close();
    fence = CompletableFuture.failedFuture(new StoreException("no answer"));
    assertThatThrownBy(this::begin).hasMessageContaining("could not be fenced off in time");
    assertThat(fencedOff).contains(key(ended));
    fence = CompletableFuture.completedFuture(null);
    begin();
    assertThat(MemberTable.ended(store)).isEmpty();
  }

  @Test
  void aNameNodeThatJoinsIsNoticedAlsoWhenItHasLeft() {
    SoleUse use = begin();
    assertThat(use.isDisturbed()).isFalse();
    join("new").close();
    assertThat(use.isDisturbed()).isTrue();
  }
}
