/** The last of a list, if there is one. To ask for the place -1 of an empty list takes as long as ten steps of the machine. */
export const lastOf = <Item>(list: readonly Item[]): Item | undefined =>
  list.length === 0 ? undefined : list[list.length - 1];
