import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Compiled, compileOwn } from "./compile-own.ts";
import { GrammarTab, grammarOf } from "./grammar-tab.tsx";
import { ReplyTab } from "./reply-tab.tsx";
import { encodeState, type PlayState } from "./state.ts";

const tabs = [
  ["reply", "Reply"],
  ["grammar", "Grammar"],
] as const;

/** So long nothing is compiled while somebody types, in milliseconds. */
const typingMilliseconds = 250;

/** The whole page. */
export function App({ first }: { first: PlayState }) {
  const [state, setState] = useState<PlayState>(first.grammar === "" ? { ...first, ...grammarOf("hermes") } : first);
  const change = (part: Partial<PlayState>) => setState((known) => ({ ...known, ...part }));
  const settled = useSettled(state.grammar);
  const isNeeded = state.tab === "grammar" || state.format === "own";
  // Compiling takes a moment: not before somebody looks.
  const compiled = useMemo<Compiled>(
    () => (isNeeded ? compileOwn(settled) : { errors: [], warnings: [], rules: [] }),
    [settled, isNeeded],
  );
  const [note, setNote] = useState("");
  const bar = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const timer = window.setTimeout(async () => history.replaceState(null, "", `#${await linkOf(state)}`), 400);
    return () => window.clearTimeout(timer);
  }, [state]);

  const share = async () => {
    const link = `#${await linkOf(state)}`;
    history.replaceState(null, "", link);
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    setNote(isCopied ? "The link is copied." : "The link is in the address bar.");
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const next = tabs[(tabs.findIndex(([id]) => id === state.tab) + 1) % tabs.length][0];
    change({ tab: next });
    bar.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <>
      <header>
        <h1>toolpeg</h1>
        <div role="tablist" aria-label="What to look at" tabIndex={-1} ref={bar} onKeyDown={onKey}>
          {tabs.map(([id, label]) => (
            <button
              type="button"
              key={id}
              role="tab"
              id={`tab-${id}`}
              aria-selected={state.tab === id}
              aria-controls="panel"
              tabIndex={state.tab === id ? 0 : -1}
              onClick={() => change({ tab: id })}
            >
              {label}
            </button>
          ))}
        </div>
        <span class="grow" />
        <span class="dim" role="status">
          {note}
        </span>
        <button type="button" onClick={() => void share()}>
          Copy a link
        </button>
        <button type="button" onClick={switchTheme}>
          Light or dark
        </button>
      </header>
      <main>
        <div id="panel" role="tabpanel" aria-labelledby={`tab-${state.tab}`}>
          {state.tab === "reply" ? (
            <ReplyTab state={state} own={compiled.format} onChange={change} />
          ) : (
            <GrammarTab state={state} compiled={compiled} onChange={change} />
          )}
        </div>
      </main>
    </>
  );
}

/** A shipped grammar as it is need not stand in a link. */
function linkOf(state: PlayState): Promise<string> {
  const shipped = grammarOf(state.base);
  const isEdited = state.grammar !== shipped.grammar || state.corpus !== shipped.corpus;
  return encodeState(isEdited || state.base !== "hermes" ? state : { ...state, base: "", grammar: "", corpus: "" });
}

function switchTheme(): void {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

/** A value that has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), typingMilliseconds);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
}
