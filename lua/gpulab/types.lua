---@meta
-- For editors: the fields of the table for lab.define, and what functions of gpu return (meta.lua).
-- docs/reference/lab-fields.md explains the fields; a test compares them with those that gpulab accepts (fields.lua).

---@alias Size integer|string|fun(p: table): integer a number, a parameter's name, or a function of the parameters
---@alias Dimensions integer|integer[]|fun(p: table): integer|integer[]
---@alias Changes table<string, any>|fun(p: table, device: Device): table<string, any> parameters that differ

---@class LabDefinition
---@field number integer
---@field id string
---@field title string
---@field lecture string[]? short names of its lectures, the main one first
---@field intro string
---@field params table<string, ParamDefinition>?
---@field buffers table<string, BufferDefinition>?
---@field groups GroupDefinition[]?
---@field steps StepDefinition[]
---@field plots PlotDefinition[]?
---@field exercises ExerciseDefinition[]?

---@class ParamDefinition
---@field default number|string|boolean
---@field emulator number|string|boolean? the default on the emulator
---@field small number|string|boolean? the size of tests
---@field min number?
---@field max number?
---@field multiple integer?
---@field because string? why other values are not allowed
---@field help string

---@class BufferDefinition
---@field type ElemType
---@field count Size
---@field fill Fill|fun(p: table): Fill|nil
---@field seed integer?
---@field memory "mapped"?

---@class GroupDefinition steps with a common table
---@field id string
---@field title string
---@field baseline string? the step that the column share compares with
---@field share string? the baseline's name in the header of that column
---@field columns (string|ColumnDefinition)[]?

---@class ColumnDefinition
---@field header string|string[]
---@field of string|fun(record: table, p: table): string|number|nil

---@class KernelDefinition
---@field file string in the lab's folder or in kernels/
---@field name string|fun(p: table): string
---@field defines table<string, string|number>|fun(p: table): table|nil
---@field options string[]? of NVRTC

---@class ConfiguredDefinition how a kernel is launched
---@field grid Dimensions?
---@field block Dimensions?
---@field shared Size?
---@field cooperative boolean? all blocks are resident, which this_grid().sync() requires
---@field crowded boolean? adversarial orders: half of them have room for half of the blocks

---@class RunDefinition: ConfiguredDefinition what runs: a step or an exercise
---@field timeout integer? ms
---@field args any[]?
---@field symbols table<string, string>? the buffer whose contents a module variable gets
---@field launches LaunchDefinition[]|fun(p: table): LaunchDefinition[]|nil
---@field columns Size? elements in a row
---@field tolerance ToleranceDefinition?
---@field with Changes?
---@field small table<string, any>?
---@field claims string[]? further claims it shows

---@class LaunchDefinition: ConfiguredDefinition one of several launches or library routines
---@field kernel KernelDefinition|string|nil in an exercise: a name in its starter
---@field library string?
---@field args any[]

---@class LibraryDefinition
---@field name "sgemm"|"gemmex"|"sgeam"|"memcpy"
---@field args any[]

---@class TransferDefinition
---@field direction "to device"|"from device"
---@field memory "pageable"|"pinned"|"write-combined"
---@field bytes Size

---@class OverlapDefinition
---@field kernel KernelDefinition
---@field grid fun(first: integer, count: integer, p: table): integer|integer[]
---@field block Dimensions
---@field args any[]|function
---@field input string
---@field output string
---@field chunks Size?
---@field streams Size?
---@field memory "pageable"|"pinned"|"write-combined"|nil
---@field order "depth"|"breadth"|nil

---@class TextureDefinition an argument: a texture or a surface over a buffer
---@field texture string? the buffer
---@field surface string? the buffer
---@field width Size?
---@field height Size?
---@field depth Size?
---@field layers Size? of one or two dimensions each
---@field channels integer?
---@field layout "array"|"linear"|nil
---@field address string|string[]|nil "clamp", "wrap", "mirror", "border"; or one each for x and y
---@field filter "point"|"linear"|nil
---@field normalized boolean?
---@field read "element"|"float"|nil

