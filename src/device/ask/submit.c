/* ask.h: the one way to ask. */
#include <stdlib.h>
#include <string.h>

#include "device/ask/ask.h"
#include "device/ask/orders.h"
#include "device/contents/uses.h"

/* --- on the device ------------------------------------------------------------------------------------------------ */

/* A question under way. */
typedef struct {
	Device *device;
	const ListPlan *plan;
	const Ask *ask;
	Arena *arena;
	const char *unknown; /* shadow_submit's */
} Question;

static void about_to_write(const ListPlan *plan, Device *device) {
	for (size_t i = 0; i < plan->uses.len; i++)
		if (plan->uses.data[i].uses & USE_WRITE) slot_changes(device, plan->uses.data[i].slot);
}

static void set_at_risk(const ListPlan *plan, bool at_risk) {
	for (size_t i = 0; i < plan->uses.len; i++)
		if (plan->uses.data[i].uses & USE_WRITE) plan->uses.data[i].slot->at_risk = at_risk;
}

/* Of a rehearsal nothing is left, unless it ended badly: then contents may be lost. (One that counts or predicts is
 * still noted as written.) */
static bool leaves_nothing(const Ask *ask, const Report *report) {
	return ask->rehearse && (ask->mode == MODE_CHECK || ask->mode == MODE_RUN) && report->outcome.status == LAUNCH_OK;
}

static bool ask_once(const Question *q, Report *out, Err *err) {
	if (!list_not_stale(q->plan, err)) return false;
	Submission s = list_pack(q->device, q->plan, q->ask, false, q->arena);
	if (q->ask->rehearse && !list_pack_restore(q->device, q->plan, q->arena, &s, err)) return false;
	if (!q->ask->rehearse) about_to_write(q->plan, q->device);
	set_at_risk(q->plan, true);
	bool ok = backend_ask(q->device->main.backend, q->plan->list, s, q->arena, out, err);
	if (ok && !leaves_nothing(q->ask, out)) ok = list_conclude(q->device, q->plan, &out->outcome, err);
	set_at_risk(q->plan, false);
	return ok;
}

/* One whose worker turns out to have died before is asked again: what is known here is filled in again, and what is not
 * is stale, which ask_once reports. */
static bool ask_device(const Question *q, Report *out, Err *err) {
	return ON_WORKER(q->device, err, ask_once(q, out, err));
}

static bool ask_emulator(Question *q, Report *out, Err *err) {
	if (q->device->info.can & CAN_EMULATE) return ask_device(q, out, err);
	return ON_WORKER(q->device, err, shadow_submit(q->device, q->plan, q->ask, true, q->arena, out, &q->unknown, err));
}

/* --- one after the other ------------------------------------------------------------------------------------------ */

static bool run_item(const Question *q, const LaunchItem *item, Report *out, Err *err) {
	const LaunchList one = {item, 1, q->plan->list->print, q->plan->list->user};
	Question own = *q;
	ListPlan plan;
	own.plan = &plan;
	const bool ok = list_plan(q->device, &one, false, &plan, err) && ask_device(&own, out, err);
	list_plan_free(&plan);
	return ok;
}

/* Each by itself: guards are looked at after each, and the first that goes wrong is the last. */
static bool run_each(const Question *q, Report *out, Err *err) {
	const LaunchList *list = q->plan->list;
	double milliseconds = 0;
	if (list->nitems == 1) return ask_device(q, out, err);
	for (uint32_t i = 0; i < list->nitems && out->outcome.status == LAUNCH_OK; i++) {
		if (!run_item(q, &list->items[i], out, err)) return false;
		milliseconds += out->outcome.milliseconds;
	}
	out->outcome.milliseconds = milliseconds;
	return true;
}

/* --- adversarial orders ------------------------------------------------------------------------------------------- */

