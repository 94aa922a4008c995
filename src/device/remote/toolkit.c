/* toolkit.h */
#include "device/remote/toolkit.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

void toolkit_name(char *out, size_t size) {
	snprintf(out, size, "%d.%d", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}
