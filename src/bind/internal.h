/* What the files of bind/ share: the userdata ("boxes"), classes as tables, errors, arguments.
 *
 * A box is created valid and empty before its resource is acquired, so that a Lua error in between leaks nothing; __gc
 * and __close share one release that may run any number of times. A box that was released stays a valid value: using
 * it raises "closed". Boxes refer to the device's box, which a user value keeps alive:
 *
 *     Kernel ──> Module ──> Device <── Buffer        an Array stands alone
 */
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "base/str.h"
#include "base/text/mangled.h"
#include "base/values/array.h"
#include "base/vec.h"
#include "bind/bind.h"
#include "bind/values/keys.h"
#include "compile/source/layout.h"
#include "device/device.h"
#include "gpu/tensor_map.h"
#include "measure/measure.h"

#define CLASS_DEVICE "gpulab.device"
#define CLASS_BUFFER "gpulab.buffer"
#define CLASS_POINTER "gpulab.pointer"
#define CLASS_MODULE "gpulab.module"
#define CLASS_KERNEL "gpulab.kernel"
#define CLASS_ARRAY "gpulab.array"
#define CLASS_SYMBOL "gpulab.symbol"
#define CLASS_TEXTURE "gpulab.texture"
#define CLASS_SURFACE "gpulab.surface"
#define CLASS_TENSOR_MAP "gpulab.tensor_map"
#define CLASS_ERROR "gpulab.error"
#define CLASS_RAW "gpulab.raw"

typedef struct {
	Device *device; /* NULL: closed, or not opened yet */
} DeviceBox;

typedef struct {
	DeviceBox *owner;
	bool open, mapped;
	Buffer buffer;
	ElemType type;
	size_t count, width; /* width: components of an element, as of "float4"; count: of all */
	uint64_t address;    /* at which it has to be; 0: any */
	char name[64];
	const Layout *layout; /* of structures: bytes to the device, and width is how many one has; NULL: of numbers */
	Layouts *layouts;     /* that it is of, which a user value keeps */
} BufferBox;

/* b:at(n): into a buffer, which a user value keeps. */
typedef struct {
	BufferBox *buffer;
	size_t offset; /* in bytes */
} PointerBox;

typedef struct {
	DeviceBox *owner;
	bool open, surface;
	TextureDesc desc;
	Buffer texture;
	BufferBox *source; /* a user value keeps it */
} TextureBox;

typedef struct {
	TensorMap map;     /* but for the address */
	BufferBox *buffer; /* a user value keeps it */
	size_t offset;     /* of the tensor in the buffer, in bytes */
} TensorMapBox;

/* Memory of C that a Lua error must not leak: pushed on the stack, freed by the collector or at once by bind_drop. */
typedef struct {
	void *data;
	void (*free)(void *data);
} Holder;

typedef struct {
	DeviceBox *owner;
	DeviceModule *module; /* NULL: released */
	Compiled *compiled;
	char *path, *source;
	size_t source_bytes;    /* more than up to the first NUL byte where the file is not text */
	char *name;             /* of the one kernel that it was compiled for; NULL: of all */
	bool of_program;        /* it is the code of a program: nothing here compiled it */
	VEC(Compiled *) cubins; /* the program, assembled for other compute capabilities */
	Holder *layouts;        /* of the source's structures, read when needed; a user value keeps it */
} ModuleBox;

enum { BUFFER_DEVICE = 1, BUFFER_LAYOUTS, BUFFER_KEPT };
enum { MODULE_DEVICE = 1, MODULE_OPTIONS, MODULE_LAYOUTS, MODULE_VALUES = MODULE_LAYOUTS }; /* user values */

enum { MOST_PARAMS = 64 };

typedef struct {
	DeviceBox *owner;
	ModuleBox *module;
	DeviceKernel *kernel;
	KernelInfo info;
	ParamType signature[MOST_PARAMS];
	size_t nsignature; /* 0: its parameters are known from PTX only */
} KernelBox;

/* --- classes (class.c) -------------------------------------------------------------------------------------------- */

