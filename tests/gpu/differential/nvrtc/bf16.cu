// cuda_bf16.h; sm_90 alone: NVRTC has no arithmetic of it below sm_80.
#include <cuda_bf16.h>
#define T __nv_bfloat16
#define T2 __nv_bfloat162
#define FROM(type, mode) __##type##2bfloat16##mode
#define TO(type, mode) __bfloat162##type##mode
#define FROM_PAIR __floats2bfloat162_rn
#include "sixteen_bits.cuh"
