/** What is made of an object is made once, and kept as long as the object is. */
/* @__NO_SIDE_EFFECTS__ */
export function onceFor<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, Made>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as Made;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
