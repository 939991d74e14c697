package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pages of several directories in one go. A path that cannot be listed says so in its own place and
 * does not keep the others from being listed.
 *
 * @param firstPath which of the paths to begin with
 * @param startAfter as for {@link GetListing}, of the first path
 */
public record GetBatchedListing(
    List<String> paths, int firstPath, byte[] startAfter, boolean needLocation)
    implements ReadOperation<GetBatchedListing.Batch> {

  /**
   * The page of one path, or why there is none.
   *
   * @param page null where {@code refusal} is not
   */
  public record Listing(int path, GetListing.@Nullable Page page, @Nullable Exception refusal) {}

  /**
   * @param nextPath where to go on; null when all is told
   * @param nextStartAfter empty: behind the whole path
   */
  public record Batch(List<Listing> listings, @Nullable Integer nextPath, byte[] nextStartAfter) {}

  @Override
  public Batch run(Tree tree) throws IOException {
    List<Listing> listings = new ArrayList<>();
    byte[] after = startAfter;
    int entries = 0;
    for (int i = firstPath; i < paths.size(); i++) {
      Listing listing = list(tree, i, after);
      listings.add(listing);
      after = new byte[0];
      if (listing.page == null) {
        continue;
      }
      entries += listing.page.entries().size();
      boolean isLast = i == paths.size() - 1;
      if (listing.page.hasMore()) {
        List<InodeStatus> page = listing.page.entries();
        return new Batch(listings, i, page.get(page.size() - 1).localName());
      }
      if (entries >= tree.settings().limits().listing() && !isLast) {
        return new Batch(listings, i, new byte[0]);
      }
    }
    return new Batch(listings, null, new byte[0]);
  }

  private Listing list(Tree tree, int path, byte[] after) {
    try {
      GetListing.Page page = new GetListing(paths.get(path), after, needLocation).run(tree);
      if (page == null) {
        throw new FileNotFoundException("Path " + paths.get(path) + " does not exist");
      }
      return new Listing(path, page, null);
    } catch (IOException | IllegalArgumentException e) {
      return new Listing(path, null, e);
    }
  }
}
