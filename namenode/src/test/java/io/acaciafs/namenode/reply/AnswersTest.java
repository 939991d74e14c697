package io.acaciafs.namenode.reply;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static Throwable term(Throwable failure) {
    return Answers.hdfsTerm(new CompletionException(failure));
  }

  /** Whatever needed the store, and says so in its own words: the client asks another NameNode. */
  @Test
  void aStoreThatIsAnothersByNowSendsClientsToIt() {
    StoreException fenced = new FencedOffException("It no longer leads");
    assertThat(term(fenced)).isInstanceOf(StandbyException.class);
    assertThat(term(new StoreException("No new range of ids", fenced)))
        .isInstanceOf(StandbyException.class)
        .hasMessageContaining("No new range of ids");
  }

  @Test
  void aStoreThatDoesNotAnswerLetsClientsAskAgain() {
    StoreException silent = new UnavailableException("No answer", new TimeoutException());
    assertThat(term(new StoreException("No new range of ids", silent)))
        .isInstanceOf(RetriableException.class)
        .as("for the log")
        .hasRootCauseInstanceOf(TimeoutException.class);
  }

  @Test
  void aStoreThatFailedIsAnError() {
    assertThat(term(new StoreException("Damaged", new IOException("EIO"))))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("The metadata store failed: Damaged");
  }
}
