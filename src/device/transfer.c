/* device/transfer.h: copies and pipelines checked and handed to the backend. */
#include "device/transfer.h"

#include <stdlib.h>

#include "base/arena.h"
#include "device/internal.h"

static bool can_time(const Device *device, Err *err) {
	const BackendOps *ops = device->backend->ops;
	if (device->info.can_time && ops->copy && ops->pipeline) return true;
	err_set(err, ERR_USAGE, "%s cannot time a copy", device->info.name);
	return err_hint(err, "the emulator predicts times; measuring needs a GPU: --device cuda");
}

/* --- copies ------------------------------------------------------------------------------------------------------------- */

static bool check_copy(const Copy *copy, uint32_t count, Err *err) {
	if (count < 1 || count > COPY_SAMPLES)
		return err_set(err, ERR_USAGE, "%u samples of a copy: 1 to %d can be taken at once", count, COPY_SAMPLES);
	if (copy->bytes >= 1 && copy->bytes <= COPY_MOST_BYTES) return true;
	err_set(err, ERR_USAGE, "a copy of %zu bytes", copy->bytes);
	return err_hint(err, "from 1 byte up to %d can be copied", COPY_MOST_BYTES);
}

bool device_copy(Device *device, const Copy *copy, uint32_t count, CopyTimes *out, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	const BackendOps *ops = device->backend->ops;
	if (!check_copy(copy, count, err) || !can_time(device, err)) return false;
	bool ok = device_ready(device, err) && ops->copy(device->backend, copy, count, out, err);
	if (!ok && device_try_again(device, err))
		ok = device_ready(device, err) && ops->copy(device->backend, copy, count, out, err);
	return ok;
}

/* --- pipelines ---------------------------------------------------------------------------------------------------------- */

typedef struct {
	BackendPipeline call;
	BackendLaunch *launches;
	uint8_t **params;
	PipelineChunk *chunks;
	WorkItem *items; /* the launches as a work: what follows them is the same */
} Prepared;

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
		err_set(err, ERR_USAGE, "'%s' is memory of the host already: nothing is copied there",
				in->mapped ? in->name : out->name);
		return err_hint(err, "launch the kernel over it, or give a buffer of the device's own");
	}
	if (in->count != out->count)
		return err_set(err, ERR_USAGE, "'%s' has %zu elements and '%s' %zu: input and output must be equally long",
					   in->name, in->count, out->name, out->count);
	if (job->shape.chunks > in->count) {
		err_set(err, ERR_USAGE, "%u chunks of %zu elements", job->shape.chunks, in->count);
		return err_hint(err, "a chunk has at least one element: take fewer chunks, or longer buffers");
	}
	for (uint32_t i = 0; i < job->shape.chunks; i++)
		if (!launch_check(device, &job->launches[i], err) || !launch_not_stale(device, &job->launches[i], err))
			return false;
	return slot_not_stale(in, err);
}

static void prepare(Device *device, const PipelineJob *job, Prepared *p) {
	const Slot *in = slot_get(device, job->input, NULL), *out = slot_get(device, job->output, NULL);
	const uint32_t chunks = job->shape.chunks;
	p->launches = xcalloc(chunks, sizeof *p->launches);
	p->params = xcalloc(chunks, sizeof *p->params);
	p->chunks = xcalloc(chunks, sizeof *p->chunks);
	p->items = xcalloc(chunks, sizeof *p->items);
	for (uint32_t i = 0; i < chunks; i++) {
		size_t first, count;
		pipeline_chunk(in->count, chunks, i, &first, &count);
		p->chunks[i] = (PipelineChunk){.in_first = first * elem_bytes(in->type),
									   .in_bytes = count * elem_bytes(in->type),
									   .out_first = first * elem_bytes(out->type),
									   .out_bytes = count * elem_bytes(out->type)};
		p->items[i].launch = job->launches[i];
		launch_prepare(device, &job->launches[i], &p->launches[i], &p->params[i]);
	}
	p->call = (BackendPipeline){.shape = job->shape,
								.launches = p->launches,
								.chunks = p->chunks,
								.input = in->addr,
								.output = out->addr,
								.input_bytes = in->bytes,
								.output_bytes = out->bytes};
}

static void release(Prepared *p) {
	for (uint32_t i = 0; i < p->call.shape.chunks; i++) free(p->params[i]);
	free(p->params);
	free(p->launches);
	free(p->chunks);
	free(p->items);
}

bool device_pipeline(Device *device, const PipelineJob *job, PipelineTimes *out, LaunchOutcome *outcome, Err *err) {
	Err local = ERR_INIT;
	if (!err) err = &local;
	Prepared p = {0};
	LaunchOutcome ended = {0};
	if (!can_time(device, err) || !device_ready(device, err) || !check_job(device, job, err)) return false;
	prepare(device, job, &p);
	bool begun = false;
	bool ok = device->backend->ops->pipeline(device->backend, &p.call, out, &ended, &begun, err);
	const Work launches = {p.items, job->shape.chunks};
	if (ok) ok = work_conclude(device, &launches, &ended, err);
	release(&p);
	if (begun && (!ok || ended.status == LAUNCH_LIMIT) && device_check_alive(device)) /* broken off halfway */
		slot_get(device, job->output, NULL)->stale = true;
	if (ok) *outcome = ended;
	return ok;
}
