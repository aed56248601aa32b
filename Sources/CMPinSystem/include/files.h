// SPDX-License-Identifier: Apache-2.0

// Files that decide a login. In C because every step must use descriptors with flags that Swift cannot name without the
// C library.
//
// A result below zero is a failure: -errno of the failed call, or one of the MPIN_UNSAFE values.
#ifndef CMPINSYSTEM_FILES_H
#define CMPINSYSTEM_FILES_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

// The errors of the system that callers distinguish.
enum {
    MPIN_ENOENT = ENOENT, MPIN_EACCES = EACCES, MPIN_EPERM = EPERM, MPIN_ETIMEDOUT = ETIMEDOUT, MPIN_ENOMEM = ENOMEM,
    MPIN_EMFILE = EMFILE, MPIN_ENFILE = ENFILE, MPIN_ENOSPC = ENOSPC, MPIN_EDQUOT = EDQUOT, MPIN_EROFS = EROFS,
};

// The reasons why a file or directory is unsafe. Trusted owners are root and the process's effective user.
enum {
    MPIN_UNSAFE_OWNER = -100001,    // belongs to another user
    MPIN_UNSAFE_MODE = -100002,     // others may read or write it
    MPIN_UNSAFE_KIND = -100003,     // a link, pipe, device, directory or socket where a file should be
    MPIN_UNSAFE_LINKS = -100004,    // has a second hard link
    MPIN_UNSAFE_SIZE = -100005,     // larger than allowed
    MPIN_UNSAFE_PATH = -100006,     // not absolute, or with a component that is a link or not a directory
    MPIN_UNSAFE_PARENT = -100007,   // other users can change a directory on the path
};

// Not a reason to distrust a file: its new content is in place, but the disk did not confirm it.
enum { MPIN_UNCONFIRMED = -100008 };

// Opens a directory by its absolute path, component by component, without following links. Every directory on the path
// must belong to a trusted owner and must not be writable by others (except a sticky one owned by root). With
// `is_private` the last one must be closed to all other users. With `create` missing directories at the end are
// created, 0700. Returns a descriptor.
int mpin_directory_open(const char *path, int create, int is_private);

// Opens a directory inside an opened one, with the same rules; it must be closed to all other users.
int mpin_directory_enter(int directory, const char *name, int create);

// Facts about a path, for messages. Links are not followed.
struct mpin_path_facts {
    uint32_t mode;  // permissions
    int64_t links, size;
    int is_file, is_directory;
    int is_trusted;         // belongs to root or to the process's effective user
    int is_sticky_of_root;  // a directory of root in which users cannot replace each other's files
};

// Returns 0; -errno if there is no such path.
int mpin_path_look(const char *path, struct mpin_path_facts *facts);

// Whether an opened directory has been removed meanwhile.
int mpin_directory_is_removed(int directory);

// Opens a regular file for reading and checks its descriptor: trusted owner, none of the `forbidden` mode bits, one
// name, at most `limit` bytes. Never waits and never becomes a controlling terminal. Returns a descriptor.
int mpin_file_open(int directory, const char *name, unsigned forbidden, size_t limit);

// Opens such a file with at most `capacity` bytes and reads it. Returns the number of bytes.
int mpin_file_load(int directory, const char *name, unsigned forbidden, uint8_t *bytes, size_t capacity);

// Writes all bytes to a descriptor. Returns 0.
int mpin_bytes_write(int file, const uint8_t *bytes, size_t count);

// Writes the content of a new file, gives it that mode, and waits until both are on the disk. Returns 0.
int mpin_file_fill(int file, unsigned mode, const uint8_t *bytes, size_t count);

// Replaces a file's content: a temporary file (0600) beside it, fsync, rename, fsync of the directory. After a failure
// the old content is in place. After MPIN_UNCONFIRMED, when only the last step failed, the new content is in place, but
// a power failure may undo it. The file is never partially written. Callers hold the file's lock. Returns 0.
int mpin_file_replace(int directory, const char *name, const uint8_t *bytes, size_t count);

// Removes a file, durably. Returns 0, also if there was none.
int mpin_file_remove(int directory, const char *name);

// Exchanges the names of two files or directories, atomically. Returns 0; -EINVAL if the file system cannot do that.
int mpin_path_exchange(const char *path, const char *other);

// Calls back with the name of each entry that does not begin with a dot. The callback must not list the same descriptor.
// Returns 0.
int mpin_directory_list(int directory, void *context, void (*each)(void *context, const char *name));

// Whether a directory contains anything, or cannot be listed.
int mpin_directory_is_used(int directory);

// Opens a file for reading by its absolute path; directory and file are checked as above, `forbidden` for the file.
int mpin_path_open(const char *path, unsigned forbidden, size_t limit);

// Whether nothing exists at a path.
int mpin_path_is_missing(const char *path);

// Opens such a file and reads all of it into newly allocated memory; free it with mpin_bytes_free. Returns the number
// of bytes.
int mpin_path_load(const char *path, unsigned forbidden, size_t limit, uint8_t **bytes);
void mpin_bytes_free(uint8_t **bytes);

void mpin_descriptor_close(int descriptor);

// Renames a file to NAME.bad, or NAME.bad.1 and so on, without replacing an existing file. With `copy`, the file stays
// and these bytes are written to the new name. Atomic and durable. Callers hold the lock of that file.
// Returns the number at the end of the name, 0 for none; below zero as in files.h.
int mpin_file_set_aside(int directory, const char *name, const uint8_t *copy, size_t count);

// Whether such a file exists: 1 or 0; below zero when the directory cannot be listed.
int mpin_file_is_set_aside(int directory, const char *name);

// File locks between processes

// Opens a lock file in a directory and takes its exclusive lock, waiting until `deadline_ns` on the monotonic clock.
// Locking needs no write permission. With `create` a missing file is created with mode 0600, and a failure to create it
// is returned. If the file was removed meanwhile, its name is opened again. `stop` ends the wait, see stop.h. Returns a
// descriptor for mpin_lock_release; below zero -errno (-ETIMEDOUT at the deadline, or if stopped) or an MPIN_UNSAFE
// value.
int mpin_lock_take(int directory, const char *name, int create, int64_t deadline_ns, int stop);

// Unlocks and closes it. The explicit unlock also takes effect where a child process has inherited the descriptor.
void mpin_lock_release(int lock);

#endif
