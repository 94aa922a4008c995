#include "compile/ptx_file.h"

#include <string.h>

#include "compile/cache.h"
#include "compile/kernels.h"
#include "compile/source/kernel_list.h"
#include "ptx/module.h"

bool is_ptx_file(const char *path) {
	const size_t n = strlen(path);
	return n > 4 && strcmp(path + n - 4, ".ptx") == 0;
}

Compiled *compiled_from_ptx(const CompileJob *job, Err *err) {
	const Compiled text = {.ptx = (char *)job->source, .ptx_bytes = strlen(job->source)};
	if (!strstr(job->source, ".target sm_")) {
		err_set(err, ERR_COMPILE, "%.200s has no \".target sm_...\": this is no PTX", job->path);
		return NULL;
	}
	Compiled *compiled = compiled_copy(&text);
	if (!compiled_read(compiled, err)) {
		compiled_free(compiled);
		return NULL;
	}
	compiled->cc = compiled->module->target;
	CacheKey key = cache_key_start();
	cache_key_text(&key, compiled->ptx);
	cache_key_text_of(&key, compiled->key);
	kernels_collect(compiled, NULL, NULL, 0);
	kernel_list(compiled, NULL, 0, NULL);
	if (kernels_there(compiled, job, err)) return compiled;
	err_hint(err, "in PTX an instance of a template has the name that it is linked by: see the module's names");
	compiled_free(compiled);
	return NULL;
}
