/* device.h: digests of contents, made where they lie, by a kernel in PTX (digest.ptx), so that any device that runs
 * kernels makes them.
 *
 * The contents are words of 8 bytes, the last one padded with zeros. Word w at place i becomes 64 bits that depend on
 * both and on a secret key; the digest has the sum of them over all places, and the sum of what a further step makes
 * of each:
 *
 *     x = (w ^ key0) * M1;   x ^= x >> 32;   x += i * key1
 *     x *= M2;  x ^= x >> 29;   x *= M3;  x ^= x >> 32;   first += x
 *     x *= M4;  x ^= x >> 31;                            second += x
 *
 * A sum has no order, so all threads work in parallel. For one place all steps are one to one: contents that differ
 * in one word never have one digest, others with a chance of about 2^-128, were the steps random.
 *
 * How a kernel under test is kept from forging a correct result:
 *   - There is no reference on the GPU that it could read, or write over. What is compared with is the digest of a
 * content that was compared on the host, element by element, and it stays on the host.
 *   - The digest is made after all that was launched has ended, of what the memory then holds; the sums are set to zero
 * after that, too. Nothing of the kernel still runs.
 *   - Another content with the same digest cannot be made without the key, drawn for each device that is opened. It is
 * kept on the host, and is in a launch's parameters only while our own kernel runs. */
#include <string.h>
#include <sys/random.h>

#include "device/contents/contents.h"

extern const char digest_ptx[];
enum { DIGEST_PARAMS = 5, DIGEST_BLOCK = 256 };

enum { LEAST_BYTES = 1 << 20, BLOCKS_AN_SM = 8, WORD = 8 };

/* Worth it where the content would have to come from another process, and is more than the calls for a digest take. */
static bool possible(const Device *device, const Slot *slot) {
	const Backend *b = device->main.backend;
	return b->ops->restart && !b->shares && !device->digester.refused && !slot->texture && !slot->mapped &&
		   slot->contents != CONTENTS_STALE && slot->bytes >= LEAST_BYTES;
}

static bool draw_key(Digester *d) {
	if (d->keyed) return true;
	d->keyed = getrandom(d->key, sizeof d->key, 0) == sizeof d->key;
	d->key[1] |= 1;
	return d->keyed;
}

static bool load(Device *device, Err *err) {
	Digester *d = &device->digester;
	Backend *b = device->main.backend;
	Number module, sums;
	const Alloc request = {.bytes = sizeof(Digest), .name = "a digest", .shared = NOT_SHARED};
	if (d->loaded) return true;
	d->loaded = draw_key(d) && backend_load(b, (ModuleCode){.ptx = digest_ptx, .cc = 70}, &module, err) &&
				backend_alloc(b, request, &sums, err);
	if (d->loaded) {
		d->module = module.value;
		d->sums = sums.value;
	}
	return d->loaded;
}

static uint32_t blocks_for(const Device *device, const Slot *slot) {
	const uint64_t words = (slot->bytes + WORD - 1) / WORD, wanted = (words + DIGEST_BLOCK - 1) / DIGEST_BLOCK;
	const uint64_t most = (uint64_t)BLOCKS_AN_SM * (device->info.sms ? device->info.sms : 1);
	return (uint32_t)(wanted < most ? wanted : most);
}

static bool run(Device *device, const Slot *slot, Err *err) {
	const Digester *d = &device->digester;
	const uint64_t params[DIGEST_PARAMS] = {slot->place.addr, slot->bytes, d->sums, d->key[0], d->key[1]};
	ParamPlace places[DIGEST_PARAMS];
	Report report = {0};
	for (uint32_t i = 0; i < DIGEST_PARAMS; i++) places[i] = (ParamPlace){i * sizeof *params, sizeof *params};
	const BackendItem item = {.launch = {.module = d->module,
										 .linked_name = "digest",
										 .config = {.grid = {blocks_for(device, slot), 1, 1},
													.block = {DIGEST_BLOCK, 1, 1},
													.timeout_ms = DEVICE_TIMEOUT_GPU_MS},
										 .params = params,
										 .param_bytes = sizeof params,
										 .places = places,
										 .nparams = DIGEST_PARAMS}};
	return backend_submit(device->main.backend, (Submission){.ask.mode = MODE_RUN, .items = &item, .nitems = 1},
						  &report, err) &&
		   report.outcome.status == LAUNCH_OK;
}

static bool make(Device *device, const Slot *slot, Digest *sums, Err *err) {
	Backend *b = device->main.backend;
	return possible(device, slot) && load(device, err) &&
		   backend_fill(b, (Fill){device->digester.sums, sizeof *sums, 0}, NULL, err) && run(device, slot, err) &&
		   backend_download(b, device->digester.sums, sums, sizeof *sums, err);
}

static void add_word(const Digester *d, Digest *sums, uint64_t place, uint64_t word) {
	uint64_t x = (word ^ d->key[0]) * UINT64_C(0x9e3779b97f4a7c15);
	x ^= x >> 32;
	x += place * d->key[1];
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	x ^= x >> 29;
	x *= UINT64_C(0x94d049bb133111eb);
	x ^= x >> 32;
	sums->sums[0] += x;
	x *= UINT64_C(0xd6e8feb86659fd93);
	sums->sums[1] += x ^ x >> 31;
}

bool device_digest_of(Device *device, const void *content, size_t bytes, Digest *out) {
	const uint8_t *from = content;
	*out = (Digest){0};
	if (!draw_key(&device->digester)) return false;
	for (size_t at = 0; at < bytes; at += WORD) {
		uint64_t word = 0;
		memcpy(&word, from + at, bytes - at < WORD ? bytes - at : WORD);
		add_word(&device->digester, out, at / WORD, word);
	}
	return true;
}

/* Where it fails on a device that lives it would fail again. */
bool device_digest(Device *device, Buffer buffer, Digest *out) {
	Err err = ERR_INIT;
	Digest sums;
	const Slot *slot = slot_get(device, buffer, &err);
	if (!slot || !possible(device, slot)) return false;
	const bool ok = ON_WORKER(device, &err, make(device, slot, &sums, &err));
	if (ok) *out = sums;
	if (!ok && device_works(device) && slot->contents != CONTENTS_STALE && err.kind != ERR_INTERRUPTED)
		device->digester.refused = true;
	return ok;
}
