---@meta
-- The Lua API of gpulab's C core: the module `gpulab.gpu`, also the global `gpu` in labs, scripts and at the prompt.
-- Shapes are in elements, sizes in bytes, element indices start at 0 as in the kernel, times are milliseconds, GB is 10^9 bytes.
-- Misuse raises an error with the argument's number. Operating failures raise an error object {kind, message, where, hint}
-- (tostring returns all of it); kind is "compile", "fault", "wrong", "timeout", "setup", "finding", "gate", "usage", "interrupted".
-- An error of kind "compile" also has diagnostics, a list of {kind, file, line, column, message, source_line}; one that a launch
-- caused has its outcome (whose status "limit" is of kind "fault"). pcall and xpcall do not catch Ctrl-C.

---@class gpu
---@field version string gpulab's version.
---@field device Device The device chosen with --device, opened at first use. Set it to change devices.
---@field help table What the prompt's ?name shows: gpu.help[name] = {usage=, help=}.
gpu = {}

---@alias ElemType "float"|"double"|"int"|"unsigned"|"long long"|"unsigned long long"|"short"|"unsigned short"|"char"|"unsigned char"|"half"|"bfloat16"
---@alias VectorType "float2"|"float3"|"float4"|"double2"|"int2"|"int4"|"uint4"|"char4"|"uchar4"|"half2" and all others of CUDA
--- of a buffer: #b and indices count vectors, b[i] is a table of components; downloads and fills are of components
---@alias Fill number|"iota"|"random"|"sentinel"|table|Array  a buffer's initial contents; "sentinel": all bytes 0xff (NaN, -1)

---`gpu.open(name) -> device`
---Opens "cuda:0", "emu", "emu:GTX 280" or "auto" (a GPU if there is one); a remote GPU: "ssh:HOST", "slurm", "pbs" or
---"job:NAME", as site files say.
---@param name string @return Device
function gpu.open(name) end
---`gpu.devices() -> table, table`
---What can be opened here: {name=, gpu=, backend=, cc=, sms=, memory_bytes=}; and GPUs that cannot: {name=, why=}.
---@return table[], table[]
function gpu.devices() end
---@class GpuValues  the fields of src/gpu/gpu.h by their names there; sizes in bytes, speeds in 10^9, 0: unknown
---@field name string @field cc integer @field sms integer @field dram_gbps number @field banks integer
---@field tesla_isa boolean operands and arguments are in shared memory (cc 1.x)
---@field load_line integer bytes that a load from global memory counts: 32, or 128 on cc 2.x; 0 on cc 1.x: segments
---@field specific_code boolean has instructions that no other compute capability has (sm_90a)
---@field base string? the GPU it was derived from
---@field sources string one line per value: its source, or that it is an estimate
---`gpu.models() -> table`
---Every GPU known as data, oldest first, with its values and their sources; then those made with gpu.model.
---@return GpuValues[]
function gpu.models() end
---`gpu.cards() -> table`
---Names of further known GPUs, oldest first.
---@return string[]
function gpu.cards() end
---`gpu.model{base="GTX 280", banks=32, name=} -> GPU`
---A hypothetical GPU: a known one with some values changed, to see their effect. Its name works wherever a model's name
---does: gpu.open("emu:" .. m.name), --model, gpu.count, gpu.banks. What is left out stays as it is; name: default, what
---was changed. gpu.model("GTX 280") returns the values of a known one. The same name again replaces it. On cc 1.x two
---of dram_gbps, partitions and memory_ghz determine the third; the banks determine shared_bytes_per_clock.
---@param changes string|{base: string, name: string?, [string]: number} a name alone returns that GPU @return GpuValues
function gpu.model(changes) end

---`gpu.calibrate{gpu="H200", copy_gbps=, l2_gbps=, launch_us=} -> GPU`
---Gives a known GPU values measured on this machine; its model uses them from then on. The command calibrate measures
---and stores them; this function is for values from elsewhere. copy_gbps: a large copy; l2_gbps: loads reach 82 % of
---it; launch_us: an empty launch.
---@param values {gpu: string, copy_gbps: number?, l2_gbps: number?, launch_us: number?} @return GpuValues
function gpu.calibrate(values) end

---`gpu.lock(on)`
---Whether times are taken under the GPU's lock, which keeps processes on one machine apart; true at first.
---gpu.lock(false) is --no-lock: what is measured then says so.
---@param on boolean
function gpu.lock(on) end
---`gpu.limits{compile_memory=, compile_time=, gpu_time=, ...} -> table`
---Sets limits: a number of bytes or seconds, a text ("8G", "512M"), or false for the default; others stay. Returns all:
---compile_memory, compile_time, gpu_time, emulator_time, emulator_memory, kept_inputs, heap, lua_memory.
---@param limits? table<string, number|string|false> @return table<string, number>
function gpu.limits(limits) end

