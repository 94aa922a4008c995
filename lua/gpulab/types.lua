---@meta
-- What the table given to lab.define may hold, for the editors of lab authors. docs/lab-authors.md explains it all; a
-- test compares the fields with those that gpulab accepts (fields.lua).

---@alias Size integer|string|fun(p: table): integer a number, a parameter's name, or a function of the parameters
---@alias Dimensions integer|integer[]|fun(p: table): integer|integer[]
---@alias Changes table<string, any>|fun(p: table, device: Device): table<string, any> parameters that differ

---@class LabDefinition
---@field number integer
---@field id string
---@field title string
---@field lecture string[]? short names of the lectures it follows, the main one first
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
---@field because string? why other values are refused
---@field help string

---@class BufferDefinition
---@field type ElemType
---@field count Size
---@field fill Fill|fun(p: table): Fill|nil
---@field seed integer?
---@field memory "mapped"?

---@class GroupDefinition a table of its own
---@field id string
---@field title string
---@field baseline string? the step whose rate is 100 %
---@field share string? the header of that column
---@field columns (string|ColumnDefinition)[]?

---@class ColumnDefinition
---@field header string|string[]
---@field of string|fun(record: table, p: table): string|number|nil

---@class KernelDefinition
---@field file string beside the lab or in kernels/
---@field name string|fun(p: table): string
---@field defines table<string, string|number>|fun(p: table): table|nil
---@field options string[]? of NVRTC

---@class LaunchDefinition one of several; a library routine may stand between them
---@field kernel KernelDefinition|string|nil of an exercise: a name in its starter
---@field grid Dimensions?
---@field block Dimensions?
---@field shared Size?
---@field cooperative boolean? all blocks are on the GPU at once, as this_grid().sync() needs it
---@field library string?
---@field args any[]

---@class LibraryDefinition
---@field name "sgemm"|"sgeam"|"memcpy"
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
---@field address string|string[]|nil "clamp", "wrap", "mirror", "border"; or one for each of x and y
---@field filter "point"|"linear"|nil
---@field normalized boolean?
---@field read "element"|"float"|nil

---@class ToleranceDefinition
---@field relative number?
---@field absolute number?

---@class PredictDefinition a question before the step runs
---@field ask string
---@field of string|fun(record: table): number? "rate", "share", "ms", a ratio ("shared_load") or a counter's name
---@field unit string?
---@field within number? percent that count as right, 10 by default

---@class StepDefinition one of kernel, launches, library, transfer, overlap and figure says of which kind it is
---@field id string
---@field title string|fun(p: table): string
---@field text string
---@field group string?
---@field with Changes?
---@field small table<string, any>?
---@field claim string? the lecture's number beside it
---@field claims string[]? further ones it shows
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
---@field cooperative boolean? all blocks are on the GPU at once, as this_grid().sync() needs it
---@field timeout integer? ms
---@field args any[]?
---@field symbols table<string, string>? module variable: the buffer whose content it gets
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
---@field shows "race"|"sync"|"init"|"memory"|"wrong"|"fault"|nil what the kernel is there to do wrong

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
---@field cooperative boolean? all blocks are on the GPU at once, as this_grid().sync() needs it
---@field timeout integer? ms
---@field args any[]?
---@field symbols table<string, string>?
---@field output string
---@field reference fun(p: table, host: table<string, Array>): Array
---@field columns Size?
---@field tolerance ToleranceDefinition?
---@field with Changes?
---@field small table<string, any>?
---@field gate table<string, BoundDefinition> and rules = "GTX 280"
---@field hints string[] vague, closer, nearly there
---@field debrief string
---@field claims string[]?

---@class labs
lab = {}

---@param definition LabDefinition
---@return Lab
function lab.define(definition) end
