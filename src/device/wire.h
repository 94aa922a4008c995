/* Frames between the proxy and its worker: a header, then at most WIRE_MAX bytes. Both ends are the same program on the same
 * machine, so numbers are native; but one end may be dying or gone mad, so every length, count and enumerator is checked, and a
 * frame that makes no sense ends the connection, never the process.
 *
 *     | magic 4 | version 2 | type 2 | sequence 4 | length 4 | payload ... |
 *
 * A call is answered by any number of FRAME_PRINT and then one FRAME_OK or FRAME_ERR, all with the call's sequence number. */
#ifndef GPULAB_DEVICE_WIRE_H
#define GPULAB_DEVICE_WIRE_H

#include "base/str.h"
#include "device/backend.h"

enum { WIRE_MAGIC = 0x31574c47 /* "GLW1" */, WIRE_VERSION = 3, WIRE_MAX = 256 << 20, WIRE_PIECE = 4 << 20 };

typedef enum {
	FRAME_OK,
	FRAME_ERR,     /* payload: an Err */
	FRAME_PRINT,   /* payload: text a kernel printed */
	FRAME_SAMPLED, /* progress of FRAME_SAMPLE: one sample more is done */
	FRAME_INFO,
	FRAME_ALLOC,
	FRAME_ALLOC_MAPPED,
	FRAME_FREE,
	FRAME_UPLOAD,   /* the bytes lie in the shared memory */
	FRAME_DOWNLOAD, /* likewise, after the answer */
	FRAME_FILL,
	FRAME_COPY,
	FRAME_PIPELINE,
	FRAME_LOAD,
	FRAME_UNLOAD,
	FRAME_KERNEL_INFO,
	FRAME_OCCUPANCY,
	FRAME_LAUNCH,
	FRAME_SAMPLE,
	FRAME_HAS_LIBRARY,
	FRAME_LIBRARY,
	FRAME_SYMBOL,
	FRAME_TEXTURE,
	FRAME_TEXTURE_FREE,
	FRAME_TEXTURE_COPY,
	FRAME_TYPES
} FrameType;

typedef struct {
	FrameType type;
	uint32_t sequence;
	uint8_t *data; /* reused from frame to frame; free it at the end */
	size_t len, cap;
} Frame;

typedef enum {
	WIRE_OK,
	WIRE_CLOSED, /* the other end is gone */
	WIRE_BROKEN, /* it sent what is no frame */
	WIRE_TIMEOUT,
	WIRE_CANCELLED /* *cancel was set, and the grace is over */
} WireStatus;

/* How long to wait; NULL: for ever. */
typedef struct {
	double until;              /* seconds_now() at which to give up */
	const atomic_bool *cancel; /* may be NULL */
	double grace;              /* seconds to wait on after a cancel: maybe it ends by itself */
	double cancelled_at;       /* state; start from 0 */
} WireLimit;

WireStatus wire_send(int fd, FrameType type, uint32_t sequence, const void *data, size_t len, WireLimit *limit);
WireStatus wire_receive(int fd, Frame *frame, WireLimit *limit);

/* Reads a header of WIRE_HEADER bytes. False: it is none. */
enum { WIRE_HEADER = 16 };
bool wire_header(const uint8_t bytes[WIRE_HEADER], FrameType *type, uint32_t *sequence, uint32_t *length);

/* --- payloads: written into a Str, read by a reader that remembers that something was wrong --------------------------------- */

void put_u8(Str *s, uint8_t v);
void put_u32(Str *s, uint32_t v);
void put_u64(Str *s, uint64_t v);
void put_f64(Str *s, double v);
void put_text(Str *s, const char *text);
void put_bytes(Str *s, const void *data, size_t len);

typedef struct {
	const uint8_t *at, *end;
	bool bad; /* something was missing, too long, or out of range; everything read since is zero */
} Reader;

Reader reader_of(const Frame *frame);
uint8_t get_u8(Reader *r);
bool get_bool(Reader *r);
uint32_t get_u32(Reader *r);
uint64_t get_u64(Reader *r);
double get_f64(Reader *r);
uint32_t get_at_most(Reader *r, uint32_t most);   /* an enumerator, or a count: bad, and 0, where it is more */
void get_text(Reader *r, char *out, size_t size); /* bad unless it fits with its end */
const uint8_t *get_bytes(Reader *r, size_t *len); /* inside the frame */
bool reader_done(const Reader *r);                /* nothing was wrong and nothing is left */

void put_err(Str *s, const Err *err);
void get_err(Reader *r, Err *err);
void put_device_info(Str *s, const DeviceInfo *info);
void get_device_info(Reader *r, DeviceInfo *info);
void put_kernel_info(Str *s, const KernelInfo *info);
void get_kernel_info(Reader *r, KernelInfo *info);
void put_occupancy(Str *s, const Occupancy *occupancy);
void get_occupancy(Reader *r, Occupancy *occupancy);
void put_outcome(Str *s, const LaunchOutcome *outcome);
void get_outcome(Reader *r, LaunchOutcome *outcome);
void put_texture(Str *s, const TextureDesc *desc);
void get_texture(Reader *r, TextureDesc *desc);
void put_compiled(Str *s, const Compiled *compiled);
void get_compiled(Reader *r, Compiled *compiled); /* cubin and ptx point into the frame; no names */

/* A launch as read: its arrays point into own memory. */
typedef struct {
	BackendLaunch launch;
	char name[4096];
	uint8_t *params;
	uint32_t *offsets, *sizes;
} WireLaunch;
void put_launch(Str *s, const BackendLaunch *launch);
void get_launch(Reader *r, WireLaunch *launch); /* bad unless every parameter lies inside the parameters */
void wire_launch_free(WireLaunch *launch);

void put_call(Str *s, const BackendCall *call);
void get_call(Reader *r, BackendCall *call); /* bad unless it is a routine */

/* A work as read. */
typedef struct {
	BackendItem *items;
	WireLaunch *launches; /* what the items' launches point into */
	uint32_t nitems;      /* at least 1 unless bad */
} WireWork;
void put_work(Str *s, const BackendItem *items, uint32_t nitems);
void get_work(Reader *r, WireWork *work);
void wire_work_free(WireWork *work);

void put_sample(Str *s, const Sample *sample);
void get_sample(Reader *r, Sample *sample);

/* payload_transfer.c */
void put_copy(Str *s, const Copy *copy, uint32_t count);
void get_copy(Reader *r, Copy *copy, uint32_t *count); /* bad unless it can be done */
void put_copy_times(Str *s, const CopyTimes *times, uint32_t count);
void get_copy_times(Reader *r, CopyTimes *times, uint32_t count);
typedef struct {
	BackendPipeline pipeline;
	WireLaunch *wired;
	BackendLaunch *launches;
	PipelineChunk *chunks;
} WirePipeline;
void put_pipeline(Str *s, const BackendPipeline *pipeline);
void get_pipeline(Reader *r, WirePipeline *pipeline); /* bad unless every chunk lies inside the buffers */
void wire_pipeline_free(WirePipeline *pipeline);
void put_pipeline_times(Str *s, const PipelineTimes *times, uint32_t chunks);
void get_pipeline_times(Reader *r, const Pipeline *shape, PipelineTimes *times);

#endif
