package io.acaciafs.kv.value;

/** Hashes that are the same on every machine and in every version, as keys hold them. */
public final class StableHash {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private StableHash() {}

  /** FNV-1a, 64 bits. Its leading bits are poor: see {@link #mix}. */
  public static long fnv1a(byte[] bytes) {
    long hash = FNV_OFFSET;
    for (byte each : bytes) {
      hash = (hash ^ each & 0xff) * FNV_PRIME;
    }
    return hash;
  }

  /** The finalizer of MurmurHash3: a bijection, so two values never share a hash. */
  public static long mix(long value) {
    long hash = value;
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
