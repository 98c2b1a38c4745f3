import { jsonStringEnd } from "../machine/json-object.ts";
import { jsonScalarEnd } from "./json-text.ts";

/** How one finds one's way through a value: what is known of a place leads to what is known of the places in it. */
export interface Places<Place> {
  readonly root: Place;
  member(place: Place, key: string): Place;
  item(place: Place, index: number): Place;
}

interface Frame<Place> {
  readonly isObject: boolean;
  readonly place: Place;
  /** The key whose value comes next. */
  key: string | undefined;
  index: number;
}

/**
 * Writes some of the scalars of a JSON text otherwise. It works on the text, so that the digits of everything else stay as
 * they are.
 *
 * @param json A text that is known to be JSON, without blanks or with.
 * @param change What a scalar becomes; undefined: it stays.
 * @returns the new text, or undefined when nothing had to change.
 */
export function rewriteScalars<Place>(
  json: string,
  places: Places<Place>,
  change: (token: string, place: Place) => string | undefined,
): string | undefined {
  const pieces: string[] = [];
  const stack: Frame<Place>[] = [];
  let from = 0;
  let at = 0;
  const here = (): Place => {
    const frame = stack.at(-1);
    if (frame === undefined) return places.root;
    return frame.isObject ? places.member(frame.place, frame.key ?? "") : places.item(frame.place, frame.index);
  };
  while (at < json.length) {
    const character = json[at] as string;
    const frame = stack.at(-1);
    if (character === "{" || character === "[") {
      stack.push({ isObject: character === "{", place: here(), key: undefined, index: 0 });
      at++;
    } else if (character === "}" || character === "]") {
      stack.pop();
      at++;
    } else if (character === ",") {
      if (frame !== undefined) {
        frame.index++;
        frame.key = undefined;
      }
      at++;
    } else if (character === '"' && frame?.isObject === true && frame.key === undefined) {
      const end = jsonStringEnd(json, at);
      frame.key = JSON.parse(json.slice(at, end)) as string;
      at = end;
    } else if (": \n\r\t".includes(character)) {
      at++;
    } else {
      const end = character === '"' ? jsonStringEnd(json, at) : jsonScalarEnd(json, at);
      const changed = change(json.slice(at, end), here());
      if (changed !== undefined) {
        pieces.push(json.slice(from, at), changed);
        from = end;
      }
      at = end;
    }
  }
  if (pieces.length === 0) return undefined;
  pieces.push(json.slice(from));
  return pieces.join("");
}
