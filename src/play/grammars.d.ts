/** Data that the build of the page puts in: see scripts/build-play.ts. */
declare module "toolpeg-play" {
  /** Files below grammars/, by path: grammars, corpora, tool sets. */
  export const grammarFiles: Readonly<Record<string, string>>;
  /** Replies to try, with tools. */
  export const samples: readonly { name: string; format: string; text: string }[];
  export const sampleTools: string;
}
