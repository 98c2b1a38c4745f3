import type { ast } from "peggy";
import { nearestName, suggestion } from "../../contract/suggest.ts";
import { checkLeftRecursion } from "./check-left-recursion.ts";
import { checkNullableRepetition } from "./check-nullable-repetition.ts";
import { type GrammarFile, grammarError, grammarNote, rangeAt, type SourceRange } from "./grammar-error.ts";
import {
  type LinkedGrammar,
  type LinkedRule,
  type ReplacedRule,
  type UnusedName,
  walkExpression,
} from "./linked-grammar.ts";
import { parseGrammarText } from "./parse-grammar-text.ts";
import { portableExpression } from "./portable-expression.ts";
import { primitiveNames } from "./primitives.ts";
import { type FileHeader, mergeHeaders, readHeader } from "./read-header.ts";
import { folderOf, grammarsRoot, isShipped, joinPath, normalisePath, shippedRoot, stemOf } from "./resolve-path.ts";
import { headerRules } from "./rules-from-header.ts";
import { loadShippedGrammar, shippedGrammarPaths } from "./shipped-grammars.ts";
import { formatEntries, unreferredRules } from "./special-rules.ts";

/** Reads the text of a grammar by its path, undefined where there is none. */
export type LoadGrammar = (path: string) => string | undefined;

export interface LinkOptions {
  /** The rule that reading begins with. Default `Block`. */
  start?: string;
  /** Other rules that it may begin with: an entry is there where its rule is defined. Default {@link formatEntries}. */
  entries?: Readonly<Record<string, string>>;
  /** The folder that `extends` counts from. Default: the last folder called `grammars` above the entry. */
  root?: string;
  /** Whether the entry must have a `format:`. Default true; false links a family or a part alone, for its tests. */
  format?: boolean;
}

/** One file, parsed. */
interface GrammarSource extends GrammarFile {
  header: FileHeader;
  tree: ast.Grammar;
}

/** What a name means in a scope: a rule written there, or one imported into it. */
type Definition =
  | { kind: "rule"; source: GrammarSource; rule: ast.Rule }
  | { kind: "header"; rule: LinkedRule }
  | { kind: "import"; source: GrammarSource; path: string; original: string; location: SourceRange };

/** A file with all it extends, in which names are resolved together. */
interface Scope {
  /** What qualified names begin with; undefined for the scope of the format. */
  stem: string | undefined;
  /** The file, then what it extends, nearest first. */
  chain: GrammarSource[];
  definitions: Map<string, Definition>;
  /** `import * as name`: the path by the name. */
  namespaces: Map<string, string>;
}

/** A rule where it is defined. */
interface Target {
  scope: Scope;
  definition: Exclude<Definition, { kind: "import" }>;
}

/**
 * Links a grammar with all it extends and imports into one.
 *
 * @param entry the grammar of the format
 * @param load reads the others; called once for each path, which has forward slashes and no `..`
 * @returns the grammar with all references resolved, and only the rules that can be reached from the start rule and
 *   from `Sync` and `Skip`
 * @throws GrammarError for whatever is wrong with one of the files; nothing is kept
 */
export function linkGrammar(entry: GrammarFile, load: LoadGrammar, options: LinkOptions = {}): LinkedGrammar {
  return new Linker(load, options.root ?? grammarsRoot(normalisePath(entry.path))).link(entry, options);
}

class Linker {
  readonly #load: LoadGrammar;
  readonly #root: string;
  readonly #sources = new Map<string, GrammarSource>();
  readonly #scopes = new Map<string, Scope>();
  #formatScope!: Scope;

  constructor(load: LoadGrammar, root: string) {
    this.#load = load;
    this.#root = root;
  }

