---@meta
-- The Lua API of gpulab's C core: the module `gpulab.gpu`, also the global `gpu` in labs, scripts and at the prompt.
-- Shapes are in elements, sizes in bytes, element indices start at 0 as in the kernel, times are milliseconds, GB is 10^9 bytes.
-- Misuse raises an error with the argument's number. Operating failures raise an error object {kind, message, where, hint}
-- (tostring returns all of it); kind is "compile", "fault", "wrong", "timeout", "setup", "finding", "gate", "usage", "interrupted".
-- An error of kind "compile" also has diagnostics, a list of {kind, file, line, column, message, source_line}; one that a launch
-- caused has its outcome (whose status "limit" is of kind "fault"). pcall and xpcall do not catch Ctrl-C.

---@class gpu
---@field version string "0.1.0"
---@field device Device the device chosen with --device, opened at first use
gpu = {}

---@alias ElemType "float"|"double"|"int"|"unsigned"|"long long"|"unsigned long long"|"short"|"unsigned short"|"char"|"unsigned char"|"half"|"bfloat16"
---@alias VectorType "float2"|"float3"|"float4"|"double2"|"int2"|"int4"|"uint4"|"char4"|"uchar4"|"half2" and all others of CUDA
--- of a buffer: #b and indices count vectors, b[i] is a table of components; downloads and fills are of components
---@alias Fill number|"iota"|"random"|"sentinel"|table|Array  a buffer's initial contents; "sentinel": all bytes 0xff (NaN, -1)

---@param name string "cuda:0", "emu", "emu:GTX 280", "auto"
---@return Device
function gpu.open(name) end
---@return table[] one {name, gpu, backend, cc, sms, memory_bytes} per device that can be opened
---@return table[] one {name, backend, why} per GPU that cannot be opened
function gpu.devices() end
---@class GpuFigures  the fields of src/gpu/gpu.h by their names there; sizes in bytes, speeds in 10^9, 0: unknown
---@field name string @field cc integer @field sms integer @field dram_gbps number @field banks integer
---@field base string? the GPU it was derived from
---@field sources string one line per value: its source, or that it is an estimate
---The landmarks, one or two GPUs per generation, on which `generations` shows a lesson.
---@return GpuFigures[] oldest first; then those derived with gpu.model
function gpu.models() end
---@return string[] names of further known GPUs, oldest first; gpu.model(name) has their figures
function gpu.cards() end
---A GPU derived from a known one: gpu.model{base="GTX 280", banks=32}. The fields are those of gpu.models(); omitted
---fields keep the value of the base. Its name is valid wherever a model's name is. The same name again replaces it.
---On cc 1.x two of dram_gbps, partitions and memory_ghz determine the third; the banks determine shared_bytes_per_clock.
---@param changes string|{base: string, name: string?, [string]: number} a name alone returns that GPU
---@return GpuFigures
function gpu.model(changes) end

---Gives a GPU's model values measured on this machine: copy_gbps (a large copy), l2_gbps (loads reach 82 % of it),
---launch_us (an empty launch). gpulab.calibrate measures and stores them.
---@param figures {gpu: string, copy_gbps: number?, l2_gbps: number?, launch_us: number?}
---@return GpuFigures
function gpu.calibrate(figures) end

-- The following act on gpu.device; each is also a method of a Device: d:buffer(...), d:kernel(...).

---@param type ElemType
---@param count integer elements
---@param options? {name: string?, fill: Fill?, seed: integer?, memory: "device"|"mapped"?}
--- memory "mapped": pinned (page-locked) host memory, which kernels read and write over the link (zero copy)
---@return Buffer
function gpu.buffer(type, count, options) end

