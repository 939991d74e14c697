package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SharedRequestsTest {
  private static final SharedRequests REQUESTS = new SharedRequests(800, 100, 64);

  @Test
  void drawsFromFewMeetAllAndFromManyMeetOthers() {
    assertThat(SharedRequests.distinct(1, 64)).isEqualTo(1);
    assertThat(SharedRequests.distinct(2, 2)).isEqualTo(1.5);
    assertThat(SharedRequests.distinct(256, 64)).isCloseTo(56.7, within(0.05));
  }

  @Test
  void aGroupHasBetweenOneAndAllThatARequestTakes() {
    assertThat(REQUESTS.group(0.1)).isEqualTo(1);
    assertThat(REQUESTS.group(27.5)).isEqualTo(10);
    assertThat(REQUESTS.group(1024)).isEqualTo(64);
  }

  @Test
  void fewTurnsFillRequests() {
    assertThat(REQUESTS.group(110, 1, 2)).isEqualTo(REQUESTS.group(110));
    assertThat(REQUESTS.group(110, 10, 100)).isEqualTo(REQUESTS.group(11));
    // of 110 calls ten wait for each of nine regions, and two requests of ten are under way
    assertThat(REQUESTS.group(110, 9, 2)).isEqualTo(10);
    assertThat(REQUESTS.group(1024, 8, 2)).isEqualTo(64);
  }

  @Test
  void aCallAlonePaysForAll() {
    assertThat(REQUESTS.perCallUs(1, 256)).isEqualTo(900);
    // 800 / 64 and 100 for each of 56.7 counters of 64 changes
    assertThat(REQUESTS.perCallUs(64, 256)).isCloseTo(12.5 + 88.7, within(0.1));
    assertThat(REQUESTS.perCallUs(64, 1)).isEqualTo(900.0 / 64);
  }
}
