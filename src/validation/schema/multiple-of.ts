/** Whether one number divides another, as they are written: 0.0075 is 75 times 0.0001, whatever binary makes of it. */
export function multipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = decimalOf(value);
  const [divisorDigits, divisorExponent] = decimalOf(divisor);
  const shift = exponent - divisorExponent;
  // Digits of a number and exponents of doubles are few, so these are numbers of some hundred digits at most.
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : digits;
  const scaledDivisor = shift < 0 ? divisorDigits * 10n ** BigInt(-shift) : divisorDigits;
  return scaled % scaledDivisor === 0n;
}

function decimalOf(value: number): [digits: bigint, exponent: number] {
  const [mantissa, exponent = "0"] = String(value).split("e") as [string, string?];
  const [whole, fraction = ""] = mantissa.split(".") as [string, string?];
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
