/* What is known of the error of predictions, by GPU and from cc 2.0 on by kind of kernel: the rows of errors.def. */
#pragma once

#include "model/model.h"

/* By the resource that takes the longest alone. Atomics: where those on one word take a hundredth of the time or more,
 * since how long they really wait is least known. Bulk: with bulk copies. Unequal: where blocks differ in length and
 * that decides. */
typedef enum { KIND_MEMORY, KIND_SHARED, KIND_COMPUTE, KIND_LATENCY, KIND_ATOMICS, KIND_BULK, KIND_UNEQUAL } KernelKind;

KernelKind kernel_kind(const Prediction *prediction); /* by its limits, milliseconds, and bulk copies */
const char *kernel_kind_name(KernelKind kind);        /* "DRAM or L2", "arithmetic", ... */
double known_error(const Prediction *prediction);     /* RMS, relative; 0: there is no data for the GPU */
double left_out_error(const Gpu *gpu); /* of cc 1.x: RMS over tables that constants were fitted without; 0: none */
/* Predictions that far apart are mostly in the right order; 0: there is no data, as for kernels with atomics on few
 * words, with bulk copies, and with unequal blocks. */
double known_order(const Prediction *prediction);
