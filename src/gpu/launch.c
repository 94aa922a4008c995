#include "gpu/launch.h"

uint64_t launch_blocks(const LaunchConfig *c) {
	return (uint64_t)c->grid[0] * c->grid[1] * c->grid[2];
}

uint64_t launch_block_threads(const LaunchConfig *c) {
	return (uint64_t)c->block[0] * c->block[1] * c->block[2];
}

void launch_place(uint64_t number, const uint32_t shape[3], uint32_t out[3]) {
	out[0] = (uint32_t)(number % shape[0]);
	out[1] = (uint32_t)(number / shape[0] % shape[1]);
	out[2] = (uint32_t)(number / shape[0] / shape[1]);
}

uint64_t launch_sample_run(const LaunchConfig *c) {
	if (c->sample >= 2 * SAMPLE_RUN) return SAMPLE_RUN;
	return c->sample ? ((c->sample + 1) / 2 + SAMPLE_LEAST - 1) / SAMPLE_LEAST * SAMPLE_LEAST : SAMPLE_LEAST;
}

static uint64_t runs_of(const LaunchConfig *c) {
	const uint64_t two = 2 * launch_sample_run(c);
	return (c->sample + two - 1) / two * 2;
}

uint64_t launch_blocks_run(const LaunchConfig *c) {
	const uint64_t all = launch_blocks(c);
	if (c->schedule || !c->sample || c->sample >= all || runs_of(c) * launch_sample_run(c) >= all) return all;
	return runs_of(c) * launch_sample_run(c) / (c->sample_half ? 2 : 1);
}

/* Run k of R lies in the middle of the k-th of R parts of the grid. Half of the sample has one run of each pair, the
 * first or the second by the parity of the pair's number, so that work which grows along the grid is the same in both
 * halves. */
uint64_t launch_block_of(const LaunchConfig *c, uint64_t i) {
	const uint64_t all = launch_blocks(c), length = launch_sample_run(c), places = all / length;
	if (launch_blocks_run(c) == all) return i;
	uint64_t run = i / length;
	if (c->sample_half) run = 2 * run + (uint64_t)(__builtin_popcountll(run) & 1);
	const uint64_t place = (uint64_t)((unsigned __int128)(2 * run + 1) * places / (2 * runs_of(c)));
	return place * length + i % length;
}

const char *const launch_status_names[] = {"ok", "fault", "limit", "timeout", "interrupted", NULL};

const char *const fault_kind_names[] = {[FAULT_NONE] = "none",
										[FAULT_OUT_OF_BOUNDS] = "out of bounds",
										[FAULT_FREED] = "use after free",
										[FAULT_MISALIGNED] = "misaligned address",
										[FAULT_WRONG_SPACE] = "wrong address space",
										[FAULT_STACK] = "stack overflow",
										[FAULT_TRAP] = "trap",
										[FAULT_ASSERT] = "assertion failed",
										[FAULT_BARRIER] = "barrier never completed",
										[FAULT_INSTRUCTION] = "instruction not executed",
										[FAULT_UNKNOWN] = "unknown fault",
										NULL};

bool launch_error(const LaunchOutcome *outcome, Err *err) {
	static const ErrKind kinds[] = {[LAUNCH_OK] = ERR_NONE,
									[LAUNCH_FAULT] = ERR_FAULT,
									[LAUNCH_LIMIT] = ERR_FAULT,
									[LAUNCH_TIMEOUT] = ERR_TIMEOUT,
									[LAUNCH_INTERRUPTED] = ERR_INTERRUPTED};
	const Fault *fault = &outcome->fault;
	err_set(err, kinds[outcome->status], "%s", *outcome->message ? outcome->message : fault->message);
	if (fault->located && *fault->file) err_where(err, fault->file, fault->line);
	return false;
}