---`gpu.error(kind, message, hint, where) -> error object`
---An error object {kind, message, where, hint} as the C core raises them; gpu.raise raises it.
---@param kind string @param message string @param hint? string @param where? string "file:line" @return table
function gpu.error(kind, message, hint, where) end
---`gpu.raise(kind, message, hint, where)`
---Raises an error object; kind ("wrong", "setup", "usage", ...) decides the exit code.
---@param kind string @param message string @param hint? string @param where? string
function gpu.raise(kind, message, hint, where) end

---`gpu.array(type, count, fill, seed) -> array`
---A typed array on the host, zero unless filled; for references and checks.
---@param type ElemType @param count integer @param fill? Fill @param seed? integer @return Array
function gpu.array(type, count, fill, seed) end
-- The following act on gpu.device; each is also a method of a Device: d:buffer(...), d:kernel(...).

---`gpu.buffer(type, count, {name=, fill=, seed=, memory=}) -> buffer`
---Typed memory on the device: count elements of a CUDA C++ type ("float", "int", ...). fill sets its first contents: a
---number, "iota", "random", "sentinel" (the default: NaN, -1), a table or an array. memory = "mapped": in host memory,
---which kernels read and write over the link.
---@param type ElemType @param count integer elements
---@param options? {name: string?, fill: Fill?, seed: integer?, memory: "device"|"mapped"?, address: integer?}
---- address: on an emulator, where it is to be; every launch then counts as reading and writing it
---@return Buffer
function gpu.buffer(type, count, options) end

---`gpu.texture(buffer, {width=, height=, address=, filter=, ...}) -> texture`
---A copy of the buffer as a cudaTextureObject_t, a kernel argument. Without a height it has one dimension; depth,
---layers (tex2DLayered) and channels are further options. cube = true: six faces one after the other (+x, -x, +y, -y, +z, -z),
---for texCubemap and, with layers, texCubemapLayered; seamless = true: linear filtering goes over their edges. address: "clamp", "border", with normalized = true also
---"wrap" and "mirror", or a table of one an axis. filter: "point" or "linear". read = "float": small integers become
---floats in [0, 1]. layout = "linear": for tex1Dfetch. t:update() copies the buffer again. By default the width follows
---from height, depth or layers, and channels.
---@param buffer Buffer
---@param options? {width: integer?, height: integer?, depth: integer?, layers: integer?, channels: integer?, cube: boolean?, seamless: boolean?, address: AddressMode|AddressMode[]|nil, filter: "point"|"linear"|nil, normalized: boolean?, read: "element"|"float"|nil, layout: "array"|"linear"|nil}
---@return Texture
function gpu.texture(buffer, options) end
---`gpu.surface(buffer, {width=, height=, depth=, layers=, channels=}) -> surface`
---A copy of the buffer as a cudaSurfaceObject_t, which kernels read and write; s:download() gives its texels.
---@param buffer Buffer
---@param options? {width: integer?, height: integer?, depth: integer?, layers: integer?, channels: integer?, cube: boolean?}
---@return Surface
function gpu.surface(buffer, options) end
---`gpu.tensor_map(buffer, {dims=, box=, strides=, swizzle=, fill=, ...}) -> map`
---A CUtensorMap of a buffer, for a parameter const __grid_constant__ CUtensorMap: what the Tensor Memory Accelerator copies.
---dims: elements, the dimension whose elements are adjacent first. strides: bytes, of the other dimensions; default: dense.
---An im2col map, for convolutions, has pixels_per_column and channels_per_pixel instead of box. Its dims are channels, width,
---height and depth as far as there are such, and images. lower_corner, upper_corner: where the window of an image begins
---and ends, relative to its first and last pixel; width first; default: 0.
---@param buffer Buffer
---@param options {dims: integer|integer[], box: integer|integer[]|nil, strides: integer|integer[]|nil, element_strides: integer|integer[]|nil, first: integer?, type: "tf32"|string|nil, swizzle: "none"|"32B"|"64B"|"128B"|nil, fill: "zero"|"nan"|nil, pixels_per_column: integer?, channels_per_pixel: integer?, lower_corner: integer|integer[]|nil, upper_corner: integer|integer[]|nil}
---@return userdata
function gpu.tensor_map(buffer, options) end

