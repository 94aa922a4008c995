/* The values of a GPU by name, and GPUs that do not exist: a known one with some values changed, to see what they are
 * for.
 *
 * A derived GPU lives as long as the program and is found by gpu_find as any other. Deriving the same name again makes
 * a new record that the name then finds; who holds the old one keeps it. Not for use by several threads at a time. */
#pragma once

#include "base/values/member.h"
#include "gpu/gpu.h"

typedef struct {
	const char *name; /* the field of Gpu, and its name in Lua */
	Member member;    /* uint32_t, size_t, double */
	double least,
		most; /* what a derived GPU may have; least > most: it cannot be changed, `remedy` says what to do instead */
	const char *remedy;
} GpuField;

extern const GpuField gpu_fields[];
extern const size_t gpu_nfields;

double gpu_field(const Gpu *gpu, const GpuField *field);
void gpu_set_field(Gpu *gpu, const GpuField *field, double value); /* what the field's type can hold */
bool gpu_field_is_whole(const GpuField *field);                    /* or a number with a fraction */

typedef struct {
	const GpuField *field;
	double value;
} FieldChange;

/* May a derived GPU have this? False with err naming the limits. */
bool gpu_field_fits(const FieldChange *change, Err *err);

/* What follows from a changed value follows it: bandwidth and memory clock on cc 1.x, the width of shared memory from
 * its banks. name NULL: made of the base's and the changes. NULL with err for what makes no GPU. */
const Gpu *gpu_derive(const Gpu *base, const char *name, const FieldChange *changes, size_t n, Err *err);
/* Values of a GPU that was built, as measured on this machine: copy_gbps, l2_gbps and launch_us. All records made of
 * it later have them. False with err, and nothing changed, for others or absurd ones. */
bool gpu_calibrate(const char *name, const FieldChange *values, size_t n, Err *err);

/* The GPU of these values under this name, as another process has it: the record here if it is the same, else a new
 * one that lives as long as the program. base: the name of what it was derived from, or NULL. NULL: no such base, or
 * too many. */
const Gpu *gpu_adopt(const Gpu *values, const char *name, const char *base);
