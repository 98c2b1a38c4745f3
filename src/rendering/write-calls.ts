import {
  jsonStyle,
  type Piece,
  type Quoting,
  type RenderTemplate,
  slot,
  type ValueStyle,
} from "../contract/render-template.ts";
import { jsonStringEnd } from "../machine/json-object.ts";
import { integerDigits } from "../values/number-text.ts";
import { RenderError } from "./render-error.ts";

/** A call made ready to be written: its arguments are compact JSON of an object. */
export interface WritableCall {
  readonly name: string;
  readonly json: string;
  readonly id: string;
}

/** Fills a template. Nothing says yet that the text would be read as these calls. */
export function writeCalls(template: RenderTemplate, calls: readonly WritableCall[]): string {
  if (calls.length > 1 && template.between === undefined) {
    throw new RenderError("too-many", "a message of this format carries one call: its example shows one");
  }
  const texts = calls.map((call, index) => writeCall(template, call, index));
  return template.open + texts.join(template.between) + template.close;
}

function writeCall(template: RenderTemplate, call: WritableCall, index: number): string {
  const { style = jsonStyle } = template;
  const pieces = call.json === "{}" ? (template.bare ?? template.call) : template.call;
  return fill(pieces, (place) => {
    switch (place) {
      case slot.name:
        return call.name;
      case slot.quotedName:
        return quote(call.name, style.quoting, style.string[1]);
      case slot.quotedId:
        return quote(call.id, style.quoting, style.string[1]);
      case slot.arguments:
        return writeValue(call.json, style);
      case slot.members:
        return writeMembers(template, call);
      case slot.index:
        return `${index}`;
      case slot.number:
        return `${index + 1}`;
      default:
        return call.id;
    }
  });
}

function fill(pieces: readonly Piece[], write: (place: number) => string): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : write(piece))).join("");
}

function writeMembers(template: RenderTemplate, call: WritableCall): string {
  const texts = membersOf(call.json).map(([key, value]) => {
    const kind = /[-\d]/.test(value[0]) ? "0" : value[0];
    const wayOf = (one: string) => template.members?.find(([kinds]) => kinds.includes(one));
    const found = (kind === "0" && integerDigits(value) === undefined ? wayOf(".") : undefined) ?? wayOf(kind);
    if (!found) throw new RenderError("no-template", `this format has no way to write the value of ${key}`);
    return fill(found.slice(1), (place) => {
      if (place === slot.key) return JSON.parse(key) as string;
      return kind === '"'
        ? quote(JSON.parse(value), template.quoting ?? "raw")
        : writeValue(value, template.style ?? jsonStyle);
    });
  });
  if (texts.length > 1 && template.comma === undefined) {
    throw new RenderError("no-template", "a call of this format carries one argument");
  }
  return texts.join(template.comma);
}

/** The members of a JSON object, as texts. */
function membersOf(json: string): [key: string, value: string][] {
  const members: [string, string][] = [];
  for (let at = 1; at < json.length - 1; ) {
    const keyEnd = jsonStringEnd(json, at);
    let end = keyEnd + 1;
    for (let depth = 0; end < json.length - 1; end++) {
      const char = json[end];
      if (char === '"') end = jsonStringEnd(json, end) - 1;
      else if (char === "{" || char === "[") depth++;
      else if (char === "}" || char === "]") depth--;
      else if (char === "," && depth === 0) break;
    }
    members.push([json.slice(at, keyEnd), json.slice(keyEnd + 1, end)]);
    at = end + 1;
  }
  return members;
}

/** Compact JSON in the style of a format, token by token. */
export function writeValue(json: string, style: ValueStyle): string {
  let text = "";
  for (let at = 0; at < json.length; ) {
    const char = json[at];
    if (char === '"') {
      const end = jsonStringEnd(json, at);
      const [open, close] = json[end] === ":" ? style.key : style.string;
      text += open + quote(JSON.parse(json.slice(at, end)), open === "" ? "raw" : style.quoting, close) + close;
      at = end;
      continue;
    }
    const word = "tfn".indexOf(char);
    if (char === ",") text += style.comma;
    else if (char === ":") text += style.colon;
    else text += word < 0 ? char : style.words[word];
    at += word < 0 ? 1 : char === "f" ? 5 : 4;
  }
  return text;
}

/** A value as JSON with a blank after each comma and colon. */
export const spacedJson = (value: unknown): string => writeValue(JSON.stringify(value), jsonStyle);

const references: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** The inside of a string. JSON's escapes are Python's as well. */
export function quote(text: string, quoting: Quoting, close = ""): string {
  if (quoting === "raw") return text;
  if (quoting === "entity") return text.replace(/[&<>"']/g, (char) => references[char]);
  const inside = JSON.stringify(text).slice(1, -1);
  return close === "'" ? inside.replaceAll("'", "\\u0027") : inside;
}
