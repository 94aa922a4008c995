/* Instructions whose results PTX gives an error bound for, instead of every bit: which, what the exact result would be,
 * and how far off a result may be. Bounds: PTX ISA 9.0, "Floating Point Instructions" and "Half Precision Floating
 * Point Instructions", at each instruction; for lg2, sin, cos and tanh in the ranges given there. */
#pragma once

#include "forms.h"

/* Whether form is one of them. */
bool approximate(const Form *form);
/* The error of a result in units of what is allowed (more than 1: wrong), for one lane's operands; both halves of
 * packed types count. Special results (infinities, NaN, zero) are right or infinitely wrong. */
double approximate_error(const Form *form, const uint64_t *operands, uint64_t result);
