import { indexText } from './ground.ts'

export interface Verbatim {
  /** As the page writes them, in page order, without duplicates. */
  readonly quoted: readonly string[]
  /** Number of passages that are not on the page. */
  readonly lost: number
}

/**
 * Returns the passages that are on the page, in its exact wording and order, and how many are not (`lost`). Matching ignores
 * case, accents, whitespace and Markdown syntax.
 */
export function findVerbatimPassages(passages: readonly string[], text: string): Verbatim {
  const grounded = indexText(text)
  const found = new Map<number, string>()
  let lost = 0
  for (const passage of passages) {
    const span = grounded.span(passage)
    if (!span) lost += 1
    else found.set(span.from, text.slice(span.from, span.to).trim())
  }
  const inOrder = [...found].sort(([one], [other]) => one - other).map(([, words]) => words)
  return { quoted: [...new Set(inOrder)], lost }
}
