/* Comparing: the statistics with noise of many kinds, made from a fixed seed; the rest on the fake GPU and the
 * emulator. */
#include "device_test.h"

#include <math.h>
#include <stdio.h>

#include "base/cancel.h"
#include "measure/compare.h"

enum { PAIRS = 100, TRIALS = 200 };

/* --- noise -------------------------------------------------------------------------------------------------------- */

static uint64_t seed;

static double uniform(void) {
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void) {
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Sample i of a kernel that takes ms: each kind a way in which times really scatter. */
static double gaussian(double ms, int i) {
	return ms * (1 + 0.02 * normal());
}

static double with_outliers(double ms, int i) {
	return ms * (1 + 0.005 * normal() + (uniform() < 0.1 ? 3 * uniform() : 0));
}

static double two_humps(double ms, int i) {
	return ms * (uniform() < 0.5 ? 1 : 1.05) * (1 + 0.002 * normal());
}

static double drifting(double ms, int i) {
	return ms * (1 + 0.1 * i / PAIRS) * (1 + 0.005 * normal());
}

static double in_steps(double ms, int i) {
	return round(ms * 1000 * (1 + 0.002 * normal()) / 0.032) * 0.032 / 1000;
}

typedef double (*Noise)(double ms, int i);
static const Noise kinds[] = {gaussian, with_outliers, two_humps, drifting, in_steps};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* How often in TRIALS the verdict is this. */
static int count(Noise noise, double factor, Verdict wanted) {
	int found = 0;
	for (int t = 0; t < TRIALS; t++) {
		double a[PAIRS], b[PAIRS];
		Comparison c;
		for (int i = 0; i < PAIRS; i++) {
			a[i] = noise(0.02, i);
			b[i] = noise(0.02 * factor, i);
		}
		compare_pairs(a, b, PAIRS, &c);
		assert_true(c.low <= c.ratio && c.ratio <= c.high);
		found += c.verdict == wanted;
	}
	return found;
}

static void equal_kernels_cannot_be_told(void **state) {
	for (int k = 0; k < KINDS; k++) {
		seed = 88172645463325252u + (uint64_t)k;
		assert_true(count(kinds[k], 1, COMPARE_CANNOT_TELL) >= TRIALS * 95 / 100);
	}
}

static void differences_are_found(void **state) {
	for (int k = 0; k < KINDS; k++) {
		seed = 4711 + (uint64_t)k;
		assert_true(count(kinds[k], 1.05, COMPARE_SLOWER) >= TRIALS * 95 / 100);
		assert_true(count(kinds[k], 0.95, COMPARE_FASTER) >= TRIALS * 95 / 100);
	}
}

/* The interval holds the truth as often as it says. */
static void the_interval_keeps_its_word(void **state) {
	int inside = 0;
	seed = 20261120;
	for (int t = 0; t < 1000; t++) {
		double a[PAIRS], b[PAIRS];
		Comparison c;
		for (int i = 0; i < PAIRS; i++) {
			a[i] = gaussian(1, i);
			b[i] = gaussian(1.1, i);
		}
		compare_pairs(a, b, PAIRS, &c);
		inside += c.low <= 1.1 && 1.1 <= c.high;
	}
	assert_true(inside >= 975 && inside <= 1000);
}

static void small_differences_are_none(void **state) {
	double a[PAIRS], b[PAIRS];
	Comparison c;
	for (int i = 0; i < PAIRS; i++) a[i] = 1, b[i] = 1.004; /* beyond doubt, and too little to matter */
	compare_pairs(a, b, PAIRS, &c);
	assert_int_equal(c.verdict, COMPARE_CANNOT_TELL);
	assert_float_equal(c.ratio, 1.004, 1e-9);
	for (int i = 0; i < PAIRS; i++) b[i] = 1.006;
	compare_pairs(a, b, PAIRS, &c);
	assert_int_equal(c.verdict, COMPARE_SLOWER);
}

static void few_pairs_tell_nothing(void **state) {
	const double a[] = {1, 1, 1}, b[] = {2, 2, 2};
	Comparison c;
	compare_pairs(a, b, 3, &c);
	assert_int_equal(c.verdict, COMPARE_CANNOT_TELL);
	compare_pairs(a, b, 1, &c);
	assert_int_equal(c.verdict, COMPARE_CANNOT_TELL);
	assert_float_equal(c.ratio, 2, 1e-9);
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

enum { COUNT = 1024 };

typedef struct {
	Device *device;
	DeviceModule *module;
	Arg scale[4], increment[2], count[1];
} Lab;

static Lab open_lab(const char *name) {
	Lab lab = {.device = open_device(name)};
	lab.module = load_kernels(lab.device);
	Buffer in = make_buffer(lab.device, ELEM_F32, COUNT, "in", (Define){.kind = DEFINE_IOTA});
	Buffer out = make_buffer(lab.device, ELEM_F32, COUNT, "out", (Define){.kind = DEFINE_SENTINEL});
	Buffer total = make_buffer(lab.device, ELEM_I32, COUNT, "total", (Define){.kind = DEFINE_IOTA});
	const Arg scale[] = {arg_buffer(out), arg_buffer(in), arg_float(2), arg_int(COUNT)};
	memcpy(lab.scale, scale, sizeof scale);
	lab.increment[0] = lab.count[0] = arg_buffer(total);
	lab.increment[1] = arg_int(COUNT);
	return lab;
}

static Launch of(Lab *lab, const char *kernel, const Arg *args, uint32_t nargs, uint32_t blocks) {
	return (Launch){.kernel = kernel_of(lab->device, lab->module, kernel),
					.config = {.grid = {blocks, 1, 1}, .block = {128, 1, 1}},
					.args = args,
					.nargs = nargs};
}

static void on_a_gpu(void **state) {
	Lab lab = open_lab("worker:fake");
	const Launch scale = of(&lab, "scale", lab.scale, 4, 8), increment = of(&lab, "increment", lab.increment, 2, 8),
				 few = of(&lab, "count", lab.count, 1, 1);
	Comparison c;
	Err err = ERR_INIT;
	assert_done(compare(lab.device, LIST_OF(&scale), LIST_OF(&scale), NULL, &c, NULL, &err), err);
	assert_int_equal(c.kind, RATE_MEASURED);
	assert_int_equal(c.verdict, COMPARE_CANNOT_TELL);
	assert_true(c.pairs >= 30 && c.discarded > 0); /* every fifth sample of it is throttled */
	assert_int_equal(c.batch, 1);
	assert_done(compare(lab.device, LIST_OF(&increment), LIST_OF(&few), NULL, &c, NULL, &err), err);
	assert_int_equal(c.verdict, COMPARE_FASTER);
	assert_true(c.batch > 1 && c.as_graph);
	assert_text(c.note, "as a graph");
	assert_done(compare(lab.device, LIST_OF(&few), LIST_OF(&increment), NULL, &c, NULL, &err), err);
	assert_int_equal(c.verdict, COMPARE_SLOWER);
	device_close(lab.device);
}

static void on_the_emulator(void **state) {
	Lab lab = open_lab("emu");
	const Launch one = of(&lab, "scale", lab.scale, 4, 8), many = of(&lab, "scale", lab.scale, 4, 8000);
	Comparison c;
	Err err = ERR_INIT;
	assert_done(compare(lab.device, LIST_OF(&one), LIST_OF(&one), NULL, &c, NULL, &err), err);
	assert_int_equal(c.kind, RATE_PREDICTED);
	assert_int_equal(c.verdict, COMPARE_CANNOT_TELL);
	assert_float_equal(c.ratio, 1, 0);
	assert_done(compare(lab.device, LIST_OF(&one), LIST_OF(&many), NULL, &c, NULL, &err), err);
	assert_int_equal(c.verdict, COMPARE_SLOWER);
	assert_float_equal(c.low, c.high, 0);
	device_close(lab.device);
}

static void what_goes_wrong_is_told(void **state) {
	Lab lab = open_lab("worker:fake");
	const Launch good = of(&lab, "increment", lab.increment, 2, 8), bad = of(&lab, "past_end", lab.increment, 2, 9);
	Comparison c = {.pairs = 77};
	LaunchOutcome o;
	Err err = ERR_INIT;
	assert_false(compare(lab.device, LIST_OF(&good), LIST_OF(&bad), NULL, &c, &o, &err));
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_int_equal(c.pairs, 77);
	atomic_store(&cancel_flag, true);
	assert_false(compare(lab.device, LIST_OF(&good), LIST_OF(&good), NULL, &c, &o, &err));
	atomic_store(&cancel_flag, false);
	assert_int_equal(o.status, LAUNCH_INTERRUPTED);
	device_close(lab.device);
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_kernels_cannot_be_told),
		cmocka_unit_test(differences_are_found),
		cmocka_unit_test(the_interval_keeps_its_word),
		cmocka_unit_test(small_differences_are_none),
		cmocka_unit_test(few_pairs_tell_nothing),
		cmocka_unit_test(on_a_gpu),
		cmocka_unit_test(on_the_emulator),
		cmocka_unit_test(what_goes_wrong_is_told),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