---@class TensorMapDefinition an argument: a tensor map of a buffer, for cp.async.bulk.tensor
---@field tensor_map string the buffer
---@field dims Size[] elements, the dimension whose elements are adjacent first
---@field box Size[] elements that a copy moves
---@field swizzle "none"|"32B"|"64B"|"128B"|nil
---@field fill "zero"|"nan"|nil what elements beyond the tensor read as

---@class ToleranceDefinition
---@field relative number?
---@field absolute number?

---@class PredictDefinition a question before the step runs
---@field ask string
---@field of string|fun(record: table): number? "rate", "share", "ms", a ratio ("shared_load") or a counter's name
---@field unit string?
---@field within number? percent that count as right, 10 by default

---@class OwnClaim a number that the lab quotes
---@field value number
---@field unit string
---@field gpu string any; one that gpulab knows is also predicted
---@field source string where the number is from
---@field n number? the problem size

---@class StepDefinition: RunDefinition it has exactly one of kernel, launches, library, transfer, overlap and figure
---@field id string
---@field title string|fun(p: table): string
---@field text string
---@field group string?
---@field alike integer? blocks that the emulator runs of a kernel whose blocks all do the same
---@field needs_cc integer|integer[]|nil the least compute capability, times ten, or the least and the most
---@field claim string|OwnClaim|nil the lecture's number in its row
---@field predict PredictDefinition?
---@field detail (fun(record: table, p: table): string?)? a remark under the row
---@field kernel KernelDefinition?
---@field library LibraryDefinition?
---@field transfer TransferDefinition?
---@field overlap OverlapDefinition?
---@field figure (fun(p: table, device: Device): table)?
---@field output string?
---@field reference (fun(p: table, host: table<string, Array>): Array)?
---@field useful_bytes (fun(p: table): number)?
---@field useful_flops (fun(p: table): number)?
---@field useful_ops (fun(p: table): number)?
---@field ops_unit string?
---@field useful_of "global memory"|"shared memory"|"the host"|nil
---@field expect table|fun(p: table): table|nil
---@field shows "race"|"sync"|"init"|"memory"|"wrong"|"fault"|nil the error that the kernel demonstrates

---@class PlotDefinition
---@field id string
---@field title string
---@field text string?
---@field x AxisDefinition
---@field steps string[]
---@field y string|fun(record: table, p: table): number?
---@field y_label string?
---@field y_log boolean?
---@field emulator_values any[]?
---@field with table<string, any>?
---@field claims string[]?

---@class AxisDefinition
---@field param string
---@field values any[]?
---@field from number?
---@field to number?
---@field step number?
---@field label string?
---@field log boolean?

---@class BoundDefinition
---@field at_most number?
---@field at_least number?
---@field advice string? what to do if it is not met

---@class TaskDefinition what every exercise has
---@field id string
---@field title string
---@field task string
---@field starter string "exercises/NN-name/FILE.cu", below kernels/
---@field solution string "solutions/NN-name/FILE.cu"
---@field advice string? what the exercise teaches: said where a kernel does not meet what the starter does not meet either
---@field hints string[] vague, closer, nearly there
---@field debrief string
---@field claims string[]?

---@class ExerciseDefinition: RunDefinition, TaskDefinition
---@field kernel string? its name in both
---@field defines table<string, string|number>|fun(p: table): table|nil
---@field output string
---@field reference fun(p: table, host: table<string, Array>): Array
---@field sizes integer[]? p.size: the one that is shown, and those that are also tried
---@field accept table<string, BoundDefinition|number|false|string>? the acceptance check; also rules = "GTX 280"

---@class ProjectExerciseDefinition: TaskDefinition an exercise whose task is a whole file
---@field project ProjectDefinition

---@class ProjectDefinition
---@field framework string a program below kernels/ that is linked with the file: 0 right, 3 wrong; its last word is a seed
---@field sizes string[][] its words before the seed, for each run under the checkers
---@field score ScoreDefinition
---@field exact boolean? false: what is copied may differ in its bits from what the solution's program copies
---@field tiers TierDefinition[] the lowest first