  link(entry: GrammarFile, options: LinkOptions): LinkedGrammar {
    const start = options.start ?? "Block";
    const own = this.#parse({ path: normalisePath(entry.path), text: entry.text });
    const top = rangeAt(own, 0, 0);
    const scope = this.#makeScope(own, undefined);
    this.#formatScope = scope;
    if (own.header.format === undefined && options.format !== false) {
      throw grammarError([own], top, "this grammar has no format id", {
        help: "write `// format: id` into its header; without it, it is a family or a part that others extend or import",
      });
    }
    const header = mergeHeaders(scope.chain.map((source) => source.header));
    for (const rule of headerRules(header, top)) {
      if (!scope.definitions.has(rule.name)) scope.definitions.set(rule.name, { kind: "header", rule });
    }
    const first = this.#find(scope, start);
    if (first === undefined) {
      this.#missAsked(start, undefined);
      throw grammarError([own], top, `the start rule "${start}" is not defined`, {
        help: `${suggestion(start, scope.definitions.keys())}Define it (\`${start} = Call\`, from opener to closer), or extend a family that does.`,
      });
    }
    const entries = Object.entries(options.entries ?? formatEntries).flatMap(([entry, name]) => {
      const target = this.#find(scope, name);
      return target === undefined ? [] : [{ entry, name, target }];
    });
    const afterDamage = unreferredRules.flatMap((name) => this.#find(scope, name) ?? []);
    const { rules, used } = this.#reach([first, ...entries.map(({ target }) => target), ...afterDamage]);
    for (const name of [...unreferredRules, ...entries.map(({ name }) => name)]) used.add(name);
    const unused = unusedNames(own.tree, start, used);
    for (const one of unused) if (one.kind === "import") this.#checkImport(scope, one);
    const grammar: LinkedGrammar = {
      header,
      files: [...this.#sources.values()].map(({ path, text }) => ({ path, text })),
      start: qualifiedName(first),
      entries: Object.fromEntries(entries.map(({ entry, target }) => [entry, qualifiedName(target)])),
      rules,
      unused,
      replaced: replacedRules(scope.chain),
    };
    // Machines and analyses rely on these; the others are for whoever writes a grammar, see check-grammar.ts.
    const errors = [...checkLeftRecursion(grammar), ...checkNullableRepetition(grammar)];
    if (errors.length > 0) throw errors[0];
    return grammar;
  }

  /** Collects the rules in the order in which they are met from the start rule. */
  #reach(roots: readonly Target[]): { rules: Map<string, LinkedRule>; used: Set<string> } {
    const rules = new Map<string, LinkedRule>();
    const used = new Set<string>();
    const waiting = [...roots];
    const met = new Set(roots.map(qualifiedName));
    for (const target of waiting) {
      const rule = this.#linkRule(target, (found, name) => {
        if (name !== undefined) used.add(name);
        if (met.has(qualifiedName(found))) return;
        met.add(qualifiedName(found));
        waiting.push(found);
      });
      rules.set(rule.name, rule);
    }
    return { rules, used };
  }

  /** Resolves the references of a rule. `meet` gets each rule it refers to, and what of the format's scope that used. */
  #linkRule(target: Target, meet: (found: Target, name: string | undefined) => void): LinkedRule {
    const { scope, definition } = target;
    if (definition.kind === "header") {
      walkExpression(definition.rule.expression, (inner) => {
        const found = inner.type === "rule_ref" ? this.#find(scope, inner.name) : undefined;
        if (found) meet(found, undefined);
      });
      return definition.rule;
    }
    const { rule, source } = definition;
    const expression = portableExpression(source, rule.expression, (name, library, location) => {
      const found =
        library === undefined
          ? this.#resolve(scope, source, name, location)
          : this.#resolveQualified(scope, source, library, name, location);
      // Only a name that the format's scope resolves is a use of what stands in its files.
      const inFormatScope = scope === this.#formatScope || (library === undefined && !scope.definitions.has(name));
      meet(found, inFormatScope ? (library === undefined ? name : `${library}.`) : undefined);
      return qualifiedName(found);
    });
    return {
      name: qualifiedName(target),
      declared: rule.name,
      ...(rule.expression.type === "named" ? { display: rule.expression.name } : {}),
      expression,
      file: source.path,
      location: rule.nameLocation as SourceRange,
      origin: "grammar",
    };
  }

  #resolve(scope: Scope, source: GrammarSource, name: string, location: SourceRange): Target {
    const found = this.#find(scope, name) ?? this.#find(this.#formatScope, name);
    if (found !== undefined) return found;
    const format = this.#formatScope.chain[0].path;
    const known = [...scope.definitions.keys(), ...this.#formatScope.definitions.keys()];
    if (primitiveNames.includes(name)) {
      throw grammarError(this.#sources.values(), location, `the primitive "${name}" is not imported`, {
        help: `write \`import { ${name} } from "${shippedRoot}/shared/primitives.peggy"\` above the rules`,
      });
    }
    this.#missAsked(name, location);
    const message =
      source.path === format
        ? `the rule "${name}" is used, but nothing defines it`
        : `the rule "${name}" is not defined, and ${source.path} needs it`;
    throw grammarError(this.#sources.values(), location, message, {
      help: `${suggestion(name, known)}Define it in ${format}: \`${name} = ...\``,
    });
  }

  /** Refuses a format that lacks what the family it extends leaves to it. */
  #missAsked(name: string, needed: SourceRange | undefined): void {
    const [own] = this.#formatScope.chain;
    for (const { path, header } of this.#formatScope.chain) {
      const asked = header.asks?.rules.find((rule) => rule.name === name);
      if (asked === undefined) continue;
      const place = own.header.spans.extends ?? rangeAt(own, 0, 0);
      const message = `the rule "${name}" is missing: ${path} leaves it to the format`;
      const notes = needed === undefined ? [] : [grammarNote(this.#sources.values(), needed, "it is needed here")];
      const misspelt = this.#ownRuleNear(name);
      if (misspelt !== undefined) {
        const where = misspelt.nameLocation as SourceRange;
        notes.push(grammarNote(this.#sources.values(), where, `"${misspelt.name}" may be meant for it`));
      }
      throw grammarError(this.#sources.values(), place, message, {
        help: `define it below the header, for instance ${name} = ${asked.body}`,
        notes,
      });
    }
  }

  /** A rule of the format's own file whose name is near one that is missing, and that nothing else calls for. */
  #ownRuleNear(name: string): ast.Rule | undefined {
    const [own, ...inherited] = this.#formatScope.chain;
    const taken = inherited.flatMap(({ tree, header }) => [
      ...tree.rules.map((rule) => rule.name),
      ...(header.asks?.rules ?? []).map((rule) => rule.name),
    ]);
    const near = nearestName(
      name,
      own.tree.rules.map((rule) => rule.name).filter((known) => !taken.includes(known)),
    );
    return own.tree.rules.find((rule) => rule.name === near);
  }

  #resolveQualified(scope: Scope, source: GrammarSource, library: string, name: string, location: SourceRange): Target {
    const path = scope.namespaces.get(library);
    if (path === undefined) {
      throw grammarError(this.#sources.values(), location, `"${library}" is not imported`, {
        help: `${suggestion(library, scope.namespaces.keys())}Write \`import * as ${library} from "..."\`.`,
      });
    }
    return this.#findImported(source, path, name, location);
  }

  /** An import that nothing uses names something all the same, or it is misspelt. */
  #checkImport(scope: Scope, { name, location }: UnusedName): void {
    const path = scope.namespaces.get(name);
    if (path === undefined) this.#find(scope, name);
    else this.#importedScope(scope.chain[0], path, location);
  }

  /** What a name means in a scope alone. */
  #find(scope: Scope, name: string): Target | undefined {
    const definition = scope.definitions.get(name);
    if (definition === undefined) return undefined;
    if (definition.kind !== "import") return { scope, definition };
    return this.#findImported(definition.source, definition.path, definition.original, definition.location);
  }

  #findImported(source: GrammarSource, path: string, name: string, location: SourceRange): Target {
    const scope = this.#importedScope(source, path, location);
    const definition = scope.definitions.get(name);
    if (definition?.kind === "import") {
      throw grammarError(this.#sources.values(), location, `${path} does not define "${name}" but imports it`, {
        help: `import it from ${definition.path}`,
        notes: [grammarNote(this.#sources.values(), definition.location, "imported here")],
      });
    }
    if (definition !== undefined) return { scope, definition };
    // What that file itself imports is imported from where it stands.
    const known = [...scope.definitions].filter(([, { kind }]) => kind !== "import").map(([own]) => own);
    throw grammarError(this.#sources.values(), location, `${path} does not define "${name}"`, {
      help: `${suggestion(name, known)}It defines ${known.join(", ")}.`,
    });
  }

  #importedScope(source: GrammarSource, path: string, location: SourceRange): Scope {
    const known = this.#scopes.get(path);
    if (known !== undefined) return known;
    if (this.#formatScope.chain.some((inherited) => inherited.path === path)) {
      throw grammarError(this.#sources.values(), location, `${path} is extended by the format, and imported here`, {
        help: "what a format extends is in its scope: remove the import and use the plain name",
      });
    }
    const imported = this.#read(path);
    if (imported === undefined) throw this.#missing(source, path, location);
    const scope = this.#makeScope(imported, stemOf(path));
    for (const [other, { stem }] of this.#scopes) {
      if (stem !== scope.stem) continue;
      throw grammarError(this.#sources.values(), location, `two imported files are called "${scope.stem}"`, {
        help: `rename ${path} or ${other}: the rules of a file are distinguished by its name`,
      });
    }
    this.#scopes.set(path, scope);
    return scope;
  }

  /** Merges a file with what it extends; the nearest definition of a name wins. */
  #makeScope(source: GrammarSource, stem: string | undefined): Scope {
    const chain = this.#followExtends(source);
    const scope: Scope = { stem, chain, definitions: new Map(), namespaces: new Map() };
    for (const inherited of chain) {
      for (const [name, definition] of this.#definitionsOf(inherited)) {
        if (!scope.definitions.has(name)) scope.definitions.set(name, definition);
      }
      for (const { what, from } of inherited.tree.imports) {
        for (const binding of what) {
          if (binding.type !== "import_binding_all" || scope.namespaces.has(binding.binding)) continue;
          scope.namespaces.set(binding.binding, this.#pathOf(folderOf(inherited.path), from.module));
        }
      }
    }
    return scope;
  }

  #followExtends(source: GrammarSource): GrammarSource[] {
    const chain = [source];
    for (const inheriting of chain) {
      const { header } = inheriting;
      if (header.extends === undefined) continue;
      const root = isShipped(inheriting.path) ? shippedRoot : this.#root;
      const path = this.#pathOf(root, `${header.extends}.peggy`);
      const range = header.spans.extends as SourceRange;
      if (chain.some((known) => known.path === path)) {
        const names = [...chain.map((known) => known.path), path].join(" -> ");
        throw grammarError(this.#sources.values(), range, `a grammar cannot extend itself: ${names}`, {
          help: "remove one of these `extends`",
        });
      }
      const inherited = this.#read(path);
      if (inherited === undefined) throw this.#missing(inheriting, path, range);
      chain.push(inherited);
    }
    return chain;
  }

  #definitionsOf(source: GrammarSource): Map<string, Definition> {
    const definitions = new Map<string, Definition>();
    const places = new Map<string, SourceRange>();
    const define = (name: string, range: SourceRange, definition: Definition): void => {
      const first = places.get(name);
      if (first !== undefined) {
        throw grammarError([source], range, `"${name}" is already defined`, {
          help: "rename one of the two; a rule that is to replace an inherited one stands in the file that extends",
          notes: [grammarNote([source], first, "first defined here")],
        });
      }
      places.set(name, range);
      definitions.set(name, definition);
    };
    for (const { what, from } of source.tree.imports) {
      const path = this.#pathOf(folderOf(source.path), from.module);
      for (const binding of what) {
        const location = binding.location as SourceRange;
        if (binding.type === "import_binding_default") {
          throw grammarError([source], location, "a file has no default rule to import", {
            help: `name the rules: \`import { ${binding.binding} } from "${from.module}"\``,
          });
        }
        if (binding.type === "import_binding_all") continue;
        const original = binding.type === "import_binding_rename" ? binding.rename : binding.binding;
        define(binding.binding, location, { kind: "import", source, path, original, location });
      }
    }
    for (const rule of source.tree.rules) {
      define(rule.name, rule.nameLocation as SourceRange, { kind: "rule", source, rule });
    }
    return definitions;
  }

  /** Inside the package, `toolpeg/shared/json.peggy` is the file itself: a grammar moves in and out unedited. */
  #pathOf(folder: string, path: string): string {
    const joined = joinPath(folder, path);
    if (!isShipped(joined)) return joined;
    const local = joinPath(this.#root, joined.slice(shippedRoot.length + 1));
    const shipped = loadShippedGrammar(joined);
    return shipped !== undefined && !isShipped(local) && this.#load(local) === shipped ? local : joined;
  }

  #missing(source: GrammarSource, path: string, location: SourceRange): Error {
    const shipped = shippedGrammarPaths();
    const isExtended = location === source.header.spans.extends;
    // The name of the file says what is meant, wherever it was looked for.
    const near = nearestName(stemOf(path), shipped.map(stemOf));
    const meant = shipped.find((known) => stemOf(known) === near);
    const written = isExtended ? meant?.replace(/\.peggy$/, "") : meant;
    const hint = written === undefined ? "" : `did you mean "${written}"? `;
    const folders = isExtended
      ? `\`extends\` counts from ${this.#root || "the folder of the file"}`
      : "an import counts from the folder of the file it stands in";
    return grammarError([source], location, `there is no grammar ${path}`, {
      help: `${hint}What ships with the package begins with \`${shippedRoot}/\`; ${folders}.`,
    });
  }

  #read(path: string): GrammarSource | undefined {
    const known = this.#sources.get(path);
    if (known !== undefined) return known;
    const text = this.#load(path) ?? loadShippedGrammar(path);
    return text === undefined ? undefined : this.#parse({ path, text });
  }

  #parse(file: GrammarFile): GrammarSource {
    const source = parsedOnce(file);
    this.#sources.set(file.path, source);
    return source;
  }
}

