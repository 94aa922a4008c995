/* unavailable.h */
#include "device/backend/unavailable.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"

bool gpu_ordinal(const char *name, int *ordinal, Err *err) {
	enum { MOST_DIGITS = 4 };
	const char *digits = strcmp(name, "cuda") == 0 ? "0" : text_starts(name, "cuda:") ? name + strlen("cuda:") : "";
	size_t n = 0;
	while (isdigit((unsigned char)digits[n])) n++;
	if (n >= 1 && n <= MOST_DIGITS && !digits[n]) {
		*ordinal = atoi(digits);
		return true;
	}
	err_set(err, ERR_SETUP, "\"%.60s\" names no GPU", name);
	return err_hint(err, "GPUs are cuda:0, cuda:1 and so on; gpulab --devices lists what can be opened");
}

bool gpu_not_there(int ordinal, int count, Err *err) {
	if (count == 1)
		err_set(err, ERR_SETUP, "there is no GPU cuda:%d: the machine has one, cuda:0", ordinal);
	else
		err_set(err, ERR_SETUP, "there is no GPU cuda:%d: the machine has %d, cuda:0 to cuda:%d", ordinal, count,
				count - 1);
	return err_hint(err, "gpulab --devices lists what can be opened; CUDA_VISIBLE_DEVICES may hide some");
}

static void add_processes(Str *s, const uint32_t *pids, size_t n) {
	enum { MOST = 5 };
	for (size_t i = 0; i < n && i < MOST; i++)
		str_addf(s, "%s%u", i == 0 ? (n == 1 ? ": process " : ": processes ") : i + 1 == n ? " and " : ", ", pids[i]);
	if (n > MOST) str_addf(s, " and %zu more", n - MOST);
}

bool gpu_busy(int ordinal, ComputeMode mode, const uint32_t *pids, size_t npids, Err *err) {
	AUTO_STR Str who = {0};
	add_processes(&who, pids, npids);
	const char *said = who.text ? who.text : "";
	switch (mode) {
	case MODE_PROHIBITED:
		err_set(err, ERR_SETUP, "the GPU cuda:%d does not allow computing (compute mode \"prohibited\")", ordinal);
		err_hint(err,
				 "its administrator can allow it: nvidia-smi -i %d -c DEFAULT; or name another GPU, or --device emu",
				 ordinal);
		break;
	case MODE_EXCLUSIVE:
		err_set(err, ERR_SETUP, "the GPU cuda:%d accepts one process at a time, and another one uses it%s", ordinal,
				said);
		err_hint(err, "wait until it ends, name another GPU with --device, or use --device emu");
		break;
	default:
		err_set(err, ERR_SETUP, "the GPU cuda:%d is busy or reserved by another process%s", ordinal, said);
		err_hint(err, "see who uses it with nvidia-smi, name another GPU with --device, or use --device emu");
	}
	return false;
}

bool gpu_heap_is_fixed(size_t have, size_t asked, LaunchOutcome *out) {
	*out = (LaunchOutcome){.status = LAUNCH_LIMIT};
	snprintf(
		out->message, sizeof out->message,
		"The heap of malloc has %zu bytes and cannot have %zu: a GPU's heap stays as it is once a kernel has used it. "
		"Give heap= to the first launch on a device just opened, or set it for all: %s.",
		have, asked, limit_how(LIMIT_HEAP));
	return false;
}
