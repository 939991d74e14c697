package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.acaciafs.model.SumOfExponentials.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class SumOfExponentialsTest {
  @Test
  void oneIsExponential() {
    SumOfExponentials sum = new SumOfExponentials(1, List.of(new Part(1, 2)));
    assertThat(sum.mean()).isEqualTo(3);
    assertThat(sum.quantile(0.99)).isCloseTo(1 + 2 * Math.log(100), within(1e-9));
  }

  @Test
  void twoOfTheSameMeanAreErlangs() {
    SumOfExponentials sum = new SumOfExponentials(0, List.of(new Part(1, 1), new Part(1, 1)));
    assertThat(sum.exceeds(3)).isCloseTo(4 * Math.exp(-3), within(1e-3));
  }

  @Test
  void whatIsOftenNothingIsAMixture() {
    SumOfExponentials sum = new SumOfExponentials(0, List.of(new Part(0.25, 4)));
    assertThat(sum.mean()).isEqualTo(1);
    assertThat(sum.exceeds(0)).isCloseTo(0.25, within(1e-12));
    assertThat(sum.quantile(0.99)).isCloseTo(4 * Math.log(25), within(1e-9));
  }
}
