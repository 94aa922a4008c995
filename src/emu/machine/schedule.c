/* Clusters of blocks over host threads, warps within a cluster; usually a cluster is one block. A worker takes the
 * next few clusters when it has none, starts one after the other, and runs its warps in turn, each until it waits,
 * ends, or its time slice is over. Adjacent blocks usually access adjacent memory, so one worker takes them together.
 * A cluster that has run for long (perhaps it waits for a block that has not started) yields: the worker keeps it and
 * takes another, up to as many as the GPU could hold at once, and from then on runs them in turn. After the first
 * yield, workers take clusters one by one: it may have waited for its neighbor. */
#include "emu/machine/schedule.h"

enum {
	MOST_AT_ONCE = 16, /* blocks a worker takes */
	SHARES = 8         /* and at most this part of each worker's share of the rest */
};

static bool take_some(Worker *k) {
	Run *run = k->run;
	uint64_t first = atomic_load(&run->schedule.next_cluster), n;
	do {
		if (first >= run->shape.nclusters) return false;
		n = atomic_load_explicit(&run->schedule.one_by_one, memory_order_relaxed)
				? 1
				: (run->shape.nclusters - first) / (SHARES * run->nworkers);
		n = n > MOST_AT_ONCE ? MOST_AT_ONCE : n ? n : 1;
	} while (!atomic_compare_exchange_weak(&run->schedule.next_cluster, &first, first + n));
	k->next = first;
	k->end = first + n;
	return true;
}

static Block *take_next(Worker *k) {
	return k->next != k->end || take_some(k) ? cluster_take(k, k->next++) : NULL;
}

static bool may_take_more(const Worker *k) {
	const Run *run = k->run;
	if (k->nresident + run->shape.cluster_size > run->schedule.max_resident) return false;
	return k->next < k->end || atomic_load(&run->schedule.next_cluster) < run->shape.nclusters;
}

static bool has_conflict(const Worker *k) {
	for (size_t i = 0; i < k->nobservers; i++)
		if (k->observers[i]->order && k->observers[i]->order->conflict(k->observers[i])) return true;
	return false;
}

/* A cluster has had its turn. What others saw while it went on may have changed: it counts even if it waits now. */
static void note_turn(Worker *k, bool waited) {
	k->waiting = waited ? k->waiting + 1 : 0;
	if (waited) return;
	k->forks = false;
	k->naps = 0;
	atomic_store_explicit(&k->progress, atomic_load_explicit(&k->progress, memory_order_relaxed) + 1,
						  memory_order_release);
}

static void work_all(Worker *k) {
	Run *run = k->run;
	Block *queue = NULL, **tail = &queue; /* first blocks of clusters that yielded, oldest first */
	while (!run_stopped(run)) {
		Block *b = NULL;
		if (!queue || may_take_more(k)) b = take_next(k);
		if (b) k->nresident += run->shape.cluster_size;
		if (!b) {
			b = queue;
			if (!b) break;
			queue = b->next;
			if (!queue) tail = &queue;
		}
		if (!cluster_must_stop(b->cluster) && cluster_run(b->cluster)) {
			k->nresident -= run->shape.cluster_size;
			cluster_done(k, b->cluster);
			if (run->nworkers > 1 && has_conflict(k)) run_stop(run, STOP_CONFLICT);
			note_turn(k, false);
		} else {
			atomic_store_explicit(&run->schedule.one_by_one, true, memory_order_relaxed);
			b->next = NULL;
			*tail = b;
			tail = &b->next;
			note_turn(k, !b->cluster->went_on);
			if (k->waiting * run->shape.cluster_size >= k->nresident && k->waiting && !may_take_more(k))
				worker_waits(k, b->cluster);
		}
	}
	while (queue) {
		Block *b = queue;
		queue = b->next;
		cluster_done(k, b->cluster);
	}
	note_turn(k, false);
	atomic_store(&k->calm_since, UINT64_MAX);
	block_pool_free(k);
}

static void work(Worker *k) {
	worker_begins(k);
	if (k->run->launch->config.schedule)
		run_adversarially(k);
	else
		work_all(k);
	worker_ends(k);
}

static void *thread_main(void *worker) {
	work(worker);
	return NULL;
}

void run_blocks(Run *run) {
	unsigned started = 1;
	for (; started < run->nworkers; started++)
		if (pthread_create(&run->workers[started].thread, NULL, thread_main, &run->workers[started])) break;
	work(&run->workers[0]);
	for (unsigned i = 1; i < started; i++) pthread_join(run->workers[i].thread, NULL);
}
