-- The report's style sheet: no network access, light and dark mode, print.
return [[
:root { color-scheme: light dark; --ink: #1b1d21; --soft: #5d636e; --paper: #fff; --panel: #f4f5f7; --line: #d5d8de;
  --here: #2563a8; --model: #b45f06; --lecture: #5d636e; --good: #1c6b3c; --bad: #b3261e; --heat: 200, 90, 20; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ec; --soft: #a0a7b4; --paper: #15171b; --panel: #1f2228; --line: #3a3f49; --here: #7ab3ef;
    --model: #f0a860; --lecture: #a0a7b4; --good: #6fcf97; --bad: #ff8a80; --heat: 165, 80, 20; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", "Noto Sans", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p { max-width: 44rem; margin: .6rem 0; }
.credit, .remark, figcaption, .soft { color: var(--soft); }
.remark { font-size: .9em; }
code, pre, .code { font-family: ui-monospace, "DejaVu Sans Mono", "Liberation Mono", monospace; font-size: .86em; }
pre { background: var(--panel); padding: .75rem 1rem; overflow-x: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .75rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .28rem .75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--line); font-weight: 600; }
thead th small, td small { display: block; font-weight: 400; color: var(--soft); }
details { margin: .5rem 0; } summary { cursor: pointer; }
.number { text-align: right; white-space: nowrap; }
.strong { font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.listing td { border: 0; padding: 0 .4rem; white-space: pre; font-size: .88em; line-height: 1.5; }
.listing td.code { font-size: .76em; padding: .1rem .6rem; white-space: pre-wrap; }
.listing th { padding: .2rem .4rem; font-size: .85em; border-bottom: 1px solid var(--line); vertical-align: bottom; }
.listing .at { color: var(--soft); text-align: right; } .listing .cold { opacity: .62; }
nav ul, nav ol { margin: 0; padding: 0; list-style: none; columns: 14rem; } nav > ul { columns: auto; }
nav { margin: 1.25rem 0; padding: .75rem 1rem; background: var(--panel); font-size: .95em; }
nav ol { padding-left: 1rem; font-size: .92em; } a { color: var(--here); }
figure { margin: 1rem 0; } figcaption { font-size: .9em; margin-top: .25rem; max-width: 44rem; }
svg { max-width: 100%; height: auto; }
svg.chart { fill: var(--ink); } svg.chart .paper { fill: var(--paper); }
svg.chart .grid { stroke: var(--line); } svg.chart .axis { stroke: var(--ink); }
svg.chart [stroke="#000000"] { stroke: var(--ink); } svg.chart [fill="#000000"] { fill: var(--ink); }
svg.picture text { font: 12px system-ui, "Noto Sans", sans-serif; fill: currentColor; }
svg.picture .soft { fill: var(--soft); } svg.picture .grid { stroke: var(--line); stroke-width: 1; }
svg.picture .here { fill: var(--here); } svg.picture .cell { fill: none; stroke: var(--line); }
svg.picture .model { fill: none; stroke: var(--model); stroke-width: 1.5; }
svg.picture .lecture { fill: none; stroke: var(--lecture); stroke-width: 1.5; stroke-dasharray: 3 2; }
svg.picture .asked { fill: var(--here); fill-opacity: .28; stroke: var(--here); }
svg.picture .crowded { fill: var(--bad); fill-opacity: .25; stroke: var(--bad); }
svg.picture .tiny { font-size: 9px; }
svg.picture text.fixed { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; }
dt { color: var(--soft); } dd { margin: 0; }
@media (max-width: 40rem) { body { padding: 1rem .6rem 3rem; } th, td { padding: .25rem .12rem; }
  table { font-size: .77rem; } figure { overflow-x: auto; }
  svg.chart text { font-size: 20px; } svg.picture { max-width: none; } .group svg.picture { max-width: 100%; }
  .group svg.picture text { font-size: 13px; } .group svg.picture .tiny { font-size: 11px; }
  pre, .listing td.code { white-space: pre-wrap; overflow-wrap: anywhere; }
  .listing thead, .listing .number:empty { display: none; } .listing, .listing tbody { display: block; }
  .listing tr { display: flex; flex-wrap: wrap; } .listing td { padding: 0; font-size: .72rem; }
  .listing .at { width: 2rem; padding-right: .4rem; }
  .listing td.code { width: calc(100% - 2rem); order: 1; font-size: .7rem; }
  .listing .number { order: 2; margin-left: 2.6rem; color: var(--soft); }
  .listing .number + .number { margin-left: 1rem; } .listing .number::before { content: attr(data-of) " "; } }
@media print { :root { --ink: #000; --soft: #444; --paper: #fff; --panel: #f2f2f2; --line: #bbb; --here: #1d4f8b;
    --model: #8a4700; --lecture: #444; --good: #0c4f2a; --bad: #8f1710; --heat: 190, 80, 10; }
  @page { margin: 10mm; }
  body { max-width: none; padding: 0; font-size: 7.8pt; line-height: 1.22; } nav { display: none; }
  h1 { font-size: 15pt; } h2 { font-size: 11pt; margin: .6rem 0 .2rem; padding-top: .2rem; break-after: avoid; }
  h3 { font-size: 9pt; margin: .4rem 0 .1rem; break-after: avoid; } p { margin: .2rem 0; max-width: none; }
  th, td { padding: .1rem .6rem; } table { margin: .2rem 0; }
  thead th small, td small { display: inline; margin-left: .3em; }
  .group { display: flex; flex-wrap: wrap; column-gap: 1rem; align-items: start; break-inside: avoid; }
  .group figure { flex: 1 1 7.5cm; max-width: 10cm; } .group .scroll { max-width: 100%; }
  .group th, .group td { padding: .1rem .35rem; } .half { display: inline-block;
  vertical-align: top; width: 49%; break-inside: avoid; }
  dl { display: block; margin: .2rem 0; } dt, dd { display: inline; } dt::after { content: " "; }
  dd::after { content: " · "; } dd:last-child::after { content: ""; } pre { margin: .2rem 0; padding: .2rem .5rem; }
  .listing td, .listing td.code { line-height: 1.05; padding: 0 .3rem; } .listing th { padding: 0 .2rem; }
  .listing th small, .group th small { display: block; margin: 0; }
  figure { margin: .2rem 0; } figcaption { max-width: none; margin: 0; } svg { max-height: 4.8cm; width: auto; }
  svg.picture { max-height: 2.8cm; } .group svg.picture { max-height: none; width: 100%; }
  figure, tr, svg { break-inside: avoid; } .scroll { overflow: visible; }
  pre { white-space: pre-wrap; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
]]