/* The list in the order of a seed; only the ordinary one prints. */
static bool ask_in_order(void *user, uint32_t seed, bool rehearse, Report *out, Err *err) {
	Question q = *(const Question *)user;
	ListPlan plan = *q.plan;
	Ask ask = *q.ask;
	LaunchItem *items = arena_array(q.arena, plan.list->nitems, sizeof *items);
	const LaunchList ordered = {.items = items, .nitems = plan.list->nitems};
	if (!rehearse) return ask_emulator(user, out, err);
	memcpy(items, plan.list->items, plan.list->nitems * sizeof *items);
	for (uint32_t i = 0; i < ordered.nitems; i++) items[i].launch.config.schedule = seed;
	ask.rehearse = true;
	ask.checks = order_checks(ask.checks);
	plan.list = &ordered;
	q.plan = &plan;
	q.ask = &ask;
	return ask_emulator(&q, out, err);
}

static bool has_schedule(const LaunchList *list) {
	for (uint32_t i = 0; i < list->nitems; i++)
		if (list->items[i].launch.config.schedule) return true;
	return false;
}

static bool check(Question *q, Report *out, uint32_t *order, Err *err) {
	const bool alone = !order_checks(q->ask->checks) || has_schedule(q->plan->list);
	const OrderSearch search = {ask_in_order, q, 1, alone ? 0 : q->ask->orders};
	Report found = {0};
	if (!orders_check(&search, out, &found, order, err)) return false;
	if (!*order) return true;
	out->items = found.items;
	out->nitems = found.nitems;
	return true;
}

static bool compare(Question *q, Report *out, uint32_t *order, Err *err) {
	const uint32_t first = q->ask->first_order ? q->ask->first_order : 1;
	const OrderSearch search = {ask_in_order, q, first, first + q->ask->orders - 1};
	return orders_compare(&search, out, order, err);
}

/* --- the question ------------------------------------------------------------------------------------------------- */

static bool check_mode(const Device *device, const Ask *ask, Err *err) {
	if (ask->mode != MODE_TIME) return true;
	if (!(device->info.can & CAN_TIME)) {
		err_set(err, ERR_USAGE, "%s cannot time a kernel", device->info.name);
		return err_hint(err, "the emulator predicts times from counts; measuring needs a GPU: --device cuda");
	}
	return (ask->sampling.count && ask->sampling.batch) ||
		   err_set(err, ERR_USAGE, "samples and launches per sample: at least 1");
}

static void name_models(const Ask *ask, Report *report) {
	for (uint32_t i = 0; i < report->nitems; i++)
		for (uint32_t k = 0; k < report->items[i].npredictions && k < ask->nmodels; k++)
			report->items[i].predictions[k].gpu = ask->models[k];
}

/* A list that stopped early, or whose worker died, still has rows. */
static void complete(const LaunchList *list, const Ask *ask, Arena *arena, Report *report) {
	if (ask->mode == MODE_RUN || ask->mode == MODE_TIME || report->nitems == list->nitems) return;
	report->items = arena_array(arena, list->nitems, sizeof *report->items);
	report->nitems = list->nitems;
}

static bool is_emulated(const Ask *ask) {
	return (ask->mode != MODE_RUN && ask->mode != MODE_TIME) || ask->orders;
}

static bool put(Question *q, Report *out, uint32_t *order, Err *err) {
	switch (q->ask->mode) {
	case MODE_CHECK: return check(q, out, order, err);
	case MODE_TIME: return ask_device(q, out, err);
	case MODE_RUN: return q->ask->orders ? compare(q, out, order, err) : run_each(q, out, err);
	default: return ask_emulator(q, out, err);
	}
}

bool device_submit(Device *device, const LaunchList *list, const Ask *ask, Answer *answer, Err *err) {
	ListPlan plan = {0};
	Report report = {0};
	uint32_t order = 0;
	Question q = {device, &plan, ask, arena_new(), NULL};
	const bool ok = check_mode(device, ask, err) && list_plan(device, list, is_emulated(ask), &plan, err) &&
					put(&q, &report, &order, err);
	list_plan_free(&plan);
	if (!ok) {
		arena_free(q.arena);
		return false;
	}
	complete(list, ask, q.arena, &report);
	name_models(ask, &report);
	*answer = (Answer){.outcome = report.outcome,
					   .from_definitions = q.unknown != NULL,
					   .samples = report.samples,
					   .nsamples = report.nsamples,
					   .items = report.items,
					   .nitems = report.nitems,
					   .order = order,
					   .arena = q.arena};
	return true;
}

void answer_free(Answer *answer) {
	arena_free(answer->arena);
	*answer = (Answer){0};
}
