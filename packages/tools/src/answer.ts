import { partOf, tokensOf } from './budget.ts'

/** A part of what a tool answers: words of ours, or words that come from a page, whose address is given. */
export interface Part {
  readonly text: string
  readonly page?: string
  /** A picture in place of words. */
  readonly image?: Image
}

/** A picture as the protocol sends it. */
export interface Image {
  /** In base64. */
  readonly data: string
  readonly mimeType: string
}

export type Answer = readonly Part[]

export const ours = (text: string): Part => ({ text })
export const fromPage = (text: string, page: string): Part => ({ text, page })

/** The text of an answer: what comes from a page stands between marks, as it is not an instruction; ours stands outside. */
export function textOf(answer: Answer): string {
  const parts: Part[] = []
  for (const part of answer) {
    const last = parts.at(-1)
    if (part.text === '') continue
    if (last?.page === undefined || last.page !== part.page) parts.push(part)
    else parts[parts.length - 1] = { ...part, text: `${last.text}\n\n${part.text}` }
  }
  return parts.map(({ text, page }) => (page === undefined ? text : fenced(text, page))).join('\n\n')
}

function fenced(text: string, url: string): string {
  // A page cannot close the fence: the mark is taken out of it.
  const clean = text.replaceAll(/<\/?page-content\b/gi, '<\u200bpage-content')
  return `<page-content url=${JSON.stringify(url)}>\n${clean}\n</page-content>`
}

/** A text of a page within its budget; what is left out is named, with the call that gives it. */
export function within(
  text: string,
  page: string,
  tokens: number,
  from: number,
  readOn: (offset: number) => string,
): Answer {
  const part = partOf(text, from, tokens)
  if (part.next === undefined && from === 0) return [fromPage(text, page)]
  const shown = `Shown: letters ${part.from} to ${part.from + part.text.length} of ${text.length} (about ${tokensOf(text)} tokens).`
  const next = part.next === undefined ? '' : ` Next: ${readOn(part.next)}`
  return [fromPage(part.text, page), ours(shown + next)]
}
