/* share.h */
#include "gpu/share.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char mark[] = " MIG ";

const Gpu *gpu_record(const char *name, uint32_t cc) {
	const Gpu *gpu = strstr(name, mark) ? NULL : gpu_find(name, NULL);
	return gpu && gpu->cc == cc ? gpu : NULL;
}

void gpu_share(const char *gpu_name, const char *mps_folder, char *out, size_t size) {
	char control[4200];
	const char *slice = strstr(gpu_name, mark);
	*out = '\0';
	if (slice) {
		snprintf(out, size, "MIG slice %.20s", slice + strlen(mark));
		return;
	}
	snprintf(control, sizeof control, "%.4096s/control", mps_folder && *mps_folder ? mps_folder : "/tmp/nvidia-mps");
	if (access(control, F_OK) == 0) snprintf(out, size, "MPS");
}
