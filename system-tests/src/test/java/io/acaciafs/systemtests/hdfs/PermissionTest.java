package io.acaciafs.systemtests.hdfs;

import java.lang.reflect.Field;
import org.apache.hadoop.security.TestPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Hadoop's tests of the same name. */
@ExtendWith(PermissionTest.Groups.class)
class PermissionTest extends TestPermission {

  /** Makes the user's groups up before the cluster starts, which is told of them. */
  static final class Groups implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) throws ReflectiveOperationException {
      UserGroupInformation.createUserForTesting(
          (String) constant("USER_NAME"), (String[]) constant("GROUP_NAMES"));
    }

    private static Object constant(String name) throws ReflectiveOperationException {
      Field constant = TestPermission.class.getDeclaredField(name);
      constant.setAccessible(true);
      return constant.get(null);
    }
  }
}