/** The last files that were parsed, by path: most grammars share most of theirs. */
const parsed = new Map<string, GrammarSource>();
const parsedMax = 200;

function parsedOnce({ path, text }: GrammarFile): GrammarSource {
  // Some editors put a byte order mark before it.
  const file = { path, text: text.replace(/^\uFEFF/, "") };
  const known = parsed.get(file.path);
  if (known?.text === file.text) return known;
  const source = { ...file, header: readHeader(file), tree: parseGrammarText(file) };
  if (parsed.size >= parsedMax) parsed.clear();
  parsed.set(file.path, source);
  return source;
}

/** Rules and imports of the format's own file that no reference in its scope is written with. */
function unusedNames(own: ast.Grammar, start: string, used: ReadonlySet<string>): UnusedName[] {
  const unused: UnusedName[] = [];
  for (const { name, nameLocation } of own.rules) {
    if (name !== start && !used.has(name)) unused.push({ kind: "rule", name, location: nameLocation as SourceRange });
  }
  for (const { what } of own.imports) {
    for (const { type, binding, location } of what) {
      const written = type === "import_binding_all" ? `${binding}.` : binding;
      if (!used.has(written)) unused.push({ kind: "import", name: binding, location: location as SourceRange });
    }
  }
  return unused;
}

/** Rules that stand in place of one of the same name in a file that is extended. */
function replacedRules(chain: readonly GrammarSource[]): ReplacedRule[] {
  return chain.flatMap((source, at) =>
    source.tree.rules.flatMap((rule) => {
      for (const inherited of chain.slice(at + 1)) {
        const replaced = inherited.tree.rules.find(({ name }) => name === rule.name);
        if (replaced === undefined) continue;
        return [
          {
            name: rule.name,
            location: rule.nameLocation as SourceRange,
            inherited: replaced.nameLocation as SourceRange,
            declared: source.header.overrides?.includes(rule.name) === true,
          },
        ];
      }
      return [];
    }),
  );
}

function qualifiedName({ scope, definition }: Target): string {
  const { name } = definition.rule;
  return scope.stem === undefined ? name : `${scope.stem}.${name}`;
}
