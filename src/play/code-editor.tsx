import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";

/** A stretch of the text with a class. */
export interface Mark {
  start: number;
  end: number;
  class: string;
}

interface CodeEditorProps {
  /** For people who do not see it. */
  label: string;
  value: string;
  onChange(value: string): void;
  marks?: readonly Mark[];
  diagnostics?: readonly Diagnostic[];
  extensions?: Extension;
}

const look = EditorView.theme({
  "&": { backgroundColor: "var(--bg)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "6px" },
  "&.cm-focused": { outline: "2px solid var(--link)" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--dim)", border: "none" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-scroller": { overflow: "auto", maxHeight: "46vh", minHeight: "6em" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--link) 35%, transparent)",
  },
});

/** A text that can be edited, with line numbers, marks and messages. Tab moves on to the next field, as everywhere. */
export function CodeEditor({ label, value, onChange, marks = [], diagnostics = [], extensions = [] }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const colours = useRef(new Compartment());
  const change = useRef(onChange);
  change.current = onChange;

  useEffect(() => {
    view.current = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          EditorView.lineWrapping,
          keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
          look,
          colours.current.of([]),
          extensions,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change.current(textOf(update.state));
          }),
        ],
      }),
    });
    return () => view.current?.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || textOf(editor.state) === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    // Marks of another text would stand anywhere.
    if (editor === null || textOf(editor.state) !== value) return;
    const builder = new RangeSetBuilder<Decoration>();
    for (const { start, end, class: name } of marks) {
      if (end > start && end <= editor.state.doc.length) builder.add(start, end, Decoration.mark({ class: name }));
    }
    editor.dispatch({ effects: colours.current.reconfigure(EditorView.decorations.of(builder.finish())) });
    const length = editor.state.doc.length;
    const inside = diagnostics
      .map((one) => ({ ...one, from: Math.min(one.from, length), to: Math.min(one.to, length) }))
      .sort((left, right) => left.from - right.from);
    editor.dispatch(setDiagnostics(editor.state, inside));
  }, [marks, diagnostics, value]);

  return <div class="editor" ref={place} />;
}

/** The editor keeps lines; the text between them is LF. */
function textOf(state: EditorState): string {
  return state.doc.toString();
}
