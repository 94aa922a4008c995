/* Contents that went over a connection, by their hash. Both ends keep the same list by the same rule, so the sender
 * knows what the receiver has; only the receiver has the bytes. */
#pragma once

#include "base/hash.h"
#include "base/vec.h"
#include "device/backend/messages.h"

typedef struct {
	uint8_t hash[HASH_BYTES];
	size_t bytes;
	uint8_t *data; /* NULL at the sender */
} KeptItem;

typedef struct {
	VEC(KeptItem) items; /* oldest first */
	size_t bytes;
} Kept;

bool kept_is(const uint8_t hash[HASH_BYTES]); /* not all zeros */
const KeptItem *kept_find(const Kept *kept, const uint8_t hash[HASH_BYTES], size_t bytes);
/* data: copied; NULL: there are no bytes here. */
void kept_add(Kept *kept, const uint8_t hash[HASH_BYTES], size_t bytes, const void *data);
void kept_clear(Kept *kept);
