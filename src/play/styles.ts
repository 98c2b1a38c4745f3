/** The look of the page around the views. */
export const playStyles = `
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 8px 16px;
  border-bottom: 1px solid var(--line); background: var(--panel); }
header h1 { font-size: 18px; margin: 0; } .grow { flex: 1; }
main { padding: 12px 16px 60px; max-width: 1800px; margin: 0 auto; }
button, select, input, .button { font: inherit; color: var(--text); background: var(--bg); border: 1px solid var(--line);
  border-radius: 6px; padding: 4px 10px; } button, select, .button { cursor: pointer; }
button:focus-visible, select:focus-visible, input:focus-visible, summary:focus-visible, .button:focus-within, a:focus-visible
  { outline: 2px solid var(--link); outline-offset: 1px; }
[role="tab"][aria-selected="true"] { background: var(--link); color: var(--bg); border-color: var(--link); }
.two { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 20px; }
.two > section { min-width: 0; } .two > section > details { margin-top: 14px; }
.two > section > details > summary { cursor: pointer; font-weight: 600; font-size: 1.1em; padding: 4px 0; }
.row { display: flex; flex-wrap: wrap; align-items: end; gap: 8px 14px; margin: 8px 0; } .row h2 { margin: 0; }
.field { display: flex; flex-direction: column; font-size: 13px; min-width: 0; } .field input[type="range"] { width: min(360px, 70vw); }
.field span { color: var(--dim); } .check { font-size: 13px; } h2 { font-size: 1.1em; margin: 14px 0 6px; }
.summary { font-size: 1.1em; font-weight: 600; margin: 6px 0; }
.refusals { list-style: none; margin: 0 0 10px; padding: 6px 10px; border-left: 4px solid var(--rejected-line); background: var(--panel); }
.refusals li { margin: 2px 0; overflow-wrap: anywhere; } .jump { padding: 0 6px; font-size: 13px; color: var(--link); }
.found-parts > details { margin-top: 14px; } .found-parts > details > summary { cursor: pointer; font-weight: 600; font-size: 1.1em;
  padding: 4px 0; }
.fed { border: 1px solid var(--line); border-radius: 6px; max-height: 14em; overflow: auto; }
.events { max-height: 24em; overflow: auto; padding-left: 4px; list-style: none; } .cases { max-height: 22em; overflow: auto; }
.writes pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 8px; max-height: 20em; overflow: auto; }
.diagram { overflow-x: auto; } .diagram svg { display: block; height: auto; }
.diagram path { stroke: var(--text); stroke-width: 2; fill: none; }
.diagram text { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; text-anchor: middle; fill: var(--text); white-space: pre; }
.diagram text.label, .diagram g.non-terminal a text { fill: var(--link); }
.diagram rect { stroke: var(--text); stroke-width: 1.5; fill: var(--call); } .diagram g.non-terminal rect { fill: var(--reasoning); }
.diagram rect.group-box { stroke: var(--dim); stroke-dasharray: 8 4; fill: none; }
.diagram text.comment { font-style: italic; fill: var(--dim); }
.rule { border-top: 1px solid var(--line); } .rule h3 { margin: 6px 0; }
.card h4 { margin: 4px 0; }
@media (max-width: 900px) { .two { grid-template-columns: minmax(0, 1fr); } main { padding: 10px; }
  /* What was found stands directly below the reply, before the fields that it was read with. */
  .two:has(.reply) { display: flex; flex-direction: column; gap: 8px; } .two:has(.reply) > section { display: contents; }
  .reply { order: 1; } .outcome { order: 2; } .settings { order: 3; } .found-parts { order: 4; } }
`;
