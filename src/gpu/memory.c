/* memory.h */
#include "gpu/memory.h"

#include <string.h>

typedef struct {
	const char *name;
	uint32_t bus_bits, mebibytes;
} Row;

/* Widths and sizes are those of the specifications that cards.def and gpus.def name for each product. A slice of a GPU
 * (MIG) has that share of the bus. */
/* clang-format off */
static const Row rows[] = {
	{"8800 GTX", 384, 768}, {"8600 GT", 128, 256}, {"8800 GT", 256, 512}, {"GTX 260", 448, 896},
	{"GTX 280", 512, 1024}, {"GTX 285", 512, 1024}, {"Tesla C1060", 512, 4096}, {"GTX 480", 384, 1536},
	{"Tesla C2050", 384, 3072}, {"Tesla M2050", 384, 3072}, {"Tesla M2090", 384, 6144}, {"GTX 580", 384, 1536},
	{"GTX 680", 256, 2048}, {"GTX 770", 256, 2048}, {"Tesla K20", 320, 5120}, {"Tesla K20X", 384, 6144},
	{"Tesla K40", 384, 12288}, {"GTX 780 Ti", 384, 3072}, {"Tesla K80", 384, 12288}, {"GTX 750", 128, 1024},
	{"GTX 750 Ti", 128, 2048}, {"GTX 960", 128, 2048}, {"GTX 970", 256, 4096}, {"GTX 980", 256, 4096},
	{"GTX 980 Ti", 384, 6144}, {"GTX Titan X", 384, 12288}, {"Tesla M40", 384, 12288}, {"GT 1030", 64, 2048},
	{"GTX 1050", 128, 2048}, {"GTX 1050 Ti", 128, 4096}, {"GTX 1060", 192, 6144}, {"GTX 1070", 256, 8192},
	{"GTX 1070 Ti", 256, 8192}, {"GTX 1080", 256, 8192}, {"GTX 1080 Ti", 352, 11264}, {"Titan Xp", 384, 12288},
	{"Tesla P4", 256, 8192}, {"Tesla P40", 384, 24576}, {"P100", 4096, 16384}, {"Titan V", 3072, 12288},
	{"V100", 4096, 16384}, {"V100 PCIe", 4096, 16384}, {"GTX 1650", 128, 4096}, {"GTX 1660", 192, 6144},
	{"GTX 1660 Ti", 192, 6144}, {"RTX 2060", 192, 6144}, {"RTX 2060 Super", 256, 8192}, {"RTX 2070", 256, 8192},
	{"RTX 2070 Super", 256, 8192}, {"RTX 2080", 256, 8192}, {"RTX 2080 Super", 256, 8192},
	{"RTX 2080 Ti", 352, 11264}, {"Titan RTX", 384, 24576}, {"T4", 256, 16384}, {"A100", 5120, 40960},
	{"A100 80GB", 5120, 81920}, {"A100 1g.5gb", 640, 4864}, {"A100 2g.10gb", 1280, 9856},
	{"A100 3g.20gb", 2560, 19968}, {"A100 4g.20gb", 2560, 19968}, {"A100 7g.40gb", 5120, 40192},
	{"A100 1g.10gb", 640, 9728}, {"A100 2g.20gb", 1280, 19968}, {"A100 3g.40gb", 2560, 40192},
	{"A100 4g.40gb", 2560, 40192}, {"A100 7g.80gb", 5120, 80384}, {"A30", 3072, 24576},
	{"RTX 3050 Laptop", 128, 4096}, {"RTX 3050 Ti Laptop", 128, 4096}, {"RTX 3060 Laptop", 192, 6144},
	{"RTX 3070 Laptop", 256, 8192}, {"RTX 3080 Laptop", 256, 8192}, {"RTX 3080 Ti Laptop", 256, 16384},
	{"RTX 3050", 128, 8192}, {"RTX 3060", 192, 12288}, {"RTX 3060 Ti", 256, 8192}, {"RTX 3070", 256, 8192},
	{"RTX 3070 Ti", 256, 8192}, {"RTX 3080", 320, 10240}, {"RTX 3080 Ti", 384, 12288}, {"RTX 3090", 384, 24576},
	{"RTX 3090 Ti", 384, 24576}, {"A2", 128, 16384}, {"A10", 384, 24576}, {"A40", 384, 49152},
	{"RTX A4000", 256, 16384}, {"RTX A5000", 384, 24576}, {"RTX A6000", 384, 49152},
	{"Jetson AGX Orin", 256, 65536}, {"RTX 4050 Laptop", 96, 6144}, {"RTX 4060 Laptop", 128, 8192},
	{"RTX 4070 Laptop", 128, 8192}, {"RTX 4080 Laptop", 192, 12288}, {"RTX 4090 Laptop", 256, 16384},
	{"RTX 4060", 128, 8192}, {"RTX 4060 Ti", 128, 8192}, {"RTX 4070", 192, 12288}, {"RTX 4070 Super", 192, 12288},
	{"RTX 4070 Ti", 192, 12288}, {"RTX 4070 Ti Super", 256, 16384}, {"RTX 4080", 256, 16384},
	{"RTX 4080 Super", 256, 16384}, {"RTX 4090", 384, 24576}, {"L4", 192, 24576}, {"L40", 384, 49152},
	{"L40S", 384, 49152}, {"RTX 6000 Ada", 384, 49152}, {"H100 SXM", 5120, 81920}, {"H100 PCIe", 5120, 81920},
	{"H100 NVL", 6144, 96256}, {"GH200", 6144, 98304}, {"H100 1g.10gb", 640, 9856}, {"H100 2g.20gb", 1280, 20096},
	{"H100 3g.40gb", 2560, 40448}, {"H100 4g.40gb", 2560, 40448}, {"H100 7g.80gb", 5120, 81152},
	{"H200", 6144, 143771}, {"H200 1g.18gb", 768, 16384}, {"H200 2g.35gb", 1536, 33280},
	{"H200 3g.71gb", 3072, 70656}, {"H200 4g.71gb", 3072, 70656}, {"H200 7g.141gb", 6144, 143360},
	{"B200", 8192, 183359}, {"RTX 5060", 128, 8192}, {"RTX 5060 Ti", 128, 16384}, {"RTX 5070", 192, 12288},
	{"RTX 5070 Ti", 256, 16384}, {"RTX 5080", 256, 16384}, {"RTX 5090", 512, 32768}};
/* clang-format on */

GpuMemory gpu_memory(const Gpu *gpu) {
	const Gpu *made = gpu;
	while (made->base) made = made->base;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i].name, made->name) != 0) continue;
		/* Bytes per cycle: two transfers of the bus. */
		const double bytes = 2.0 * rows[i].bus_bits / 8;
		return (GpuMemory){rows[i].bus_bits, rows[i].mebibytes, (uint32_t)(gpu->dram_gbps * 1e6 / bytes + 0.5)};
	}
	return (GpuMemory){0};
}
