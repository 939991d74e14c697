package io.acaciafs.hbase.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.hbase.protocol.StoredCell;
import io.acaciafs.hbase.protocol.StoredRow;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row leaves the cache before it changes, and nobody puts an earlier state back. */
class RowCacheTest {
  private static final Object REGION = new Object();
  private static final byte[] ROW = {1, 2, 3};
  private static final StoredRow OLD = row(1);
  private static final StoredRow NEW = row(2);

  private final RowCache cache = new RowCache(1 << 20);
  private final RowCache.Stripe stripe = cache.stripeOf(ROW);

  @Test
  void aRowThatWasReadIsKept() {
    stripe.offer(REGION, ROW, Family.DATA, OLD, stripe.ticket());
    assertThat(stripe.get(REGION, ROW, Family.DATA)).isSameAs(OLD);
    assertThat(stripe.get(REGION, ROW, Family.RECORDS)).isNull();
    assertThat(stripe.get(new Object(), ROW, Family.DATA)).isNull();
  }

  @Test
  void aChangeTakesTheRowOutAtItsBegin() {
    stripe.offer(REGION, ROW, Family.DATA, OLD, stripe.ticket());
    stripe.beginChange(REGION, ROW);
    assertThat(stripe.get(REGION, ROW, Family.DATA)).isNull();
  }

  @Test
  void aReadThatBeganBeforeAChangeIsNotKept() {
    long ticket = stripe.ticket();
    stripe.beginChange(REGION, ROW);
    stripe.offer(REGION, ROW, Family.DATA, OLD, ticket);
    stripe.endChange();
    stripe.offer(REGION, ROW, Family.DATA, OLD, ticket);
    assertThat(stripe.get(REGION, ROW, Family.DATA)).isNull();
  }

  @Test
  void duringAChangeThereAreNoTickets() {
    stripe.beginChange(REGION, ROW);
    assertThat(stripe.ticket()).isNegative();
    stripe.endChange();
    assertThat(stripe.ticket()).isNotNegative();
  }

  @Test
  void theOneWhoHoldsTheLockKeepsWhatItWrote() {
    long ticket = stripe.ticket();
    stripe.beginChange(REGION, ROW);
    stripe.endChange();
    stripe.put(REGION, ROW, Family.DATA, NEW);
    stripe.offer(REGION, ROW, Family.DATA, OLD, ticket);
    assertThat(stripe.get(REGION, ROW, Family.DATA)).isSameAs(NEW);
  }

  @Test
  void aRegionThatClosesLeavesNothing() {
    stripe.put(REGION, ROW, Family.DATA, OLD);
    Object other = new Object();
    stripe.put(other, ROW, Family.DATA, NEW);
    long ticket = stripe.ticket();
    cache.forgetAll(REGION);
    stripe.offer(REGION, ROW, Family.DATA, OLD, ticket);
    assertThat(stripe.get(REGION, ROW, Family.DATA)).isNull();
    assertThat(stripe.get(other, ROW, Family.DATA)).isSameAs(NEW);
  }

  @Test
  void theLeastRecentlyUsedRowsGo() {
    RowCache small = new RowCache(256 * 1_000); // a thousand bytes for each part of it
    RowCache.Stripe part = small.stripeOf(ROW);
    part.put(REGION, ROW, Family.DATA, OLD);
    for (int i = 0; i < 100; i++) {
      part.put(REGION, ByteBuffer.allocate(4).putInt(i).array(), Family.DATA, OLD);
      assertThat(part.get(REGION, ROW, Family.DATA)).as("used all the time").isSameAs(OLD);
    }
    assertThat(part.get(REGION, new byte[] {0, 0, 0, 0}, Family.DATA)).isNull();
    assertThat(part.get(REGION, new byte[] {0, 0, 0, 99}, Family.DATA)).isSameAs(OLD);
  }

  private static StoredRow row(int value) {
    return new StoredRow(List.of(new StoredCell(new byte[] {'v'}, 1, new byte[] {(byte) value})));
  }
}