---@class ScoreDefinition
---@field args string[] the words of the run that is predicted
---@field bytes number useful bytes of that run: divided by the time of its launches they give the rate

---@class TierDefinition
---@field rate number GB/s, at least
---@field share number of the points

---@class labs
lab = {}

---@param definition LabDefinition
---@return Lab
function lab.define(definition) end

-- What functions of gpu return.

---@class Outcome
---@field status "ok"|"fault"|"limit"|"timeout"|"interrupted" Ctrl-C raises, so that launch never returns "interrupted"
---@field ms number
---@field emulated boolean? ms is the emulator's own time, which says nothing of a GPU's
---@field predicted string? at a prompt: the time that is predicted for the GPU, in words
---@field message string a sentence, "" if ok
---@field report string the full report of a failed launch, in lines of at most 80 columns; "" if ok
---@field fault table? {kind, located, replayed, block={x,y,z}, thread={x,y,z}, threads, kernel, file, line, space, access, width, buffer, offset, bytes, element, elements, type, message}
--- block, thread, file, line: if located; also block.x, thread.y ...; offset, bytes and elements (the buffer's), element, type: if buffer is
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
---@field models table<string, {known: boolean, ms: number, bound: string, error: number?, order: number?, note: string, blocks_per_sm: integer, warps_per_sm: integer, limits: {name: string, ms: number}[]?, dram_bytes: number?, most_updates: number?, counted_ms: number?, replayed_ms: number?, stalls: table<string, number>?, stalled: {file: string?, line: integer, why: string, share: number}[]?, partitions: {bytes: number, pages: number}[]?}>
---@field items {counters: table<string, integer>, busiest: table<string, integer>, models: table<string, number>, reach: {busiest_warp: integer, working_warps: integer, busiest_address: integer, scattered_sectors: integer, scattered_in_block: integer, lone_thread: integer, loaded_words: integer, busiest_loads: integer, busiest_words: integer, link_sectors: integer, conversions: integer, gathers: integer, serial_loads: integer, copy_uses: integer, copy_bytes: integer, working_threads: integer, combining_warps: integer, idle_at_end: integer, away_at_end: integer, busiest_stores: integer, divisions: integer, votes: integer, shuffles: integer, popcounts: integer, float_operations: integer, shared_updates: integer, waiting: integer, warp_words: integer, block_words: integer, thread_stored: integer, constant_words: integer, shared_stored: integer, products: integer, bit_operations: integer, activemasks: integer, late_words: integer, tile_words: integer, shared_stores: integer, shared_neighbors: integer, global_stores: integer, global_neighbors: integer, mbarriers: integer}}[]? by launch, of several or with `reach` (src/emu/count/reach.h)
---@field from_definitions boolean
---@field emulator_ms number the time of the emulated run
---@field sampled {blocks: integer, of: integer, error: number?, runs: integer[][]?}? if only a sample of the blocks ran: its size, the
--- grid's size, the relative difference between the times of the sample's halves (nil without models), and of one launch
--- which blocks: {first, count} of each run of neighbors
--- worst: {access="load", space="shared", width=4, cost=32, ideal=1, block=, warp=, lanes={[0]=byte address, ...}}

---@class IssueSite
---@field file string? @field line integer? @field access string? @field block integer[]? @field thread integer[]?
---@class Issue
---@field check "memory"|"race"|"init"|"sync"|"unused" @field count integer @field message string @field hint string?
---@field space string? @field buffer string? @field offset integer? bytes @field width integer? bytes
---@field sites IssueSite[] the access that showed it, and the other access
---@field schedule integer? the adversarial order that showed it

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
---@field fault {line: integer, space: string, access: string, buffer: string, address: integer,
--- offset: integer, block: integer[], thread: integer[], threads: integer}? the one that has happened, or that of an access from here to the next line
---@field accesses table[] {access, space, width, line, name, base, lanes}: from here to the next line
---@field events table[] {time, warp, line, mask, barrier}: with trace, lines and barriers that warps of the block got to
