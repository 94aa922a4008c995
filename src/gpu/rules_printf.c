/* What a warp's printf loads and stores. The toolkit's code reads a text byte by byte, three times, and writes a record
 * for each lane, of chunks that it fills byte by byte. The rule follows from what Nsight Compute 2025.3 counted on an
 * H100 (driver 580.159.04, 2026-11-23); tests/lua/hopper/bind_printf.lua has the values. */
#include "gpu/gpu.h"

enum {
	READS = 3,        /* of each byte, the final 0 included */
	FORMAT_READS = 2, /* further ones, of the format */
	MOST_ARGUMENTS = 32,
	ARGUMENT_BYTES = 10, /* in the record: eight of the value, two of its type */
	ARGUMENT_STORES = 3,
	STRING_EXTRA = 1,   /* byte of the record, beside the string's */
	FIRST_BYTES = 215,  /* of the record's first chunk, for arguments and strings */
	FIRST_STORES = 222, /* if it has none */
	CHUNK_BYTES = 248,
	CHUNK_STORES = 249, /* of each further one */
	WARP_STORES = 3,    /* of one lane for all, to reserve the records */
	SECTOR = 32
};

/* A byte of each lane in mask. */
static uint32_t sectors_of(const uint64_t addr[LANES], uint32_t i, uint32_t mask) {
	uint32_t n = 0;
	while (mask) {
		const uint64_t sector = (addr[first_lane(mask)] + i) / SECTOR;
		FOR_LANES(l, mask)
			if ((addr[l] + i) / SECTOR == sector) mask &= ~(1u << l);
		n++;
	}
	return n;
}

static uint32_t longer_than(const PrintfText *text, uint32_t i) {
	uint32_t mask = 0;
	FOR_LANES(l, text->global)
		if (text->bytes[l] > i) mask |= 1u << l;
	return mask;
}

static void read_text(const PrintfText *text, uint32_t times, PrintfCost *cost) {
	uint32_t mask;
	for (uint32_t i = 0; (mask = longer_than(text, i)); i++) {
		cost->load_requests += times;
		cost->load_sectors += times * sectors_of(text->addr, i, mask);
	}
}

static uint32_t stores_of_lane(const PrintfCall *call, uint32_t lane) {
	const uint32_t n = call->arguments[lane] < MOST_ARGUMENTS ? call->arguments[lane] : MOST_ARGUMENTS;
	uint32_t bytes = n * ARGUMENT_BYTES;
	for (uint32_t t = 1; t < call->ntexts; t++)
		if (call->texts[t].bytes[lane]) bytes += call->texts[t].bytes[lane] + STRING_EXTRA;
	const uint32_t chunks = bytes <= FIRST_BYTES ? 0 : (bytes - FIRST_BYTES + CHUNK_BYTES - 1) / CHUNK_BYTES;
	return FIRST_STORES + chunks * CHUNK_STORES - n * (ARGUMENT_BYTES - ARGUMENT_STORES);
}

PrintfCost gpu_printf_cost(const PrintfCall *call) {
	const PrintfText *format = &call->texts[0];
	PrintfCost cost = {0};
	uint32_t most = 0, printing = 0;
	FOR_LANES(l, call->mask)
		if (format->bytes[l] > 1) printing |= 1u << l;
	if (!printing) { /* an empty text is read once */
		cost.load_requests = 1;
		cost.load_sectors = sectors_of(format->addr, 0, format->global);
		return cost;
	}
	read_text(format, READS, &cost);
	cost.load_requests += FORMAT_READS;
	cost.load_sectors += FORMAT_READS * sectors_of(format->addr, 0, format->global);
	for (uint32_t t = 1; t < call->ntexts; t++) read_text(&call->texts[t], READS, &cost);
	FOR_LANES(l, printing) {
		const uint32_t stores = stores_of_lane(call, l);
		cost.store_sectors += stores; /* each lane has a record of its own */
		if (stores > most) most = stores;
	}
	cost.store_requests = WARP_STORES + most;
	cost.store_sectors += WARP_STORES;
	return cost;
}
