/* derive.h: the figures by name, and what a derived GPU may have of each. The limits are what the rules, the models and
 * the emulator can be asked, not what could be built. */
#include <math.h>

#include "gpu/derive.h"

#define FIGURE(field, least, most)                                                                                     \
	{ #field, MEMBER(Gpu, field), least, most, NULL }
#define FOLLOWS(field, remedy)                                                                                         \
	{ #field, MEMBER(Gpu, field), 1, 0, remedy }

/* clang-format off */
const Figure gpu_figures[] = {
	FIGURE(cc, 10, 999),
	FIGURE(sms, 1, 1024),
	FIGURE(shader_ghz, 0.01, 100),
	FIGURE(fp32_lanes, 1, 1024),
	FIGURE(fp64_ratio, 1.0 / 1024, 1),
	FIGURE(sfu_lanes, 1, 1024),
	FIGURE(dram_gbps, 1, 1e6),
	FIGURE(copy_gbps, 0, 1e6),
	FIGURE(l2_bytes, 0, 1 << 30),
	FIGURE(l2_gbps, 0, 1e6),
	FIGURE(shared_per_sm, 1024, 1 << 20),
	FIGURE(shared_per_block, 1024, 1 << 20),
	FOLLOWS(shared_bytes_per_clock, "it follows from banks and bank_bytes: change those"),
	FIGURE(latency_alu, 0, 10000),
	FIGURE(latency_shared, 0, 10000),
	FIGURE(latency_dram, 0, 100000),
	FIGURE(launch_us, 0, 10000),
	FIGURE(link_gbps, 0.01, 1e6),
	FIGURE(to_device_gbps, 0.01, 1e6),
	FIGURE(from_device_gbps, 0.01, 1e6),
	FIGURE(pageable_to_gbps, 0.01, 1e6),
	FIGURE(pageable_from_gbps, 0.01, 1e6),
	FIGURE(copy_us, 0, 10000),
	FIGURE(copy_engines, 0, 2),
	FIGURE(mapped_read_gbps, 0, 1e6),
	FIGURE(mapped_write_gbps, 0, 1e6),
	FIGURE(mapped_read_mhz, 0, 1e6),
	FIGURE(threads_per_block, 32, 1024),
	FIGURE(warps_per_sm, 1, 256),
	FIGURE(blocks_per_sm, 1, 256),
	FIGURE(registers_per_sm, 1024, 1 << 24),
	FIGURE(register_unit, 1, 4096),
	FIGURE(registers_per_thread, 8, 255),
	FOLLOWS(warp_unit, "it belongs to the compute capability: take another base"),
	FIGURE(shared_unit, 1, 65536),
	FIGURE(shared_reserved, 0, 65536),
	FIGURE(banks, 1, 64),
	FIGURE(bank_bytes, 4, 8),
	FOLLOWS(request_lanes, "it belongs to the compute capability: take another base"),
	FIGURE(partitions, 1, 8),
	FIGURE(partition_bytes, 32, 4096),
	FIGURE(memory_ghz, 0.01, 100),
};
/* clang-format on */
const size_t gpu_nfigures = sizeof gpu_figures / sizeof gpu_figures[0];

double gpu_figure(const Gpu *gpu, const Figure *figure) {
	return member_number(&figure->member, gpu);
}

bool gpu_figure_is_whole(const Figure *figure) {
	return figure->member.type != MEMBER_F64;
}

void gpu_set_figure(Gpu *gpu, const Figure *figure, double value) {
	member_set_number(&figure->member, gpu, value);
}

bool gpu_figure_fits(const FigureChange *change, Err *err) {
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
	if (!gpu_figure_is_whole(f) || v == floor(v)) return true;
	return err_set(err, ERR_USAGE, "%s: a whole number expected, got %.10g", f->name, v);
}
