declare module "@prantlf/railroad-diagrams/lib/index.mjs" {
  export interface Part {
    readonly width: number;
  }
  type Child = Part | string;
  export class Diagram implements Part {
    constructor(...items: Child[]);
    readonly width: number;
    format(padding?: number): this;
    toSVG(): SVGSVGElement;
  }
  export class Sequence implements Part {
    constructor(...items: Child[]);
    readonly width: number;
  }
  export class Stack extends Sequence {}
  export class Choice implements Part {
    constructor(normal: number, ...items: Child[]);
    readonly width: number;
  }
  export class Optional implements Part {
    constructor(item: Child, skip?: "skip");
    readonly width: number;
  }
  export class OneOrMore implements Part {
    constructor(item: Child, repeat?: Child);
    readonly width: number;
  }
  export class ZeroOrMore implements Part {
    constructor(item: Child, repeat?: Child, skip?: "skip");
    readonly width: number;
  }
  export class Group implements Part {
    constructor(item: Child, label?: Child);
    readonly width: number;
  }
  export class Terminal implements Part {
    constructor(text: string, href?: string);
    readonly width: number;
  }
  export class NonTerminal implements Part {
    constructor(text: string, href?: string);
    readonly width: number;
  }
  export class Skip implements Part {
    readonly width: number;
  }
}
