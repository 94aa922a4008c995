---@meta
-- The fields of the table for lab.define, for editors. docs/reference/lab-fields.md explains them; a test compares
-- them with those that gpulab accepts (fields.lua).

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

---@class LaunchDefinition one of several launches or library routines
---@field kernel KernelDefinition|string|nil in an exercise: a name in its starter
---@field grid Dimensions?
---@field block Dimensions?
---@field shared Size?
---@field cooperative boolean? all blocks are resident, which this_grid().sync() requires
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

---@class StepDefinition it has exactly one of kernel, launches, library, transfer, overlap and figure
---@field id string
---@field title string|fun(p: table): string
---@field text string
---@field group string?
---@field with Changes?
---@field small table<string, any>?
---@field alike integer? blocks that the emulator runs of a kernel whose blocks all do the same
---@field needs_cc integer|integer[]|nil the least compute capability, times ten, or the least and the most
---@field claim string|OwnClaim|nil the lecture's number in its row
---@field claims string[]? further claims it shows
---@field predict PredictDefinition?
---@field detail (fun(record: table, p: table): string?)? a remark under the row
---@field kernel KernelDefinition?
---@field launches LaunchDefinition[]|fun(p: table): LaunchDefinition[]|nil
---@field library LibraryDefinition?
---@field transfer TransferDefinition?
---@field overlap OverlapDefinition?
---@field figure (fun(p: table, device: Device): table)?
---@field grid Dimensions?
---@field block Dimensions?
---@field shared Size?
---@field cooperative boolean? all blocks are resident, which this_grid().sync() requires
---@field timeout integer? ms
---@field args any[]?
---@field symbols table<string, string>? the buffer whose contents a module variable gets
---@field output string?
---@field reference (fun(p: table, host: table<string, Array>): Array)?
---@field columns Size? elements in a row
---@field tolerance ToleranceDefinition?
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

---@class ExerciseDefinition
---@field id string
---@field title string
---@field task string
---@field starter string "exercises/NN-name/FILE.cu", below kernels/
---@field solution string "solutions/NN-name/FILE.cu"
---@field kernel string? its name in both
---@field launches LaunchDefinition[]|fun(p: table): LaunchDefinition[]|nil
---@field defines table<string, string|number>|fun(p: table): table|nil
---@field grid Dimensions?
---@field block Dimensions?
---@field shared Size?
---@field cooperative boolean? all blocks are resident, which this_grid().sync() requires
---@field timeout integer? ms
---@field args any[]?
---@field symbols table<string, string>?
---@field output string
---@field reference fun(p: table, host: table<string, Array>): Array
---@field columns Size?
---@field tolerance ToleranceDefinition?
---@field with Changes?
---@field small table<string, any>?
---@field sizes integer[]? p.size: the one that is shown, and those that are also tried
---@field accept table<string, BoundDefinition|number|false|string>? the acceptance check; also rules = "GTX 280"
---@field advice string? what the exercise teaches: said where a kernel does not meet what the starter does not meet either
---@field hints string[] vague, closer, nearly there
---@field debrief string
---@field claims string[]?

---@class ProjectExerciseDefinition an exercise whose task is a whole file
---@field id string
---@field title string
---@field task string
---@field starter string
---@field solution string
---@field project ProjectDefinition
---@field advice string?
---@field hints string[]
---@field debrief string
---@field claims string[]?

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
