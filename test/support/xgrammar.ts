/** xgrammar's own engine, as WebAssembly: what servers hold a model to, without a server. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compileFunction, constants } from "node:vm";

interface Disposable {
  dispose(): void;
}

interface Matcher extends Disposable {
  _acceptString(text: string): boolean;
  isTerminated(): boolean;
  reset(): void;
}

interface XGrammarModule {
  Grammar: {
    fromEBNF(text: string): Promise<Disposable>;
    fromStructuralTag(tag: object): Promise<Disposable>;
  };
  TokenizerInfo: { createTokenizerInfo(vocabulary: string[]): Promise<Disposable> };
  GrammarCompiler: {
    createGrammarCompiler(
      tokens: Disposable,
      cache: boolean,
    ): Promise<Disposable & { compileGrammar(grammar: Disposable): Promise<Disposable> }>;
  };
  GrammarMatcher: {
    createGrammarMatcher(compiled: Disposable, stop: undefined, endsWithoutStop: boolean): Promise<Matcher>;
  };
}

/** A grammar that says yes or no to a whole text. */
export interface EngineGrammar {
  accepts(text: string): boolean;
  dispose(): void;
}

/** Loads the engine. Its file says that it is a module and is none (0.1.27), so it is run as what it is. */
export function loadXGrammar(): {
  fromGbnf(text: string): Promise<EngineGrammar>;
  fromStructuralTag(tag: object): Promise<EngineGrammar>;
} {
  const require = createRequire(import.meta.url);
  const path = require.resolve("@mlc-ai/web-xgrammar");
  const module = { exports: {} as XGrammarModule };
  const names = ["module", "exports", "require", "__filename", "__dirname"];
  const run = compileFunction(readFileSync(path, "utf8"), names, {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  run(module, module.exports, createRequire(path), path, dirname(path));
  const { Grammar, TokenizerInfo, GrammarCompiler, GrammarMatcher } = module.exports;
  const compile = async (grammar: Disposable): Promise<EngineGrammar> => {
    const tokens = await TokenizerInfo.createTokenizerInfo([]);
    const compiler = await GrammarCompiler.createGrammarCompiler(tokens, false);
    const compiled = await compiler.compileGrammar(grammar);
    const matcher = await GrammarMatcher.createGrammarMatcher(compiled, undefined, true);
    return {
      accepts: (text) => {
        matcher.reset();
        return (text === "" || matcher._acceptString(text)) && matcher.isTerminated();
      },
      dispose: () => {
        for (const one of [matcher, compiled, compiler, tokens, grammar]) one.dispose();
      },
    };
  };
  return {
    fromGbnf: async (text) => compile(await Grammar.fromEBNF(text)),
    fromStructuralTag: async (tag) => compile(await Grammar.fromStructuralTag(tag)),
  };
}
