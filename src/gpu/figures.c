/* derive.h: the figures by name, and what a derived GPU may have of each. The limits are what the rules, the models and
 * the emulator can be asked, not what could be built. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "gpu/internal.h"

#define WHOLE(field, least, most)                                                                                      \
	{ #field, FIGURE_WHOLE, offsetof(Gpu, field), least, most, NULL }
#define BYTES(field, least, most)                                                                                      \
	{ #field, FIGURE_BYTES, offsetof(Gpu, field), least, most, NULL }
#define NUMBER(field, least, most)                                                                                     \
	{ #field, FIGURE_NUMBER, offsetof(Gpu, field), least, most, NULL }
#define FOLLOWS(field, kind, remedy)                                                                                   \
	{ #field, kind, offsetof(Gpu, field), 1, 0, remedy }

/* clang-format off */
const Figure gpu_figures[] = {
	WHOLE(cc, 10, 999),
	WHOLE(sms, 1, 1024),
	NUMBER(shader_ghz, 0.01, 100),
	WHOLE(fp32_lanes, 1, 1024),
	NUMBER(fp64_ratio, 1.0 / 1024, 1),
	WHOLE(sfu_lanes, 1, 1024),
	NUMBER(dram_gbps, 1, 1e6),
	NUMBER(copy_gbps, 0, 1e6),
	BYTES(l2_bytes, 0, 1 << 30),
	NUMBER(l2_gbps, 0, 1e6),
	BYTES(shared_per_sm, 1024, 1 << 20),
	BYTES(shared_per_block, 1024, 1 << 20),
	FOLLOWS(shared_bytes_per_clock, FIGURE_WHOLE, "it follows from banks and bank_bytes: change those"),
	NUMBER(latency_alu, 0, 10000),
	NUMBER(latency_shared, 0, 10000),
	NUMBER(latency_dram, 0, 100000),
	NUMBER(launch_us, 0, 10000),
	NUMBER(link_gbps, 0.01, 1e6),
	NUMBER(to_device_gbps, 0.01, 1e6),
	NUMBER(from_device_gbps, 0.01, 1e6),
	NUMBER(pageable_to_gbps, 0.01, 1e6),
	NUMBER(pageable_from_gbps, 0.01, 1e6),
	NUMBER(copy_us, 0, 10000),
	WHOLE(copy_engines, 0, 2),
	NUMBER(mapped_read_gbps, 0, 1e6),
	NUMBER(mapped_write_gbps, 0, 1e6),
	NUMBER(mapped_read_mhz, 0, 1e6),
	WHOLE(threads_per_block, 32, 1024),
	WHOLE(warps_per_sm, 1, 256),
	WHOLE(blocks_per_sm, 1, 256),
	WHOLE(registers_per_sm, 1024, 1 << 24),
	WHOLE(register_unit, 1, 4096),
	WHOLE(registers_per_thread, 8, 255),
	FOLLOWS(warp_unit, FIGURE_WHOLE, "it belongs to the compute capability: take another base"),
	BYTES(shared_unit, 1, 65536),
	BYTES(shared_reserved, 0, 65536),
	WHOLE(banks, 1, 64),
	WHOLE(bank_bytes, 4, 8),
	FOLLOWS(request_lanes, FIGURE_WHOLE, "it belongs to the compute capability: take another base"),
	WHOLE(partitions, 1, 8),
	WHOLE(partition_bytes, 32, 4096),
	NUMBER(memory_ghz, 0.01, 100),
};
/* clang-format on */
const size_t gpu_nfigures = sizeof gpu_figures / sizeof gpu_figures[0];

double gpu_figure(const Gpu *gpu, const Figure *figure) {
	const char *at = (const char *)gpu + figure->offset;
	uint32_t whole;
	size_t bytes;
	double number;
	switch (figure->kind) {
	case FIGURE_WHOLE: memcpy(&whole, at, sizeof whole); return whole;
	case FIGURE_BYTES: memcpy(&bytes, at, sizeof bytes); return (double)bytes;
	default: memcpy(&number, at, sizeof number); return number;
	}
}

const Figure *gpu_figure_named(const char *name) {
	for (size_t i = 0; i < gpu_nfigures; i++)
		if (!strcmp(gpu_figures[i].name, name)) return &gpu_figures[i];
	return NULL;
}

void gpu_set_figure(Gpu *gpu, const Figure *figure, double value) {
	char *at = (char *)gpu + figure->offset;
	uint32_t whole;
	size_t bytes;
	switch (figure->kind) { /* only one of the types need have room for the value */
	case FIGURE_WHOLE: whole = (uint32_t)value, memcpy(at, &whole, sizeof whole); break;
	case FIGURE_BYTES: bytes = (size_t)value, memcpy(at, &bytes, sizeof bytes); break;
	default: memcpy(at, &value, sizeof value); break;
	}
}

bool figure_fits(const FigureChange *change, Err *err) {
	const Figure *f = change->figure;
	const double v = change->value;
	if (f->least > f->most) {
		err_set(err, ERR_USAGE, "%s of a GPU cannot be changed", f->name);
		return err_hint(err, "%s", f->remedy);
	}
	if (!(v >= f->least && v <= f->most)) {
		err_set(err, ERR_USAGE, "%s: %.10g makes no GPU", f->name, v);
		return err_hint(err, "from %.10g to %.10g is allowed", f->least, f->most);
	}
	if (f->kind == FIGURE_NUMBER || v == floor(v)) return true;
	err_set(err, ERR_USAGE, "%s: a whole number expected, got %.10g", f->name, v);
	return false;
}
