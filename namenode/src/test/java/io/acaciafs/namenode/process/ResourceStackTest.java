package io.acaciafs.namenode.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceStackTest {

  @Test
  void closesTheLastOneFirstAndAllOfThem() {
    List<String> closed = new ArrayList<>();
    ResourceStack stack = new ResourceStack();
    stack.add(() -> closed.add("first"));
    stack.add(
        () -> {
          throw new IOException("second fails");
        });
    stack.add(
        () -> {
          throw new IOException("third fails");
        });

    assertThatThrownBy(stack::close)
        .hasMessage("third fails")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("second fails"));
    assertThat(closed).containsExactly("first");
  }

  @Test
  void closesOnce() throws IOException {
    List<String> closed = new ArrayList<>();
    ResourceStack stack = new ResourceStack();
    stack.add(() -> closed.add("it"));

    stack.close();
    stack.close();

    assertThat(closed).containsExactly("it");
  }
}
