/** Texts for people are not mutated: what they say is proven by reading, and there are hundreds. */

const sentence = /[a-z,;:] \S/i;

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "sentences",
    value: {
      shouldIgnore({ node }) {
        const texts =
          node.type === "StringLiteral"
            ? [node.value]
            : node.type === "TemplateLiteral"
              ? node.quasis.map((part) => part.value.raw)
              : [];
        return texts.some((text) => sentence.test(text)) ? "a text for people" : undefined;
      },
    },
  },
];
