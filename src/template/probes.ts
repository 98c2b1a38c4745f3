import type { ToolDefinition } from "../validation/tools.ts";

/** A turn of the assistant that every template is asked to write. */
export interface Probe {
  /** What it asks, in a word or two. */
  name: string;
  /** Calls alone; what stands around them; or strings that look like something else. */
  kind: "calls" | "around" | "hostile";
  calls: readonly { name: string; arguments: Record<string, unknown> }[];
  /** Text before the calls. */
  text?: string;
  /** Thoughts before all of it. */
  reasoning?: string;
}

const trip = {
  type: "object",
  properties: {
    port: { type: "string" },
    seats: { type: "integer" },
    price: { type: "number" },
    window: { type: "boolean" },
    dog: { type: "boolean" },
    voucher: { type: ["string", "null"] },
    stops: { type: "array", items: { type: "string" } },
    berth: {
      type: "object",
      properties: { deck: { type: "integer" }, side: { type: "string" } },
      required: ["deck", "side"],
    },
  },
  required: ["port"],
};

/** The tools of the probes. */
export const probeTools = [
  { name: "find_ferry", description: "Finds a ferry.", parameters: trip },
  { name: "list_ports", description: "Lists ports.", parameters: { type: "object", properties: {} } },
  {
    name: "send_note",
    description: "Sends a note.",
    parameters: {
      type: "object",
      properties: { body: { type: "string" }, title: { type: "string" } },
      required: ["body"],
      // A marker in its text is the opener of no parameter that it might take.
      additionalProperties: false,
    },
  },
] as const satisfies readonly ToolDefinition[];

/** The tools as templates are given them, in the envelope of requests. */
export const wireTools = probeTools.map((tool) => ({ type: "function", function: tool }));

/** The same, for the many templates that print types and know only the plain ones. */
export const plainTools = probeTools.map(({ name, description, parameters }) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: {
      type: "object",
      properties: Object.fromEntries(
        Object.keys(parameters.properties).map((key) => [key, { type: "string", description: key }]),
      ),
      required: Object.keys(parameters.properties),
    },
  },
}));

/** What is asked first: whether and where a call is written at all. */
export const firstProbe: Probe = {
  name: "one call",
  kind: "calls",
  calls: [{ name: "find_ferry", arguments: { port: "Bodo", voucher: "Winter" } }],
};

const note = (body: string) => [{ name: "send_note", arguments: { body, title: "Tide" } }];

/** Thoughts that no template writes by itself. */
const probeThought = "Somebody asks for ferries.";

/** Text that no template writes by itself. */
const probeText = "Looking up the ferry now.";

/**
 * Every probe. The markers of a hostile string are those that the first probe showed.
 *
 * @param markers What the template itself puts round a call.
 */
export function probesWith(markers: readonly string[]): Probe[] {
  return [
    firstProbe,
    {
      name: "every type",
      kind: "calls",
      calls: [
        {
          name: "find_ferry",
          arguments: {
            port: "Bodo",
            seats: -3,
            price: 12.5,
            window: true,
            dog: false,
            voucher: null,
            stops: ["Moskenes", "Rost"],
            berth: { deck: 4, side: "port" },
          },
        },
      ],
    },
    { name: "no arguments", kind: "calls", calls: [{ name: "list_ports", arguments: {} }] },
    {
      name: "several calls",
      kind: "calls",
      calls: [
        { name: "find_ferry", arguments: { port: "Bodo", seats: 3, window: true, berth: { deck: 4, side: "port" } } },
        { name: "send_note", arguments: { body: "Booked", title: "Tide" } },
        { name: "list_ports", arguments: {} },
      ],
    },
    { name: "text before", kind: "around", text: probeText, calls: firstProbe.calls },
    { name: "reasoning", kind: "around", reasoning: probeThought, calls: firstProbe.calls },
    { name: "digits in a string", kind: "hostile", calls: note("42") },
    { name: "quotes", kind: "hostile", calls: note(`He said "it's here" and left C:\\temp`) },
    { name: "lines", kind: "hostile", calls: note("first line\n  second line\n\nlast line") },
    { name: "markup", kind: "hostile", calls: note("<b>R&D</b> costs 1 < 2 {x: [1, 2]} `code`") },
    { name: "markers", kind: "hostile", calls: note(`first ${markers.join(", then ")}, all of it text`) },
  ];
}
