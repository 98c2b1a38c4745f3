/** The path without `.` and `..` segments where they can be resolved; always with forward slashes. */
export function normalisePath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.replaceAll("\\", "/").split("/")) {
    if (segment === "." || (segment === "" && kept.length > 0)) continue;
    if (segment === ".." && kept.length > 0 && kept[kept.length - 1] !== "..") kept.pop();
    else kept.push(segment);
  }
  return kept.join("/");
}

/** The folder of a path, without a slash at its end; "" for a bare file name. */
export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** What the paths of grammars that ship with the package begin with, wherever they are named. */
export const shippedRoot = "toolpeg";

/** `path` seen from `folder`; a path that begins with the name of the package is the same from everywhere. */
export function joinPath(folder: string, path: string): string {
  if (isShipped(path)) return normalisePath(path);
  return normalisePath(folder === "" ? path : `${folder}/${path}`);
}

/** Whether a path names a grammar that ships with the package. */
export function isShipped(path: string): boolean {
  return path.startsWith(`${shippedRoot}/`);
}

/** The file name without folder and ending. */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
}

/**
 * The folder that `extends` counts from: the last one called `grammars` on the way to the entry, otherwise the folder
 * the entry stands in.
 */
export function grammarsRoot(entryPath: string): string {
  const segments = folderOf(entryPath).split("/");
  const last = segments.lastIndexOf("grammars");
  return last === -1 ? folderOf(entryPath) : segments.slice(0, last + 1).join("/");
}
