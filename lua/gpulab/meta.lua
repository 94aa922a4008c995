---@meta
-- What Lua sees of gpulab's C core: the module `gpulab.gpu`, also the global `gpu` in labs, scripts and at the prompt.
-- Shapes are in elements, sizes in bytes, element indices start at 0 as in the kernel, times are milliseconds, GB is 10^9 bytes.
-- Misuse raises an error with the argument's number. Operating failures raise an error object {kind, message, where, hint}
-- (tostring gives all of it); kind is "compile", "fault", "wrong", "timeout", "setup", "finding", "gate", "usage", "interrupted".
-- An error of kind "compile" also has diagnostics, a list of {kind, file, line, column, message, source_line}; one that a launch
-- caused has its outcome (whose status "limit" is of kind "fault").

---@class gpu
---@field version string "0.1.0"
---@field device Device the device chosen with --device, opened at first use
gpu = {}

---@alias ElemType "float"|"double"|"int"|"unsigned"|"long long"|"unsigned long long"|"short"|"unsigned short"|"char"|"unsigned char"|"half"
---@alias Fill number|"iota"|"random"|"poison"|table|Array  what a buffer holds before any kernel touches it

---@param name string "cuda:0", "emu", "emu:GTX 280", "auto"
---@return Device
function gpu.open(name) end
---@return table[] one {name, gpu, backend, cc, sms, memory_bytes} for each device that can be opened
---@return table[] one {name, backend, why} for each GPU that is there and cannot be had
function gpu.devices() end
---@class GpuFigures  the figures of src/gpu/gpu.h by their names there; sizes in bytes, speeds in 10^9, 0: not known
---@field name string @field cc integer @field sms integer @field dram_gbps number @field banks integer
---@field base string? of a derived one: what it was derived from
---@field sources string one line a figure: where it is from, or that it is an estimate
---@return GpuFigures[] one for each GPU known as data, oldest first; then those derived with gpu.model
function gpu.models() end
---A GPU derived from a known one: gpu.model{base="GTX 280", banks=32}. The fields are figures of gpu.models(); what is left
---out stays as it is. Its name can stand wherever a model's name can. Asking for the same name again replaces it.
---On cc 1.x two of dram_gbps, partitions and memory_ghz give the third; shared_bytes_per_clock follows from the banks.
---@param changes string|{base: string, name: string?, [string]: number} a name alone: the figures of that GPU
---@return GpuFigures
function gpu.model(changes) end

---Figures of a known GPU as measured on this machine, which its model goes by from here on: copy_gbps (a large copy),
---l2_gbps (of which loads attain 82 %), launch_us (an empty launch). gpulab.calibrate measures and keeps them.
---@param figures {gpu: string, copy_gbps: number?, l2_gbps: number?, launch_us: number?}
---@return GpuFigures
function gpu.calibrate(figures) end

-- The following act on gpu.device; each is also a method of a Device: d:buffer(...), d:kernel(...).

---@param type ElemType
---@param count integer elements
---@param options? {name: string?, fill: Fill?, seed: integer?, memory: "device"|"mapped"?}
--- memory "mapped": page-locked memory of the host, which kernels read and write over the link (zero copy); else as any buffer
---@return Buffer
function gpu.buffer(type, count, options) end

---A copy of a buffer as a cudaTextureObject_t; its width is what is left over by height, depth or layers, and channels.
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
---@field names string[]? kernels wanted, as in CUDA C++ ("tile<33>"); default: every non-template __global__ function
---@field defines table<string, string|number>?
---@field include string[]? folders
---@field options string[]? further NVRTC options
---@param path string a .cu file: relative to the working folder, else found in kernels/
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
---Compiles as gpu.kernel does and keeps the result in the cache, where gpu.kernel will find it.
---@param path string @param name string @param options? CompileOptions
function gpu.compile_ahead(path, name, options) end

---@class LaunchConfig
---@field grid integer|integer[] blocks
---@field block integer|integer[] threads
---@field shared integer? bytes of dynamic shared memory
---@field timeout integer? ms
---@field cooperative boolean? all blocks on the GPU at once, for cooperative_groups::this_grid().sync()
---@field schedule integer? emulator: seed of an adversarial order of blocks and warps, which replays it; 0: the ordinary
---one, on one host thread so that it is the same each time; nil: the ordinary one on all of them

