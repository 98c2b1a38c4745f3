// The formats that `policy.formats: "assert"` checks. Each looks at every character a bounded number of times: what is
// split is split once, and no expression here has a repetition inside another.

/** Whether a text has a format; the value is the developer's word for it. */
export type FormatCheck = (text: string) => boolean;

const date = /^(\d{4})-(\d\d)-(\d\d)$/;
const time = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/;
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const ipv4Part = /^(?:0|[1-9]\d{0,2})$/;
const ipv6Part = /^[\da-f]{1,4}$/i;
const atomText = /^[\w!#$%&'*+/=?^`{|}~-]+$/;
const quotedText = /^(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*$/;
const domainLabel = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i;
const scheme = /^[a-z][a-z\d+.-]*$/i;
const uriText = /^[\w\-.~!$&'()*+,;=:@/?%]*$/;
const authorityText = /^[\w\-.~!$&'()*+,;=:%]*$/;
const badEscape = /%(?![\da-f]{2})/i;
const port = /^\d*$/;

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (monthDays[month - 1] ?? 0) + (month === 2 && isLeap ? 1 : 0);
}

function isDate(text: string): boolean {
  const parts = date.exec(text);
  if (parts === null) return false;
  const [, year, month, day] = parts.map(Number) as [number, number, number, number];
  return day >= 1 && day <= daysIn(year, month);
}

function isTime(text: string): boolean {
  const parts = time.exec(text);
  if (parts === null) return false;
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  // A leap second comes at the end of a day in UTC.
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === "-" ? 1 : -1);
  return (hour * 60 + minute + offset + 2880) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  return (text[10] === "T" || text[10] === "t") && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isIpv4(text: string): boolean {
  const parts = text.length > 15 ? [] : text.split(".");
  return parts.length === 4 && parts.every((part) => ipv4Part.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === "") continue;
    const parts = half.split(":");
    for (const [at, part] of parts.entries()) {
      const isLast = index === halves.length - 1 && at === parts.length - 1;
      if (ipv6Part.test(part)) groups++;
      else if (isLast && isIpv4(part)) groups += 2;
      else return false;
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

/** The longest that RFC 5321 lets a name and a domain be. */
const mailboxCharsMax = 64;
const domainCharsMax = 253;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const mailbox = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1 || mailbox.length > mailboxCharsMax || domain.length > domainCharsMax) return false;
  const isQuoted = mailbox.length > 2 && mailbox.startsWith('"') && mailbox.endsWith('"');
  if (isQuoted ? !quotedText.test(mailbox.slice(1, -1)) : !mailbox.split(".").every((part) => atomText.test(part))) {
    return false;
  }
  if (domain.startsWith("[") && domain.endsWith("]")) {
    const address = domain.slice(1, -1);
    return address.startsWith("IPv6:") ? isIpv6(address.slice(5)) : isIpv4(address);
  }
  return domain.split(".").every((label) => label.length <= 63 && domainLabel.test(label));
}

function isUri(text: string): boolean {
  const colon = text.indexOf(":");
  if (colon < 1 || !scheme.test(text.slice(0, colon)) || badEscape.test(text)) return false;
  const hash = text.indexOf("#", colon);
  const fragment = hash < 0 ? "" : text.slice(hash + 1);
  const rest = text.slice(colon + 1, hash < 0 ? undefined : hash);
  if (!uriText.test(fragment)) return false;
  if (!rest.startsWith("//")) return uriText.test(rest);
  const end = rest.slice(2).search(/[/?]/);
  const authority = end < 0 ? rest.slice(2) : rest.slice(2, end + 2);
  return isAuthority(authority) && (end < 0 || uriText.test(rest.slice(end + 2)));
}

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf("@");
  const host = text.slice(at + 1);
  if (at >= 0 && !authorityText.test(text.slice(0, at))) return false;
  if (host.startsWith("[")) {
    const close = host.indexOf("]");
    const after = host.slice(close + 1);
    return (
      close > 0 && isIpv6(host.slice(1, close)) && (after === "" || (after[0] === ":" && port.test(after.slice(1))))
    );
  }
  const colon = host.indexOf(":");
  if (colon >= 0 && !port.test(host.slice(colon + 1))) return false;
  return authorityText.test(colon < 0 ? host : host.slice(0, colon));
}

/** The formats that are checked, by name. All others stay annotations. */
export const formatChecks: ReadonlyMap<string, FormatCheck> = /* @__PURE__ */ new Map([
  ["date-time", isDateTime],
  ["date", isDate],
  ["time", isTime],
  ["email", isEmail],
  ["uri", isUri],
  ["uuid", (text: string) => text.length === 36 && uuid.test(text)],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
]);
