/*
 * The part of Hadoop's native library without which its secure programs do not start: owners of files, and checksums,
 * which it computes for all programs once it is there. Compiled to libhadoop.so.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <jni.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NATIVE(result, name) JNIEXPORT result JNICALL Java_org_apache_hadoop_##name
#define POSIX(result, name) NATIVE(result, io_nativeio_NativeIO_00024POSIX_##name)
#define STAT "org/apache/hadoop/io/nativeio/NativeIO$POSIX$Stat"
#define ERRNO "org/apache/hadoop/io/nativeio/Errno"

static void fail(JNIEnv *env, int code) {
  const char *name = code == ENOENT ? "ENOENT" : code == EEXIST ? "EEXIST" : code == EACCES ? "EACCES" : "UNKNOWN";
  jclass errnos = (*env)->FindClass(env, ERRNO);
  jfieldID field = (*env)->GetStaticFieldID(env, errnos, name, "L" ERRNO ";");
  jobject value = (*env)->GetStaticObjectField(env, errnos, field);
  jclass type = (*env)->FindClass(env, "org/apache/hadoop/io/nativeio/NativeIOException");
  jmethodID make = (*env)->GetMethodID(env, type, "<init>", "(Ljava/lang/String;L" ERRNO ";)V");
  jstring text = (*env)->NewStringUTF(env, strerror(code));
  (*env)->Throw(env, (*env)->NewObject(env, type, make, text, value));
}

static int descriptor(JNIEnv *env, jobject file) {
  jclass type = (*env)->GetObjectClass(env, file);
  return (*env)->GetIntField(env, file, (*env)->GetFieldID(env, type, "fd", "I"));
}

static void constant(JNIEnv *env, jclass type, const char *name, int value) {
  (*env)->SetStaticIntField(env, type, (*env)->GetStaticFieldID(env, type, name, "I"), value);
}

NATIVE(jboolean, util_NativeCodeLoader_buildSupportsIsal)(JNIEnv *env, jclass type) { return JNI_FALSE; }
NATIVE(jboolean, util_NativeCodeLoader_buildSupportsZstd)(JNIEnv *env, jclass type) { return JNI_FALSE; }
NATIVE(jboolean, util_NativeCodeLoader_buildSupportsOpenssl)(JNIEnv *env, jclass type) { return JNI_FALSE; }
NATIVE(jstring, util_NativeCodeLoader_getLibraryName)(JNIEnv *env, jclass type) {
  return (*env)->NewStringUTF(env, "native-io.c");
}

NATIVE(void, io_nativeio_NativeIO_initNative)(JNIEnv *env, jclass type, jboolean safe) {}

NATIVE(void, io_nativeio_NativeIO_renameTo0)(JNIEnv *env, jclass type, jstring from, jstring to) {
  const char *source = (*env)->GetStringUTFChars(env, from, NULL);
  const char *target = (*env)->GetStringUTFChars(env, to, NULL);
  if (rename(source, target)) {
    fail(env, errno);
  }
  (*env)->ReleaseStringUTFChars(env, from, source);
  (*env)->ReleaseStringUTFChars(env, to, target);
}

POSIX(void, initNativePosix)(JNIEnv *env, jclass type, jboolean safe) {
  constant(env, type, "O_RDONLY", O_RDONLY);
  constant(env, type, "O_WRONLY", O_WRONLY);
  constant(env, type, "O_RDWR", O_RDWR);
  constant(env, type, "O_CREAT", O_CREAT);
  constant(env, type, "O_EXCL", O_EXCL);
  constant(env, type, "O_TRUNC", O_TRUNC);
  constant(env, type, "O_APPEND", O_APPEND);
  jclass stats = (*env)->FindClass(env, STAT);
  constant(env, stats, "S_IFMT", S_IFMT);
  constant(env, stats, "S_IFDIR", S_IFDIR);
  constant(env, stats, "S_IFREG", S_IFREG);
  constant(env, stats, "S_IFLNK", S_IFLNK);
}

static jobject status(JNIEnv *env, int code, struct stat *found) {
  if (code) {
    fail(env, errno);
    return NULL;
  }
  jclass type = (*env)->FindClass(env, STAT);
  jmethodID make = (*env)->GetMethodID(env, type, "<init>", "(III)V");
  return (*env)->NewObject(env, type, make, (jint)found->st_uid, (jint)found->st_gid, (jint)found->st_mode);
}

POSIX(jobject, fstat)(JNIEnv *env, jclass type, jobject file) {
  struct stat found;
  return status(env, fstat(descriptor(env, file), &found), &found);
}

POSIX(jobject, stat)(JNIEnv *env, jclass type, jstring path) {
  struct stat found;
  const char *name = (*env)->GetStringUTFChars(env, path, NULL);
  jobject result = status(env, stat(name, &found), &found);
  (*env)->ReleaseStringUTFChars(env, path, name);
  return result;
}

POSIX(void, chmodImpl)(JNIEnv *env, jclass type, jstring path, jint mode) {
  const char *name = (*env)->GetStringUTFChars(env, path, NULL);
  if (chmod(name, mode)) {
    fail(env, errno);
  }
  (*env)->ReleaseStringUTFChars(env, path, name);
}

POSIX(jobject, open)(JNIEnv *env, jclass type, jstring path, jint flags, jint mode) {
  const char *name = (*env)->GetStringUTFChars(env, path, NULL);
  int number = open(name, flags, mode);
  int code = errno;
  (*env)->ReleaseStringUTFChars(env, path, name);
  if (number < 0) {
    fail(env, code);
    return NULL;
  }
  jclass files = (*env)->FindClass(env, "java/io/FileDescriptor");
  jobject file = (*env)->NewObject(env, files, (*env)->GetMethodID(env, files, "<init>", "()V"));
  (*env)->SetIntField(env, file, (*env)->GetFieldID(env, files, "fd", "I"), number);
  return file;
}

POSIX(void, posix_1fadvise)(JNIEnv *env, jclass type, jobject file, jlong from, jlong length, jint flags) {}
POSIX(void, sync_1file_1range)(JNIEnv *env, jclass type, jobject file, jlong from, jlong length, jint flags) {}

POSIX(jstring, getUserName__I)(JNIEnv *env, jclass type, jint id) {
  struct passwd entry, *found = NULL;
  char room[4096];
  getpwuid_r(id, &entry, room, sizeof room, &found);
  return found ? (*env)->NewStringUTF(env, found->pw_name) : NULL;
}

POSIX(jstring, getGroupName)(JNIEnv *env, jclass type, jint id) {
  struct group entry, *found = NULL;
  char room[4096];
  getgrgid_r(id, &entry, room, sizeof room, &found);
  return found ? (*env)->NewStringUTF(env, found->gr_name) : NULL;
}

static uint32_t tables[2][256];

__attribute__((constructor)) static void fill(void) {
  const uint32_t polynomials[2] = {0xEDB88320u, 0x82F63B78u}; /* CRC32, CRC32C */
  for (int kind = 0; kind < 2; kind++) {
    for (int value = 0; value < 256; value++) {
      uint32_t crc = value;
      for (int bit = 0; bit < 8; bit++) {
        crc = crc & 1 ? crc >> 1 ^ polynomials[kind] : crc >> 1;
      }
      tables[kind][value] = crc;
    }
  }
}

