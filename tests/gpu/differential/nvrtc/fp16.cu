// cuda_fp16.h
#include <cuda_fp16.h>
#define T __half
#define T2 __half2
#define FROM(type, mode) __##type##2half##mode
#define TO(type, mode) __half2##type##mode
#define FROM_PAIR __floats2half2_rn
#include "sixteen_bits.cuh"
