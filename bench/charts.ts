/** Bars as SVG, readable in light and dark. */
export interface Bar {
  label: string;
  value: number;
  text: string;
}

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export function barChart(
  title: string,
  groups: readonly { name: string; bars: readonly Bar[] }[],
  limit?: number,
): string {
  const rowHeight = 20;
  const left = 210;
  const width = 760;
  const all = groups.flatMap(({ bars }) => bars.map(({ value }) => value));
  // A peer may be a thousand times slower, so the scale is logarithmic.
  const low = Math.log10(Math.min(0.5, ...all));
  const high = Math.log10(Math.max(...all, limit ?? 1) * 1.1);
  const x = (value: number) => left + ((Math.log10(value) - low) / (high - low)) * (width - left - 120);
  let y = 40;
  let body = "";
  for (const { name, bars } of groups) {
    body += `<text x="10" y="${y + 14}" font-weight="bold">${escapeText(name)}</text>\n`;
    for (const { label, value, text } of bars) {
      y += rowHeight;
      const own = label.startsWith("toolpeg") ? "#2f7ed8" : "#9a9a9a";
      body += `<text x="${left - 8}" y="${y + 14}" text-anchor="end">${escapeText(label)}</text>`;
      body += `<rect x="${left}" y="${y + 3}" width="${Math.max(1, x(value) - left).toFixed(1)}" height="14" fill="${own}"/>`;
      body += `<text x="${(Math.max(left + 1, x(value)) + 6).toFixed(1)}" y="${y + 14}">${escapeText(text)}</text>\n`;
    }
    y += rowHeight + 8;
  }
  if (limit !== undefined) {
    const at = x(limit).toFixed(1);
    body += `<line x1="${at}" y1="34" x2="${at}" y2="${y}" stroke="#d83a2f" stroke-dasharray="4 3"/>`;
    body += `<text x="${at}" y="30" text-anchor="middle" fill="#d83a2f">bar: ${limit}x</text>\n`;
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y + 10}" font-family="sans-serif" font-size="12">\n` +
    `<rect width="100%" height="100%" fill="#ffffff"/>\n<text x="10" y="18" font-size="14">${escapeText(title)}</text>\n${body}</svg>\n`
  );
}
