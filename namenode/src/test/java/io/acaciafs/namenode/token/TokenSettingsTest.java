package io.acaciafs.namenode.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

class TokenSettingsTest {

  @Test
  void theTimesOfASiteThatSaysNothingAreThoseOfHdfs() {
    TokenSettings settings = TokenSettings.of(new HdfsConfiguration());
    assertThat(settings.renewMs()).isEqualTo(TimeUnit.DAYS.toMillis(1));
    assertThat(settings.maxLifetimeMs()).isEqualTo(TimeUnit.DAYS.toMillis(7));
    assertThat(settings.keyUpdateMs()).isEqualTo(TimeUnit.DAYS.toMillis(1));
    assertThat(settings.isUsed()).isFalse();
  }

  @Test
  void tokensAreUsedWithKerberosOrWhereTheSiteWantsThem() {
    Configuration kerberos = new HdfsConfiguration();
    kerberos.set("hadoop.security.authentication", "kerberos");
    assertThat(TokenSettings.of(kerberos).isUsed()).isTrue();
    Configuration wanted = new HdfsConfiguration();
    wanted.setBoolean("dfs.namenode.delegation.token.always-use", true);
    assertThat(TokenSettings.of(wanted).isUsed()).isTrue();
    assertThat(TokenSettings.of(wanted).isSecure()).isFalse();
  }
}