---A copy of a buffer as a cudaTextureObject_t. By default the width follows from height, depth or layers, and channels.
---@param buffer Buffer
---@param options? {width: integer?, height: integer?, depth: integer?, layers: integer?, channels: integer?, address: AddressMode|AddressMode[]|nil, filter: "point"|"linear"|nil, normalized: boolean?, read: "element"|"float"|nil, layout: "array"|"linear"|nil}
---@return Texture
function gpu.texture(buffer, options) end
---A copy of a buffer as a cudaSurfaceObject_t, which kernels read and write.
---@param buffer Buffer
---@param options? {width: integer?, height: integer?, depth: integer?, layers: integer?, channels: integer?}
---@return Surface
function gpu.surface(buffer, options) end

---@alias AddressMode "clamp"|"border"|"wrap"|"mirror"  the last two with normalized = true

---@class CompileOptions
---@field names string[]? kernels to compile, as in CUDA C++ ("tile<33>"); default: every non-template __global__ function
---@field defines table<string, string|number>?
---@field include string[]? folders
---@field options string[]? further NVRTC options
---A file with host code is taken as nvcc takes it: host functions, host headers and launches are left out, lines stay.
---@param path string a .cu file: next to the script, else in the working folder, else in kernels/; ./NAME is in the working folder
---@param options? CompileOptions
---@return Module
function gpu.compile(path, options) end
---@param source string CUDA C++ text
---@param options? CompileOptions
---@return Module
function gpu.compile_text(source, options) end
---Compiles the file for one kernel and returns it.
---@param path string
---@param name string "tile<33>"
---@param options? CompileOptions
---@return Kernel
function gpu.kernel(path, name, options) end
---Compiles like gpu.kernel and stores the result in the cache, where gpu.kernel finds it.
---@param path string @param name string @param options? CompileOptions
function gpu.compile_ahead(path, name, options) end
---Starts the compiler and precompiles the CUDA headers that the file includes, in the background.
---@param path string @param name string @param options? CompileOptions
function gpu.compile_prepare(path, name, options) end

---@class LaunchConfig
---@field grid integer|integer[] blocks
---@field block integer|integer[] threads
---@field shared integer? bytes of dynamic shared memory
---@field timeout integer? ms
---@field heap integer? bytes of the device heap for malloc in kernels (cudaLimitMallocHeapSize), from this launch on; nil:
---unchanged, initially gpu.limits().heap; a GPU's heap is fixed once a kernel has used it, see device.resizes_heap
---@field cooperative boolean? all blocks on the GPU at once, for cooperative_groups::this_grid().sync()
---@field schedule integer? emulator: seed of an adversarial order of blocks and warps, which replays it; 0: the default
---order on one host thread, always the same; nil: the default order on all host threads
---@field work_limit integer? emulator: basic blocks that all warps execute together; beyond it the launch times out, at the
---same place on every machine

-- A launch list runs in order on one stream and is timed and counted as a whole. Wherever a function takes the three arguments
-- kernel, config and args, it also takes one table: an item or a list of up to 1000 items.
---@class LaunchItem  a kernel launch or a library routine
---@field kernel Kernel? @field config LaunchConfig?
---@field library "sgemm"|"sgeam"|"memcpy"|nil with args
--- sgemm {C, A, B, n}: C = A·B, n×n floats by rows, in FP32. sgeam {out, in, rows, columns}: out is the transpose of in.
--- memcpy {to, from}: whole buffers on the device. They need a GPU, the first two also cuBLAS; otherwise they raise "setup".
---@field args table
---@alias LaunchList LaunchItem|LaunchItem[]

---Runs a launch list and waits; stops at the first item that fails, which the outcome describes. ms is the sum of the items.
---@param list LaunchList
---@return Outcome
function gpu.run(list) end

---Whether a library routine is available on this device.
---@param name "sgemm"|"sgeam"|"memcpy"
---@return true? , string? missing a sentence that says what is missing
function gpu.library(name) end