/* Lists end with NULL and may be NULL. */
typedef struct {
	const char *metatable;     /* CLASS_... */
	const luaL_Reg *methods;   /* m:kernel(...) */
	const luaL_Reg *functions; /* methods that are functions of gpu, too: gpu.run is d:run */
	const Key *keys;           /* fields that are members of a structure */
	size_t inside;             /* where that is in the box */
	const void *(*members)(lua_State *L, const void *box);    /* or by this, where it is elsewhere; NULL: none */
	const char *const *named;                                 /* other fields, which `field` pushes */
	bool (*field)(lua_State *L, void *box, const char *name); /* false: nil */
	lua_CFunction release;                                    /* __gc and __close */
	lua_CFunction text;                                       /* __tostring */
	const luaL_Reg *others;                                   /* further metamethods */
} BindClass;

/* Rows of methods, functions and metamethods by their Lua names: METHODS(buffer, at, fill) has buffer_at as at. */
#define METHOD(PREFIX, NAME)                                                                                           \
	{ #NAME, PREFIX##_##NAME }
#define METHODS(PREFIX, ...) EACH_OF(METHOD, PREFIX, __VA_ARGS__)
#define METAMETHOD(PREFIX, NAME)                                                                                       \
	{ "__" #NAME, PREFIX##_##NAME }
#define METAMETHODS(PREFIX, ...) EACH_OF(METAMETHOD, PREFIX, __VA_ARGS__)
#define METHODS_END                                                                                                    \
	{ NULL, NULL }
#define LUA_FUNCTION(PREFIX, NAME) PREFIX##_##NAME(lua_State *L)

void bind_class(lua_State *L, const BindClass *class); /* makes the metatable */
/* Looks a string key up: method, then field, else nil. For a class that has an __index of its own. */
int bind_index(lua_State *L, const BindClass *class, void *box);

void *bind_box(lua_State *L, size_t bytes, const char *metatable, int nuservalues); /* zeroed, on the stack */

/* How to free what malloc gave, and what is in it. */
#define BIND_RELEASE(name, release)                                                                                    \
	static void name(void *data) {                                                                                     \
		release(data);                                                                                                 \
		free(data);                                                                                                    \
	}
Holder *bind_hold(lua_State *L, void (*release)(void *data));
void bind_drop(Holder *holder);
Str *bind_str(lua_State *L); /* a held, empty string; on the stack */

/* --- errors (error.c) --------------------------------------------------------------------------------------------- */

void bind_error_class(lua_State *L);
/* Raises what a call given bind_err() failed with: bind_must(L, device_free(device, buffer, bind_err())). */
void bind_must(lua_State *L, bool ok);
Err *bind_err(void); /* empty */
/* Pushes the error object of a launch that did not end well; outcome is the index of the outcome's table. */
void bind_push_outcome_error(lua_State *L, const LaunchOutcome *outcome, int table);
/* The same for an operation on launches: raises the outcome of the one that did not end well, if there is one. */
void bind_must_end(lua_State *L, bool ok, const LaunchOutcome *outcome, const Str *output);
void bind_push_error(lua_State *L, ErrKind kind, const char *message, const char *where, const char *hint);
const char *bind_kind_name(ErrKind kind);
ErrKind bind_kind(const char *name); /* ERR_NONE: no such kind */

/* --- arguments (argument.c) --------------------------------------------------------------------------------------- */

/* Argument 1 if it is a device (a method call: the others start at 2), else gpu.device, opened if need be (they start
 * at 1). */
DeviceBox *bind_device_arg(lua_State *L, int *first);
int bind_open_named(lua_State *L, const char *name); /* pushes a new device */
void bind_gpu_device(lua_State *L);                  /* pushes gpu.device, opened if need be */
void bind_set_gpu_device(lua_State *L);              /* the value on top becomes gpu.device, and is popped */
DeviceBox *bind_check_device(lua_State *L, int arg); /* open */
/* The device, at the moment it is used: a metamethod or a finalizer may have closed it since the arguments were
 * checked. */
Device *bind_open(lua_State *L, const DeviceBox *box);
BufferBox *bind_check_buffer(lua_State *L, int arg);  /* open, on an open device */
TextureBox *bind_test_texture(lua_State *L, int arg); /* or surface; NULL: something else; may be released */
BufferBox *bind_test_buffer(lua_State *L, int arg);   /* NULL: something else; may be released */
PointerBox *bind_test_pointer(lua_State *L, int arg); /* the same */
KernelBox *bind_check_kernel(lua_State *L, int arg);
Array *bind_check_array(lua_State *L, int arg);
int bind_array_mismatch(lua_State *L);  /* a:mismatch(want, options) */
int bind_buffer_mismatch(lua_State *L); /* b:mismatch(want, options) */
int bind_buffer_digest(lua_State *L);   /* b:digest() */
ElemType bind_check_type(lua_State *L, int arg);
size_t bind_check_count(lua_State *L, int arg, size_t least, ElemType type);
/* A range of a thing of `count` elements: arguments arg (first) and arg + 1 (how many), both optional. */
void bind_check_range(lua_State *L, int arg, size_t count, size_t *first, size_t *n);
/* Raises unless every key of the table is one of names (NULL-terminated), with "did you mean". */
void bind_check_keys(lua_State *L, int table, int arg, const char *const *names);
/* options.models, the names of GPUs: how many there are. */
enum { BIND_MODELS = 64 };
size_t bind_check_models(lua_State *L, int arg, const Gpu *models[BIND_MODELS]);
const Gpu *bind_find_gpu(lua_State *L, const char *name); /* or raises */
/* The table on top, whose keys are names of GPUs, becomes the field "models" of the one below, and answers to every
 * name by which a GPU is found, as options.models do. */
void bind_set_models(lua_State *L);
/* bad argument #arg ..., formatted */
int bind_bad(lua_State *L, int arg, const char *fmt, ...);
/* Pushes "buffer" with the name, where it has one. */
const char *bind_buffer_text(lua_State *L, const BufferBox *box);

/* --- values ------------------------------------------------------------------------------------------------------- */

void bind_push_element(lua_State *L, ElemType type, const void *element);
/* Stores the Lua number at idx; false if it is none or does not fit (why says so). */
bool bind_to_element(lua_State *L, int idx, ElemType type, void *element, const char **why);
Array *bind_new_array(lua_State *L, ElemType type, size_t count); /* on the stack */
/* A fill as in meta.lua: either a definition (true), or (false) data: an array is left on the stack. */
bool bind_check_fill(lua_State *L, int arg, ElemType type, size_t count, uint64_t seed, Define *define, Array **data);
void bind_collect_for(lua_State *L, size_t bytes); /* reports external memory to the garbage collector */

/* --- launches (launch.c) ------------------------------------------------------------------------------------------ */

void bind_check_config(lua_State *L, int arg, LaunchConfig *out);
void bind_push_config(lua_State *L, const LaunchConfig *config); /* a table that reads as the same */
int bind_compare_predictions(lua_State *L);                      /* measure.c */
int bind_on_launch(lua_State *L);                                /* kernel.c: host.on_launch */
int bind_name_buffers(lua_State *L);                             /* buffer.c: host.name_buffers */
/* The same of a table anywhere on the stack: part of argument arg, where prefix ("item 2: config.") says. */
void bind_check_config_at(lua_State *L, int table, int arg, const char *prefix, LaunchConfig *out);
/* Arguments at stack indices from..from + n - 1 checked against the kernel's parameters. table 0: they are arguments of
 * the call; else the argument number of the table they came from. The result is a userdata on the stack. */
Arg *bind_check_args(lua_State *L, const KernelBox *kernel, int from, int n, int table);
/* Reads box->signature from the linked name, if it can be parsed and matches PTX. */
void bind_read_signature(KernelBox *box, const char *linked);

/* --- programs: modules not yet loaded (program.c) ----------------------------------------------------------------- */

/* From the file or text at `first`, with the table of options at `options` (or nil), for the kernel `name` or (NULL)
 * for all. The box stays on top of the stack. */
ModuleBox *bind_program_of_file(lua_State *L, DeviceBox *owner, int first, int options, const char *name);
ModuleBox *bind_program_of_text(lua_State *L, DeviceBox *owner, int first, int options);
/* Compiled once more where a device that runs no SASS had none made. */
const Compiled *bind_compiled_with_cubin(lua_State *L, int module);
/* Has the kernel on top of the stack assembled for the GPU's compute capability, once: registers are no estimate then.
 * NVRTC does that without a GPU, and takes as long as for compiling. Where it cannot, the estimate stays. */
void bind_assemble(lua_State *L, const Gpu *gpu);
void bind_cubins_free(ModuleBox *box);
/* structure.c: what a parameter takes as a structure: a table by the layout that the kernel's source gives its class, a
 * list of strings and buffers, or a string. False with why on the stack. Memory is kept by the table `keep`. */
typedef struct {
	const KernelBox *kernel;
	const ParamType *cxx;
	size_t bytes;
	int keep;
} Structure;
bool bind_to_structure(lua_State *L, int idx, const Structure *structure, Arg *out, const char **why);
/* A structure's fields from a table, by name or in order: bytes, zero before, and where in them addresses are. */
typedef struct {
	const DeviceBox *owner;
	Layouts *layouts;
	uint8_t *bytes;
	ArgPointer *pointers;
	uint32_t npointers, room;
} FieldsOut;
bool bind_to_field(lua_State *L, int idx, const LayoutField *field, FieldsOut *out, const char **why);
bool bind_to_fields(lua_State *L, int table, const Layout *layout, FieldsOut *out, const char **why);
/* An empty module of the device whose object is at that index; 0: gpu.device. */
ModuleBox *bind_new_module(lua_State *L, DeviceBox *owner, int device);
int bind_push_kernel(lua_State *L, int module, const char *name); /* kernel.c */
/* kept.c: the inputs of a launch of a program as an object, which shares them; and one parameter's bytes, with the
 * buffers of a device whose addresses are among them. */
struct KeptLaunch;
void bind_push_kept(lua_State *L, struct KeptLaunch *kept);
typedef struct {
	size_t bytes;
	const DeviceBox *owner;     /* of the buffers; NULL: there are none */
	const ArgPointer *pointers; /* [npointers], in memory of the same object */
	uint32_t npointers;
	uint8_t data[];
} RawBox;
/* program.c: whether the compiler lays the structure out like this. */
bool bind_layout_is_right(lua_State *L, int module, const char *name, const Layout *layout, const char **why);
/* tensor_map.c: false if the value is no tensor map; why is set where it does not fit. */
bool bind_to_tensor_map(lua_State *L, int idx, const Structure *structure, Arg *out, const char **why);
/* pointee.c: what a parameter points to, and whether it may point into the buffer. False: *why has what came. */
Pointee bind_pointee(const ParamType *pointer);
bool bind_may_stand_for(ElemType has, ElemType wants);      /* signedness is ignored, and bytes match any type */
bool bind_made_of(const LayoutField *field, ElemType type); /* all that is in it is of the type */
bool bind_pointee_takes(lua_State *L, Layouts *layouts, const Pointee *to, const BufferBox *box, const char **why);
/* Of the module's source and headers, read at the first call; NULL: it is PTX or closed. */
Layouts *bind_layouts(const ModuleBox *module);
/* A structure of them; NULL: it is not known, *why says why. */
const Layout *bind_layout(const ModuleBox *module, const char *name, size_t len, const char **why);
/* A buffer, b:at(n), a texture or a surface as what a pointer or a handle refers to. False: it is none of these. */
bool bind_to_reference(lua_State *L, int idx, const DeviceBox *owner, Buffer *buffer, size_t *offset, const char **why);

/* Pushes "copy(float*, float*, int)", or "copy" where that is not known. */
const char *bind_push_signature(lua_State *L, const KernelBox *box);
void bind_push_outcome(lua_State *L, const LaunchOutcome *outcome, const Str *output);
void bind_note_emulated(lua_State *L, const DeviceBox *owner); /* in that table: its time is an emulator's own */
/* Kernel printf: appended to the Str and written to where results go (bind_results). */
void bind_print(void *str, const char *text, size_t len);
typedef enum { RESULTS_STDOUT, RESULTS_STDERR, RESULTS_NOWHERE, RESULTS_KEPT } Results;
void bind_results(Results to);
void bind_take_printed(lua_State *L); /* pushes what kernels printed since the last call; with RESULTS_KEPT */

/* --- launch lists (launch_list.c): what is run, timed or counted as one ----------------------------------------------
 *
 * Either three arguments, kernel, config and args; or one table, {kernel=, config=, args=} or {library=, args=}, or a
 * list of such. */
typedef struct {
	DeviceBox *owner;
	LaunchItem *items;   /* in memory of the stack's; so is what they point to */
	KernelBox **kernels; /* by item; NULL: a library routine */
	int keep;            /* where a table is that has each kernel's value, by its box */
	uint32_t nitems;
	Str *output; /* what kernels printed */
	void (*print)(void *str, const char *text, size_t len);
} ListArg;
/* The number of the argument after the work that begins at argument first. */
int bind_after_list(lua_State *L, int first);
/* Leaves what it made on the stack. print NULL: output is kept, to be shown when it is known which of many runs
 * counts. */
ListArg bind_check_list(lua_State *L, int first, void (*print)(void *str, const char *text, size_t len));
LaunchList bind_list(const ListArg *list);
LaunchOutcome bind_run_list(lua_State *L, DeviceBox *owner, LaunchList list);
/* lines.c: counters as a table, and those of each source line, the launches' together. */
void bind_push_finding(lua_State *L, const Finding *finding); /* check.c */
void bind_push_counts(lua_State *L, const Counts *counts);
void bind_push_lines(lua_State *L, const ListArg *list, const CountReport *report);
/* measure.c: the table of gpu.count, but for how the launches ended. */
void bind_push_count_report(lua_State *L, const ListArg *list, const Gpu *rules, const CountReport *report);
void bind_push_nondeterminism(lua_State *L, const ItemAnswer *items, uint32_t nitems);
/* Arguments may follow a device (method call), which the kernels' own device makes redundant. */
int bind_first_of_list(lua_State *L);

/* --- modules and parts of gpulab.gpu ------------------------------------------------------------------------------ */

int bind_gpu_module(lua_State *L);   /* gpu.c: luaopen function */
int bind_host_module(lua_State *L);  /* host.c */
int bind_store_module(lua_State *L); /* store.c */
int bind_fs_module(lua_State *L);
int bind_jobs_module(lua_State *L);
int bind_archive_module(lua_State *L); /* fs.c */
int bind_exec_module(lua_State *L);
int bind_source_module(lua_State *L);
extern const BindClass bind_buffer_class, bind_pointer_class, bind_array_class, bind_module_class, bind_kernel_class,
	bind_symbol_class, bind_texture_class, bind_surface_class, bind_tensor_map_class, bind_stepping_class,
	bind_inputs_class, bind_kept_class, bind_raw_class;

/* Functions gpu.NAME of gpu.device that any device has as methods: bind_NAME. lua/gpulab/meta.lua documents them. */
#define DEVICE_FUNCTIONS                                                                                               \
	buffer, transfer, overlap, texture, surface, tensor_map, compile, compile_text, kernel, compile_ahead,             \
		compile_prepare, run, library, time, compare, count, banks, check, orders, step, inputs
int EACH_OF(LUA_FUNCTION, bind, DEVICE_FUNCTIONS);
/* Others of gpu, and methods that other files have than their class. */
int EACH_OF(LUA_FUNCTION, bind, array, lock, models, cards, model, calibrate, buffer_load, buffer_save, symbol);

LockMode bind_lock_mode(void); /* as gpu.lock has it */
extern const char *const bind_rate_kinds[];
void bind_push_measurement(lua_State *L, const Measurement *measurement);
struct Stepping;
/* An object that owns the stepped launch. */
void bind_push_stepping(lua_State *L, struct Stepping *stepping);

/* buffer.c: whether there are buffers, places in them or textures in the table */
bool bind_has_references(lua_State *L, int table);
int bind_module_buffer(lua_State *L); /* m:buffer(name, count, options) */
/* structure_buffer.c: elements of a buffer of structures, in its own numbers: tables of fields, alone or in a list. */
void bind_push_structures(lua_State *L, const BufferBox *box, size_t first, size_t n, bool list);
void bind_set_structure(lua_State *L, int buffer, size_t i, int idx);
void bind_keep(lua_State *L, int buffer, size_t i); /* buffers live as long as the pointers to them in another one */
void bind_upload_structures(lua_State *L, int buffer, int arg, size_t first, size_t n);
/* A fill: 0, "sentinel" or nil, which are a definition (true), or a table of all structures. */
bool bind_check_structures(lua_State *L, int arg, const BufferBox *box, Define *define);
void bind_fill_structures(lua_State *L, int buffer, int arg);
/* buffer_file.c: the elements of a .npy file of that type, or the bytes of another, whole ones of `width` each; in the
 * memory of *file. Raises for a file that has far more than `room` elements. */
const char *bind_read_elements(lua_State *L, const char *path, ElemType type, size_t width, size_t room, size_t *count,
							   Holder **file);
/* fs.c: a path without NUL bytes, which C would take for another one than Lua does. */
const char *bind_check_path(lua_State *L, int arg);
/* watch.c: watch(folder) -> watch, or nil and why; a watch has fd, drain, close. */
int bind_watch(lua_State *L);
void bind_watch_class(lua_State *L);

/* embed.c: once, before any script */
void bind_own(lua_State *L);

/* own.c. In the registry: the globals of gpulab's own modules, and the modules by name. */
#define OWN_GLOBALS "gpulab.globals"
#define OWN_MODULES "gpulab.modules"
/* others: of these globals, with those of the start as upvalues; ends with NULL. */
void bind_keep_own(lua_State *L, const luaL_Reg *others);
void bind_restore(lua_State *L);                    /* after a script */
void bind_push_own(lua_State *L, const char *name); /* one of the globals of gpulab's modules */
bool bind_is_own(lua_State *L, lua_Debug *ar);      /* is it in a function of gpulab's own Lua modules? */

/* interrupt.c: for functions of C that take long: raises if Ctrl-C was pressed and nothing acted on it yet. */
void bind_look(lua_State *L);
_Noreturn void bind_raise_interrupted(lua_State *L);
void bind_interrupt_begin(lua_State *L, void (*at_last_press)(void));
void bind_interrupt_end(void);            /* from here on a press ends the program */
bool bind_is_passing(lua_State *L);       /* is the error on top of the stack a press? */
void bind_interrupt_caught(lua_State *L); /* the error on top is caught; a press becomes its error object at last */
lua_State *bind_run_in(lua_State *L);     /* the coroutine that runs from now on; returns the one before */

/* memory.c: a limit for Lua's own values. */
void bind_limit_memory(lua_State *L);
void bind_memory_begin(lua_State *L); /* what begins now may take something, however full it is */
void bind_push_memory_error(lua_State *L);

/* chunk_file.c: pushes the chunk of a file (NULL: standard input), or why there is none (false). mode NULL: any. */
bool bind_load_file(lua_State *L, const char *path, const char *mode);

void bind_replace_chunk_files(lua_State *L); /* loadfile, dofile, and what require finds on package.path */

/* catch.c: as functions of Lua. catch(f, ...) is a pcall that catches Ctrl-C, too, for callers that put something in
 * order and raise it again; the other one is that of gpulab's own modules, and does not. */
int bind_catch(lua_State *L);
int bind_pcall(lua_State *L);
void bind_replace_catching(lua_State *L); /* Lua's functions that Ctrl-C needs otherwise */

int bind_execute(lua_State *L); /* execute.c: os.execute, with Ctrl-C for the command */
