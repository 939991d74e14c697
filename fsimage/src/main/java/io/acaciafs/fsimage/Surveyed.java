package io.acaciafs.fsimage;

import io.acaciafs.fsimage.survey.ImageSurvey;

/** What the first reading of an image found. */
record Surveyed(ImageSurvey survey, DirectoryTable directories, ParentTable parents) {
  /** Whether there are inodes that cannot be taken. */
  boolean hasRefused() {
    return !survey.refused().isEmpty();
  }
}