---Times a launch: cold samples, median, quartiles; on the emulator the model's prediction.
---@param kernel Kernel
---@param config LaunchConfig
---@param args table kernel arguments: buffers and numbers
---@param options? {min_bytes: number?, wall: number?, warmup: integer?}
---@return Measurement
---@overload fun(list: LaunchList, options: table?): Measurement  on the emulator the sum of its launches' predictions
function gpu.time(kernel, config, args, options) end

---Whether the second launch is faster than the first: on a GPU by alternating samples, on the emulator by prediction.
---@param kernel1 Kernel @param config1 LaunchConfig @param args1 table
---@param kernel2 Kernel @param config2 LaunchConfig @param args2 table
---@param options? {wall: number?} seconds for the samples, 1 by default
---@return Comparison
---@overload fun(list1: LaunchList, list2: LaunchList, options: table?): Comparison
function gpu.compare(kernel1, config1, args1, kernel2, config2, args2, options) end

---Times a copy between host and GPU; on the emulator, and per GPU in models, predicted from the bandwidth of the link.
---@param options {direction: "to device"|"from device", memory: "pageable"|"pinned"|"write-combined"?, bytes: integer,
--- wall: number?, models: string[]?}
---@return CopyMeasurement
function gpu.transfer(options) end

---Copies the input to the GPU, runs the kernel and copies the output back, in chunks distributed over streams, and reports when
---each operation began and ended. On a GPU the data is really copied: afterwards the output holds the result.
---@class OverlapOptions
---@field kernel Kernel
---@field config fun(first: integer, count: integer): LaunchConfig of the chunk: elements first (from 0), count of them
---@field args fun(first: integer, count: integer): table
---@field input Buffer @field output Buffer of the same length; chunks are multiples of 64 elements if there are enough
---@field chunks integer? 4 @field streams integer? 2; chunk i goes to stream i modulo streams
---@field memory "pageable"|"pinned"|"write-combined"? of the host; "pinned"
---@field order "depth"|"breadth"? chunk by chunk, or for one chunk per stream all copies in, then all kernels, then all copies out
---@field wall number? @field models string[]?
---@param options OverlapOptions
---@return OverlapMeasurement
function gpu.overlap(options) end

---Whether times are measured under the GPU's lock, which excludes other gpulab processes; initially true.
---@param on boolean
function gpu.lock(on) end
---Sets limits and returns all of them, in bytes and seconds. A value is such a number, a text as for --limit ("8G", "512M",
---"2.5"), or false for the default. A name that is not given keeps its limit.
---@param limits? {compile_memory: number|string|false?, compile_time: number|string|false?, gpu_time: number|string|false?,
---emulator_time: number|string|false?, emulator_memory: number|string|false?, heap: number|string|false?,
---lua_memory: number|string|false?}
---@return table<string, number>
function gpu.limits(limits) end

---Runs a launch once on the emulator with counters, on any device, and predicts its time on the given models.
---Changes the device's buffers only if the device is the emulator.
---@param kernel Kernel
---@param config LaunchConfig
---@param args table
---@param options? {rules: string?, models: string[]?, sample: integer?, instructions: number?, reach: boolean?,
--- timeline: integer?} rules: the GPU whose memory rules
---count; by default the device's own
---sample: about this many blocks per launch run (rounded up to groups of 240 neighbors, below 480 to two groups of 30 or a multiple),
---spread over the grid; counters and times are scaled to the grid (report.sampled), and buffers hold only what those blocks wrote
---instructions: a limit of warp instructions for the sample; at least 60 blocks run
---reach: also each launch by itself, with what it reached (report.items); not with a sample
---timeline: the number of a block; items[i].timeline is what its warps do cycle by cycle, by the first model: {block,
---{warp, line, why, from, cycles}, ...}. why: a stall reason, or "selected". From cc 7.0 on, else nil. Of a sample it is
---the nearest recorded block. What the kernels write is put back
---@return CountReport
---@overload fun(list: LaunchList, options: table?): CountReport  counters and lines summed over the list
function gpu.count(kernel, config, args, options) end

