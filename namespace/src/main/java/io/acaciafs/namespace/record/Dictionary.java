package io.acaciafs.namespace.record;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names of users and groups as small numbers. A new name gets its number in the transaction that
 * first uses it; numbers are never reused, so what was read once stays true and is cached. Safe for
 * use by many threads.
 */
public final class Dictionary {
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();

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
    byte[] row = reader.peek(NamespaceKeys.nameOfId(id));
    if (row == null) {
      throw new StoreException("The dictionary has no name id=" + id);
    }
    String name = new String(row, StandardCharsets.UTF_8);
    remember(id, name);
    return name;
  }

  private synchronized void remember(int id, String name) {
    String[] more = Arrays.copyOf(names, Math.max(names.length, id + 1));
    more[id] = name;
    names = more;
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
      ids.put(name, id);
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
