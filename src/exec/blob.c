#include "exec/blob.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static size_t all_bytes;

Blob *blob_new(const void *data, size_t bytes) {
	Blob *blob = xmalloc(sizeof *blob + bytes + 1);
	*blob = (Blob){.users = 1, .bytes = bytes};
	if (bytes) memcpy(blob->data, data, bytes);
	blob->data[bytes] = 0;
	all_bytes += bytes;
	return blob;
}

Blob *blob_share(Blob *blob) {
	if (blob) blob->users++;
	return blob;
}

void blob_drop(Blob *blob) {
	if (!blob || --blob->users) return;
	assert(all_bytes >= blob->bytes);
	all_bytes -= blob->bytes;
	free(blob);
}

size_t blobs_bytes(void) {
	return all_bytes;
}
