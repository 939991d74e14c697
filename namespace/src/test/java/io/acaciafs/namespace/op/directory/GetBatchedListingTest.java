package io.acaciafs.namespace.op.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GetBatchedListingTest extends OperationTest {

  /** All names of all paths over all batches, each behind the number of its path. */
  private List<String> list(String... paths) throws IOException {
    List<String> names = new ArrayList<>();
    int first = 0;
    byte[] after = new byte[0];
    while (true) {
      GetBatchedListing.Batch batch =
          fs.run(new GetBatchedListing(List.of(paths), first, after, false));
      for (GetBatchedListing.Listing listing : batch.listings()) {
        if (listing.refusal() != null) {
          names.add(listing.path() + "!" + listing.refusal().getClass().getSimpleName());
          continue;
        }
        for (InodeStatus entry : listing.page().entries()) {
          names.add(listing.path() + new String(entry.localName(), StandardCharsets.UTF_8));
        }
      }
      if (batch.nextPath() == null) {
        return names;
      }
      after = batch.nextStartAfter();
      first = batch.nextPath() + (after.length == 0 ? 1 : 0);
    }
  }

  @Test
  void listsAllPathsOverSeveralBatches() throws IOException {
    for (String name : "abcdef".split("")) {
      fs.file("/large/" + name);
    }
    fs.file("/small/x");
    fs.mkdir("/empty");
    assertThat(list("/small", "/large", "/empty", "/small/x", "/large"))
        .containsExactly(
            "0x", "1a", "1b", "1c", "1d", "1e", "1f", "3", "4a", "4b", "4c", "4d", "4e", "4f");
  }

  @Test
  void aPathThatIsNotThereSaysSoInItsPlace() throws IOException {
    fs.file("/small/x");
    assertThat(list("/none", "/small", "/none"))
        .containsExactly(
            "0!" + FileNotFoundException.class.getSimpleName(),
            "1x",
            "2!" + FileNotFoundException.class.getSimpleName());
  }
}