---Runs a launch once on the emulator under checkers, on any device, and returns their issues as findings. A fault that a checker
---reports is an issue; other faults raise, and so do a timeout and an interrupt: the error's findings are the issues up to then.
---Changes the device's buffers only if the device is the emulator.
---@class IssueSite
---@field file string? @field line integer? @field access string? @field block integer[]? @field thread integer[]?
---@class Issue
---@field check "memory"|"race"|"init"|"sync"|"unused" @field count integer @field message string @field hint string?
---@field space string? @field buffer string? @field offset integer? bytes @field width integer? bytes
---@field sites IssueSite[] the access that showed it, and the other access
---@field schedule integer? the adversarial order that showed it
---@param kernel Kernel @param config LaunchConfig @param args table
---@param checks? string|string[] "race,init" or {"race", "init"}; all of them by default
---@param orders? integer adversarial orders of blocks and warps that the launch also runs in (0); what a kernel writes there
---is put back. An issue that only one of them shows has its number in the field schedule. A launch whose config has a
---schedule runs in that order only
---@return {status: string, message: string, output: string, findings: Issue[]}
---@overload fun(list: LaunchList, checks: string|string[]|nil, orders: integer?): table  an issue's field launch is the launch it was in
function gpu.check(kernel, config, args, checks, orders) end

---A launch on an emulator of its own, over copies of what its buffers hold now. It stops between any two instructions of one
---block; the blocks before it run first. The order of warps is always the same, so that a time names a moment.
---@class StepStop
---@field number integer given back as moment.stop
---@field kind "line"|"function"|"address"|"change"
---@field name string? line: the file; function: as linked @field line integer?
---@field warp integer? only this warp @field lanes integer? a mask: only if one of them is active
---@field condition string? postfix; change: what is watched. Several of one number: a value in different places
---@field depth integer? change: only so many calls deep, the kernel itself 1
---@field address integer? @field bytes integer? @field space "global"|"shared"|"local"|"const"|nil @field stores boolean?
---@class StepMoment
---@field halt "begin"|"done"|"stop"|"fault"|"warp ended"|"block ended"|"time"|"interrupted"
---@field time integer operations since the block began @field count integer instructions of the warp
---@field block integer[] @field warp integer @field mask integer @field alive integer @field lanes integer
---@field file string @field line integer @field instruction string the next one @field text_line integer its line in the PTX @field message string of a fault
---@field printed string the end of what the block has printed @field printed_bytes integer all of it
---@field sides table[] {state, mask, line, text_line, rejoin, barrier}: lanes of the warp that are together, those that run first
---@field warps table[] {state, mask, alive, lanes, line, barrier, instructions} of the block
---@field barriers table[] {id, arrived, expected} @field frames table[] {name, file, line, inlined}
---@field accesses table[] {access, space, width, line, name, base, lanes}: from here to the next line
---@field events table[] {time, warp, line, mask, barrier}: with trace, lines and barriers that warps of the block got to
---@class Stepping
---@field gpu string
---@field go fun(self, go: {way: "instruction"|"line"|"over"|"out"|"on"|"barrier"|"time", back: boolean?, count: integer?, block: integer?, warp: integer?, stops: StepStop[]?, trace: boolean?}): StepMoment
---@field read fun(self, expressions: string[]): {type: string, lanes: table<integer, number>, trouble: string?}[]
---@field places fun(self): {file: string, line: integer, name: string}[]
---@field close fun(self)
---@param kernel Kernel @param config LaunchConfig @param args table
---@return Stepping
function gpu.step(kernel, config, args) end

---Which banks of a GPU a warp's shared memory access uses.
---@param model string "GTX 280", or "" for the device's own
---@param addresses table<integer, integer> lane (0..31) -> byte address
---@param width integer bytes per lane
---@return {model: string, requests: integer, wavefronts: integer, ideal: integer, worst_bank: integer, banks: table<integer, integer>}
function gpu.banks(model, addresses, width) end

