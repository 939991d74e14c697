package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.RowCheck;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether names and their numbers lead to each other, and no number is given out again. */
final class DictionaryCheck implements RowCheck {
  private static final byte NAME = 1;
  private static final byte NUMBER = 2;

  private final CheckRun run;
  private int highest;

  DictionaryCheck(CheckRun run) {
    this.run = run;
  }

  @Override
  public void check(Reader reader, Row row) throws InterruptedException {
    byte[] bytes = row.key().bytes();
    switch (bytes[0]) {
      case NAME -> {
        run.ask(reader, row, (asked, findings) -> askName(asked, row.key(), findings));
        highest = Math.max(highest, number(row.value()));
      }
      case NUMBER -> {
        run.ask(reader, row, (asked, findings) -> askNumber(asked, row.key(), findings));
        highest = Math.max(highest, number(Arrays.copyOfRange(bytes, 1, bytes.length)));
      }
      default -> {} // the next number, which the end asks for
    }
  }

  /** Less than all numbers where it is none. */
  private static int number(byte @Nullable [] bytes) {
    return bytes != null && bytes.length == Integer.BYTES ? ByteBuffer.wrap(bytes).getInt() : -1;
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static void askName(Reader reader, Key key, Consumer<Finding> findings) {
    byte[] row = reader.get(key);
    if (row == null) {
      return;
    }
    byte[] name = Arrays.copyOfRange(key.bytes(), 1, key.bytes().length);
    int number = number(row);
    Key back = NamespaceKeys.nameOfId(number);
    byte[] found = reader.get(back);
    if (!Arrays.equals(name, found)) {
      boolean isMendable = found == null && number > 0;
      findings.accept(
          Finding.damage(
              "name-of-wrong-number",
              "name=" + Rows.text(name) + " number=" + number,
              "The number of a user or group does not lead back to its name.",
              isMendable ? tx -> tx.put(back, name) : null));
    }
  }

  private static void askNumber(Reader reader, Key key, Consumer<Finding> findings) {
    byte[] name = reader.get(key);
    if (name == null) {
      return;
    }
    int number = number(Arrays.copyOfRange(key.bytes(), 1, key.bytes().length));
    Key back = NamespaceKeys.idOfName(new String(name, StandardCharsets.UTF_8));
    byte[] found = reader.get(back);
    if (number(found) != number) {
      findings.accept(
          Finding.damage(
              "number-of-wrong-name",
              "number=" + number + " name=" + Rows.text(name),
              "The name of a user or group has another number, or none.",
              found == null ? tx -> tx.put(back, bytes(number)) : null));
    }
  }

  @Override
  public void end() throws InterruptedException {
    run.ask(
        run.store(),
        (reader, findings) -> {
          byte[] row = reader.get(NamespaceKeys.nextNameId());
          int next = row == null ? 1 : number(row);
          if (next <= highest) {
            findings.accept(
                Finding.damage(
                    "id-counter",
                    "kind=name",
                    "Numbers of names are in use up to "
                        + highest
                        + ", and the next one is "
                        + next
                        + ".",
                    tx -> tx.put(NamespaceKeys.nextNameId(), bytes(highest + 1))));
          }
        });
  }
}
