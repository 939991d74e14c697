package io.acaciafs.namespace.model;

/** Draws operations: small changes of few files, and looks at them. */
final class Steps {
  private final Draws draws;

  Steps(Draws draws) {
    this.draws = draws;
  }

  Step next() {
    Draws.Who who = draws.who();
    String path = draws.path();
    return switch (draws.random().nextInt(13)) {
      case 0, 1, 2 -> tree(who, path);
      case 3, 4, 5, 6 -> write(who, path);
      case 7, 8 -> change(who, path);
      case 9, 10 -> attributes(who, path);
      default -> reading(who, path);
    };
  }

  private Step tree(Draws.Who who, String path) {
    TreeSteps steps = new TreeSteps(draws);
    return switch (draws.random().nextInt(13)) {
      case 12 -> steps.createSymlink(who, path);
      case 0, 1, 2 -> steps.mkdirs(who, path);
      case 3, 4, 5 -> steps.rename(who, path, draws.path());
      case 6, 7, 8 -> steps.rename2(who, path, draws.path());
      default -> steps.delete(who, path);
    };
  }

  private Step write(Draws.Who who, String path) {
    FileSteps steps = new FileSteps(draws);
    return switch (draws.random().nextInt(12)) {
      case 0, 1, 2, 3, 4 -> steps.create(who, path);
      case 5, 6, 7 -> steps.addBlock(who);
      case 8, 9 -> steps.complete(who);
      case 10 -> steps.abandon(who);
      default -> steps.fsync(who);
    };
  }

  private Step change(Draws.Who who, String path) {
    ChangeSteps steps = new ChangeSteps(draws);
    return switch (draws.random().nextInt(13)) {
      case 0, 1, 2 -> steps.append(who, path);
      case 3, 4 -> steps.truncate(who, path);
      case 5, 6 -> steps.concat(who, path);
      case 12 -> steps.recoverLease(who);
      case 7 -> steps.releaseLease();
      case 8, 9 -> steps.commitBlockSynchronization();
      case 10 -> steps.updateBlockForPipeline(who);
      default -> steps.updatePipeline(who);
    };
  }

  private Step attributes(Draws.Who who, String path) {
    AttributeSteps steps = new AttributeSteps(draws);
    return switch (draws.random().nextInt(14)) {
      case 0, 1 -> steps.setPermission(who, path);
      case 2 -> steps.setOwner(who, path);
      case 3 -> steps.setTimes(who, path);
      case 4, 5 -> steps.setReplication(who, path);
      case 6 -> steps.touch();
      case 7 -> steps.setXAttr(who, path);
      case 8 -> steps.removeXAttr(who, path);
      case 9 -> steps.setStoragePolicy(who);
      case 10, 11 -> steps.setQuota(who, path);
      default -> new AclSteps(draws).next(who, path);
    };
  }

  private Step reading(Draws.Who who, String path) {
    ReadingSteps steps = new ReadingSteps(draws);
    return switch (draws.random().nextInt(15)) {
      case 14 -> steps.linkTarget(who, path);
      case 0, 1 -> steps.list(who, path);
      case 2 -> steps.batchedList(who, path);
      case 3 -> steps.openFiles(who, path);
      case 4, 5 -> steps.access(who, path);
      case 6 -> steps.file(who, path);
      case 7 -> steps.summary(who, path);
      case 8 -> steps.storagePolicy(who, path);
      case 9 -> steps.acl(who, path);
      case 10 -> steps.xattrs(who, path);
      case 11 -> steps.xattr(who, path);
      default -> steps.info(who, path);
    };
  }
}
