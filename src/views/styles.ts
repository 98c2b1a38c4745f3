/** An argument is lit in the text and beside it while the pointer is on either. */
const argumentStyles = Array.from({ length: 24 }, (_, at) => `[data-argument="${at + 1}"]`)
  .map((one) => `.block:has(${one}:hover) ${one}`)
  .join(", ");

/** The look of every view: light and dark by the reader's setting, or by `data-theme` on the root. */
export const viewStyles = `
:root { color-scheme: light;
  --bg: #fff; --panel: #f6f7f9; --text: #1b1f24; --dim: #57606a; --line: #d0d7de; --link: #0550ae;
  --call: #cdeed3; --call-line: #1a7f37; --rejected: #ffdcd9; --rejected-line: #b42318; --reasoning: #dbe9fb;
  --framing: #e6e8eb; --quoted: #f1e3fb; --repair-line: #8a5a00; --repair: #fff1c2; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { color-scheme: dark;
  --bg: #0f1318; --panel: #181d24; --text: #e6e9ed; --dim: #9aa5b1; --line: #333b46; --link: #79b8ff;
  --call: #12401f; --call-line: #56d364; --rejected: #55211d; --rejected-line: #ff9a90; --reasoning: #16304f;
  --framing: #2c333c; --quoted: #3c2450; --repair-line: #f0c14b; --repair: #4a3a08; } }
:root[data-theme="dark"] { color-scheme: dark;
  --bg: #0f1318; --panel: #181d24; --text: #e6e9ed; --dim: #9aa5b1; --line: #333b46; --link: #79b8ff;
  --call: #12401f; --call-line: #56d364; --rejected: #55211d; --rejected-line: #ff9a90; --reasoning: #16304f;
  --framing: #2c333c; --quoted: #3c2450; --repair-line: #f0c14b; --repair: #4a3a08; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--link); }
pre, code, .text { font: 13px/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
h1, h2, h3, h4 { margin: 0 0 .4em; line-height: 1.25; } h3 { margin-top: 1em; font-size: 1.05em; } h4 { font-size: 1em; }
.dim { color: var(--dim); } .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; user-select: none; }
.page { max-width: 1200px; margin: 0 auto; padding: 16px; }
.legend { display: flex; flex-wrap: wrap; gap: 6px 12px; list-style: none; padding: 0; margin: 0 0 8px; font-size: 13px; }
.legend span { padding: 0 6px; border-radius: 3px; }
.n-reasoning { background: var(--reasoning); } .n-framing { background: var(--framing); color: var(--dim); }
.n-call { background: var(--call); } .n-rejected { background: var(--rejected); } .n-quoted { background: var(--quoted); }
.repaired { text-decoration: underline wavy var(--repair-line); background: var(--repair); }
.argument { border-bottom: 2px solid var(--call-line); } .member { border-bottom: 1px solid transparent; }
[data-begins]::before { content: attr(data-begins); font-size: 10px; font-weight: 600; color: var(--bg); background: var(--call-line);
  border-radius: 7px; padding: 0 4px; margin-right: 3px; vertical-align: 2px; }
${argumentStyles} { background: var(--call-line); color: var(--bg); }
.reading { margin-bottom: 20px; }
.blocks { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.block { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); border-top: 1px solid var(--line); }
.block:first-child { border-top: 0; }
.text { margin: 0; padding: 8px 10px; white-space: pre-wrap; overflow-wrap: anywhere; }
.notes { padding: 8px 10px; background: var(--panel); border-left: 1px solid var(--line); font-size: 13px; min-width: 0; }
.card { border-left: 4px solid var(--line); padding: 2px 0 2px 10px; margin: 0 0 8px; }
.card.call { border-color: var(--call-line); } .card.refused { border-color: var(--rejected-line); }
.card p { margin: 4px 0; } .card pre { margin: 4px 0; } .json { white-space: pre-wrap; overflow-wrap: anywhere; }
.badge { font-size: 12px; font-weight: 600; } .call .badge { color: var(--call-line); }
.refused .badge, .refusal { color: var(--rejected-line); } .accepted { color: var(--call-line); }
.repairs { margin: 4px 0; padding-left: 18px; } .repairs code { color: var(--repair-line); }
.warn { background: var(--repair); padding: 6px 10px; border-radius: 4px; }
.cut { white-space: pre-wrap; overflow-wrap: anywhere; }
.tree details { margin: 2px 0 2px 4px; padding-left: 10px; border-left: 1px solid var(--line); }
.tree summary { cursor: pointer; font-weight: 600; } .tree ul, .tree ol { margin: 4px 0; padding-left: 22px; }
.figures { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 12px; }
.figures > div { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 6px 12px; }
.figures dt { font-size: 12px; color: var(--dim); } .figures dd { margin: 0; font-size: 18px; font-weight: 600; }
table { border-collapse: collapse; } th { text-align: left; font-weight: 500; }
.plot { width: 100%; } .plot th { width: 14em; padding: 2px 10px 2px 0; overflow-wrap: anywhere; }
.bar { display: inline-block; height: 14px; vertical-align: -2px; border-radius: 2px; background: var(--dim); min-width: 1px; }
.bar.call, .swatch.call { background: var(--call-line); } .bar.refused, .swatch.refused { background: var(--rejected-line); }
.bar.repaired { background: var(--repair-line); }
.swatch { display: inline-block; width: 12px; height: 12px; background: var(--line); }
.stack { display: inline-flex; width: 150px; height: 14px; background: var(--line); border-radius: 2px; overflow: hidden;
  vertical-align: -2px; } .stack .bar { border-radius: 0; min-width: 0; height: 14px; }
.groups th, .groups td { padding: 4px 12px 4px 0; border-top: 1px solid var(--line); vertical-align: top; }
.groups thead th { border: 0; color: var(--dim); font-size: 13px; } .scroll { overflow-x: auto; }
@media (max-width: 720px) { .block { grid-template-columns: minmax(0, 1fr); }
  .notes { border-left: 0; border-top: 1px dashed var(--line); } .plot th { width: 8em; } }
`;
