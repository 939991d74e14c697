package io.acaciafs.model;

import java.util.Arrays;

/** Events in the order of their times: a binary heap in arrays. For one thread. */
final class EventQueue {
  private double[] times = new double[1024];
  private int[] events = new int[1024];
  private int size;

  void add(double time, int event) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      events = Arrays.copyOf(events, 2 * size);
    }
    int at = size++;
    while (at > 0 && times[(at - 1) / 2] > time) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    times[at] = time;
    events[at] = event;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Of the next event; there is one. */
  double time() {
    return times[0];
  }

  /** Takes the next event. */
  int remove() {
    int first = events[0];
    size--;
    double time = times[size];
    int event = events[size];
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && times[child + 1] < times[child]) {
        child++;
      }
      if (times[child] >= time) {
        break;
      }
      move(child, at);
      at = child;
    }
    times[at] = time;
    events[at] = event;
    return first;
  }

  private void move(int from, int to) {
    times[to] = times[from];
    events[to] = events[from];
  }
}
