/* sandbox.h: rlimits, Landlock, seccomp. Landlock's and the newer calls' numbers are written out, since a
 * distribution's headers may be older than its kernel. */
#include "wire/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/str.h"
#include "base/vec.h"

RECORD(SandboxState, FIELDS(SandboxState, limits, privileges, files, calls, landlock))

static bool failed(Err *err, const char *what) {
	return err_set(err, ERR_SETUP, "the worker's sandbox cannot be entered: %s: %s", what, strerror(errno));
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

/* Never above what the process has already. */
static bool limit(int resource, rlim_t value) {
	struct rlimit now;
	if (getrlimit(resource, &now) < 0) return false;
	if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max) value = now.rlim_max;
	const struct rlimit wanted = {value, value};
	return setrlimit(resource, &wanted) == 0;
}

/* AddressSanitizer takes terabytes of address space that can be written, and nearly none of it is memory. */
#if defined(__SANITIZE_ADDRESS__)
enum { MEMORY_COUNTS = false };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { MEMORY_COUNTS = false };
#else
enum { MEMORY_COUNTS = true };
#endif
#else
enum { MEMORY_COUNTS = true };
#endif

static bool enter_limits(const SandboxPlan *plan, SandboxState *state, Err *err) {
	static const rlim_t STANDARD_ERROR = 1 << 20;
	signal(SIGXFSZ, SIG_IGN); /* a file too large is an error for the writer, not a signal */
	if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, plan->file_bytes ? plan->file_bytes : STANDARD_ERROR))
		return failed(err, "limits");
	if (plan->descriptors && !limit(RLIMIT_NOFILE, plan->descriptors)) return failed(err, "limit of descriptors");
	/* RLIMIT_DATA counts private memory that can be written. RLIMIT_AS would also count libraries and address space
	 * that is only reserved, of which a driver takes terabytes. */
	if (MEMORY_COUNTS && plan->memory_bytes && !limit(RLIMIT_DATA, plan->memory_bytes))
		return failed(err, "limit of memory");
	state->limits = true;
	return true;
}

/* --- files: Landlock ---------------------------------------------------------------------------------------------- */

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, VERSION_FLAG = 1, RULE_PATH_BENEATH = 1 };

enum {
	FS_EXECUTE = 1 << 0,
	FS_WRITE_FILE = 1 << 1,
	FS_READ_FILE = 1 << 2,
	FS_READ_DIR = 1 << 3,
	FS_REMOVE_FILE = 1 << 5,
	FS_MAKE_REG = 1 << 8,
	FS_VERSION_1 = (1 << 13) - 1,
	FS_REFER = 1 << 13,     /* 2 */
	FS_TRUNCATE = 1 << 14,  /* 3 */
	FS_IOCTL_DEV = 1 << 15, /* 5 */
	NET_ALL = 3,            /* 4: bind and connect of TCP */
	SCOPE_ALL = 3           /* 6: abstract local sockets, signals */
};

typedef struct {
	uint64_t fs, net, scoped;
} Ruleset;

typedef struct {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed)) PathRule;

static Ruleset handled_by(uint32_t version, bool driver) {
	Ruleset r = {.fs = FS_VERSION_1};
	if (version >= 2) r.fs |= FS_REFER;
	if (version >= 3) r.fs |= FS_TRUNCATE;
	if (version >= 4) r.net = NET_ALL;
	if (version >= 5) r.fs |= FS_IOCTL_DEV;
	if (version >= 6) r.scoped = driver ? 0 : SCOPE_ALL;
	return r;
}

static size_t ruleset_size(uint32_t version) {
	return version >= 6 ? sizeof(Ruleset) : version >= 4 ? offsetof(Ruleset, scoped) : offsetof(Ruleset, net);
}

static bool allow_path(int ruleset, const char *path, uint64_t rights) {
	enum { FILE_RIGHTS = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV };
	struct stat about;
	const int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0) return true;
	if (fstat(fd, &about) == 0 && !S_ISDIR(about.st_mode)) rights &= FILE_RIGHTS;
	const PathRule rule = {.allowed = rights, .parent = fd};
	const bool ok = syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
	const int why = errno;
	close(fd);
	errno = why;
	return ok;
}

