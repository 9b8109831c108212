/** Returns the value for the name between two positions of the HTML. Ignores case. */
export type ReadName<Name> = (html: string, from: number, end: number) => Name

const slots = 1024

/**
 * Returns a function that maps names to values, and calls `make` with unknown names in lower case. For speed, it hashes the
 * characters in place and compares them with the only known name for that hash, instead of slicing each name for a map lookup.
 */
export function nameReader<Name>(
  known: Iterable<readonly [name: string, means: Name]>,
  make: (name: string) => Name,
): ReadName<Name> {
  const names: string[] = Array.from({ length: slots }, () => '')
  const meanings = Array.from<Name | undefined>({ length: slots })
  const all = new Map(known)
  for (const [name, means] of all) {
    const slot = slotOf(name, 0, name.length)
    if (names[slot] !== '') continue
    names[slot] = name
    meanings[slot] = means
  }
  return (html, from, end) => {
    const slot = slotOf(html, from, end)
    if (isAt(html, from, end, names[slot]!)) return meanings[slot]!
    const name = html.slice(from, end).toLowerCase()
    return all.get(name) ?? make(name)
  }
}

// These multipliers avoid collisions between the names of HTML.
function slotOf(text: string, from: number, end: number): number {
  const length = end - from
  const middle = text.charCodeAt(from + (length >> 1))
  return (text.charCodeAt(from) * 110 + middle * 415 + text.charCodeAt(end - 1) * 345 + length * 363) & (slots - 1)
}

function isAt(html: string, from: number, end: number, name: string): boolean {
  if (name.length !== end - from) return false
  for (let at = from; at < end; at++) if (html.charCodeAt(at) !== name.charCodeAt(at - from)) return false
  return true
}
