package io.acaciafs.namenode.webhdfs;

import java.util.function.Function;
import javax.ws.rs.core.MultivaluedMap;
import org.glassfish.jersey.server.ParamException;

/** The parameters of a request as Hadoop's classes, read as Jersey reads those of a method. */
record QueryParams(MultivaluedMap<String, String> query) {

  /**
   * @param otherwise the value where the client sends none, or an empty one
   * @throws ParamException that names the parameter, where the value is none
   */
  <P> P get(String name, String otherwise, Function<String, P> make) {
    String value = query.getFirst(name);
    try {
      return make.apply(value == null || value.isEmpty() ? otherwise : value);
    } catch (IllegalArgumentException e) {
      throw new ParamException.QueryParamException(
          new IllegalArgumentException(e), name, otherwise);
    }
  }
}
