/* Every function of the runtime, as one that says its name and ends the program. The linker takes these where no other
 * file has the function. Their types do not matter, since none returns. */
#include "exec/runtime/names.h"

_Noreturn void missing(const char *what);
void lock(void);

static _Noreturn void missing_function(const char *name) {
	lock();
	missing(name);
}

#define X(name)                                                                                                        \
	__attribute__((weak, visibility("default"))) void name(void);                                                      \
	void name(void) {                                                                                                  \
		missing_function(#name);                                                                                       \
	}
RUNTIME_NAMES(X)
#undef X
