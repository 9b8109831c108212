/** Default and maximum tokens of a response. Clients reject responses of 25,000 tokens. */
export const defaultResponseTokens = 6_000
export const maxResponseTokens = 20_000

const bytesPerToken = 3

/** Estimates the number of tokens, one for each 3 bytes of UTF-8: rather too high than too low. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

export interface Part {
  readonly text: string
  readonly from: number
  /** Offset of the rest; absent at the end. */
  readonly next: number | undefined
}

/**
 * Returns a part of a string that fits the token budget, cut at the end of a block if one is in its second half. `from` counts
 * characters. `next` is where the rest begins, or `undefined` at the end.
 */
export function partOf(text: string, from: number, tokens: number): Part {
  const start = Math.min(Math.max(0, from), text.length)
  let end = Math.min(text.length, start + tokens * bytesPerToken)
  while (end > start && tokensOf(text.slice(start, end)) > tokens) end = start + Math.floor((end - start) * 0.8)
  if (end < text.length) {
    const block = text.lastIndexOf('\n\n', end)
    if (block > start + (end - start) / 2) end = block + 2
    // Do not split a surrogate pair.
    else if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
  }
  return { text: text.slice(start, end), from: start, next: end < text.length ? end : undefined }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd8_00 && code < 0xdc_00
}

export interface Section {
  readonly title: string
  readonly depth: number
  readonly offset: number
  readonly tokens: number
}

/**
 * Returns the headings of a Markdown string, with the offset and token count of each section. Offsets are in
 * characters. Empty without headings.
 */
export function outlineOf(markdown: string): readonly Section[] {
  const found: { title: string; depth: number; offset: number }[] = []
  let isCode = false
  let offset = 0
  for (const line of markdown.split('\n')) {
    if (/^(```|~~~)/.test(line)) isCode = !isCode
    const heading = isCode ? undefined : /^(#{1,6})\s+(.+)/.exec(line)
    if (heading) found.push({ title: heading[2] ?? '', depth: heading[1]?.length ?? 1, offset })
    offset += line.length + 1
  }
  return found.map((section, index) => ({
    ...section,
    tokens: tokensOf(markdown.slice(section.offset, found[index + 1]?.offset ?? markdown.length)),
  }))
}

export interface Passage {
  readonly offset: number
  readonly text: string
}

/**
 * Returns up to `most` paragraphs that contain the most query words, best first, with offsets in characters; empty if
 * none has any.
 */
export function passagesOf(text: string, query: string, most: number): readonly Passage[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
  const passages: (Passage & { readonly score: number })[] = []
  let offset = 0
  for (const block of text.split('\n\n')) {
    const low = block.toLowerCase()
    const score = words.filter((word) => low.includes(word)).length
    if (score > 0) passages.push({ offset, text: block, score })
    offset += block.length + 2
  }
  return passages.toSorted((a, b) => b.score - a.score || a.offset - b.offset).slice(0, most)
}
