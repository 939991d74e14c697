package io.acaciafs.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestLinesTest {
  @ParameterizedTest
  @CsvSource({
    "GET /webhdfs/v1/a?op=OPEN&delegation=KAAR_x-1 HTTP/1.1,"
        + " GET /webhdfs/v1/a?op=OPEN&delegation=*** HTTP/1.1",
    "PUT /webhdfs/v1/?token=KAAR&op=CANCELDELEGATIONTOKEN&DELEGATION=KAAR HTTP/1.1,"
        + " PUT /webhdfs/v1/?token=***&op=CANCELDELEGATIONTOKEN&DELEGATION=*** HTTP/1.1",
    "GET /webhdfs/v1/?deleg%61tion=KAAR&op=OPEN HTTP/1.1,"
        + " GET /webhdfs/v1/?deleg%61tion=***&op=OPEN HTTP/1.1",
    "GET /webhdfs/v1/token=a?op=OPEN&offset=5 HTTP/1.1,"
        + " GET /webhdfs/v1/token=a?op=OPEN&offset=5 HTTP/1.1",
  })
  void tokensAreLeftOut(String line, String logged) {
    assertThat(RequestLines.withoutTokens(line)).isEqualTo(logged);
  }
}