---@alias AddressMode "clamp"|"border"|"wrap"|"mirror"  the last two with normalized = true

---@class CompileOptions
---@field names string[]? kernels to compile, as in CUDA C++ ("tile<33>"); default: every non-template __global__ function
---@field defines table<string, string|number>?
---@field include string[]? folders
---@field options string[]? further NVRTC options
---@field partial boolean? leave out what does not compile, if other kernels do: the module's kernels say which, in `error`
---@field parents boolean? #include "../x.h" may lead out of the file's folder: for files that you trust
---A file with host code is taken as nvcc takes it: host functions, host headers and launches are left out, lines stay.

---`gpu.compile(path, {names=, defines=, include=, options=, ...}) -> module`
---Compiles a .cu file with NVRTC. The path is relative to the working folder, else to the lab, else in kernels/. names:
---kernels wanted, as in CUDA C++ ("tile<33>") or linked ("_Z4copyPf"); without it every __global__ function that is no
---template. parents: "../x.h" may lead out of the file's folder. partial: what does not compile is left out if other
---kernels do; m.kernels says which, in error.
---A .ptx file, as nvcc -ptx makes it, is taken as it is. An instance of a template has its linked name there.
---@param path string a .cu or .ptx file: next to the script, else in the working folder, else in kernels/; ./NAME is in the working folder
---@param options? CompileOptions @return Module
function gpu.compile(path, options) end
---`gpu.compile_text(source, options) -> module`
---As gpu.compile, with the CUDA C++ text itself.
---@param source string CUDA C++ text
---@param options? CompileOptions @return Module
function gpu.compile_text(source, options) end
---`gpu.kernel(path, name, options) -> kernel`
---Compiles the file for one kernel: gpu.kernel("transpose.cu", "tile<33>").
---@param path string @param name string "tile<33>"
---@param options? CompileOptions @return Kernel
function gpu.kernel(path, name, options) end
---`gpu.compile_ahead(path, name, options)`
---Compiles as gpu.kernel does and keeps the result in the cache, where gpu.kernel will find it.
---@param path string @param name string @param options? CompileOptions
function gpu.compile_ahead(path, name, options) end
---`gpu.compile_prepare(path, name, options)`
---Starts the compiler and precompiles the CUDA headers that the file includes, in the background.
---@param path string @param name string @param options? CompileOptions
function gpu.compile_prepare(path, name, options) end

---@class LaunchConfig
---@field grid integer|integer[] blocks
---@field block integer|integer[] threads
---@field shared integer? bytes of dynamic shared memory
---@field cluster integer|integer[]? blocks of a cluster, at most 8 in all (cc 9.0 and later); nil: as the kernel's
---__cluster_dims__ say
---@field timeout integer? ms of processor time on the emulator, of time on a GPU
---@field heap integer? bytes of the device heap for malloc in kernels (cudaLimitMallocHeapSize), from this launch on; nil:
---unchanged, initially gpu.limits().heap; a GPU's heap is fixed once a kernel has used it, see device.resizes_heap
---@field cooperative boolean? all blocks on the GPU at once, for cooperative_groups::this_grid().sync()
---@field crowded boolean? emulator: an order of an odd seed has room for half of the blocks, or one, if not cooperative
---@field schedule integer? emulator: seed of an adversarial order of blocks and warps, which replays it; 0: the default
---order on one host thread, always the same; nil: the default order on all host threads
---@field work_limit integer? emulator: basic blocks that all warps execute together; beyond it the launch times out, at the
---same place on every machine

-- A launch list runs in order on one stream and is timed and counted as a whole. Wherever a function takes the three arguments
-- kernel, config and args, it also takes one table: an item or a list of up to 1000 items.
---@class LaunchItem  a kernel launch or a library routine
---@field kernel Kernel? @field config LaunchConfig?
---@field library "sgemm"|"gemmex"|"sgeam"|"memcpy"|nil with args
--- sgemm {C, A, B, n}: C = A·B, n×n floats by rows, in FP32. gemmex {C, A, B, n}: the same of A and B in
--- bfloat16. sgeam {out, in, rows, columns}: out is the transpose of in. memcpy {to, from}: whole buffers on the device. They
--- need a GPU, all but memcpy also cuBLAS; otherwise they raise "setup".
---@field args table
---@alias LaunchList LaunchItem|LaunchItem[]

---`gpu.run(list, options?) -> outcome`
---Runs a launch list, of {kernel=, config=, args=} and {library=, args=}, in order, and waits. It stops at the first
---item that fails, which the outcome describes. ms is the sum of the items. What the kernels print is also written to
---standard output, unless quiet.
---@param list LaunchList @param options? {quiet: boolean?} @return Outcome
function gpu.run(list, options) end