-- A work is what is run, timed and counted as one: wherever three arguments kernel, config and args are taken, one table may
-- stand instead, an item or a list of up to 1000 of them, run in order on one stream.
---@class WorkItem  a launch, or a library routine
---@field kernel Kernel? @field config LaunchConfig?
---@field library "sgemm"|"sgeam"|"memcpy"|nil with args
--- sgemm {C, A, B, n}: C = A·B, n×n floats by rows, in FP32. sgeam {out, in, rows, columns}: out is the transpose of in.
--- memcpy {to, from}: whole buffers on the device. They need a GPU (the first two cuBLAS also); else kind "setup".
---@field args table
---@alias Work WorkItem|WorkItem[]

---Runs a work and waits; stops at the first item that does not end well, of which the outcome tells. ms is the items' sum.
---@param work Work
---@return Outcome
function gpu.run(work) end

---Whether a library routine can stand in a work on this device.
---@param name "sgemm"|"sgeam"|"memcpy"
---@return true? , string? missing a sentence that says what is missing
function gpu.library(name) end

---Times a launch: cold samples, median, quartiles; on the emulator the model's prediction.
---@param kernel Kernel
---@param config LaunchConfig
---@param args table kernel arguments: buffers and numbers
---@param options? {min_bytes: number?, wall: number?, warmup: integer?}
---@return Measurement
---@overload fun(work: Work, options: table?): Measurement  on the emulator the sum of its launches' predictions
function gpu.time(kernel, config, args, options) end

---Whether the second launch is faster than the first: on a GPU by samples taken in turn, on the emulator by prediction.
---@param kernel1 Kernel @param config1 LaunchConfig @param args1 table
---@param kernel2 Kernel @param config2 LaunchConfig @param args2 table
---@param options? {wall: number?} seconds for the samples, 1 by default
---@return Comparison
---@overload fun(work1: Work, work2: Work, options: table?): Comparison
function gpu.compare(kernel1, config1, args1, kernel2, config2, args2, options) end

---Times a copy between host and GPU; on the emulator, and for each of models, predicted from the figures of the GPU's link.
---@param options {direction: "to device"|"from device", memory: "pageable"|"pinned"|"write-combined"?, bytes: integer,
--- wall: number?, models: string[]?}
---@return CopyMeasurement
function gpu.transfer(options) end

---Copies the input to the GPU, runs the kernel and copies the output back, in chunks dealt out to streams, and tells when each
---operation began and ended. On a GPU the data really go that way: afterwards the output holds what was copied back.
---@class OverlapOptions
---@field kernel Kernel
---@field config fun(first: integer, count: integer): LaunchConfig of the chunk: elements first (from 0), count of them
---@field args fun(first: integer, count: integer): table
---@field input Buffer @field output Buffer of the same length; chunks are of a multiple of 64 elements where there are so many
---@field chunks integer? 4 @field streams integer? 2; chunk i goes to stream i modulo streams
---@field memory "pageable"|"pinned"|"write-combined"? of the host; "pinned"
---@field order "depth"|"breadth"? chunk after chunk, or all copies in, kernels, copies out of as many chunks as there are streams
---@field wall number? @field models string[]?
---@param options OverlapOptions
---@return OverlapMeasurement
function gpu.overlap(options) end

---Whether times are taken under the GPU's lock, which keeps the processes of a machine apart; true at first.
---@param on boolean
function gpu.lock(on) end

---Runs a launch once on the emulator with counters on, whatever the device, and predicts its time on the models asked for.
---The device's buffers are not changed unless the device is the emulator.
---@param kernel Kernel
---@param config LaunchConfig
---@param args table
---@param options? {rules: string?, models: string[]?, sample: integer?, instructions: number?} rules: by which GPU's memory rules to
---count; default the device's own
---sample: about so many blocks of each launch run (rounded up to runs of 240 neighbours, below 480 to two of 30 or a multiple), spread
---over its grid; counters and times stand for all of them, report.sampled says so, and buffers hold only what those blocks wrote
---instructions: fewer blocks run where those would take more warp instructions than this in all, 60 at least
---@return CountReport
---@overload fun(work: Work, options: table?): CountReport  counters and lines added up
function gpu.count(kernel, config, args, options) end

