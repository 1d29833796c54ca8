/*
 * remove_tree.h: a folder of a test, and everything in it, goes away.
 *
 * Define _XOPEN_SOURCE 700 before the first header (nftw).
 */
#ifndef PP_REMOVE_TREE_H
#define PP_REMOVE_TREE_H

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

static inline int
remove_one(const char *p, const struct stat *st, int type, struct FTW *w)
{
	(void)st;
	(void)type;
	(void)w;
	return remove(p);
}

/* 0, or not. */
static inline int
remove_tree(const char *dir)
{
	return nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
