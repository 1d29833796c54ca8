/*
 * tmpfile.c: see tmpfile.h.
 */
#include "tmpfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
pp_tmp_open(const char *dir)
{
	static const char name[] = "/.profpivot-tmp-XXXXXX";
	size_t n;
	char *path;
	int fd, e;

	if (dir == NULL)
		dir = ".";
	n = strlen(dir);
	path = malloc(n + sizeof(name));
	if (path == NULL) {
		errno = ENOMEM;
		return -1;
	}
	memcpy(path, dir, n);
	memcpy(path + n, name, sizeof(name));
	fd = mkstemp(path);
	e = errno;
	if (fd >= 0)
		unlink(path);
	free(path);
	errno = e;
	return fd;
}

bool
pp_tmp_write(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n > 0) {
		ssize_t w = write(fd, at, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0) {
			if (w == 0)
				errno = ENOSPC;
			return false;
		}
		at += w;
		n -= (size_t)w;
	}
	return true;
}

bool
pp_tmp_read(int fd, void *p, size_t n, uint64_t at)
{
	char *to = p;

	while (n > 0) {
		ssize_t r = pread(fd, to, n, (off_t)at);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0) {
			if (r == 0)
				errno = EIO;
			return false;
		}
		to += r;
		at += (uint64_t)r;
		n -= (size_t)r;
	}
	return true;
}
