package io.acaciafs.tools.hadoop;

/** A command of Hadoop's that reads its arguments itself. */
interface VerbatimCommand {

  /**
   * Runs the command.
   *
   * @param args all that follows the command's name, untouched
   * @return the exit code
   */
  int run(String[] args) throws Exception;
}
