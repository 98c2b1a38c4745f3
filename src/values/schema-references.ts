import { isObject } from "../contract/is-object.ts";
import { onceFor } from "../contract/once-for.ts";
import type { JsonSchema } from "../contract/types.ts";
import { schemasUnder } from "./schema-keywords.ts";

// Where the references of a schema lead. Everything stays inside one document: a schema in it may have a name of its own
// (`$id`), and then references in it are read from there; nothing is ever fetched.

type SchemaObject = { readonly [keyword: string]: unknown };

/** A schema with an address of its own: the document, or a part of it that has an `$id`. */
export interface Resource {
  readonly root: JsonSchema;
  readonly address: string;
  readonly anchors: Map<string, JsonSchema>;
  readonly dynamicAnchors: Map<string, JsonSchema>;
}

/** The address of a document that has none. */
const noAddress = "document:///";

/** Drafts in which `$ref` stands alone, and in which `$id` also names anchors. */
const earlyDraft = /draft-0[3467]/;

const referencesIn = onceFor((root: Exclude<JsonSchema, boolean>) => new References(root));

/** The references of one document; made once. */
export const referencesOf = (root: JsonSchema): References =>
  typeof root === "boolean" ? new References(root) : referencesIn(root);

/** The references of one document. */
export class References {
  /** The document is of draft 7 or older: what stands beside a `$ref` says nothing. */
  readonly isEarly: boolean;
  readonly #root: JsonSchema;
  readonly #resources = new Map<string, Resource>();
  /** Schemas that do not belong to the document's own resource. */
  readonly #homes = new Map<object, Resource>();
  #home: Resource | undefined;

  constructor(root: JsonSchema) {
    this.#root = root;
    const name = typeof root === "boolean" ? undefined : root.$schema;
    this.isEarly = typeof name === "string" && earlyDraft.test(name);
  }

  /** The resource of the document itself. Names are read when something first asks: most schemas have no references. */
  get home(): Resource {
    if (this.#home === undefined) {
      this.#home = this.#resource(this.#root, noAddress);
      if (typeof this.#root !== "boolean") this.#index(this.#root, this.#home);
    }
    return this.#home;
  }

  /** The resource a schema stands in. */
  resourceOf(schema: object): Resource {
    const { home } = this;
    return this.#homes.get(schema) ?? home;
  }

  /**
   * What a reference in a schema leads to.
   *
   * @param holder The schema in which it stands.
   * @returns undefined when nothing stands there, or when the reference leaves the document.
   */
  target(holder: object, reference: string): JsonSchema | undefined {
    const { resource, fragment } = this.#split(holder, reference);
    if (resource === undefined) return undefined;
    const found = standingAt(resource, fragment);
    // People give parts of a document a name and go on to refer to the whole.
    return found ?? (reference.startsWith("#") ? standingAt(this.home, fragment) : undefined);
  }

  /** The name of the dynamic anchor that a reference leads to; undefined when it leads elsewhere. */
  dynamicName(holder: object, reference: string): string | undefined {
    const { resource, fragment } = this.#split(holder, reference);
    return resource?.dynamicAnchors.has(fragment) ? fragment : undefined;
  }

  #split(holder: object, reference: string): { resource: Resource | undefined; fragment: string } {
    const hash = reference.indexOf("#");
    const address = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = decode(hash < 0 ? "" : reference.slice(hash + 1));
    const from = this.resourceOf(holder);
    return {
      resource: address === "" ? from : this.#resources.get(resolveAddress(address, from.address) ?? ""),
      fragment,
    };
  }

  #resource(root: JsonSchema, address: string): Resource {
    const resource: Resource = { root, address, anchors: new Map(), dynamicAnchors: new Map() };
    this.#resources.set(address, resource);
    return resource;
  }

  #index(root: SchemaObject, home: Resource): void {
    const seen = new Set<object>();
    const work: { schema: SchemaObject; resource: Resource }[] = [{ schema: root, resource: home }];
    for (let step = work.pop(); step !== undefined; step = work.pop()) {
      const { schema } = step;
      if (seen.has(schema)) continue;
      seen.add(schema);
      const resource = this.#named(schema, step.resource);
      if (resource !== home) this.#homes.set(schema, resource);
      for (const [keyword, part] of Object.entries(schema)) {
        for (const below of schemasUnder(keyword, part)) if (isObject(below)) work.push({ schema: below, resource });
      }
    }
  }

  /** Takes note of the names of a schema; comes back with the resource it stands in. */
  #named(schema: SchemaObject, around: Resource): Resource {
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = schema;
    let resource = around;
    if (typeof id === "string" && !(this.isEarly && Object.hasOwn(schema, "$ref"))) {
      if (id.startsWith("#")) around.anchors.set(id.slice(1), schema);
      else resource = this.#namedResource(schema, id, around);
    }
    if (typeof anchor === "string") resource.anchors.set(anchor, schema);
    if (typeof dynamic === "string") resource.dynamicAnchors.set(dynamic, schema);
    return resource;
  }

  #namedResource(schema: SchemaObject, id: string, around: Resource): Resource {
    const address = resolveAddress(id.split("#", 1)[0] as string, around.address);
    if (address === undefined) return around;
    if (schema !== this.#root) return this.#resource(schema, address);
    this.#resources.set(address, Object.assign(this.home, { address }));
    return this.home;
  }
}

function resolveAddress(address: string, base: string): string | undefined {
  try {
    return new URL(address, base).href;
  } catch {
    return undefined;
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A bare per cent sign is not an escape; the pointer is taken as written.
    return fragment;
  }
}

function standingAt(resource: Resource, fragment: string): JsonSchema | undefined {
  if (fragment === "") return resource.root;
  if (!fragment.startsWith("/")) return resource.anchors.get(fragment) ?? resource.dynamicAnchors.get(fragment);
  let place: unknown = resource.root;
  for (const part of fragment.slice(1).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = (place as Record<string, unknown>)[key];
  }
  return typeof place === "boolean" || isObject(place) ? place : undefined;
}