---An error object {kind, message, where, hint} as the C core raises them; gpu.raise raises it.
---@param kind string "wrong", "setup", "usage" ... decides the exit code
---@param message string @param hint? string what to do about it @param where? string "file:line"
---@return table
function gpu.error(kind, message, hint, where) end
---@param kind string @param message string @param hint? string @param where? string
function gpu.raise(kind, message, hint, where) end

---What the prompt's ?name shows, by name ("gpu.buffer", "buffer:download").
---@type table<string, {usage: string, help: string}>
gpu.help = {}

---A typed array on the host, for references and checks, implemented in C. Zero by default.
---@param type ElemType
---@param count integer
---@param fill? Fill
---@param seed? integer
---@return Array
function gpu.array(type, count, fill, seed) end

---@class Device
---@field name string as opened
---@field backend "cuda"|"emu" for people and records; programs ask measures and emulates
---@field measures boolean measures kernels and copies; other devices predict times
---@field resizes_heap boolean any launch may set heap=; other devices allow it only before a kernel has used malloc
---@field emulates boolean counts and checks every launch, and runs far slower than a GPU
---@field gpu string "NVIDIA H200"
---@field model string? the GPU's name in gpu.models(), if it is there
---@field cc integer 90
---@field sms integer
---@field l2_bytes integer
---@field memory_bytes integer
---@field dram_gbps number
---@field place string? the machine its worker runs on, if that is elsewhere
---@field without_gpu string? why "auto" opened the emulator although a GPU driver is installed
---@field driver string
---@field runtime string
---@field nvrtc string? "13.0"
local Device = {}
function Device:close() end

---Asks for the worker of a remote GPU (ssh:, slurm, pbs, job:) and returns at once. What needs it waits for it.
function Device:ask() end

---@return ("here"|"asked")? state nil: nothing was asked for @return number seconds @return integer place 0: not known
---@return integer all waiting jobs. Raises an error if the worker did not come
function Device:asked() end

---Takes back what was asked for and is not here.
function Device:withdraw() end

---@class Buffer  #b is its length in elements; b[i] reads element i (0-based), b[i] = v writes one
---@field name string
---@field type ElemType
---@field bytes integer
---@field stale boolean its contents were lost with a crashed worker
---@field mapped boolean it is in host memory
local Buffer = {}
---@param first? integer @param count? integer
---@return Array
function Buffer:download(first, count) end
---Compares with a host array like Array:mismatch, without a copy of the contents.
---@param want Array @param options? table as of Array:mismatch @return table?
function Buffer:mismatch(want, options) end
---A digest of the contents, computed on the device; on one device equal digests mean equal contents. Nil if comparing the
---contents themselves takes no longer. Of an array: what it would be with these contents, computed here.
---@param contents Array? @return string?
function Buffer:digest(contents) end
---@param data Array|table|string elements; those of a table are t[1], t[2]...; those of a string as string.pack makes them
--- a table of buffers, b:at(n) and 0 makes an array of pointers in a buffer of "unsigned long long"
---@param first? integer
function Buffer:upload(data, first) end
---Reads a .npy file of the buffer's type (row by row), or the bytes of any other file.
---@param path string @param first? integer @return integer count elements read
function Buffer:load(path, first) end
---Writes a .npy file where the name ends so, else the bytes.
---@param path string
function Buffer:save(path) end
---A pointer to element n, a kernel's argument in place of the buffer; b + n is the same.
---@param n integer @return Pointer
function Buffer:at(n) end
---@param fill Fill @param seed? integer
function Buffer:fill(fill, seed) end
function Buffer:free() end

---@class Pointer  a place in a buffer

