/* kept.h */
#include "device/remote/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

bool kept_is(const uint8_t hash[HASH_BYTES]) {
	static const uint8_t none[HASH_BYTES];
	return memcmp(hash, none, HASH_BYTES) != 0;
}

const KeptItem *kept_find(const Kept *kept, const uint8_t hash[HASH_BYTES], size_t bytes) {
	for (size_t i = 0; i < kept->items.len; i++)
		if (kept->items.data[i].bytes == bytes && memcmp(kept->items.data[i].hash, hash, HASH_BYTES) == 0)
			return &kept->items.data[i];
	return NULL;
}

static void drop_oldest(Kept *kept) {
	kept->bytes -= kept->items.data[0].bytes;
	free(kept->items.data[0].data);
	memmove(kept->items.data, kept->items.data + 1, --kept->items.len * sizeof *kept->items.data);
}

void kept_add(Kept *kept, const uint8_t hash[HASH_BYTES], size_t bytes, const void *data) {
	KeptItem item = {.bytes = bytes};
	memcpy(item.hash, hash, HASH_BYTES);
	if (data) item.data = memcpy(xmalloc(bytes ? bytes : 1), data, bytes);
	vec_push(&kept->items, item);
	kept->bytes += bytes;
	while (kept->bytes > PUT_KEPT_MOST) drop_oldest(kept);
}

void kept_clear(Kept *kept) {
	while (kept->items.len) drop_oldest(kept);
	vec_free(&kept->items);
	*kept = (Kept){0};
}
