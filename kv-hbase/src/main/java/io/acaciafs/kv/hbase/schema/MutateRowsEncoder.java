package io.acaciafs.kv.hbase.schema;

import io.acaciafs.hbase.protocol.Change;
import io.acaciafs.hbase.protocol.Condition;
import io.acaciafs.kv.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Conditions and changes as HBase's own {@code MutateRowsRequest} (MultiRowMutation.proto).
 *
 * <p>HBase compares the other way round: GREATER holds when the operand is greater than the cell.
 */
final class MutateRowsEncoder {
  private static final int MUTATION_FIELD = 1;
  private static final int CONDITION_FIELD = 5;

  private static final TimeRange FROM_ONE = TimeRange.from(Columns.TIMESTAMP);

  private MutateRowsEncoder() {}

  static ByteString encode(List<Condition> conditions, List<Change> changes) {
    try {
      ByteString.Output bytes = ByteString.newOutput();
      CodedOutputStream output = CodedOutputStream.newInstance(bytes);
      for (int i = 0; i < changes.size(); ) {
        int end = endOfMutation(changes, i);
        output.writeMessage(MUTATION_FIELD, mutation(changes.subList(i, end)));
        i = end;
      }
      for (Condition condition : conditions) {
        output.writeMessage(CONDITION_FIELD, condition(condition));
      }
      output.flush();
      return bytes.toByteString();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
  }

  /** Cells of a row that are changed alike are one mutation. */
  private static int endOfMutation(List<Change> changes, int begin) {
    Change first = changes.get(begin);
    int end = begin + 1;
    while (end < changes.size()
        && changes.get(end).row() == first.row()
        && typeOf(changes.get(end)) == typeOf(first)) {
      end++;
    }
    return end;
  }

  private static MutationType typeOf(Change change) {
    return switch (change.kind()) {
      case PUT, PUT_RECEIPT -> MutationType.PUT;
      case DELETE -> MutationType.DELETE;
      case ADD -> MutationType.INCREMENT;
      case ADD_COUNTERS ->
          throw new IllegalArgumentException("Only the coprocessor adds to counters in place");
    };
  }

  private static ClientProtos.MutationProto mutation(List<Change> changes) {
    MutationType type = typeOf(changes.get(0));
    Mutation mutation = emptyMutation(type, changes.get(0).row());
    for (Change change : changes) {
      byte[] family = change.family().bytes();
      if (mutation instanceof Increment increment) {
        increment.addColumn(family, change.qualifier(), ByteBuffer.wrap(change.value()).getLong());
      } else if (mutation instanceof Delete delete) {
        delete.addColumns(family, change.qualifier(), change.timestamp());
      } else if (mutation instanceof Put put) {
        put.addColumn(family, change.qualifier(), change.timestamp(), change.value());
      }
    }
    try {
      return ProtobufUtil.toMutation(type, mutation);
    } catch (IOException e) {
      throw new StoreException("A row that HBase cannot take", e);
    }
  }

  private static Mutation emptyMutation(MutationType type, byte[] row) {
    return switch (type) {
      case PUT -> new Put(row);
      case DELETE -> new Delete(row);
      case INCREMENT -> new Increment(row);
      case APPEND -> throw new IllegalArgumentException("No change appends");
    };
  }

  private static ClientProtos.Condition condition(Condition condition) throws IOException {
    if (condition.kind() == Condition.Kind.ABSENT_OR_PREFIX) {
      throw new IllegalArgumentException("Only the coprocessor knows such a condition");
    }
    boolean isPrefix =
        condition.kind() == Condition.Kind.PREFIX
            || condition.kind() == Condition.Kind.PREFIX_BELOW;
    CompareOperator operator =
        condition.kind() == Condition.Kind.PREFIX_BELOW
            ? CompareOperator.GREATER
            : CompareOperator.EQUAL;
    ClientProtos.Condition.Builder encoded =
        ClientProtos.Condition.newBuilder()
            .setRow(UnsafeByteOperations.unsafeWrap(condition.row()))
            .setFamily(UnsafeByteOperations.unsafeWrap(condition.family().bytes()))
            .setQualifier(UnsafeByteOperations.unsafeWrap(condition.qualifier()))
            .setCompareType(CompareType.valueOf(operator.name()))
            .setComparator(
                ProtobufUtil.toComparator(
                    isPrefix
                        ? new BinaryPrefixComparator(condition.operand())
                        : new BinaryComparator(condition.operand())));
    if (condition.kind() == Condition.Kind.ABSENT_FROM_ONE) {
      encoded.setTimeRange(ProtobufUtil.toTimeRange(FROM_ONE));
    }
    return encoded.build();
  }
}