---@class Texture  a kernel argument; a copy of a buffer's contents when it was made
---@field width integer @field height integer? @field depth integer? @field layers integer?
---@field channels integer @field type ElemType
---@field stale boolean
local Texture = {}
---Copies the buffer's current contents again.
function Texture:update() end
---@return Array texels, row by row
function Texture:download() end
function Texture:free() end
---@class Surface: Texture

---@class Module
---@field names string[]
---@field kernels table[] {name, template, parameters, line} per kernel of the source, templates too
---@field log string warnings of the compiler
---@field cached boolean
---@field ms number time NVRTC took
---@field ptx string
---@field cc integer compiled for @field path string @field source string
---@field key string a hash of all inputs: equal keys mean equal programs
local Module = {}
---@param name string @return Kernel
function Module:kernel(name) end
---A __constant__ or __device__ variable, by its name in the source ("weights", "lab::weights").
---@param name string @return Symbol
function Module:symbol(name) end

---@class Symbol
---@field name string @field bytes integer @field constant boolean __constant__ rather than __device__
---@field stale boolean what kernels had written to it was lost with a crashed worker
local Symbol = {}
---Like cudaMemcpyToSymbol, from the beginning of the variable. The value survives a restarted worker and is used by every
---emulated launch.
---@param data Array|number[]|number @param type? ElemType of a table's numbers; required unless the variable is a scalar
function Symbol:upload(data, type) end
---@param type? ElemType required unless the variable is a scalar @param count? integer by default the whole variable
---@return Array
function Symbol:download(type, count) end

---@class Kernel  calling it, k{grid=, block=}(args...), launches, waits, and raises if the launch fails; returns the Outcome
---@field name string
---@field linked string its name in PTX and SASS
---@field registers integer
---@field registers_estimated boolean
---@field shared_bytes integer static, per block
---@field local_bytes integer per thread
---@field max_threads integer per block
---@field module Module
local Kernel = {}
---@return string? the cubin with its SASS, an ELF file; nil if there is only PTX
function Kernel:cubin() end
---Launches and waits; a failed launch does not raise.
---@param config LaunchConfig
---@return Outcome
function Kernel:launch(config, ...) end
---@param config LaunchConfig
---@return {blocks_per_sm: integer, warps_per_sm: integer, fraction: number, limited_by: string}
function Kernel:occupancy(config) end

