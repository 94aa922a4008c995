/* derive.h: the values by name, and what a derived GPU may have of each. The limits are what the rules, the models and
 * the emulator can be asked, not what could be built. */
#include <math.h>

#include "gpu/derive.h"

#define FIELD_FROM(field, least, most)                                                                                 \
	{ #field, MEMBER(Gpu, field), least, most, NULL }
#define FOLLOWS(field, remedy)                                                                                         \
	{ #field, MEMBER(Gpu, field), 1, 0, remedy }

/* clang-format off */
const GpuField gpu_fields[] = {
	FIELD_FROM(cc, 10, 999),
	FIELD_FROM(sms, 1, 1024),
	FIELD_FROM(shader_ghz, 0.01, 100),
	FIELD_FROM(fp32_lanes, 1, 1024),
	FIELD_FROM(fp64_ratio, 1.0 / 1024, 1),
	FIELD_FROM(sfu_lanes, 1, 1024),
	FIELD_FROM(dram_gbps, 1, 1e6),
	FIELD_FROM(copy_gbps, 0, 1e6),
	FIELD_FROM(l2_bytes, 0, 1 << 30),
	FIELD_FROM(l2_gbps, 0, 1e6),
	FIELD_FROM(shared_per_sm, 1024, 1 << 20),
	FIELD_FROM(shared_per_block, 1024, 1 << 20),
	FOLLOWS(shared_bytes_per_clock, "it follows from banks and bank_bytes: change those"),
	FIELD_FROM(latency_alu, 0, 10000),
	FIELD_FROM(latency_shared, 0, 10000),
	FIELD_FROM(latency_dram, 0, 100000),
	FIELD_FROM(launch_us, 0, 10000),
	FIELD_FROM(link_gbps, 0.01, 1e6),
	FIELD_FROM(to_device_gbps, 0.01, 1e6),
	FIELD_FROM(from_device_gbps, 0.01, 1e6),
	FIELD_FROM(pageable_to_gbps, 0.01, 1e6),
	FIELD_FROM(pageable_from_gbps, 0.01, 1e6),
	FIELD_FROM(copy_us, 0, 10000),
	FIELD_FROM(copy_engines, 0, 2),
	FIELD_FROM(mapped_read_gbps, 0, 1e6),
	FIELD_FROM(mapped_write_gbps, 0, 1e6),
	FIELD_FROM(mapped_read_mhz, 0, 1e6),
	FIELD_FROM(threads_per_block, 32, 1024),
	FIELD_FROM(warps_per_sm, 1, 256),
	FIELD_FROM(blocks_per_sm, 1, 256),
	FIELD_FROM(registers_per_sm, 1024, 1 << 24),
	FIELD_FROM(register_unit, 1, 4096),
	FIELD_FROM(registers_per_thread, 8, 255),
	FOLLOWS(warp_unit, "it belongs to the compute capability: take another base"),
	FIELD_FROM(shared_unit, 1, 65536),
	FIELD_FROM(shared_reserved, 0, 65536),
	FIELD_FROM(banks, 1, 64),
	FIELD_FROM(bank_bytes, 4, 8),
	FOLLOWS(request_lanes, "it belongs to the compute capability: take another base"),
	FIELD_FROM(partitions, 1, 8),
	FIELD_FROM(partition_bytes, 32, 4096),
	FIELD_FROM(memory_ghz, 0.01, 100),
};
/* clang-format on */
const size_t gpu_nfields = sizeof gpu_fields / sizeof gpu_fields[0];

double gpu_field(const Gpu *gpu, const GpuField *field) {
	return member_number(&field->member, gpu);
}

bool gpu_field_is_whole(const GpuField *field) {
	return field->member.type != MEMBER_F64;
}

void gpu_set_field(Gpu *gpu, const GpuField *field, double value) {
	member_set_number(&field->member, gpu, value);
}

bool gpu_field_fits(const FieldChange *change, Err *err) {
	const GpuField *f = change->field;
	const double v = change->value;
	if (f->least > f->most) {
		err_set(err, ERR_USAGE, "%s of a GPU cannot be changed", f->name);
		return err_hint(err, "%s", f->remedy);
	}
	if (!(v >= f->least && v <= f->most)) {
		err_set(err, ERR_USAGE, "%s: %.10g makes no GPU", f->name, v);
		return err_hint(err, "from %.10g to %.10g is allowed", f->least, f->most);
	}
	if (!gpu_field_is_whole(f) || v == floor(v)) return true;
	return err_set(err, ERR_USAGE, "%s: a whole number expected, got %.10g", f->name, v);
}
