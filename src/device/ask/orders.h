/* Adversarial orders of blocks and warps: a launch whose findings or results depend on the order is wrong, whichever
 * order shows it. One policy for everyone who looks: seeds in turn, each from the same contents and with nothing left
 * of it, until one shows something; the ordinary order comes last, since its results stay. */
#pragma once

#include "device/backend/backend.h"

typedef struct {
	/* Runs the list in the order of a seed, 0: the ordinary one. rehearse: nothing is left of it. */
	bool (*run)(void *user, uint32_t seed, bool rehearse, Report *out, Err *err);
	void *user;
	uint32_t first, last; /* seeds */
} OrderSearch;

/* A check. *order: the seed whose report *found is; 0: no order shows anything, or the ordinary one does by itself. An
 * order also shows something by not ending well. Whether a kernel writes at all depends on no order: CHECK_UNUSED is
 * left to the ordinary one (order_checks). */
bool orders_check(const OrderSearch *search, Report *ordinary, Report *found, uint32_t *order, Err *err);
unsigned order_checks(unsigned checks);
/* The first order that ends differently from the ordinary one, or leaves something else (Report.left): *order, with its
 * report; 0: none. Nothing is left of any. */
bool orders_compare(const OrderSearch *search, Report *found, uint32_t *order, Err *err);