---Runs a launch once on the emulator with checkers listening, whatever the device. What a checker tells of is a finding,
---also a fault; a fault without a finding raises, and so does a launch that runs out of time or is interrupted: the error's
---findings are then what was found until there. The device's buffers are not changed unless the device is the emulator.
---@class FindingSite
---@field file string? @field line integer? @field access string? @field block integer[]? @field thread integer[]?
---@class Finding
---@field check "memory"|"race"|"init"|"sync"|"unused" @field count integer @field message string @field hint string?
---@field space string? @field buffer string? @field offset integer? bytes @field width integer? bytes
---@field sites FindingSite[] where it showed, and the other side
---@param kernel Kernel @param config LaunchConfig @param args table
---@param checks? string|string[] "race,init" or {"race", "init"}; all of them by default
---@return {status: string, message: string, output: string, findings: Finding[]}
---@overload fun(work: Work, checks: string|string[]|nil): table  a finding's launch tells which of several it was in
function gpu.check(kernel, config, args, checks) end

---How a warp's shared memory access falls on the banks of a GPU.
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

---A typed array on the host, for references and checks; made and transformed in C. Zero unless filled.
---@param type ElemType
---@param count integer
---@param fill? Fill
---@param seed? integer
---@return Array
function gpu.array(type, count, fill, seed) end

---@class Device
---@field name string as opened
---@field backend "cuda"|"emu"
---@field gpu string "NVIDIA H200"
---@field model string? name of the generation's record, if there is one
---@field cc integer 90
---@field sms integer
---@field l2_bytes integer
---@field memory_bytes integer
---@field dram_gbps number
---@field without_gpu string? why the emulator was opened for "auto" although a GPU's driver is there
---@field driver string
---@field runtime string
---@field nvrtc string? "13.0"
local Device = {}
function Device:close() end

---@class Buffer  #b is its length in elements; b[i] reads element i (0-based), b[i] = v writes one
---@field name string
---@field type ElemType
---@field bytes integer
---@field stale boolean its content was lost with a crashed worker
---@field mapped boolean it is memory of the host
local Buffer = {}
---@param first? integer @param count? integer
---@return Array
function Buffer:download(first, count) end
---Compares with a host array, as Array:mismatch does, without holding the content.
---@param want Array @param options? table as of Array:mismatch @return table?
function Buffer:mismatch(want, options) end
---A digest of the content, made on the device: equal ones of one device, equal contents. Nil where to compare the content
---itself takes no longer.
---@return string?
function Buffer:digest() end
---@param data Array|table elements; those of a table are t[1], t[2]... @param first? integer
function Buffer:upload(data, first) end
---@param fill Fill @param seed? integer
function Buffer:fill(fill, seed) end
function Buffer:free() end

---@class Texture  a kernel argument; a copy of a buffer's content at its making
---@field width integer @field height integer? @field depth integer? @field layers integer?
---@field channels integer @field type ElemType
---@field stale boolean
local Texture = {}
---Copies the buffer's present content again.
function Texture:update() end
---@return Array texels, row by row
function Texture:download() end
function Texture:free() end
---@class Surface: Texture

---@class Module
---@field names string[]
---@field log string warnings of the compiler
---@field cached boolean
---@field ms number time NVRTC took
---@field ptx string
---@field cc integer compiled for @field path string
---@field key string equal keys, equal programs: a hash of all that went in
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
---What cudaMemcpyToSymbol does: from the variable's beginning on. It survives a worker and goes into every emulated launch.
---@param data Array|number[]|number @param type? ElemType what a table's numbers become; needed unless the variable is a scalar
function Symbol:upload(data, type) end
---@param type? ElemType needed unless the variable is a scalar @param count? integer all of it by default
---@return Array
function Symbol:download(type, count) end

---@class Kernel  calling it, k{grid=, block=}(args...), launches, waits, and raises unless all went well; returns the Outcome
---@field name string
---@field linked string its name in PTX and machine code
---@field registers integer
---@field registers_estimated boolean
---@field shared_bytes integer static, per block
---@field local_bytes integer per thread
---@field max_threads integer per block
---@field module Module
local Kernel = {}
---@return string? the machine code it is in, an ELF file; nil where there is PTX only
function Kernel:cubin() end
---Launches and waits; does not raise for a launch that goes wrong.
---@param config LaunchConfig
---@return Outcome
function Kernel:launch(config, ...) end
---@param config LaunchConfig
---@return {blocks_per_sm: integer, warps_per_sm: integer, fraction: number, limited_by: string}
function Kernel:occupancy(config) end

