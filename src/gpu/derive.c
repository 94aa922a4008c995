#include "gpu/derive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"

enum { MOST_DERIVED = 1000, LONGEST_NAME = 40 };
enum { BYTES_A_CLOCK = 16 /* of a partition: 64 bit, twice a clock */ };

/* --- what follows, and what contradicts --------------------------------------------------------------------------- */

static bool contradicts(Err *err, const char *what, const char *hint) {
	err_set(err, ERR_USAGE, "%s", what);
	return err_hint(err, "%s", hint);
}

static bool changes(const FieldChange *list, size_t n, const char *field) {
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].field->name, field)) return true;
	return false;
}

/* A copy attains the same part of a changed bandwidth. On cc 1.x each partition moves 16 bytes a clock of the
 * memory: two of the three values give the third. */
static bool settle_memory(Gpu *gpu, const FieldChange *list, size_t n, Err *err) {
	const bool clock = changes(list, n, "memory_ghz"), gbps = changes(list, n, "dram_gbps"),
			   parts = changes(list, n, "partitions");
	if (gbps && !changes(list, n, "copy_gbps")) gpu->copy_gbps *= gpu->dram_gbps / gpu->base->dram_gbps;
	if (gpu->copy_gbps > gpu->dram_gbps)
		return contradicts(err, "copy_gbps is more than dram_gbps", "no copy is faster than the memory: change both");
	if (!gpu->base->partitions) {
		if (!clock && !parts && !changes(list, n, "partition_bytes")) return true;
		return contradicts(err, "partitions, partition_bytes and memory_ghz mean nothing from cc 2.0 on",
						   "take a GPU of cc 1.x as base, or change dram_gbps");
	}
	if (gbps && !clock)
		gpu->memory_ghz = gpu->dram_gbps / (BYTES_A_CLOCK * gpu->partitions);
	else if ((clock || parts) && !gbps)
		gpu->dram_gbps = BYTES_A_CLOCK * gpu->partitions * gpu->memory_ghz;
	if (gpu->partition_bytes & (gpu->partition_bytes - 1))
		return contradicts(err, "partition_bytes: a power of two expected", "for example 128 or 512");
	const double implied = BYTES_A_CLOCK * gpu->partitions * gpu->memory_ghz;
	if (fabs(implied / gpu->dram_gbps - 1) < 0.02) return true;
	return contradicts(err, "dram_gbps, partitions and memory_ghz contradict each other",
					   "on cc 1.x the first is 16 times the product of the others: give two of the three");
}

static bool settle_capability(Gpu *gpu, Err *err) {
	const Generation *generation = gpu_generation(gpu->cc);
	if (!generation)
		return contradicts(err, "cc: there is no such compute capability",
						   "ten times the number in the programming guide: 13 for 1.3, 90 for 9.0");
	gpu->generation = generation;
	if (generation->tesla_isa == gpu->base->generation->tesla_isa) return true;
	return contradicts(err, "cc: there is no way between 1.x and what came after it",
					   "partitions and half-warps are of cc 1.x alone: take another base");
}

static bool settle_shared(Gpu *gpu, Err *err) {
	if (gpu->bank_bytes != 4 && gpu->bank_bytes != 8)
		return contradicts(err, "bank_bytes: banks are 4 or 8 bytes wide", "leave it, or give one of the two");
	if (gpu->bank_bytes == 8 && gpu->generation->tesla_isa)
		return contradicts(err, "bank_bytes: on cc 1.x banks are 4 bytes wide",
						   "take a GPU of cc 2.0 or later as base");
	if (gpu->shared_per_block > gpu->shared_per_sm)
		return contradicts(err, "shared_per_block is more than shared_per_sm", "change both");
	const Gpu *base = gpu->base;
	gpu->shared_bytes_per_clock =
		base->shared_bytes_per_clock * gpu->banks * gpu->bank_bytes / (base->banks * base->bank_bytes);
	if (!gpu->shared_bytes_per_clock) gpu->shared_bytes_per_clock = 1;
	return true;
}