/* The first chunk that differs, when sums are verified; else -1. */
static jlong sums(int chunk, int kind, uint8_t *sums, const uint8_t *data, int length, jboolean verify) {
  for (jlong at = 0; at < length; at += chunk, sums += 4) {
    uint32_t crc = 0xFFFFFFFFu;
    int size = length - at < chunk ? length - at : chunk;
    for (int i = 0; i < size; i++) {
      crc = tables[kind - 1][(crc ^ data[at + i]) & 0xFF] ^ crc >> 8;
    }
    crc = ~crc;
    const uint8_t bytes[4] = {crc >> 24, crc >> 16, crc >> 8, crc};
    if (!verify) {
      memcpy(sums, bytes, 4);
    } else if (memcmp(sums, bytes, 4)) {
      return at;
    }
  }
  return -1;
}

static void report(JNIEnv *env, jlong at, jstring file, jlong base) {
  if (at < 0) {
    return;
  }
  jclass type = (*env)->FindClass(env, "org/apache/hadoop/fs/ChecksumException");
  jmethodID make = (*env)->GetMethodID(env, type, "<init>", "(Ljava/lang/String;J)V");
  (*env)->Throw(env, (*env)->NewObject(env, type, make, file, base + at));
}

NATIVE(void, util_NativeCrc32_nativeComputeChunkedSums)
(JNIEnv *env, jclass type, jint chunk, jint kind, jobject sumBuffer, jint sumsAt, jobject dataBuffer, jint dataAt,
 jint length, jstring file, jlong base, jboolean verify) {
  uint8_t *sum = (uint8_t *)(*env)->GetDirectBufferAddress(env, sumBuffer) + sumsAt;
  uint8_t *data = (uint8_t *)(*env)->GetDirectBufferAddress(env, dataBuffer) + dataAt;
  report(env, sums(chunk, kind, sum, data, length, verify), file, base);
}

NATIVE(void, util_NativeCrc32_nativeComputeChunkedSumsByteArray)
(JNIEnv *env, jclass type, jint chunk, jint kind, jbyteArray sumArray, jint sumsAt, jbyteArray dataArray, jint dataAt,
 jint length, jstring file, jlong base, jboolean verify) {
  uint8_t *sum = (*env)->GetPrimitiveArrayCritical(env, sumArray, NULL);
  uint8_t *data = (*env)->GetPrimitiveArrayCritical(env, dataArray, NULL);
  jlong at = sums(chunk, kind, sum + sumsAt, data + dataAt, length, verify);
  (*env)->ReleasePrimitiveArrayCritical(env, dataArray, data, JNI_ABORT);
  (*env)->ReleasePrimitiveArrayCritical(env, sumArray, sum, 0);
  report(env, at, file, base);
}