---@class Outcome
---@field status "ok"|"fault"|"limit"|"timeout"|"interrupted" Ctrl-C raises, so that launch never returns "interrupted"
---@field ms number
---@field message string a sentence for people, "" if ok
---@field report string all there is to say about a launch that did not end well, in lines of at most 80 columns; "" if ok
---@field fault table? {kind, located, replayed, block={x,y,z}, thread={x,y,z}, threads, kernel, file, line, space, access, width, buffer, offset, bytes, element, type, message}
--- block, thread, file, line: if located; also block.x, thread.y ...; offset, bytes (the buffer's), element, type: if buffer is
---@field output string what the kernel printed

---@class Measurement
---@field kind "measured"|"predicted"
---@field ms number median @field q1 number @field q3 number @field min number all ms
---@field hot number? ms
---@field graph boolean the batch was one CUDA graph
---@field cold number? of a batch: one launch alone, the data not in the cache; ms
---@field overhead number? ms that two events tell around nothing, already taken off every sample
---@field samples integer @field discarded integer @field batch integer
---@field launch number? ms that a launch takes which does nothing: it is in every time
---@field clock_ghz number? @field temperature number? of the GPU, °C
---@field unlocked boolean taken without the GPU's lock
---@field throttled boolean @field impossible boolean @field note string
---@field bound string? what bounds a predicted time
---@field known boolean? of a predicted time: false if this GPU has no model
---@field error number? known relative error of the model @field gpu string? whose model it is

---@class CopyMeasurement: Measurement
---@field gbps number bytes over the median
---@field clock "events"|"host"|nil which clock measured: a pageable copy is timed by the host's, from the call to the end
---@field host_write_gbps number? how fast one core of the host writes such memory (measured only) @field host_read_gbps number?
---@field models table<string, {known: boolean, ms: number, bound: string, note: string}>

---@class Span  one operation of a pipeline
---@field stream integer from 1 @field chunk integer from 1 @field what "to device"|"kernel"|"from device"
---@field start_ms number from the pipeline's beginning @field end_ms number

---@class OverlapMeasurement
---@field kind "measured"|"predicted" @field known boolean false: no prediction, see note; then there are no spans
---@field ms number of it all; measured: the median run's, whose spans these are @field q1 number @field q3 number
---@field samples integer @field unlocked boolean @field note string @field bound string? of a predicted one
---@field spans Span[] in the order of issue
---@field models table<string, OverlapMeasurement>? by GPU asked for, predicted

---@class Comparison
---@field verdict "faster"|"slower"|"cannot tell" of the second
---@field kind "measured"|"predicted"
---@field ratio number the second's time over the first's; low and high: its interval
---@field low number @field high number
---@field a_ms number @field b_ms number medians
---@field margin number differences smaller than this count as none
---@field confidence number? of the interval; nil: predicted
---@field pairs integer @field discarded integer @field batch integer @field graph boolean @field note string
---@field error number? known relative error of the model

---@class CountReport
---@field outcome Outcome
---@field launches integer how many the work has
---@field rules string the GPU whose rules counted
---@field counters table<string, integer> by name, see docs/counters.md
---@field lines {file: string, line: integer, text: string?, counters: table<string, integer>, worst: table?}[]
---@field models table<string, {known: boolean, ms: number, bound: string, error: number?, note: string, blocks_per_sm: integer, warps_per_sm: integer, partitions: {bytes: number, pages: number}[]?}>
---@field from_definitions boolean
---@field emulator_ms number what the emulated run took here
---@field sampled {blocks: integer, of: integer, error: number?}? where only a sample of the blocks ran: how many of how many, and
--- by which part of the time the sample's halves are apart (nil: no models asked)
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
---The array over and over: result[i] = self[i % #self].
---@param count integer @return Array
function Array:cycle(count) end
---a[f(i)] for every i: result[i] = self[index(i)]; index is a Lua function, so this is for small arrays.
---@param count integer @param index fun(i: integer): integer @return Array
function Array:gather(count, index) end
---The first element whose bytes are not those of the other array's; nil: all are alike, NaN too.
---@param other Array @return integer?
function Array:differs(other) end
---Compares with another array of the same type and length. nil: equal (NaN equals nothing).
---@param want Array
---@param options? {relative: number?, absolute: number?, columns: integer?, most: integer?} columns: to report row and column
---@return {count: integer, first: {index: integer, row: integer?, column: integer?, got: number, want: number}[]}?
function Array:mismatch(want, options) end