static bool settle_sm(const Gpu *gpu, Err *err) {
	if (gpu->warps_per_sm * 32 < gpu->threads_per_block)
		return contradicts(err, "warps_per_sm holds fewer threads than threads_per_block allows", "change both");
	if (gpu->register_unit > gpu->registers_per_sm)
		return contradicts(err, "register_unit is more than registers_per_sm", "change both");
	return true;
}

/* No copy is faster than the link it goes over. */
static bool settle_link(const Gpu *gpu, Err *err) {
	const double speeds[] = {gpu->to_device_gbps,     gpu->from_device_gbps, gpu->pageable_to_gbps,
							 gpu->pageable_from_gbps, gpu->mapped_read_gbps, gpu->mapped_write_gbps};
	for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++)
		if (speeds[i] > gpu->link_gbps)
			return contradicts(err, "a copy would be faster than link_gbps allows", "change both");
	return true;
}

/* --- its name and sources ----------------------------------------------------------------------------------------- */

static bool default_name(const Gpu *base, const FieldChange *list, size_t n, char *out, Err *err) {
	enum { SIZE = LONGEST_NAME + 1 };
	int len = snprintf(out, SIZE, "%s with", base->name);
	for (size_t i = 0; i < n && len < SIZE; i++)
		len += snprintf(out + len, SIZE - (size_t)len, " %s=%.6g", list[i].field->name, list[i].value);
	if (len < SIZE) return true;
	err_set(err, ERR_USAGE, "a GPU with so many changes needs a name of its own");
	return err_hint(err, "add name = \"...\", of at most %d characters", LONGEST_NAME);
}

static bool given_name(const char *name, char *out, Err *err) {
	const size_t len = strlen(name);
	if (len > LONGEST_NAME || !len || strspn(name, " ") || name[len - 1] == ' ')
		return err_set(err, ERR_USAGE, "name: 1 to %d characters expected, no blank at either end", LONGEST_NAME);
	for (const char *c = name; *c; c++)
		if (*c < ' ' || *c > '~' || *c == '"' || *c == ':')
			return err_set(err, ERR_USAGE, "name: letters, digits and signs of ASCII but \" and : expected");
	memcpy(out, name, len + 1);
	return true;
}

static bool name_free(const char *name, Err *err) {
	const Gpu *there = gpu_find(name, NULL);
	if (there && !there->base) {
		err_set(err, ERR_USAGE, "\"%s\" is the name of a real GPU, the %s", name, there->name);
		return err_hint(err, "a derived one needs a name of its own");
	}
	if (gpu_name_plain(name)) return true;
	return err_set(err, ERR_USAGE, "name: \"%s\" is empty, too long, or only the vendor's name", name);
}

/* What is written down for a value comes first, so that it is found before the record's own line. note: takes what the
 * value was and the name of the GPU it was that of. */
static const char *sources_of(const Gpu *gpu, const FieldChange *list, size_t n, const char *note) {
	Str s = {0};
	for (size_t i = 0; i < n; i++) str_addf(&s, note, list[i].field->name, gpu_field(gpu, list[i].field), gpu->name);
	str_add(&s, gpu->sources);
	return str_take(&s);
}

/* --- those that were made ----------------------------------------------------------------------------------------- */

/* Never freed, because devices, models and reports point at them. */
static VEC(Gpu *) made;

static const Gpu *make_record(const Gpu *gpu) {
	Gpu *record = xcalloc(1, sizeof *record);
	*record = *gpu;
	record->name = xstrdup(gpu->name);
	vec_push(&made, record);
	return record;
}

/* Field by field: what lies between fields of a copied structure is not known. */
static bool same_gpu(const Gpu *a, const Gpu *b) {
	if (strcmp(a->name, b->name) != 0 || a->base != b->base) return false;
	for (size_t i = 0; i < gpu_nfields; i++)
		if (gpu_field(a, &gpu_fields[i]) != gpu_field(b, &gpu_fields[i])) return false;
	return a->register_unit_per_block == b->register_unit_per_block && a->calibrated == b->calibrated &&
		   !memcmp(a->max_grid, b->max_grid, sizeof a->max_grid) &&
		   !memcmp(a->max_block, b->max_block, sizeof a->max_block);
}

/* --- deriving ----------------------------------------------------------------------------------------------------- */

