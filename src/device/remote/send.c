/* send.h */
#include "device/remote/send.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/proc.h"

static const double PACK_S = 1200, LOOK_S = 0.02;
enum { DIGEST_CHARS = 64, WORDS = 64, PIECE = 1 << 16 };

static void word_of(const char *line, const char *name, char *out, size_t size) {
	const char *at = strstr(line, name);
	const size_t len = at ? strcspn(at + strlen(name), " \r") : 0;
	snprintf(out, size, "%.*s", (int)len, at ? at + strlen(name) : "");
	for (char *c = out; *c; c++)
		if (*c < ' ' || *c > '~') *c = '?';
}

static bool can_run_there(const DevicePlace *place, const char *line, Err *err) {
	struct utsname own;
	char system[32], arch[32], lacks[64];
	word_of(line, " system=", system, sizeof system);
	word_of(line, " arch=", arch, sizeof arch);
	word_of(line, " lacks=", lacks, sizeof lacks);
	if (uname(&own) != 0) return err_set(err, ERR_SETUP, "this machine does not say its architecture");
	if (strcmp(system, own.sysname) != 0 || strcmp(arch, own.machine) != 0) {
		err_set(err, ERR_SETUP, "there is no gpulab at %s, and this one cannot be sent: it is for %s %s, not %s %s",
				place->name, own.sysname, own.machine, system, arch);
		return err_hint(err, "install gpulab there, in PATH or where the site file's gpulab= says");
	}
	if (!*lacks) return true;
	err_set(err, ERR_SETUP, "there is no gpulab at %s, and none can be sent: %s is missing there", place->name, lacks);
	return err_hint(err, "install gpulab there, in PATH or where the site file's gpulab= says");
}

/* --- place->pack here --------------------------------------------------------------------------------------------- */

static WireStatus wait_for_end(pid_t pid, const Exchange *x, const Child *c, int *status) {
	for (double waited = 0; !proc_wait(pid, LOOK_S, status); waited += LOOK_S) {
		if (x->look) x->look(x->user);
		const bool cancelled = c->cancel && atomic_load(c->cancel);
		if (!cancelled && waited < PACK_S) continue;
		kill(-pid, SIGTERM);
		proc_wait(pid, 1, status);
		return cancelled ? WIRE_CANCELLED : WIRE_TIMEOUT;
	}
	return WIRE_OK;
}

/* What pack's command writes with the word `what` at its end, as a descriptor at its start. */
static WireStatus packed(const Child *c, const Exchange *x, const DevicePlace *place, const char *what, int *out,
						 Err *err) {
	const char *words[WORDS + 2];
	size_t n = 0;
	int status = 0;
	pid_t pid;
	*out = memfd_create("gpulab", MFD_CLOEXEC);
	for (; n < WORDS && place->pack[n]; n++) words[n] = place->pack[n];
	words[n] = what;
	words[n + 1] = NULL;
	const int fds[] = {-1, *out, -1};
	const ProcStart start = {
		.path = words[0], .argv = (char *const *)words, .fds = fds, .nfds = 3, .own_session = true, .search = true};
	if (*out < 0) err_set(err, ERR_SETUP, "no memory to pack gpulab for %s", place->name);
	if (*out < 0 || !proc_start(&start, &pid, err)) return WIRE_BROKEN;
	const WireStatus waited = wait_for_end(pid, x, c, &status);
	if (waited == WIRE_CANCELLED) return waited;
	if (waited == WIRE_OK && status == 0 && lseek(*out, 0, SEEK_SET) == 0) return WIRE_OK;
	err_set(err, ERR_SETUP, "there is no gpulab at %s, and this one could not be packed to be sent", place->name);
	err_hint(err, "is there room in /tmp? tar, gzip and sha256sum are needed here, too");
	return WIRE_BROKEN;
}

/* --- the exchange ------------------------------------------------------------------------------------------------- */

static WireStatus send_digest(Child *c, const Exchange *x, const DevicePlace *place, Err *err) {
	char digest[DIGEST_CHARS + 1];
	int fd = -1;
	WireStatus status = packed(c, x, place, "digest", &fd, err);
	if (status == WIRE_OK && read(fd, digest, sizeof digest) != (ssize_t)sizeof digest) status = WIRE_BROKEN;
	if (status == WIRE_OK) status = child_send_bytes(c, x, digest, sizeof digest); /* with the line's end */
	if (fd >= 0) close(fd);
	return status;
}

static WireStatus send_pieces(Child *c, const Exchange *x, const DevicePlace *place, int fd, off_t bytes) {
	static uint8_t piece[PIECE];
	WireStatus status = WIRE_OK;
	double shown = seconds_now();
	for (off_t sent = 0; sent < bytes && status == WIRE_OK;) {
		const ssize_t n = read(fd, piece, sizeof piece);
		if (n <= 0) return WIRE_BROKEN;
		status = child_send_bytes(c, x, piece, (size_t)n);
		sent += n;
		if (!device_waiting || seconds_now() - shown < 1) continue;
		char text[200];
		shown = seconds_now();
		snprintf(text, sizeof text, "sending gpulab to %.80s: %.1f of %.1f MB (Ctrl-C cancels)", place->name,
				 (double)sent * 1e-6, (double)bytes * 1e-6);
		device_waiting(text);
	}
	return status;
}

static WireStatus send_archive(Child *c, const Exchange *x, const DevicePlace *place, Err *err) {
	char line[32];
	int fd = -1;
	WireStatus status = packed(c, x, place, "archive", &fd, err);
	const off_t bytes = status == WIRE_OK ? lseek(fd, 0, SEEK_END) : 0;
	const int len = snprintf(line, sizeof line, "%lld\n", (long long)bytes);
	if (status == WIRE_OK && lseek(fd, 0, SEEK_SET) == 0) status = child_send_bytes(c, x, line, (size_t)len);
	if (status == WIRE_OK) status = send_pieces(c, x, place, fd, bytes);
	if (fd >= 0) close(fd);
	return status;
}

WireStatus send_program(Child *c, const Exchange *x, const DevicePlace *place, char *line, size_t size, Err *err) {
	Exchange quiet = *x;
	quiet.look = NULL; /* while the amount that was sent is shown */
	if (!place->pack || !can_run_there(place, line, err)) return WIRE_BROKEN;
	WireStatus status = send_digest(c, x, place, err);
	if (status == WIRE_OK) status = child_await_line(c, x, SEND_MARK, line, size);
	if (status != WIRE_OK || strcmp(line, SEND_MARK "send") != 0) return status;
	status = send_archive(c, &quiet, place, err);
	return status == WIRE_OK ? child_await_line(c, x, SEND_MARK, line, size) : status;
}
