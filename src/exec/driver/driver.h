/* What the files of our libcuda.so.1 share, and what they ask of our libcudart beyond its public headers: functions
 * that the headers of older toolkits do not declare. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))

enum { SUCCESS, INVALID_VALUE }; /* of CUresult */

/* In the runtime since CUDA 12.8. Code: PTX, or a fat binary. */
typedef void *Library;
cudaError_t our_library_load(Library *out, const void *code, void *options, void **values, unsigned noptions,
							 void *library_options, void **library_values,
							 unsigned nlibrary_options) __asm__("cudaLibraryLoadData");
cudaError_t our_library_load_file(Library *out, const char *file, void *options, void **values, unsigned noptions,
								  void *library_options, void **library_values,
								  unsigned nlibrary_options) __asm__("cudaLibraryLoadFromFile");
cudaError_t our_library_unload(Library library) __asm__("cudaLibraryUnload");
cudaError_t our_library_kernel(void **out, Library library, const char *name) __asm__("cudaLibraryGetKernel");
cudaError_t our_library_variable(void **out, size_t *bytes, Library library,
								 const char *name) __asm__("cudaLibraryGetGlobal");
/* In the runtime since CUDA 13. */
cudaError_t our_param(const void *function, size_t i, size_t *offset, size_t *bytes) __asm__("cudaFuncGetParamInfo");
/* How many parameters a function has. Only ours has it. */
size_t our_params(const void *function) __asm__("__cudaGpulabParams");
/* Of the allocation or variable that contains the address. Only ours has it. */
cudaError_t our_range(uint64_t *base, size_t *bytes, uint64_t address) __asm__("__cudaGpulabRange");
/* The call fails for a reason that the runtime does not know of. Returns the error. */
cudaError_t our_refused(cudaError_t error, const char *why) __asm__("__cudaGpulabRefused");
/* For functions that only we implement: ends the program with a message that this is missing. */
_Noreturn void our_missing(const char *what) __asm__("__cudaGpulabMissing");
