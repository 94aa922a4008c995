/* Predictions of copies, of pipelines by how many copy engines there are, and of the traffic over the link. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/traffic/bus.h"
#include "model/transfer.h"

/* 1 GB/s everywhere, no cost of a copy: a byte is a nanosecond. */
static Gpu plain(uint32_t engines) {
	return (Gpu){.name = "plain",
				 .cc = 90,
				 .to_device_gbps = 1,
				 .from_device_gbps = 1,
				 .pageable_to_gbps = 0.5,
				 .pageable_from_gbps = 0.5,
				 .copy_engines = engines,
				 .mapped_read_gbps = 1,
				 .mapped_write_gbps = 2,
				 .mapped_read_mhz = 1};
}

static void copies(void **state) {
	Gpu gpu = plain(2);
	gpu.copy_us = 100;
	assert_float_equal(copy_predict(&gpu, COPY_TO_DEVICE, HOST_PINNED, 1e6), 1.1, 1e-12);
	assert_float_equal(copy_predict(&gpu, COPY_TO_DEVICE, HOST_WRITE_COMBINED, 1e6), 1.1, 1e-12);
	assert_float_equal(copy_predict(&gpu, COPY_FROM_DEVICE, HOST_PAGEABLE, 1e6), 2.1, 1e-12);
	for (size_t i = 0; gpu_at(i); i++)
		assert_true(copy_predict(gpu_at(i), COPY_TO_DEVICE, HOST_PAGEABLE, 1e8) >
					copy_predict(gpu_at(i), COPY_TO_DEVICE, HOST_PINNED, 1e8));
}

enum { CHUNKS = 4 };

/* Four chunks, each a millisecond in, one of kernel, one out. */
static double total(const Gpu *gpu, uint32_t streams, HostMemory memory, IssueOrder order, Span *spans) {
	static const double kernels[CHUNKS] = {1, 1, 1, 1};
	static const size_t bytes[CHUNKS] = {1000000, 1000000, 1000000, 1000000};
	const Pipeline p = {.chunks = CHUNKS, .streams = streams, .memory = memory, .order = order};
	return pipeline_predict(gpu, &p, kernels, bytes, bytes, spans);
}

static void engines_decide_what_overlaps(void **state) {
	Span spans[3 * CHUNKS];
	const Gpu none = plain(0), one = plain(1), two = plain(2);
	assert_float_equal(total(&two, 1, HOST_PINNED, ISSUE_DEPTH, spans), 12, 1e-9); /* a stream is one after the other */
	assert_float_equal(total(&two, 4, HOST_PINNED, ISSUE_DEPTH, spans), 6, 1e-9);
	assert_float_equal(total(&two, 4, HOST_PINNED, ISSUE_BREADTH, spans), 6, 1e-9);
	assert_float_equal(total(&none, 4, HOST_PINNED, ISSUE_BREADTH, spans), 12, 1e-9);
	/* one engine: a copy out that waits for its kernel holds up the next copy in, unless that was issued before */
	assert_float_equal(total(&one, 4, HOST_PINNED, ISSUE_DEPTH, spans), 12, 1e-9);
	assert_float_equal(total(&one, 4, HOST_PINNED, ISSUE_BREADTH, spans), 8, 1e-9);
	/* pageable: the host issues nothing while it copies, and copies at half the rate */
	assert_float_equal(total(&two, 4, HOST_PAGEABLE, ISSUE_DEPTH, spans), 20, 1e-9);
}

static void spans_keep_every_order(void **state) {
	Span spans[3 * CHUNKS];
	for (uint32_t engines = 0; engines <= 2; engines++)
		for (uint32_t streams = 1; streams <= 5; streams++) {
			const Gpu gpu = plain(engines);
			const double end = total(&gpu, streams, HOST_PINNED, streams % 2 ? ISSUE_DEPTH : ISSUE_BREADTH, spans);
			for (int i = 0; i < 3 * CHUNKS; i++) {
				assert_true(spans[i].end_ms > spans[i].start_ms && spans[i].end_ms <= end);
				for (int k = 0; k < i; k++) {
					if (spans[k].stream == spans[i].stream) assert_true(spans[i].start_ms >= spans[k].end_ms);
					const bool same = spans[k].kind == spans[i].kind; /* one engine at least */
					if (same) assert_true(spans[i].start_ms >= spans[k].end_ms);
				}
			}
		}
}

static void requests_over_the_link(void **state) {
	const Gpu gpu = plain(2);
	const char *bound;
	Segment line[4], apart[4];
	for (int i = 0; i < 4; i++) {
		line[i] = (Segment){.base = MAPPED_BASE + 32u * (unsigned)i, .bytes = 32};
		apart[i] = (Segment){.base = MAPPED_BASE + 128u * (unsigned)i, .bytes = 32};
	}
	BusTraffic whole = {0}, pieces = {0}, both = {0};
	bus_count(&whole, ACCESS_LOAD, line, 4);
	assert_int_equal(whole.reads, 1);
	assert_int_equal(whole.read_bytes, 128);
	bus_count(&pieces, ACCESS_LOAD, apart, 4);
	assert_int_equal(pieces.reads, 4);
	assert_int_equal(pieces.writes, 0);
	assert_float_equal(bus_time(&pieces, &gpu, &bound), 4e-3 + 0.0012, 1e-12); /* a million requests a second */
	assert_string_equal(bound, "requests for host memory");
	bus_count(&both, ACCESS_ATOMIC, line, 4); /* there and back */
	assert_true(both.reads == 1 && both.writes == 1);
	bus_add(&both, &pieces);
	assert_int_equal(both.reads, 5);
	BusTraffic writes = {.writes = 1000, .written_bytes = 128000};
	assert_float_equal(bus_time(&writes, &gpu, &bound), 0.064, 1e-12); /* full ones: at the rate attained */
	assert_string_equal(bound, "the link, writing host memory");
	BusTraffic small = {.writes = 1000, .written_bytes = 32000};
	assert_true(bus_time(&small, &gpu, NULL) > 0.064 / 4 * 1.4); /* a quarter of the data, and as many headers */
	Gpu quick = gpu;
	quick.mapped_read_mhz = 1e6;
	BusTraffic reads = {.reads = 1000, .read_bytes = 128000};
	assert_float_equal(bus_time(&reads, &quick, &bound), 0.128 + 0.0012, 1e-12); /* and the last one's way */
	assert_string_equal(bound, "the link, reading host memory");
	BusTraffic there_and_back = {.reads = 1000, .read_bytes = 32000, .writes = 1000, .written_bytes = 128000};
	assert_float_equal(bus_time(&there_and_back, &quick, &bound), 0.064 * 176 / 152,
					   1e-12); /* and the requests' headers */
	assert_string_equal(bound, "the link, writing host memory");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies),
		cmocka_unit_test(engines_decide_what_overlaps),
		cmocka_unit_test(spans_keep_every_order),
		cmocka_unit_test(requests_over_the_link),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
