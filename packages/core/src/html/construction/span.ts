/** A stretch of the page, decoded. Pieces that touch are cut out as one. */
export interface Span {
  readonly add: (from: number, to: number) => void
  readonly addCodePoint: (codePoint: number) => void
  /** What was added since the last time. */
  readonly take: () => string
}

export function makeSpan(html: string): Span {
  let decoded = ''
  let start = 0
  let end = 0
  return {
    add: (from, to) => {
      if (from !== end || end === 0) {
        if (end > start) decoded += html.slice(start, end)
        start = from
      }
      end = to
    },
    addCodePoint: (codePoint) => {
      if (end > start) decoded += html.slice(start, end)
      start = end = 0
      decoded += String.fromCodePoint(codePoint)
    },
    take: () => {
      const last = end > start ? html.slice(start, end) : ''
      const all = decoded === '' ? last : decoded + last
      decoded = ''
      start = end = 0
      return all
    },
  }
}
