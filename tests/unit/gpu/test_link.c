/* The order in which a pipeline's operations are issued, its chunks, and what the times of events have to be corrected
 * for. */
#include "check.h"

#include "gpu/host_link.h"

static void text_of(const Pipeline *p, char *out) {
	Span spans[3 * PIPELINE_CHUNKS];
	pipeline_issue(p, spans);
	for (uint32_t i = 0; i < 3 * p->chunks; i++) {
		*out++ = "iko"[spans[i].kind];
		*out++ = (char)('0' + spans[i].chunk);
		assert_int_equal(spans[i].stream, spans[i].chunk % p->streams);
	}
	*out = '\0';
}

static void depth_and_breadth(void **state) {
	static const struct {
		Pipeline p;
		const char *want;
	} cases[] = {
		{{.chunks = 1, .streams = 1}, "i0k0o0"},
		{{.chunks = 3, .streams = 2}, "i0k0o0i1k1o1i2k2o2"},
		{{.chunks = 3, .streams = 2, .order = ISSUE_BREADTH}, "i0i1k0k1o0o1i2k2o2"},
		{{.chunks = 2, .streams = 8, .order = ISSUE_BREADTH}, "i0i1k0k1o0o1"},
		{{.chunks = 2, .streams = 1, .order = ISSUE_BREADTH}, "i0k0o0i1k1o1"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[64];
		text_of(&cases[i].p, text);
		assert_string_equal(text, cases[i].want);
	}
}

static void chunks_cover_everything_once(void **state) {
	static const struct {
		size_t n;
		uint32_t chunks;
	} cases[] = {{1, 1}, {7, 7}, {64, 1}, {100, 3}, {1000, 7}, {4096, 4}, {30011, 256}, {256 * 64, 256}, {65537, 3}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t next = 0, first, count;
		for (uint32_t c = 0; c < cases[i].chunks; c++) {
			pipeline_chunk(cases[i].n, cases[i].chunks, c, &first, &count);
			assert_int_equal(first, next);
			assert_true(count > 0);
			if (cases[i].n / cases[i].chunks >= 64) assert_int_equal(first % 64, 0);
			next = first + count;
		}
		assert_int_equal(next, cases[i].n);
	}
}

static void what_is_no_pipeline(void **state) {
	const Pipeline good = {.chunks = 4, .streams = 2, .memory = HOST_PINNED};
	assert_true(pipeline_possible(&good));
	for (int i = 0; i < 6; i++) {
		Pipeline p = good;
		if (i == 0) p.chunks = 0;
		if (i == 1) p.chunks = PIPELINE_CHUNKS + 1;
		if (i == 2) p.streams = 0;
		if (i == 3) p.streams = PIPELINE_STREAMS + 1;
		if (i == 4) p.memory = (HostMemory)3;
		if (i == 5) p.order = (IssueOrder)2;
		assert_false(pipeline_possible(&p));
	}
}

/* Two copies in, of two streams, both "began" at 0 as the events have it; the second one waited for the first. */
static void copies_wait_for_their_engine(void **state) {
	Span two[] = {{SPAN_IN, 0, 0, 0, 5}, {SPAN_IN, 1, 1, 0, 9}, {SPAN_OUT, 0, 0, 6, 11}, {SPAN_KERNEL, 1, 1, 2, 3}};
	Span one[] = {{SPAN_IN, 0, 0, 0, 5}, {SPAN_IN, 1, 1, 0, 9}, {SPAN_OUT, 0, 0, 6, 11}, {SPAN_KERNEL, 1, 1, 2, 3}};
	pipeline_wait_for_engines(two, 4, 2);
	assert_true(two[0].start_ms == 0 && two[1].start_ms == 5 && two[2].start_ms == 6 && two[3].start_ms == 2);
	pipeline_wait_for_engines(one, 4, 1);
	assert_true(one[1].start_ms == 5 && one[2].start_ms == 9);
	Span odd[] = {{SPAN_IN, 0, 0, 0, 5}, {SPAN_IN, 1, 1, 0, 4}}; /* no span may end before it begins */
	pipeline_wait_for_engines(odd, 2, 2);
	assert_true(odd[1].start_ms == 4);
}

static void names(void **state) {
	assert_string_equal(copy_direction_names[COPY_FROM_DEVICE], "from device");
	assert_string_equal(host_memory_names[HOST_WRITE_COMBINED], "write-combined");
	assert_string_equal(span_kind_names[SPAN_KERNEL], "kernel");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_and_breadth),
		cmocka_unit_test(chunks_cover_everything_once),
		cmocka_unit_test(what_is_no_pipeline),
		cmocka_unit_test(copies_wait_for_their_engine),
		cmocka_unit_test(names),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