---`gpu.library(name) -> true, or nil and why not`
---Whether a launch list can contain this library routine here: "sgemm" and "gemmex" {C, A, B, n} and "sgeam" {out,
---in, rows, columns} (a transpose) of cuBLAS, "memcpy" {to, from} on the device. All need a GPU.
---@param name "sgemm"|"gemmex"|"sgeam"|"memcpy" @return true? , string? missing a sentence that says what is missing
function gpu.library(name) end

---`gpu.time(k, config, args, {min_bytes=, wall=, warmup=, once=}) -> measurement`
---Times the launch k{grid=, block=}(args...). On a GPU: median, quartiles and minimum of samples with a cold L2, in ms.
---On the emulator: the time its model predicts. min_bytes: DRAM bytes the launch has to move; a faster result is marked
---impossible. once = true: a single cold sample, and no launch besides, for a kernel that finds other data in its
---buffers when it runs again.
---@param kernel Kernel @param config LaunchConfig @param args table kernel arguments: buffers and numbers
---@param options? {min_bytes: number?, wall: number?, warmup: integer?, once: boolean?} @return Measurement
---@overload fun(list: LaunchList, options: table?): Measurement  on the emulator the sum of its launches' predictions
function gpu.time(kernel, config, args, options) end

---`gpu.compare(k1, config1, args1, k2, config2, args2, {wall=}) -> comparison`
---Is the second launch faster than the first? On a GPU samples of both are taken in turn, and the answer has the 99 %
---confidence interval of the second's time over the first's: verdict "faster", "slower" or "cannot tell" (also for
---differences under 0.5 %). On the emulator two predictions are compared: no spread.
---@param kernel1 Kernel @param config1 LaunchConfig @param args1 table @param kernel2 Kernel
---@param config2 LaunchConfig @param args2 table @param options? {wall: number?} seconds for the samples, 1 by default
---@return Comparison
---@overload fun(list1: LaunchList, list2: LaunchList, options: table?): Comparison
function gpu.compare(kernel1, config1, args1, kernel2, config2, args2, options) end

---`gpu.transfer{direction=, memory=, bytes=, wall=, models=} -> measurement`
---Times a copy "to device" or "from device" of memory that is "pageable", "pinned" (the default) or "write-combined".
---On the emulator, and for each of models: predicted from the link's data.
---@param options {direction: "to device"|"from device", memory: "pageable"|"pinned"|"write-combined"?, bytes: integer,
--- wall: number?, models: string[]?}
---@return CopyMeasurement
function gpu.transfer(options) end

---@class OverlapOptions
---@field kernel Kernel
---@field config fun(first: integer, count: integer): LaunchConfig of the chunk: elements first (from 0), count of them
---@field args fun(first: integer, count: integer): table
---@field input Buffer @field output Buffer of the same length; chunks are multiples of 64 elements if there are enough
---@field chunks integer? 4 @field streams integer? 2; chunk i goes to stream i modulo streams
---@field memory "pageable"|"pinned"|"write-combined"? of the host; "pinned"
---@field order "depth"|"breadth"? chunk by chunk, or for one chunk per stream all copies in, then all kernels, then all copies out
---@field wall number? @field models string[]?

---`gpu.overlap{kernel=, config=, args=, input=, output=, ...} -> {ms=, spans=}`
---Copies input to the GPU, runs the kernel and copies output back, in chunks that streams take in turn, and reports
---when each operation began and ended. config and args are functions of a chunk's first element and their number. Also:
---chunks=, streams=, memory= ("pinned"), order= "depth" or "breadth" (of issue), wall=, models=. On a GPU the data is
---really copied: afterwards the output holds the result.
---@param options OverlapOptions @return OverlapMeasurement
function gpu.overlap(options) end