static bool allow_paths(int ruleset, const char *const *paths, uint64_t rights) {
	bool ok = true;
	for (size_t i = 0; ok && paths && paths[i]; i++) ok = allow_path(ruleset, paths[i], rights);
	return ok;
}

static bool allow_all(int ruleset, const SandboxPlan *plan, uint64_t handled) {
	static const char *const always[] = {"/dev/null", NULL};
	const uint64_t read = handled & (FS_READ_FILE | FS_READ_DIR | FS_EXECUTE),
				   change = handled & (FS_WRITE_FILE | FS_REMOVE_FILE | FS_MAKE_REG | FS_TRUNCATE | FS_REFER),
				   device = handled & (FS_READ_FILE | FS_WRITE_FILE | FS_IOCTL_DEV);
	return allow_paths(ruleset, plan->read, read) && allow_paths(ruleset, plan->write, read | change) &&
		   allow_paths(ruleset, plan->devices, device) && allow_paths(ruleset, always, device);
}

static bool enter_files(const SandboxPlan *plan, SandboxState *state, Err *err) {
	const long version = syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG);
	if (version < 1) return true; /* not in this kernel, or switched off */
	state->landlock = (uint32_t)version;
	const Ruleset handled = handled_by(state->landlock, plan->driver);
	const int ruleset = (int)syscall(CREATE_RULESET, &handled, ruleset_size(state->landlock), 0);
	if (ruleset < 0) return failed(err, "Landlock");
	const bool ok = allow_all(ruleset, plan, handled.fs) && syscall(RESTRICT_SELF, ruleset, 0) == 0;
	if (!ok) failed(err, "Landlock");
	close(ruleset);
	state->files = ok;
	return ok;
}

/* --- calls: seccomp ----------------------------------------------------------------------------------------------- */

#if defined __x86_64__
enum { ARCHITECTURE = (int)AUDIT_ARCH_X86_64 };
#define SANDBOX_CALLS 1
#elif defined __aarch64__
enum { ARCHITECTURE = (int)AUDIT_ARCH_AARCH64 };
#define SANDBOX_CALLS 1
#endif

#ifdef SANDBOX_CALLS

/* clang-format off */
/* Calls that a distribution's headers may not know yet; the first is another one on each machine. */
enum {
#ifdef __x86_64__
	KEXEC_FILE_LOAD = 320,
#else
	KEXEC_FILE_LOAD = 294,
#endif
	PIDFD_SEND_SIGNAL = 424, IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER, OPEN_TREE, MOVE_MOUNT, FSOPEN, FSCONFIG,
	FSMOUNT, FSPICK, PIDFD_OPEN, CLONE3, PIDFD_GETFD = 438, PROCESS_MADVISE = 440, MOUNT_SETATTR = 442, FCHMODAT2 = 452,
	SETXATTRAT = 463, REMOVEXATTRAT = 466, OPEN_TREE_ATTR
};

/* Other processes, other privileges, the kernel's insides: never. */
static const int denied[] = {
	SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_bind,
	SYS_listen, SYS_accept, SYS_accept4, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns,
	SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_init_module,
	SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname,
	SYS_setdomainname, SYS_quotactl, SYS_acct, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime,
	SYS_personality, SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_fanotify_init, SYS_syslog, SYS_vhangup,
	SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_setfsuid,
	SYS_setfsgid, SYS_capset, SYS_mknodat, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_removexattr,
	SYS_lremovexattr,
#ifdef __x86_64__
	SYS_fork, SYS_vfork, SYS_mknod, SYS_chown, SYS_lchown, SYS_iopl, SYS_ioperm, SYS_uselib, SYS_modify_ldt,
#endif
	KEXEC_FILE_LOAD, PIDFD_SEND_SIGNAL, IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER, OPEN_TREE, MOVE_MOUNT,
	FSOPEN, FSCONFIG, FSMOUNT, FSPICK, PIDFD_OPEN, PIDFD_GETFD, PROCESS_MADVISE, MOUNT_SETATTR, SETXATTRAT,
	REMOVEXATTRAT, OPEN_TREE_ATTR
};

