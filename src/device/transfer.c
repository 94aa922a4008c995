/* transfer.h: copies and pipelines checked and handed to the backend. */
#include "device/transfer.h"

#include "device/ask/ask.h"

static bool can_time(const Device *device, Err *err) {
	if (device->info.can & CAN_TIME) return true;
	err_set(err, ERR_USAGE, "%s cannot time a copy", device->info.name);
	return err_hint(err, "the emulator predicts times; measuring needs a GPU: --device cuda");
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static bool check_copy(const Copy *copy, uint32_t count, Err *err) {
	if (count < 1 || count > COPY_SAMPLES)
		return err_set(err, ERR_USAGE, "%u samples of a copy: 1 to %d can be taken at once", count, COPY_SAMPLES);
	if (copy->bytes >= 1 && copy->bytes <= COPY_MOST_BYTES) return true;
	err_set(err, ERR_USAGE, "a copy of %zu bytes", copy->bytes);
	return err_hint(err, "from 1 byte up to %d can be copied", COPY_MOST_BYTES);
}

bool device_copy(Device *device, const Copy *copy, uint32_t count, CopyTimes *out, Err *err) {
	const CopyRequest request = {*copy, count};
	if (!check_copy(copy, count, err) || !can_time(device, err)) return false;
	return ON_WORKER(device, err, backend_copy(device->main.backend, request, out, err));
}

/* --- pipelines ---------------------------------------------------------------------------------------------------- */

static bool check_job(Device *device, const PipelineJob *job, Err *err) {
	const Slot *in = slot_get(device, job->input, err), *out = in ? slot_get(device, job->output, err) : NULL;
	if (!out || !slot_is_plain(in, err) || !slot_is_plain(out, err)) return false;
	if (!pipeline_possible(&job->shape))
		return err_set(err, ERR_USAGE, "a pipeline has 1 to %d chunks and 1 to %d streams", PIPELINE_CHUNKS,
					   PIPELINE_STREAMS);
	if (in == out) {
		err_set(err, ERR_USAGE, "the pipeline's input and output are one buffer");
		return err_hint(err, "give two: while one chunk is copied out the next one is copied in");
	}
	if (in->mapped || out->mapped) {
		err_set(err, ERR_USAGE, "'%s' is already in host memory: there is nothing to copy",
				in->mapped ? in->name : out->name);
		return err_hint(err, "launch the kernel over it, or give a buffer of the device's own");
	}
	if (in->count != out->count)
		return err_set(err, ERR_USAGE, "'%s' has %zu elements and '%s' %zu: input and output must have the same length",
					   in->name, in->count, out->name, out->count);
	if (job->shape.chunks > in->count) {
		err_set(err, ERR_USAGE, "%u chunks of %zu elements", job->shape.chunks, in->count);
		return err_hint(err, "a chunk has at least one element: take fewer chunks, or longer buffers");
	}
	return slot_not_stale(in, err);
}

static BackendPipeline pack(Device *device, const PipelineJob *job, const LaunchItem *items, Arena *arena) {
	const Slot *in = slot_get(device, job->input, NULL), *out = slot_get(device, job->output, NULL);
	const uint32_t nchunks = job->shape.chunks;
	PipelineChunk *chunks = arena_array(arena, nchunks, sizeof *chunks);
	for (uint32_t i = 0; i < nchunks; i++) {
		size_t first, count;
		BackendItem item;
		pipeline_chunk(in->count, nchunks, i, &first, &count);
		item_pack(device, &items[i], false, arena, &item);
		chunks[i] = (PipelineChunk){.in_first = first * elem_bytes(in->type),
									.in_bytes = count * elem_bytes(in->type),
									.out_first = first * elem_bytes(out->type),
									.out_bytes = count * elem_bytes(out->type),
									.launch = item.launch};
	}
	return (BackendPipeline){.shape = job->shape,
							 .chunks = chunks,
							 .nchunks = nchunks,
							 .input = in->place.addr,
							 .output = out->place.addr,
							 .input_bytes = in->bytes,
							 .output_bytes = out->bytes};
}

static bool run(Device *device, const PipelineJob *job, const ListPlan *plan, Arena *arena, PipelineReport *report,
				Err *err) {
	Backend *b = device->main.backend;
	b->events.print = job->print;
	b->events.user = job->user;
	bool ok = backend_pipeline(b, pack(device, job, plan->list->items, arena), report, err);
	b->events = (BackendEvents){0};
	if (ok && report->failed.kind != ERR_NONE) {
		if (err) *err = report->failed;
		ok = false;
	}
	return ok && list_conclude(device, plan, &report->outcome, err);
}

/* Its launches may not read what was lost, nor what is only copied in. */
static bool prepared(Device *device, const PipelineJob *job, const ListPlan *plan, Err *err) {
	return device_ready(device, err) && check_job(device, job, err) && list_not_stale(plan, err);
}

/* One that breaks off after it began is not tried again. */
static bool run_on_worker(Device *device, const PipelineJob *job, const ListPlan *plan, Arena *arena,
						  PipelineReport *report, Err *err) {
	if (!prepared(device, job, plan, err)) return false;
	if (run(device, job, plan, arena, report, err)) return true;
	return !report->begun && device_try_again(device, err) && prepared(device, job, plan, err) &&
		   run(device, job, plan, arena, report, err);
}

bool device_pipeline(Device *device, const PipelineJob *job, PipelineTimes *out, LaunchOutcome *outcome, Err *err) {
	if (!can_time(device, err) || !device_ready(device, err) || !check_job(device, job, err)) return false;
	AUTO_ARENA Arena *arena = arena_new();
	PipelineReport *report = arena_alloc(arena, sizeof *report);
	LaunchItem *items = arena_array(arena, job->shape.chunks, sizeof *items);
	for (uint32_t i = 0; i < job->shape.chunks; i++) items[i].launch = job->launches[i];
	const LaunchList list = {.items = items, .nitems = job->shape.chunks};
	ListPlan plan;
	slot_changes(device, slot_get(device, job->output, NULL));
	const bool ok =
		list_plan(device, &list, false, &plan, err) && run_on_worker(device, job, &plan, arena, report, err);
	list_plan_free(&plan);
	if (report->begun && (!ok || report->outcome.status == LAUNCH_LIMIT) && device_works(device))
		slot_get(device, job->output, NULL)->contents = CONTENTS_STALE; /* broken off halfway */
	if (ok) {
		*out = report->times;
		*outcome = report->outcome;
	}
	return ok;
}
