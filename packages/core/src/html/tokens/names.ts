const slots = 1024
const longest = 24

/**
 * Reads names in lower case. For each of the likely ones it gives always the same string: a page has thousands, and to cut
 * each of them out of it and to look it up costs more than to compare its letters.
 */
export function nameReader(likely: string): (html: string, from: number, end: number) => string {
  const known: (string | undefined)[] = Array.from({ length: slots }, () => undefined)
  for (const name of likely.split(' ')) known[slotOf(name, 0, name.length)] ??= name
  return (html, from, end) => {
    const name = end - from > longest ? undefined : known[slotOf(html, from, end)]
    return name !== undefined && isAt(html, from, end, name) ? name : html.slice(from, end).toLowerCase()
  }
}

function slotOf(text: string, from: number, end: number): number {
  let slot = end - from
  for (let at = from; at < end; at++) slot = (Math.imul(slot, 31) + text.charCodeAt(at)) | 0
  return (slot ^ (slot >>> 10)) & (slots - 1)
}

function isAt(html: string, from: number, end: number, name: string): boolean {
  if (name.length !== end - from) return false
  for (let at = from; at < end; at++) if (html.charCodeAt(at) !== name.charCodeAt(at - from)) return false
  return true
}