/* What a GPU's driver does with files and memory of its own. */
static const int denied_but_to_drivers[] = {
	SYS_connect, SYS_socketpair, SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_fchmodat, SYS_fchmod,
	FCHMODAT2, SYS_utimensat,
#ifdef __x86_64__
	SYS_chmod, SYS_utime, SYS_utimes, SYS_futimesat
#endif
};
/* Waiting that nothing but a time or a signal ends. */
static const int sleeping[] = {
	SYS_nanosleep, SYS_clock_nanosleep, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_pselect6, SYS_epoll_pwait,
#ifdef __x86_64__
	SYS_pause, SYS_select, SYS_epoll_wait
#endif
};
/* clang-format on */

typedef VEC(struct sock_filter) Filter;

#define SAY(f, ...) vec_push((f), (struct sock_filter)__VA_ARGS__)
#define ANSWER(f, value) SAY(f, BPF_STMT(BPF_RET | BPF_K, (value)))
#define FIELD_AT(f, member) SAY(f, BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member)))
/* The next instruction is done where the value is equal, else jumped over. */
#define WHERE(f, value) SAY(f, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, 1))

enum { REFUSE = SECCOMP_RET_ERRNO | EPERM };

/* A call is refused unless its first argument is one of these. Leaves the call's number loaded. */
static void only_with(Filter *f, int call, const uint32_t *values, size_t n) {
	SAY(f, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, (uint8_t)(2 * n + 2)));
	FIELD_AT(f, args[0]); /* its low half: both machines are little-endian */
	for (size_t i = 0; i < n; i++) {
		WHERE(f, values[i]);
		ANSWER(f, SECCOMP_RET_ALLOW);
	}
	ANSWER(f, REFUSE);
}

static void only_threads(Filter *f) {
	SAY(f, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4));
	FIELD_AT(f, args[0]);
	SAY(f, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
	ANSWER(f, SECCOMP_RET_ALLOW);
	ANSWER(f, REFUSE);
	WHERE(f, CLONE3); /* its flags are out of sight: its caller then takes clone */
	ANSWER(f, SECCOMP_RET_ERRNO | ENOSYS);
}

static void refuse(Filter *f, const int *calls, size_t n) {
	for (size_t i = 0; i < n; i++) {
		WHERE(f, calls[i]);
		ANSWER(f, REFUSE);
	}
}

static void make_filter(Filter *f, const SandboxPlan *plan) {
	const uint32_t self[] = {(uint32_t)getpid()}, self_or_0[] = {0, (uint32_t)getpid()},
				   local[] = {AF_UNIX, AF_NETLINK};
	FIELD_AT(f, arch);
	SAY(f, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ARCHITECTURE, 1, 0));
	ANSWER(f, SECCOMP_RET_KILL_PROCESS);
	FIELD_AT(f, nr);
#ifdef __x86_64__
	SAY(f, BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1)); /* x32 */
	ANSWER(f, SECCOMP_RET_KILL_PROCESS);
#endif
	refuse(f, denied, sizeof denied / sizeof *denied);
	if (!plan->driver) refuse(f, denied_but_to_drivers, sizeof denied_but_to_drivers / sizeof *denied_but_to_drivers);
	if (plan->awake) refuse(f, sleeping, sizeof sleeping / sizeof *sleeping);
	only_threads(f);
	only_with(f, SYS_socket, local, plan->driver ? 2 : 0);
	static const int to_itself[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};
	for (size_t i = 0; i < sizeof to_itself / sizeof *to_itself; i++) only_with(f, to_itself[i], self, 1);
	only_with(f, SYS_prlimit64, self_or_0, 2);
	ANSWER(f, SECCOMP_RET_ALLOW);
}

