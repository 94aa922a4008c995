/* Results worked out on the host, independently of the emulator: integers in 128 bits, floats by the C library and the host's
 * rounding modes. */
#ifndef DIFFERENTIAL_EXPECT_H
#define DIFFERENTIAL_EXPECT_H

#include "emu/forms.h"

/* False: this form is not worked out here. */
bool expect(const Form *form, const uint64_t *operands, uint64_t *result);

#endif
