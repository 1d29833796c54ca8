/*
 * input_sum.c: the SHA-256 of a file's own bytes, which are summed up as they
 * are read, or by others (hasher.h, pp_input_from).
 */
#include "input_impl.h"

void
pp_input_sum_start(struct pp_input *in)
{
	in->sha = EVP_MD_CTX_new();
	if (in->sha == NULL ||
	    EVP_DigestInit_ex(in->sha, EVP_sha256(), NULL) != 1)
		pp_mem_fail(in->mem);
}

/* Bytes behind damage are the file's, too. */
static void
read_rest(struct pp_input *in)
{
	if (in->raw == NULL)
		in->raw = pp_mem_alloc(in->mem, RAW_SIZE);
	while (pp_input_raw(in, in->raw, RAW_SIZE) > 0)
		;
}

bool
pp_input_sha256(struct pp_input *in, uint8_t out[32])
{
	unsigned n = 0;

	if (!in->ended || (in->sha == NULL && in->from.sum == NULL))
		return false;
	read_rest(in);
	if (in->from.sum != NULL)
		return in->from.sum(in->from.arg, out);
	if (EVP_DigestFinal_ex(in->sha, out, &n) != 1)
		n = 0;
	EVP_MD_CTX_free(in->sha);
	in->sha = NULL;
	return n == 32;
}

void
pp_input_forget_sum(struct pp_input *in)
{
	if (in->hasher != NULL)
		return;
	EVP_MD_CTX_free(in->sha);
	in->sha = NULL;
}

bool
pp_input_hashed(struct pp_input *in, size_t *number)
{
	if (!in->ended || in->hasher == NULL)
		return false;
	read_rest(in);
	pp_hasher_step(in->hasher, in->hash, in->raw_read, true);
	*number = in->hash;
	in->hasher = NULL;
	return true;
}
