/* cancel.h */
#include "base/cancel.h"

atomic_bool cancel_flag;

bool not_cancelled(Err *err) {
	return !atomic_load(&cancel_flag) || err_set(err, ERR_INTERRUPTED, "interrupted");
}
