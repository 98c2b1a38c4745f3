import type { Repair } from "../contract/repairs.ts";
import type { Rejection, ToolCall } from "../contract/types.ts";
import {
  type Block,
  blocksOf,
  lineAndColumn,
  type Piece,
  placedArguments,
  type ShownResult,
} from "./reading-blocks.ts";
import { rejectionText } from "./rejection-help.ts";
import { repairHelp } from "./repair-help.ts";

interface ReadingViewProps {
  text: string;
  result: ShownResult;
  /** Were there tools to check the calls against? */
  validated: boolean;
}

/** The text in the colours of its nodes, with each call, repair and refusal beside the place it came from. */
export function ReadingView({ text, result, validated }: ReadingViewProps) {
  const blocks = blocksOf(text, result);
  return (
    <div class="reading">
      <Legend />
      {validated ? null : (
        <p class="warn" role="note">
          Not validated: no tools are given, so nothing is checked, and nothing here may be run.
        </p>
      )}
      {blocks.length === 0 ? <p class="dim">An empty reply.</p> : null}
      <ol class="blocks" aria-label="The reply, part by part">
        {blocks.map((block) => (
          <li class={block.calls.length + block.rejected.length > 0 ? "block found" : "block"} key={block.start}>
            <pre class="text" id={`part-${block.start}`}>
              {block.pieces.map((piece, index) => (
                <PieceView
                  key={piece.start}
                  piece={piece}
                  text={text}
                  isNew={block.pieces[index - 1]?.kind !== piece.kind}
                />
              ))}
            </pre>
            <div class="notes">
              <Notes block={block} text={text} validated={validated} />
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

const kinds = ["content", "reasoning", "framing", "call", "rejected", "quoted"] as const;

function Legend() {
  return (
    <ul class="legend" aria-label="What the colours say">
      {kinds.map((kind) => (
        <li key={kind}>
          <span class={`n-${kind}`}>{kind}</span>
        </li>
      ))}
      <li>
        <span class="n-call repaired">repaired</span>
      </li>
    </ul>
  );
}

/** For those who do not see the colours: where the next kind of text begins. */
function PieceView({ piece, text, isNew }: { piece: Piece; text: string; isNew: boolean }) {
  const { kind, start, end, repair, argument } = piece;
  const title = [
    kind,
    ...(argument ? [`argument ${argument.key}`] : []),
    ...(repair ? [`repaired: ${repair.kind}`] : []),
  ];
  const classes = [`n-${kind}`, ...(repair ? ["repaired"] : []), ...(argument ? ["argument"] : [])];
  return (
    <span
      class={classes.join(" ")}
      data-kind={kind}
      data-argument={argument?.number}
      data-begins={argument?.start === start ? argument.number : undefined}
      title={title.join(", ")}
    >
      {isNew ? <span class="sr">[{kind}] </span> : null}
      {visible(text.slice(start, end))}
    </span>
  );
}

function Notes({ block, text, validated }: { block: Block; text: string; validated: boolean }) {
  const { calls, rejected, pieces } = block;
  if (calls.length + rejected.length === 0) {
    return <span class="dim">{[...new Set(pieces.map(({ kind }) => kind))].join(", ")}</span>;
  }
  return (
    <>
      {calls.map((call) => (
        <CallCard key={`call ${call.index}`} call={call} text={text} validated={validated} />
      ))}
      {rejected.map((one, index) => (
        <RejectionCard key={index} rejection={one} text={text} />
      ))}
    </>
  );
}

function CallCard({ call, text, validated }: { call: ToolCall; text: string; validated: boolean }) {
  return (
    <article class="card call" aria-label={`${validated ? "Call" : "Candidate"} of ${call.name}`}>
      <h4>
        <span class="badge">{validated ? "call" : "would call"}</span> <code>{call.name}</code>{" "}
        <small class="dim">
          {call.format}
          {call.variant === undefined ? "" : `, ${call.variant}`}, {lineAndColumn(text, call.start)}
        </small>
      </h4>
      <Arguments call={call} text={text} />
      <Repairs repairs={call.repairs} text={text} />
    </article>
  );
}

/** The arguments as JSON; each bears the number that stands at its place in the text. */
function Arguments({ call, text }: { call: ToolCall; text: string }) {
  const members = Object.entries(call.arguments as Record<string, unknown>);
  if (members.length === 0) return <pre class="json">{"{}"}</pre>;
  const places = new Map(placedArguments(text, call).map((place) => [place.key, place]));
  return (
    <pre class="json">
      {"{\n"}
      {members.map(([key, value], at) => {
        const place = places.get(key);
        const lines = JSON.stringify({ [key]: value }, null, 2)
          .split("\n")
          .slice(1, -1);
        return (
          <span key={key}>
            {"  "}
            <span
              class={place === undefined ? undefined : "member"}
              data-argument={place?.number}
              data-begins={place?.number}
              title={place === undefined ? undefined : `at ${lineAndColumn(text, place.start)}`}
            >
              {lines.join("\n").slice(2)}
            </span>
            {at + 1 < members.length ? ",\n" : "\n"}
          </span>
        );
      })}
      {"}"}
    </pre>
  );
}

function RejectionCard({ rejection, text }: { rejection: Rejection; text: string }) {
  const { reason, name, start, violations = [], repairs = [] } = rejection;
  const { what, help } = rejectionText(rejection);
  return (
    <article class="card refused" aria-label={`Refused: ${reason}`}>
      <h4>
        <span class="badge">refused</span> <code>{reason}</code> {name === undefined ? null : <code>{name}</code>}{" "}
        <small class="dim">{lineAndColumn(text, start)}</small>
      </h4>
      <p class="message">{visible(what)}</p>
      {violations.length > 1 ? (
        <ul>
          {violations.map(({ path, expected, found }) => (
            <li key={path}>
              <code>{path}</code>: expected {expected}, found {found}
            </li>
          ))}
        </ul>
      ) : null}
      <p class="help">
        <b>help:</b> {visible(help)}
      </p>
      <Repairs repairs={repairs} text={text} />
    </article>
  );
}

/** Kind by kind, since a model that makes a slip makes it often. */
function Repairs({ repairs, text }: { repairs: readonly Repair[]; text: string }) {
  if (repairs.length === 0) return null;
  const kinds = new Map<string, Repair[]>();
  for (const repair of repairs) kinds.set(repair.kind, [...(kinds.get(repair.kind) ?? []), repair]);
  return (
    <ul class="repairs" aria-label="Repairs">
      {[...kinds.values()].map((same) => (
        <li key={same[0].kind}>
          repaired <code>{same[0].kind}</code> ({same[0].level}
          {same.length > 1 ? `, ${same.length} times` : ""}): {repairHelp[same[0].kind]}{" "}
          <small class="dim">
            at{" "}
            {same
              .slice(0, placesMax)
              .map(({ start }) => lineAndColumn(text, start))
              .join(", ")}
            {same.length > placesMax ? ", …" : ""}
          </small>
        </li>
      ))}
    </ul>
  );
}

/** More places of one kind of repair are marked in the text, and not listed. */
const placesMax = 8;

/** Control characters as pictures of themselves, and what turns the direction of writing as a replacement sign. */
export function visible(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (unit) => String.fromCharCode(0x2400 + unit.charCodeAt(0)))
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "\ufffd");
}
