package io.acaciafs.namenode.members;

import io.acaciafs.blocks.datanode.NameNodes;
import java.util.SortedSet;
import java.util.TreeSet;

/** The members as the block manager wants to know them, where there can be several. */
public final class LiveNameNodes implements NameNodes {
  private final Members members;

  public LiveNameNodes(Members members) {
    this.members = members;
  }

  @Override
  public long self() {
    return members.self().number();
  }

  @Override
  public SortedSet<Long> live() {
    SortedSet<Long> numbers = new TreeSet<>();
    for (Member member : members.live()) {
      numbers.add(member.number());
    }
    return numbers;
  }

  @Override
  public void look() {
    members.look();
  }

  @Override
  public boolean leaseHolds() {
    return members.leaseHolds();
  }

  @Override
  public boolean isAlone() {
    return false;
  }

  @Override
  public void onChange(Runnable listener) {
    members.onChange(listener);
  }
}
