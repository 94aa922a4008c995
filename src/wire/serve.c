/* serve.h */
#include "wire/serve.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static void map_shared(Server *s) {
	struct stat about;
	if (fstat(WORKER_SHARED, &about) < 0 || !S_ISREG(about.st_mode) || about.st_size < SHARED_DATA) return;
	s->shared = shared_map(WORKER_SHARED, (size_t)about.st_size);
	s->shared_bytes = s->shared ? (size_t)about.st_size : 0;
	close(WORKER_SHARED);
}

void serve_begin(Server *s, int fd) {
	s->fd = fd;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "gpulab-worker");
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	map_shared(s);
}

static int out_of(const Server *s) {
	return s->fd_out ? s->fd_out : s->fd;
}

static void send_now(const Server *s, FrameType type, const char *text, size_t len) {
	frame_send(out_of(s), (uint16_t)type, s->frame.sequence, text, len, NULL);
}

void serve_print(void *server, const char *text, size_t len) {
	send_now(server, FRAME_PRINT, text, len);
}

void serve_progress(void *server) {
	send_now(server, FRAME_PROGRESS, NULL, 0);
}

void serve_note(void *server, const char *text) {
	send_now(server, FRAME_NOTE, text, strlen(text));
}

const atomic_bool *serve_cancel(const Server *s) {
	return s->shared ? &((const Shared *)s->shared)->cancel : NULL;
}

static bool malformed(Err *err) {
	return err_set(err, ERR_USAGE, "a call the worker does not understand");
}

static bool malformed_record(const Reader *r, Err *err) {
	if (!r->long_list) return malformed(err);
	return err_set(err, ERR_USAGE, "%u %s are too many: at most %u", r->entries, r->long_list->member.name,
				   r->long_list->most);
}

static bool answer_call(Server *s, Err *err) {
	const size_t number = (size_t)s->frame.type - FRAME_CALLS;
	if (s->posted.kind != ERR_NONE) { /* what follows may rely on what failed */
		*err = s->posted;
		if (!s->frame.posted) s->posted = (Err)ERR_INIT;
		return false;
	}
	if (s->frame.type < FRAME_CALLS || number >= s->ncalls || !s->calls[number].serve) return malformed(err);
	const ServeCall *call = &s->calls[number];
	void *request = call->request ? arena_alloc(s->arena, call->request->size) : NULL,
		 *answer = call->answer ? arena_alloc(s->arena, call->answer->size) : NULL;
	Reader r = reader_of(&s->frame, s->arena);
	record_get(&r, call->request, request);
	if (!reader_done(&r)) return malformed_record(&r, err);
	if (!call->serve(s, request, answer, err)) return false;
	record_put(&s->out, call->answer, answer);
	if (s->out.len <= FRAME_MAX) return true;
	str_clear(&s->out);
	return err_set(err, ERR_SETUP, "the worker's answer is too long: over %d MB", FRAME_MAX >> 20);
}

bool serve_frame(Server *s) {
	Err err = ERR_INIT;
	str_clear(&s->out);
	s->arena = arena_new();
	const bool ok = answer_call(s, &err), broken = !ok && s->works && !s->works(s);
	if (!ok && err.kind == ERR_NONE) err.kind = ERR_SETUP;
	if (!ok) record_put(&s->out, &Err_record, &err);
	arena_free(s->arena);
	s->arena = NULL;
	if (s->frame.posted) {
		if (!ok) s->posted = err;
		return true;
	}
	const FrameType type = ok ? FRAME_ANSWER : !broken ? FRAME_ERROR : s->broken ? s->broken : FRAME_BROKEN;
	return (s->packs ? frame_send_packed : frame_send)(out_of(s), (uint16_t)type, s->frame.sequence, s->out.text,
													   s->out.len, NULL) == WIRE_OK;
}

void serve_end(Server *s) {
	frame_free(&s->frame);
	str_free(&s->out);
	shared_unmap(s->shared, s->shared_bytes);
}

int serve_until_closed(Server *s) {
	WireStatus status;
	while ((status = frame_receive(s->fd, &s->frame, NULL)) == WIRE_OK)
		if (!serve_frame(s)) break;
	return status == WIRE_BROKEN ? ERR_SETUP : 0;
}