static bool enter_calls(const SandboxPlan *plan, SandboxState *state, Err *err) {
	Filter f = {0};
	make_filter(&f, plan);
	const struct sock_fprog program = {.len = (unsigned short)f.len, .filter = f.data};
	const long rc = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
	const int why = errno;
	vec_free(&f);
	errno = why;
	state->calls = rc == 0;
	if (rc == 0 || why == ENOSYS) return true;
	/* A kernel without filters does not know the mode. */
	return why == EINVAL && prctl(PR_GET_SECCOMP) < 0 ? true : failed(err, "seccomp");
}

#else

static bool enter_calls(const SandboxPlan *plan, SandboxState *state, Err *err) {
	return true;
}

#endif

/* --- together ----------------------------------------------------------------------------------------------------- */

bool sandbox_enter(const SandboxPlan *plan, SandboxState *state, Err *err) {
	SandboxState s = {0};
	if (!enter_limits(plan, &s, err)) return false;
	s.privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
	if (s.privileges && (!enter_files(plan, &s, err) || !enter_calls(plan, &s, err))) return false;
	*state = s;
	return true;
}

void sandbox_text(const SandboxState *state, char *out, size_t size) {
	const struct {
		const char *name;
		bool there;
	} parts[] = {
		{"limits", state->limits}, {"privileges", state->privileges}, {"files", state->files}, {"calls", state->calls}};
	Str yes = {0}, no = {0};
	str_add(&yes, "");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		Str *to = parts[i].there ? &yes : &no;
		str_addf(to, "%s%s", to->len ? ", " : "", parts[i].name);
	}
	snprintf(out, size, "%s%s%s", yes.len ? yes.text : "none", no.len ? "; not here: " : "", no.len ? no.text : "");
	str_free(&yes);
	str_free(&no);
}

SandboxPlan sandbox_emulator_plan(uint64_t memory_bytes) {
	return (SandboxPlan){.memory_bytes = memory_bytes};
}

SandboxPlan sandbox_program_plan(void) {
	static const char *const read[] = {
		"/usr", "/lib", "/lib64", "/proc/self", "/proc/self/exe", "/sys/devices/system/cpu", NULL};
	return (SandboxPlan){.read = read, .memory_bytes = UINT64_C(4) << 30, .file_bytes = 64 << 20, .awake = true};
}

/* "/dev/nvidia0" ... as they are found, kept for the process's life. */
static const char *const *gpu_nodes(void) {
	static glob_t found;
	static bool looked;
	static const char *const none[] = {NULL};
	if (!looked) {
		glob("/dev/nvidia*", 0, NULL, &found);
		glob("/dev/nvidia-caps/*", GLOB_APPEND, NULL, &found);
		glob("/dev/dri/renderD*", GLOB_APPEND, NULL, &found);
		glob("/dev/dxg", GLOB_APPEND, NULL, &found); /* of WSL, which has no others */
		looked = true;
	}
	return found.gl_pathv ? (const char *const *)found.gl_pathv : none;
}

SandboxPlan sandbox_cuda_plan(void) {
	static const char *const read[] = {
		"/usr",         "/lib",        "/lib64",
		"/opt",         "/etc",        "/proc",
		"/sys",         "/run/nvidia", "/run/opengl-driver",
		"/dev/urandom", "/dev/zero",   GPULAB_CUDA_HOME,
		NULL,
	};
	static char cache[4096];
	static const char *write[] = {"/dev/shm", "/tmp", cache, NULL};
	const char *home = getenv("HOME"), *named = getenv("CUDA_CACHE_PATH");
	if (named && *named)
		snprintf(cache, sizeof cache, "%s", named);
	else
		snprintf(cache, sizeof cache, "%s/.nv", home ? home : "");
	return (SandboxPlan){
		.read = read, .write = write, .devices = gpu_nodes(), .file_bytes = (uint64_t)4 << 30, .driver = true};
}
