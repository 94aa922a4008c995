/* Bytes that several own, which the last of them frees. Of one thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
	size_t users, bytes;
	uint8_t data[]; /* followed by a zero, so that a text is terminated */
} Blob;

Blob *blob_new(const void *data, size_t bytes); /* a copy, with one user */
Blob *blob_share(Blob *blob);                   /* one user more; NULL is allowed */
void blob_drop(Blob *blob);                     /* one user less; NULL is allowed */
size_t blobs_bytes(void);                       /* of all that there are */
