/* backend.h over cudart: module variables, constant ones included: both have an address that copies take. */
#include "device/backend/cuda.h"

bool cuda_symbol(Backend *b, const SymbolRequest *r, SymbolPlace *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	const uint64_t module = r->module;
	const char *name = r->name;
	void *at = NULL;
	size_t size = 0;
	if (module < 1 || module > c->libraries.len || !c->libraries.data[module - 1])
		return err_set(err, ERR_USAGE, "module %llu is not loaded", (unsigned long long)module);
	cudaError_t status = cudaLibraryGetGlobal(&at, &size, c->libraries.data[module - 1], name);
	if (status == cudaErrorSymbolNotFound || status == cudaErrorInvalidSymbol) {
		cudaGetLastError();
		return err_set(err, ERR_SETUP, "the driver does not find the variable \"%s\" in the module", name);
	}
	if (!cuda_ok(c, status, "looking for a variable", err)) return false;
	*out = (SymbolPlace){(uintptr_t)at, size};
	return true;
}
