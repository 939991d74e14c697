package io.acaciafs.model;

/**
 * What one call costs.
 *
 * @param nameNodeCpuUs of the NameNode; of all NameNodes where a group of three serves
 * @param regionServerCpuUs of region servers; 0 where there are none
 * @param isChange whether it changes the namespace
 * @param source which measurement it is from
 */
public record CallCost(
    double nameNodeCpuUs, double regionServerCpuUs, boolean isChange, String source) {

  double cpuUs() {
    return nameNodeCpuUs + regionServerCpuUs;
  }
}
