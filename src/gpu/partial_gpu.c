/* partial_gpu.h */
#include "gpu/partial_gpu.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char mark[] = " MIG ", extended[] = "+"; /* 1g.10gb+me has the media engines, too */

static const Gpu *named(const char *name) {
	char plain[128];
	const char *slice = strstr(name, mark);
	const size_t len = slice ? strcspn(slice, extended) + (size_t)(slice - name) : strlen(name);
	snprintf(plain, sizeof plain, "%.*s", len < sizeof plain ? (int)len : (int)sizeof plain - 1, name);
	return gpu_find(plain, NULL);
}

const Gpu *gpu_record(const char *name, uint32_t cc, uint32_t sms) {
	const Gpu *gpu = named(name);
	return gpu && gpu->cc == cc && gpu->sms == sms ? gpu : NULL;
}

void gpu_share(const char *gpu_name, uint32_t sms, const char *mps_folder, char *out, size_t size) {
	char control[4200];
	const char *slice = strstr(gpu_name, mark);
	const Gpu *whole = named(gpu_name);
	*out = '\0';
	if (slice) {
		snprintf(out, size, "MIG slice %.20s", slice + strlen(mark));
		return;
	}
	snprintf(control, sizeof control, "%.4096s/control", mps_folder && *mps_folder ? mps_folder : "/tmp/nvidia-mps");
	if (access(control, F_OK) != 0) return;
	if (whole && sms < whole->sms)
		snprintf(out, size, "MPS, %u of %u SMs", sms, whole->sms);
	else
		snprintf(out, size, "MPS");
}