---`gpu.count(k, config, args, {rules=, models=, sample=, instructions=}) -> report`
---Runs the launch k{grid=, block=}(args...) once on the emulator and counts what the memory system would do, in total
---and by source line, by the rules of a GPU (default: the device's own), and predicts its time on the models asked for.
---sample=N runs about N blocks, spread over the grid, and extrapolates to the others; report.sampled says so, and by
---how much the sample's halves differ. Changes the device's buffers only if the device is the emulator.
---@param kernel Kernel @param config LaunchConfig @param args table
---@param options? {rules: string?, models: string[]?, sample: integer?, instructions: number?, reach: boolean?,
--- timeline: integer?}
---sample: rounded up to groups of 240 neighbors, below 480 to two groups of 30 or a multiple; buffers hold only what
---those blocks wrote
---instructions: a limit of warp instructions for the sample; at least 60 blocks run
---reach: also each launch by itself, with what it reached (report.items); not with a sample
---timeline: the number of a block; items[i].timeline is what its warps do cycle by cycle, by the first model: {block,
---{warp, line, why, from, cycles}, ...}. why: a stall reason, or "selected". From cc 2.0 on, else nil. Of a sample it is
---the nearest recorded block. What the kernels write is put back
---@return CountReport
---@overload fun(list: LaunchList, options: table?): CountReport  counters and lines summed over the list
function gpu.count(kernel, config, args, options) end

---`gpu.check(k, config, args, {"race", ...}, orders) -> report`
---Runs the launch k{grid=, block=}(args...) on the emulator with the checkers that are named attached, or all of them,
---and also in so many adversarial orders of blocks and warps (0), whose results are dropped; an issue that shows only
---there has the field schedule. report.findings lists the issues: check, message, hint, count, buffer, offset, and one
---or two sites with file, line, block and thread. A fault that a checker reports is an issue; other faults raise, and
---so do a timeout and an interrupt: the error's findings are the issues up to then. Changes the device's buffers only
---if the device is the emulator.
---@param kernel Kernel @param config LaunchConfig @param args table
---@param checks? string|string[] "race,init" or {"race", "init"}; all of them by default
---@param orders? integer (0); a launch whose config has a schedule runs in that order only
---@return {status: string, message: string, output: string, findings: Issue[]}
---@overload fun(list: LaunchList, checks: string|string[]|nil, orders: integer?): table  an issue's field launch is the launch it was in
function gpu.check(kernel, config, args, checks, orders) end

---`gpu.orders(k, config, args, count, first) -> report`
---Runs the launch on the emulator as it is, and in `count` adversarial orders of blocks and warps, with seeds from first
---on. report.order is the first seed that ends differently or leaves other contents, bit by bit, and the report is of that
---order; nil: no order does. What the kernels write is put back.
---@param kernel Kernel @param config LaunchConfig @param args table
---@param count integer 1 to 1000 @param first? integer the first seed (1)
---@return {status: string, message: string, order: integer?}
---@overload fun(list: LaunchList, count: integer, first: integer?): table
function gpu.orders(kernel, config, args, count, first) end

---`s = gpu.step(k, config, args)`
---A launch that stops between any two instructions, forward and back.
---@class Stepping
---@field gpu string The emulated GPU it runs on.
local Stepping = {}
---`s:go{way=, back=, count=, block=, warp=, stops=} -> moment`
---Runs to the next instruction, line, over a call, out of one, on to a stop, to a barrier, or to a time; with back =
---true to the last such moment before this one. The moment describes the warp and its block.
---@param go {way: "instruction"|"line"|"over"|"out"|"on"|"barrier"|"time", back: boolean?, count: integer?,
--- block: integer?, warp: integer?, stops: StepStop[]?, trace: boolean?}
---@return StepMoment
function Stepping:go(go) end
---`s:read{expression, ...} -> list of {type=, lanes=}`
---Values of postfix expressions for the lanes of the warp; lanes[0] to lanes[31] where there is one.
---@param expressions string[] @return {type: string, lanes: table<integer, number>, trouble: string?}[]
function Stepping:read(expressions) end
---`s:places() -> list of {file=, line=, name=}`
---The lines a stop can be at.
---@return {file: string, line: integer, name: string}[]
function Stepping:places() end
---`s:close()`
---Ends the stepped launch.
function Stepping:close() end

---`gpu.step(k, config, args) -> stepping`
---Steps the launch k{grid=, block=}(args...) on an emulator of its own, over copies of its buffers. It stops between
---any two instructions of one block; the blocks before it run first. The order of warps is always the same, so that a
---time names a moment.
---@param kernel Kernel @param config LaunchConfig @param args table @return Stepping
function gpu.step(kernel, config, args) end

---`i = gpu.inputs(k, config, args)`
---What a launch is given, kept before it runs.
---@class Inputs
local Inputs = {}
---`i:restore()`
---Buffers and module variables hold what they held then, until i:put_back(). Raises if that is gone.
function Inputs:restore() end
---`i:put_back()`
---They hold again what they held before i:restore().
function Inputs:put_back() end
---`i:close()`
---Frees what was kept.
function Inputs:close() end

---`gpu.inputs(k, config, args) -> inputs`
---Keeps what the launch k{grid=, block=}(args...) is given, so that it can be made again with it after the buffers have
---changed. A buffer is copied when it is about to change, if it has at most 4 MiB; the latest 64 MiB are kept.
---@param kernel Kernel @param config LaunchConfig @param args table @return Inputs
function gpu.inputs(kernel, config, args) end

---`gpu.banks(model, {[lane]=byte address}, width) -> table`
---How a warp's access to shared memory maps to the banks of a GPU: its requests, the wavefronts they take, the ideal
---number of them, and each lane's bank (banks[lane]); model "" is the device's own.
---@param model string "GTX 280", or "" for the device's own
---@param addresses table<integer, integer> lane (0..31) -> byte address
---@param width integer bytes per lane
---@return {model: string, requests: integer, wavefronts: integer, ideal: integer, worst_bank: integer, banks: table<integer, integer>}
function gpu.banks(model, addresses, width) end

---`gpu.device, gpu.open(name)`
---A GPU, or the emulator of one. The functions of gpu act on gpu.device; each is also a method of any device.
---@class Device
---@field name string As opened: "cuda:0", "emu:GTX 280".
---@field backend "cuda"|"emu" "cuda" or "emu", to show; what it can do is d.measures and d.emulates.
---@field measures boolean True where kernels and copies are timed; elsewhere times are predicted.
---@field resizes_heap boolean True where any launch may set heap=; elsewhere only before a kernel has used malloc.
---@field emulates boolean True where launches are counted and checked as they run, on the emulator.
---@field gpu string The GPU's full name.
---@field model string? The name of its record in gpu.models(), or nil.
---@field cc integer Compute capability times ten: 90 for 9.0.
---@field sms integer How many streaming multiprocessors it has.
---@field l2_bytes integer The size of its L2 cache.
---@field memory_bytes integer The size of its memory.
---@field dram_gbps number Peak memory bandwidth, 10^9 bytes per second; 0: not known.
---@field place string? The name of the remote machine that its worker runs on; else nil.
---@field without_gpu string? Why "auto" opened the emulator although a GPU driver is installed; else nil.
---@field driver string The driver's version, "" on the emulator.
---@field runtime string The CUDA runtime's version, "" on the emulator.
---@field nvrtc string? The version of NVRTC, or nil where there is none.
local Device = {}
---`d:close()`
---Closes the device with all its buffers and kernels; later uses of them are errors.
function Device:close() end

---`d:ask()`
---Asks for the worker of a remote GPU and returns at once; what needs the worker waits for it.
function Device:ask() end

---`d:asked() -> state, seconds, place, all`
---"here", "asked" with its place in the queue (0: not known), or nil; raises an error if it did not come.
---@return ("here"|"asked")? state @return number seconds @return integer place @return integer all waiting jobs
function Device:asked() end

---`d:withdraw()`
---Takes back what was asked for and is not here.
function Device:withdraw() end

---`b[i], #b`
---Typed memory of the device. #b is its length in elements; b[i] reads and writes element i, counted from 0.
---@class Buffer
---@field name string The name given, which faults and checkers report.
---@field type ElemType The element type, as in CUDA C++.
---@field bytes integer Its size in bytes.
---@field stale boolean True if its contents were lost with a crashed worker and nothing has been written since.
---@field mapped boolean True if it is host memory, which kernels access over the link (zero copy).
local Buffer = {}
---`b:download(first, count) -> array`
---A copy of the elements on the host: all, or count of them from element first on.
---@param first? integer @param count? integer @return Array
function Buffer:download(first, count) end
---`b:mismatch(want, {relative=, absolute=, columns=, most=, cells=}) -> table?`
---Compares the contents with a host array of the same type and length, as a:mismatch does of an array.
---@param want Array @param options? table as of Array:mismatch @return table?
function Buffer:mismatch(want, options) end
---`b:digest(array) -> nil or string`
---A digest of the contents, computed on the device: buffers of one device with equal digests have equal contents. Nil
---where comparing the contents takes no longer. With an array: what the digest would be of its contents.
---@param contents Array? @return string?
function Buffer:digest(contents) end
---`b:upload(data, first)`
---Writes an array, a table of numbers or of buffers (an array of pointers), or the bytes of a string into the buffer,
---from element first (0) on.
---@param data Array|table|string @param first? integer
function Buffer:upload(data, first) end
---`b:load(path, first) -> count`
---Reads a .npy file of the buffer's type (row by row), or the bytes of any other regular file, into the buffer from
---element first (0) on.
---@param path string @param first? integer @return integer count elements read
function Buffer:load(path, first) end
---`b:save(path)`
---Writes the contents to a file: as NumPy's .npy where the name ends so, else as bytes.
---@param path string
function Buffer:save(path) end
---`b:at(n), b + n`
---A pointer to element n: a kernel's argument in place of the buffer.
---@param n integer @return Pointer
function Buffer:at(n) end
---`b:fill(fill, seed)`
---Sets every element: a number for all, "iota" (0, 1, 2...), "random" (floats in [0, 1), integers over their range, the
---same for the same seed), "sentinel" (NaN, -1), or an array or table of all elements.
---@param fill Fill @param seed? integer
function Buffer:fill(fill, seed) end
---`b:free()`
---Frees the memory now; later uses are errors. Otherwise the garbage collector frees it.
function Buffer:free() end

---`b:at(n)`
---A place in a buffer, as an argument of a kernel.
---@class Pointer

---`gpu.texture(buffer, options)`
---A copy of a buffer that kernels read through texture hardware, as a cudaTextureObject_t.
---@class Texture
---@field width integer Texels a row.
---@field height integer? Rows; nil: one dimension.
---@field depth integer? Slices; nil: at most two dimensions.
---@field layers integer? Layers of one or two dimensions, or of cubes; nil: none.
---@field cube boolean? True for a cube map: six faces, width by width each.
---@field channels integer Components of a texel.
---@field type ElemType The type of a component, as in CUDA C++.
---@field stale boolean True if its contents were lost with a crashed worker.
local Texture = {}
---`t:update()`
---Copies the buffer's current contents again.
function Texture:update() end
---`t:download() -> array`
---Its texels, row by row; of a surface with what kernels wrote.
---@return Array
function Texture:download() end
---`t:free()`
---Frees the memory now; otherwise the garbage collector frees it.
function Texture:free() end
---`gpu.surface(buffer, {width=, height=})`
---A copy of a buffer that kernels read and write by coordinates, as a cudaSurfaceObject_t.
---@class Surface: Texture

---`m = gpu.compile(path)`
---A compiled .cu file.
---@class Module
---@field names string[] The kernels it contains.
---@field kernels table[] The kernels that the compiler found, and templates: name, plain (the name without the types where several share it), template, parameters, line, file (the header, if it is in one).
---@field log string The compiler's warnings.
---@field cached boolean True if nothing had to be compiled.
---@field ms number How long NVRTC took, 0 if the result was cached.
---@field ptx string The PTX text NVRTC produced.
---@field cc integer The compute capability compiled for, times ten.
---@field path string The source file.
---@field source string The CUDA C++ text that was compiled.
---@field program boolean True for the code of a program that `exec` ran: nothing here compiled it.
---@field key string Equal keys, equal programs: a hash of all inputs.
local Module = {}
---`m:kernel(name) -> kernel`
---A kernel of the module, by its name in CUDA C++: m:kernel("copy").
---@param name string @return Kernel
function Module:kernel(name) end
---`m:buffer(name, count, {name=, fill=, memory=}) -> buffer`
---A buffer of count structures that the source or a header of it declares: m:buffer("Particle", 100). b[i] and
---b:download() give tables by the names of the fields, b[i] = t and b:upload{ t, ... } take such tables, in the order of
---the fields, too; b:upload(string) takes bytes. A pointer is a buffer to set and an address to read. fill: 0, "sentinel"
---(the default), or a table of all structures.
---@param name string @param count integer @param options? table @return Buffer
function Module:buffer(name, count, options) end
---`m:symbol(name) -> symbol`
---A __constant__ or __device__ variable of the module, by its name in the source: m:symbol("weights"),
---m:symbol("lab::weights").
---@param name string @return Symbol
function Module:symbol(name) end

---`m:symbol(name)`
---A __constant__ or __device__ variable of a module. What is uploaded stays, also when a worker crashes.
---@class Symbol
---@field name string As in the source.
---@field bytes integer Its size in bytes.
---@field constant boolean True of a __constant__ variable, false of a __device__ one.
---@field stale boolean True if what kernels wrote to it was lost with a crashed worker.
local Symbol = {}
---`s:upload(data, type)`
---Writes an array, a table of numbers, a number or the bytes of a string into the variable, from its beginning: what
---cudaMemcpyToSymbol does. type ("float") is what a table's numbers become; an array has its own. Without a type, a
---structure takes the table of its fields, and a pointer { buffer }. The value survives a restarted worker and is used by
---every emulated launch.
---@param data Array|table|number|string @param type? ElemType of a table's numbers; required unless the variable is a scalar
function Symbol:upload(data, type) end
---`s:load(path, type) -> count`
---Reads a .npy file of that type, or the bytes of any other regular file, into the variable, from its beginning.
---@param path string @param type? ElemType by default what the source declares, else bytes @return integer count elements
function Symbol:load(path, type) end
---`s:download(type, count) -> array`
---A copy of what it holds, as elements of that type: all, or the first count.
---@param type? ElemType required unless the variable is a scalar @param count? integer by default the whole variable
---@return Array
function Symbol:download(type, count) end

---`k{grid=, block=, shared=}(args...) -> outcome`
---Launches the kernel, waits, and raises an error unless it succeeded. grid (in blocks) and block (in threads) are a
---number or a table of up to three; shared is in bytes. Arguments are buffers and numbers.
---@class Kernel
---@field name string As in CUDA C++.
---@field linked string Its name in PTX and SASS.
---@field registers integer Registers per thread.
---@field registers_estimated boolean True where the assembler cannot be asked: estimated from the PTX.
---@field written string With the arguments of its template: "tile<33>".
---@field shared_bytes integer Static shared memory per block.
---@field local_bytes integer Local memory per thread.
---@field max_threads integer The maximum number of threads per block.
---@field module Module The module it comes from.
---@field device Device The device that it runs on.
---@field uses string[] By parameter: what it may do with what a pointer points to, "reads", "writes", "reads and writes", or "".
local Kernel = {}
---`k:cubin() -> string`
---Its SASS, an ELF file for nvdisasm or cuobjdump; nil where there is only PTX.
---@return string?
function Kernel:cubin() end
---`k:launch({grid=, block=, shared=, timeout=}, args...) -> outcome`
---Launches and waits; the outcome reports success, or the fault and its place.
---@param config LaunchConfig @return Outcome
function Kernel:launch(config, ...) end
---`k:occupancy({grid=, block=, shared=}) -> table`
---How many blocks and warps share a multiprocessor, and what limits them.
---@param config LaunchConfig
---@return {blocks_per_sm: integer, warps_per_sm: integer, fraction: number, limited_by: string}
function Kernel:occupancy(config) end

---`a[i], #a`
---A typed array on the host. #a is its length; a[i] reads and writes element i, counted from 0.
---@class Array
---@field type ElemType The element type, as in CUDA C++.
local Array = {}
---`a:copy() -> array`
---A second array with the same elements.
---@return Array
function Array:copy() end
---`a:transpose(rows, cols) -> array`
---The transpose of a matrix of rows x cols elements stored row by row.
---@param rows integer @param cols integer @return Array
function Array:transpose(rows, cols) end
---`a:sum() -> number`
---The sum of all elements: of integers in 64 bits, of floats pairwise in double precision.
---@return number
function Array:sum() end
---`a:cycle(count) -> array`
---The array over and over: result[i] = a[i % #a] for i = 0 .. count-1.
---@param count integer @return Array
function Array:cycle(count) end
---`a:slice(first, count) -> array`
---A copy of `count` elements from `first` on: of all to the end if count is nil.
---@param first integer? @param count integer? @return Array
function Array:slice(first, count) end
---`a:gather(count, index) -> array`
---result[i] = a[index(i)] for i = 0 .. count-1. The index is a Lua function: for small arrays.
---@param count integer @param index fun(i: integer): integer @return Array
function Array:gather(count, index) end
---`a:differs(other) -> nil or index`
---The first element whose bytes are not those of the other array's; nil means all are alike, NaN too.
---@param other Array @return integer?
function Array:differs(other) end
---`a:relative_error(want) -> number`
---The norm of the difference over the norm of `want`, an array of the same type and length. The norm is the root of the sum
---of squares.
---@param want Array @return number
function Array:relative_error(want) end
---`a:mismatch(want, {relative=, absolute=, columns=, most=, cells=}) -> table?`
---Compares with another array of the same type and length; nil means equal. first lists the first differences (5, or as
---many as most says) as {index, row, column, got, want}; columns is the matrix's width. With cells = true, cells says how
---many differ in each of 64 equal parts of a vector, or in 8 × 8 parts of a matrix, row by row; by_row and by_column say
---it of each row and column, where there are at most 65536 of them. For these a vector has 1024 columns.
---@param want Array @param options? table
---@return {count: integer, cells: integer[]?, by_row: Array?, by_column: Array?, first: {index: integer, row: integer?, column: integer?, got: number, want: number}[]}?
function Array:mismatch(want, options) end