static bool settle(Gpu *gpu, const FieldChange *list, size_t n, Err *err) {
	for (size_t i = 0; i < n; i++) {
		if (!gpu_field_fits(&list[i], err)) return false;
		gpu_set_field(gpu, list[i].field, list[i].value);
	}
	return settle_capability(gpu, err) && settle_memory(gpu, list, n, err) && settle_shared(gpu, err) &&
		   settle_sm(gpu, err) && settle_link(gpu, err);
}

const Gpu *gpu_derive(const Gpu *base, const char *name, const FieldChange *list, size_t n, Err *err) {
	char text[LONGEST_NAME + 1];
	Gpu gpu = *base;
	gpu.base = base;
	gpu.calibrated = false;
	gpu.name = text;
	memset(gpu.aliases, 0, sizeof gpu.aliases);
	if (!n) {
		err_set(err, ERR_USAGE, "nothing of the %s is changed", base->name);
		err_hint(err, "for example banks = %u", 2 * base->banks);
		return NULL;
	}
	if (!settle(&gpu, list, n, err) || !(name ? given_name(name, text, err) : default_name(base, list, n, text, err)) ||
		!name_free(text, err))
		return NULL;
	const Gpu *there = gpu_find(text, NULL);
	if (there && same_gpu(there, &gpu)) return there;
	if (made.len >= MOST_DERIVED) {
		err_set(err, ERR_USAGE, "%d GPUs are derived already, and that is all there can be", MOST_DERIVED);
		return NULL;
	}
	gpu.sources = sources_of(base, list, n, "%s: changed, %.10g in the %s\n");
	const Gpu *record = make_record(&gpu);
	gpu_list_derived(record);
	return record;
}

/* --- measured on this machine ------------------------------------------------------------------------------------- */

static bool is_measured(const Gpu *gpu, const FieldChange *change, Err *err) {
	const char *name = change->field->name;
	if (!text_has_word("copy_gbps l2_gbps launch_us", name, strlen(name)))
		return err_set(err, ERR_USAGE, "%s is not measured: copy_gbps, l2_gbps and launch_us are", name);
	if (!gpu_field_fits(change, err)) return false;
	if (strcmp(name, "copy_gbps") == 0 && change->value > gpu->dram_gbps)
		return err_set(err, ERR_USAGE, "copy_gbps: %.10g is more than the %.10g of the %s's memory", change->value,
					   gpu->dram_gbps, gpu->name);
	return true;
}

bool gpu_calibrate(const char *name, const FieldChange *list, size_t n, Err *err) {
	Gpu *gpu = gpu_of_table(gpu_find(name, err));
	if (!gpu) {
		const Gpu *found = gpu_find(name, NULL);
		if (!found) return false;
		err_set(err, ERR_USAGE, "the %s was derived, so it cannot be measured", found->name);
		return err_hint(err, "calibrate the %s, or derive another one", found->base->name);
	}
	for (size_t i = 0; i < n; i++)
		if (!is_measured(gpu, &list[i], err)) return false;
	if (!n) return err_set(err, ERR_USAGE, "no value of the %s is given", gpu->name);
	gpu->sources =
		sources_of(gpu, list, n, "%s: measured on this machine; %.10g before\n"); /* others may point to the old */
	for (size_t i = 0; i < n; i++) gpu_set_field(gpu, list[i].field, list[i].value);
	return gpu->calibrated = true;
}

/* --- from another process ----------------------------------------------------------------------------------------- */

const Gpu *gpu_adopt(const Gpu *values, const char *name, const char *base_name) {
	const Gpu *base = base_name ? gpu_find(base_name, NULL) : NULL, *there = gpu_find(name, NULL);
	const Gpu *alike = base ? base : there;
	Gpu gpu = *values;
	gpu.name = name;
	gpu.base = base;
	gpu.generation = gpu_generation(values->cc);
	gpu.link = alike ? alike->link : "";
	gpu.sources = alike ? alike->sources : "";
	if ((base_name && !base) || !gpu.generation) return NULL;
	if (there && same_gpu(there, &gpu)) return there;
	for (size_t i = 0; i < made.len; i++)
		if (same_gpu(made.data[i], &gpu)) return made.data[i];
	return made.len < MOST_DERIVED ? make_record(&gpu) : NULL;
}
