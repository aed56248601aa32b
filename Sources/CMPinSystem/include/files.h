// Files that decide a login. Here because every step must go through descriptors with flags that Swift has no names
// for without the C library.
//
// A result below zero is a failure: -errno of the call that failed, or one of the MPIN_UNSAFE values.
#ifndef CMPINSYSTEM_FILES_H
#define CMPINSYSTEM_FILES_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

// The reasons of the system that callers tell apart.
enum {
    MPIN_ENOENT = ENOENT, MPIN_EACCES = EACCES, MPIN_EPERM = EPERM, MPIN_ETIMEDOUT = ETIMEDOUT, MPIN_ENOMEM = ENOMEM,
    MPIN_EMFILE = EMFILE, MPIN_ENFILE = ENFILE, MPIN_ENOSPC = ENOSPC, MPIN_EDQUOT = EDQUOT, MPIN_EROFS = EROFS,
    MPIN_EADDRINUSE = EADDRINUSE,
};

// Why a file or directory is not to be trusted. Trusted owners are root and the process's effective user.
enum {
    MPIN_UNSAFE_OWNER = -100001,    // belongs to somebody else
    MPIN_UNSAFE_MODE = -100002,     // others may read or write it
    MPIN_UNSAFE_KIND = -100003,     // a link, pipe, device, directory or socket where a file should be
    MPIN_UNSAFE_LINKS = -100004,    // has a second hard link
    MPIN_UNSAFE_SIZE = -100005,     // larger than allowed
    MPIN_UNSAFE_PATH = -100006,     // not absolute, or with a component that is a link or not a directory
    MPIN_UNSAFE_PARENT = -100007,   // a directory on the way can be changed by others
};

// Not a reason to distrust a file: its new content is in place, but the disk did not confirm it.
enum { MPIN_UNCONFIRMED = -100008 };

// Opens a directory by its absolute path, component by component, following no link. Every directory on the way
// belongs to a trusted owner and is not writable by others (a sticky one of root's may be). With `is_private` the last
// one must be closed to everybody else. With `create` missing ones at the end are made, 0700. A descriptor.
int mpin_directory_open(const char *path, int create, int is_private);

// The same for one directory inside an opened one; it must be closed to everybody else.
int mpin_directory_enter(int directory, const char *name, int create);

// Opens a regular file for reading and judges it by its descriptor: trusted owner, none of the `forbidden` mode bits,
// one name, at most `limit` bytes. Never waits and never becomes a controlling terminal. A descriptor.
int mpin_file_open(int directory, const char *name, unsigned forbidden, size_t limit);

// Reads a whole file. The number of bytes; MPIN_UNSAFE_SIZE if there are more than `capacity`.
int mpin_file_read(int file, uint8_t *bytes, size_t capacity);

// Puts a new content in place of the old: a temporary file (0600) beside it, fsync, rename, fsync of the directory.
// After a failure the old content is in place. After MPIN_UNCONFIRMED, when the last step alone failed, the new content is
// in place, and a power failure may bring the old one back. Never a part of either. Callers hold the lock of that file. 0.
int mpin_file_replace(int directory, const char *name, const uint8_t *bytes, size_t count);

// Removes a file, durably. 0, also when there was none.
int mpin_file_remove(int directory, const char *name);

// Calls back with the name of each entry that does not begin with a dot. 0.
int mpin_directory_list(int directory, void *context, void (*each)(void *context, const char *name));

// Whether a directory holds anything, or cannot be listed.
int mpin_directory_is_used(int directory);

// Opens a file for reading by its absolute path; directory and file are checked as above, `forbidden` for the file.
int mpin_path_open(const char *path, unsigned forbidden, size_t limit);

// Whether there is nothing at a path.
int mpin_path_is_missing(const char *path);

// Opens such a file and reads all of it into memory of its own, for mpin_bytes_free. The number of bytes.
int mpin_path_load(const char *path, unsigned forbidden, size_t limit, uint8_t **bytes);
void mpin_bytes_free(uint8_t **bytes);

void mpin_descriptor_close(int descriptor);

#endif
