package io.acaciafs.bench.compare;

import io.acaciafs.bench.client.Shape;

/** What the echo made of one load, with so many network threads. */
record EchoResult(int threads, Shape shape, Figures figures) {}
