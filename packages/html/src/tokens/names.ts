/** Reads the name that stands from one place of a page to another, in any case. */
export type ReadName<Name> = (html: string, from: number, end: number) => Name

const slots = 1024

/**
 * Knows names by what they mean. A page has thousands: to cut each of them out and to look it up costs more than to compare
 * its letters with the one known name that it can be. Of others `make` is asked.
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

// With these multipliers no two names that HTML knows share a slot.
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
