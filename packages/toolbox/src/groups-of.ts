/** Divides a list into groups of `size` items, in order. The last one may have fewer. */
export function groupsOf<Item>(size: number, items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
