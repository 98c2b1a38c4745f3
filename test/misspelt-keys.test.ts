/** Keys that a tool does not declare: what is near one that it declares, and is not given, may be that one. Rule: A2. */
import { expect, test } from "vitest";
import { parse } from "../src/index.ts";

const tools = [
  {
    name: "book",
    parameters: { type: "object", properties: { room_name: { type: "string" }, days: { type: "integer" } } },
  },
];
const read = (written: object) =>
  parse(`<tool_call>${JSON.stringify({ name: "book", arguments: written })}</tool_call>`, { format: "hermes", tools });

test.each(["room_name ", "room_names", "oom_name", "roomn_ame", "Room_Name", "roomName", "room-name", "ROOMNAME"])(
  "%j may be room_name",
  (key) => {
    const { calls, rejected } = read({ [key]: "a" });
    expect(calls).toEqual([]);
    expect(rejected).toMatchObject([{ reason: "ambiguous" }]);
  },
);

test.each([{ note: "a" }, { room: "a" }, { roomName: 3 }, { roomName: "a", room_name: "b" }])(
  "%j is what it says",
  (written) => {
    expect(read(written).calls).toMatchObject([{ arguments: written }]);
  },
);