---@class Outcome
---@field status "ok"|"fault"|"limit"|"timeout"|"interrupted" Ctrl-C raises, so that launch never returns "interrupted"
---@field ms number
---@field message string a sentence, "" if ok
---@field report string the full report of a failed launch, in lines of at most 80 columns; "" if ok
---@field fault table? {kind, located, replayed, block={x,y,z}, thread={x,y,z}, threads, kernel, file, line, space, access, width, buffer, offset, bytes, element, type, message}
--- block, thread, file, line: if located; also block.x, thread.y ...; offset, bytes (the buffer's), element, type: if buffer is
---@field output string what the kernel printed
---@field shadow_bytes integer? host memory that the checkers' shadows took: of gpu.check

---@class Measurement
---@field kind "measured"|"predicted"
---@field ms number median @field q1 number @field q3 number @field min number all ms
---@field hot number? ms
---@field graph boolean the batch was one CUDA graph
---@field cold number? of a batch: a single launch with a cold cache; ms
---@field overhead number? ms between two events around nothing, already subtracted from every sample
---@field samples integer @field discarded integer @field batch integer
---@field launch number? ms of an empty launch, which every time includes
---@field clock_ghz number? @field temperature number? of the GPU, °C
---@field unlocked boolean measured without the GPU's lock
---@field throttled boolean @field impossible boolean @field note string
---@field bound string? what limits a predicted time
---@field known boolean? of a predicted time: false if this GPU has no model
---@field error number? known relative error of the model @field gpu string? the GPU of the model

---@class CopyMeasurement: Measurement
---@field gbps number bytes over the median
---@field clock "events"|"host"|nil which clock measured: the host's clock times a pageable copy, from the call to its end
---@field host_write_gbps number? how fast one host core writes such memory (measured only) @field host_read_gbps number?
---@field models table<string, {known: boolean, ms: number, bound: string, note: string}>

---@class Span  one operation of a pipeline
---@field stream integer from 1 @field chunk integer from 1 @field what "to device"|"kernel"|"from device"
---@field start_ms number since the pipeline began @field end_ms number

---@class OverlapMeasurement
---@field kind "measured"|"predicted" @field known boolean false: no prediction, see note; then there are no spans
---@field ms number of the pipeline; measured: of the median run, which also has these spans @field q1 number @field q3 number
---@field samples integer @field unlocked boolean @field note string @field bound string? of a predicted one
---@field spans Span[] in the order of issue
---@field models table<string, OverlapMeasurement>? predictions by GPU

---@class Comparison
---@field verdict "faster"|"slower"|"cannot tell" of the second
---@field kind "measured"|"predicted"
---@field ratio number the second's time over the first's; low and high: its interval
---@field low number @field high number
---@field a_ms number @field b_ms number medians
---@field margin number differences smaller than this count as equal
---@field confidence number? of the interval; nil: predicted
---@field pairs integer @field discarded integer @field batch integer @field graph boolean @field note string
---@field error number? known relative error of the model

---@class CountReport
---@field outcome Outcome
---@field launches integer the number of launches
---@field rules string the GPU whose rules counted
---@field counters table<string, integer> by name, see docs/reference/counters.md
---@field lines {file: string, line: integer, text: string?, counters: table<string, integer>, worst: table?}[]
---@field models table<string, {known: boolean, ms: number, bound: string, error: number?, order: number?, note: string, blocks_per_sm: integer, warps_per_sm: integer, limits: {name: string, ms: number}[]?, dram_bytes: number?, most_updates: number?, counted_ms: number?, replayed_ms: number?, stalls: table<string, number>?, stalled: {line: integer, why: string, share: number}[]?, partitions: {bytes: number, pages: number}[]?}>
---@field items {counters: table<string, integer>, busiest: table<string, integer>, models: table<string, number>, reach: {read_bytes: integer, written_bytes: integer, busiest_warp: integer, busiest_block: integer, working_warps: integer, busiest_address: integer, scattered_sectors: integer, scattered_in_block: integer, lone_loads: integer, serial_loads: integer}}[]? by launch, with `reach`
---@field from_definitions boolean
---@field emulator_ms number the time of the emulated run
---@field sampled {blocks: integer, of: integer, error: number?}? if only a sample of the blocks ran: its size, the grid's size, and
--- the relative difference between the times of the sample's halves (nil without models)
--- worst: {access="load", space="shared", width=4, cost=32, ideal=1, block=, warp=, lanes={[0]=byte address, ...}}

---@class Array  #a elements; a[i] 0-based
---@field type ElemType
local Array = {}
---@return Array
function Array:copy() end
---The transpose of a rows × cols matrix stored row by row.
---@param rows integer @param cols integer @return Array
function Array:transpose(rows, cols) end
---@return number exact for integers (64-bit), pairwise in double for floats
function Array:sum() end
---The array repeated: result[i] = self[i % #self].
---@param count integer @return Array
function Array:cycle(count) end
---a[f(i)] for every i: result[i] = self[index(i)]; index is a Lua function, so this is for small arrays.
---@param count integer @param index fun(i: integer): integer @return Array
function Array:gather(count, index) end
---The first element whose bytes differ from the other array's; nil if all are equal, NaN included.
---@param other Array @return integer?
function Array:differs(other) end
---Compares with another array of the same type and length. nil: equal (NaN equals nothing).
---@param want Array
---@param options? {relative: number?, absolute: number?, columns: integer?, most: integer?} columns: to report row and column
---@return {count: integer, first: {index: integer, row: integer?, column: integer?, got: number, want: number}[]}?
function Array:mismatch(want, options) end
