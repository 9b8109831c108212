import { groundIn } from './ground.ts'

export interface Verbatim {
  /** As the page writes them, in its order, none twice. */
  readonly kept: readonly string[]
  /** How many stand nowhere in the page. */
  readonly lost: number
}

/** The passages that stand in the page, in the words of the page. Letter case, blanks and marks of Markdown may differ. */
export function verbatim(passages: readonly string[], text: string): Verbatim {
  const grounded = groundIn(text)
  const found = new Map<number, string>()
  let lost = 0
  for (const passage of passages) {
    const span = grounded.span(passage)
    if (!span) lost += 1
    else found.set(span.from, text.slice(span.from, span.to).trim())
  }
  const inOrder = [...found].sort(([one], [other]) => one - other).map(([, words]) => words)
  return { kept: [...new Set(inOrder)], lost }
}
