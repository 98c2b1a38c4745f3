/** What `toolpeg/plugin` makes of a grammar: `"types": ["toolpeg/plugin/modules"]` in a tsconfig. */
declare module "*.peggy" {
  const format: import("toolpeg/core").Format;
  export default format;
}
