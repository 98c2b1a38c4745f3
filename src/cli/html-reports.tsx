import type { Explanation } from "../explain.ts";
import { ExplainView } from "../views/explain-view.tsx";
import { ReadingView } from "../views/reading-view.tsx";
import { StatsView } from "../views/stats-view.tsx";
import { htmlPage } from "./html-page.ts";
import type { TelemetryStats } from "./telemetry-tally.ts";

/** How a reply was read, as a page. */
export function explainPage(source: string, text: string, explanation: Explanation, validated: boolean): string {
  return htmlPage(
    `toolpeg explain ${source}`,
    <ReadingView text={text} result={explanation.result} validated={validated} />,
    <h2>How it was read</h2>,
    <ExplainView text={text} explanation={explanation} />,
  );
}

/** What became of many replies, as a page. */
export function statsPage(stats: TelemetryStats): string {
  return htmlPage("toolpeg stats", <StatsView {...stats} />);
}
