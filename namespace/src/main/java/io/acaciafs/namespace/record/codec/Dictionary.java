package io.acaciafs.namespace.record.codec;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names of users and groups as small numbers. A new name gets its number in the transaction that
 * first uses it; numbers are never reused, so the cache keeps what it has read: nearly all clusters
 * have few names. Since clients can send any number of new names, a full cache is emptied. Safe for
 * use by many threads.
 */
public final class Dictionary {
  /** Of names that are remembered, in each direction. */
  private static final long MOST_CHARS = 8 << 20;

  /** Numbers from here on are not looked up in an array, which would be copied too often. */
  private static final int MOST_IN_ARRAY = 1 << 14;

  private static final int OVERHEAD_CHARS = 64;

  private final Map<String, Integer> ids = new ConcurrentHashMap<>();
  private final Map<Integer, String> manyNames = new ConcurrentHashMap<>();
  private final AtomicLong idChars = new AtomicLong();
  private long nameChars;

  /**
   * By number. Every inode that is read asks twice, so it is a plain array, copied to be changed.
   */
  private volatile String[] names = {};

  /** Gives numbers to names that will be used. */
  public void learn(Transaction transaction, Collection<String> names) {
    Scope scope = in(transaction);
    names.forEach(scope::idOf);
  }

  /** The dictionary as one transaction uses it. */
  Scope in(Transaction transaction) {
    return new Scope(transaction);
  }

  /**
   * @throws StoreException when no name has this number: the store is damaged
   */
  String nameOf(int id, Reader reader) {
    String[] known = names;
    if (id >= 0 && id < known.length && known[id] != null) {
      return known[id];
    }
    String name = manyNames.get(id);
    return name == null ? readName(id, reader) : name;
  }

  private String readName(int id, Reader reader) {
    byte[] row = reader.get(NamespaceKeys.nameOfId(id));
    if (row == null) {
      throw new StoreException("The dictionary has no name id=" + id);
    }
    String name = new String(row, StandardCharsets.UTF_8);
    remember(id, name);
    return name;
  }

  private synchronized void remember(int id, String name) {
    nameChars += name.length() + OVERHEAD_CHARS;
    if (nameChars > MOST_CHARS) {
      nameChars = 0;
      names = new String[0];
      manyNames.clear();
    }
    if (id >= MOST_IN_ARRAY) {
      manyNames.put(id, name);
      return;
    }
    String[] more = Arrays.copyOf(names, Math.max(names.length, id + 1));
    more[id] = name;
    names = more;
  }

  private void rememberId(String name, int id) {
    if (idChars.addAndGet(name.length() + OVERHEAD_CHARS) > MOST_CHARS) {
      idChars.set(0);
      ids.clear();
    }
    ids.put(name, id);
  }

  /** How many names and numbers are remembered. */
  int size() {
    long inArray = Arrays.stream(names).filter(Objects::nonNull).count();
    return ids.size() + manyNames.size() + (int) inArray;
  }

  /** Gives out numbers in one transaction, which does not see its own writes. */
  final class Scope {
    private final Transaction transaction;
    private final Map<String, Integer> assigned = new HashMap<>();
    private int next;

    private Scope(Transaction transaction) {
      this.transaction = transaction;
    }

    int idOf(String name) {
      Integer known = ids.get(name);
      if (known == null) {
        known = assigned.get(name);
      }
      return known == null ? readOrAssign(name) : known;
    }

    private int readOrAssign(String name) {
      byte[] row = transaction.get(NamespaceKeys.idOfName(name));
      if (row == null) {
        return assign(name);
      }
      int id = ByteBuffer.wrap(row).getInt();
      rememberId(name, id);
      return id;
    }

    private int assign(String name) {
      Key nextKey = NamespaceKeys.nextNameId();
      if (assigned.isEmpty()) {
        byte[] row = transaction.get(nextKey);
        next = row == null ? 1 : ByteBuffer.wrap(row).getInt();
      }
      int id = next++;
      assigned.put(name, id);
      transaction.put(nextKey, bytesOf(next));
      transaction.put(NamespaceKeys.idOfName(name), bytesOf(id));
      transaction.put(NamespaceKeys.nameOfId(id), name.getBytes(StandardCharsets.UTF_8));
      return id;
    }

    private static byte[] bytesOf(int value) {
      return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }
  }
}
