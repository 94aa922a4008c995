/* The place of a job in a queue, asked of a command in the background (DevicePlace.queue). */
#pragma once

#include <sys/types.h>

#include "base/str.h"

typedef struct {
	pid_t pid; /* 0: nothing is asked now */
	int fd;
	Str said;
	double asked;        /* seconds_now() of the last time */
	unsigned place, all; /* the last answer, from 1; 0: not known */
} QueueWatch;

/* Asks each few seconds, reads what has come. Never waits. */
void queue_watch(QueueWatch *watch, const char *const *command, const char *job);
void queue_close(QueueWatch *watch);

/* The place of `job` among lines, each a job's name, and how many there are; 0: it is not among them. */
unsigned queue_place(const char *lines, const char *job, unsigned *all);
