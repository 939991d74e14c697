package io.acaciafs.fsimage;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.SectionReader;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.token.CurrentKeyRow;
import io.acaciafs.namespace.token.MasterKeyRow;
import io.acaciafs.namespace.token.TokenKeys;
import io.acaciafs.namespace.token.TokenRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager.SecretManagerState;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.SecretManagerSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.SecretManagerSection.PersistToken;
import org.apache.hadoop.hdfs.server.namenode.startupprogress.StartupProgress.Counter;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.delegation.DelegationKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delegation tokens in images, against Hadoop's own manager of them. */
class TokenImageTest {
  private static final long FAR_MS = System.currentTimeMillis() + 3_600_000;

  @TempDir private Path folder;

  private static DelegationTokenSecretManager hadoop() {
    return new DelegationTokenSecretManager(86_400_000, 86_400_000, 86_400_000, 3_600_000, null);
  }

  /** One that has tokens, and those by their number. */
  private static DelegationTokenSecretManager withTokens(Map<Integer, byte[]> passwords)
      throws IOException {
    DelegationTokenSecretManager manager = hadoop();
    for (int id = 3; id <= 4; id++) {
      manager.addKey(new DelegationKey(id, FAR_MS, new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) id}));
    }
    for (int i = 1; i <= 1003; i++) {
      DelegationTokenIdentifier id =
          new DelegationTokenIdentifier(
              new Text("alice-" + i + "@EXAMPLE.COM"),
              new Text("yarn"),
              new Text(i % 2 == 0 ? "oozie/h@EXAMPLE.COM" : ""));
      id.setSequenceNumber(i);
      id.setMasterKeyId(3 + i % 2);
      id.setIssueDate(1_700_000_000_000L + i);
      id.setMaxDate(FAR_MS + i);
      manager.addPersistedDelegationToken(id, FAR_MS - i);
      DelegationKey key =
          new DelegationKey(0, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) (3 + i % 2)});
      passwords.put(i, SecretManager.createPassword(id.getBytes(), key.getKey()));
    }
    return manager;
  }

  private Path image(SecretManagerState state) throws IOException {
    return new TestImage().tokens(state).write(Files.createTempFile(folder, "fsimage_", ""));
  }

  @Test
  void tokensOfHadoopAreValidAfterwards() throws IOException {
    Map<Integer, byte[]> passwords = new HashMap<>();
    Path image = image(withTokens(passwords).saveSecretManagerState());
    try (ImportFixture target = new ImportFixture(Files.createDirectory(folder.resolve("a")))) {
      target.load(image);
      assertThat(CurrentKeyRow.decode(target.store().get(TokenKeys.currentKey())))
          .isEqualTo(new CurrentKeyRow(4, 0));
      assertThat(IdKind.DELEGATION_TOKEN.peekNext(target.store())).isEqualTo(1004);
      assertThat(Counters.decode(target.store().get(TokenKeys.count())).sum(0)).isEqualTo(1003);
      passwords.forEach(
          (number, password) -> {
            int keyId = 3 + number % 2;
            TokenRow token = TokenRow.decode(target.store().get(TokenKeys.token(number, keyId)));
            assertThat(token.renewDateMs()).isEqualTo(FAR_MS - number);
            DelegationKey key =
                MasterKeyRow.decode(keyId, target.store().get(TokenKeys.masterKey(keyId)));
            assertThat(key.getExpiryDate()).isEqualTo(FAR_MS);
            assertThat(SecretManager.createPassword(token.identifier(), key.getKey()))
                .isEqualTo(password);
          });
    }
  }

  @Test
  void hadoopTakesThemBackWithoutThoseThatWereCancelled() throws Exception {
    Map<Integer, byte[]> passwords = new HashMap<>();
    Path image = image(withTokens(passwords).saveSecretManagerState());
    try (ImportFixture target = new ImportFixture(Files.createDirectory(folder.resolve("b")))) {
      target.load(image);
      Transaction tx = target.store().begin();
      TokenRow seventh = TokenRow.decode(tx.get(TokenKeys.token(7, 4)));
      tx.put(
          TokenKeys.token(7, 4),
          seventh.cancelled(new TokenRow.Cancellation(1, new byte[16], 1)).encode());
      tx.commit().join();
      DelegationTokenSecretManager back = hadoop();
      back.loadSecretManagerState(
          read(target.export(folder.resolve("back"))),
          new Counter() {
            @Override
            public void increment() {}
          });
      assertThat(back.getCurrentTokensSize()).isEqualTo(1002);
      assertThat(back.getNumberOfKeys()).isEqualTo(2);
      assertThat(back.saveSecretManagerState().section.getCurrentId()).isEqualTo(4);
      assertThat(back.saveSecretManagerState().section.getTokenSequenceNumber()).isEqualTo(1003);
      passwords.remove(7);
      for (int number : passwords.keySet()) {
        TokenRow token =
            TokenRow.decode(target.store().get(TokenKeys.token(number, 3 + number % 2)));
        assertThat(back.getTokenExpiryTime(token.readIdentifier())).isEqualTo(FAR_MS - number);
      }
    }
  }

  private static SecretManagerState read(Path image) throws IOException {
    ImageFile file = ImageFile.open(image);
    try (SectionReader section = new SectionReader(file, SectionName.SECRET_MANAGER)) {
      SecretManagerSection header = section.header(SecretManagerSection.parser());
      List<SecretManagerSection.DelegationKey> keys = new ArrayList<>();
      for (int i = 0; i < header.getNumKeys(); i++) {
        keys.add(section.next(SecretManagerSection.DelegationKey.parser()));
      }
      List<PersistToken> tokens = new ArrayList<>();
      for (int i = 0; i < header.getNumTokens(); i++) {
        tokens.add(section.next(PersistToken.parser()));
      }
      assertThat(section.nextLength()).isEqualTo(-1);
      return new SecretManagerState(header, keys, tokens);
    }
  }
}
