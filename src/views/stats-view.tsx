/** The numbers of some messages, as `toolpeg stats` counts them. */
export interface ShownTally {
  messages: number;
  withCalls: number;
  withCandidates: number;
  candidates: number;
  calls: number;
  truncated: number;
  fallback: number;
  schemaPass: number;
  schemaFail: number;
  rejections: Readonly<Record<string, number>>;
  repairs: Readonly<Record<string, number>>;
  agreement: Readonly<Record<string, number>>;
}

interface StatsViewProps {
  all: ShownTally;
  byFormat: ReadonlyMap<string, ShownTally>;
  byModel: ReadonlyMap<string, ShownTally>;
}

/** Plots of telemetry: calls, refusals by reason, repairs by kind, all of it by format and by model. */
export function StatsView({ all, byFormat, byModel }: StatsViewProps) {
  return (
    <div class="stats">
      <Figures tally={all} />
      <Plot title="Refusals by reason" rows={sorted(all.rejections)} kind="refused" unit="refused" />
      <Plot title="Repairs by kind" rows={sorted(all.repairs)} kind="repaired" unit="repairs" />
      {Object.keys(all.agreement).length > 0 ? (
        <Plot title="Agreement with the expected calls" rows={sorted(all.agreement)} kind="call" unit="messages" />
      ) : null}
      <Groups title="format" groups={byFormat} />
      {byModel.size > 0 ? <Groups title="model" groups={byModel} /> : null}
    </div>
  );
}

function Figures({ tally }: { tally: ShownTally }) {
  const { messages, withCalls, calls, candidates, truncated, fallback, schemaPass, schemaFail } = tally;
  const figures: [string, number, string][] = [
    ["messages", messages, ""],
    ["with calls", withCalls, share(withCalls, messages)],
    ["calls", calls, `of ${whole(candidates)} candidates`],
    ["refused", sum(tally.rejections), ""],
    ["repaired", sum(tally.repairs), "repairs"],
    ["cut short", truncated, share(truncated, messages)],
    ["through a fallback", fallback, ""],
    ["schema", schemaPass, `pass, ${whole(schemaFail)} fail`],
  ];
  return (
    <dl class="figures">
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {whole(value)} <small class="dim">{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface PlotProps {
  title: string;
  rows: readonly (readonly [string, number])[];
  kind: string;
  unit: string;
}

/** Bars, as a table: who cannot see them reads the numbers. */
function Plot({ title, rows, kind, unit }: PlotProps) {
  const most = Math.max(1, ...rows.map(([, value]) => value));
  return (
    <section>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p class="dim">None.</p>
      ) : (
        <table class="plot">
          <caption class="sr">{title}</caption>
          <thead class="sr">
            <tr>
              <th scope="col">what</th>
              <th scope="col">{unit}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, value]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>
                  <span class={`bar ${kind}`} style={`width:${((70 * value) / most).toFixed(2)}%`} /> {whole(value)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** One row per format or model: what became of its messages, as parts of a bar. */
function Groups({ title, groups }: { title: string; groups: ReadonlyMap<string, ShownTally> }) {
  const rows = [...groups].sort(
    ([left, few], [right, many]) => many.messages - few.messages || (left < right ? -1 : 1),
  );
  return (
    <section>
      <h3>By {title}</h3>
      <ul class="legend" aria-label="What the colours say">
        <li>
          <span class="swatch call" /> messages with calls
        </li>
        <li>
          <span class="swatch refused" /> messages whose candidates were all refused
        </li>
        <li>
          <span class="swatch" /> messages without candidates
        </li>
      </ul>
      <div class="scroll">
        <table class="groups">
          <thead>
            <tr>
              {[title, "messages", "what became of them", "calls", "refused, most first", "repairs, most first"].map(
                (head) => (
                  <th scope="col" key={head}>
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, tally]) => (
              <Group key={name} name={name} tally={tally} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Group({ name, tally }: { name: string; tally: ShownTally }) {
  const { messages, withCalls, withCandidates, calls, rejections, repairs } = tally;
  const percent = (part: number) => (messages === 0 ? 0 : (100 * part) / messages);
  const refused = Math.max(0, withCandidates - withCalls);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{whole(messages)}</td>
      <td>
        <span class="stack" title={`${whole(withCalls)} with calls, ${whole(refused)} refused, of ${whole(messages)}`}>
          <span class="bar call" style={`width:${percent(withCalls).toFixed(2)}%`} />
          <span class="bar refused" style={`width:${percent(refused).toFixed(2)}%`} />
        </span>{" "}
        {share(withCalls, messages)}
      </td>
      <td>{whole(calls)}</td>
      <td>{words(rejections)}</td>
      <td>{words(repairs)}</td>
    </tr>
  );
}

function sorted(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([left, few], [right, many]) => many - few || (left < right ? -1 : 1));
}

function words(counts: Readonly<Record<string, number>>): string {
  return sorted(counts)
    .map(([key, value]) => `${key} ${whole(value)}`)
    .join(", ");
}

const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, one) => all + one, 0);
const whole = (number: number) => number.toLocaleString("en");
const share = (part: number, all: number) => (all === 0 ? "" : `${((100 * part) / all).toFixed(1)}%`);
