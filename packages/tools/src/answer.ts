import { partOf, tokensOf } from './budget.ts'

/** A part of a tool response: our own text, or content of the page with this URL. */
export interface Part {
  readonly text: string
  readonly page?: string
  /** The image, for parts that are not text. */
  readonly image?: Image
}

/** An image in the form of MCP. */
export interface Image {
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

export type Answer = readonly Part[]

/** Returns a part of a response that we wrote. */
export const ours = (text: string): Part => ({ text })
/** Returns a part of a response that is content of a page, given by its URL. */
export const fromPage = (text: string, page: string): Part => ({ text, page })

/** Formats the response for a model. Page content is enclosed in tags, so that it is not taken for instructions. */
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
  // Neutralize the tag, so that a page cannot close its enclosure.
  const clean = text.replaceAll(/<\/?page-content\b/gi, '<\u200bpage-content')
  return `<page-content url=${JSON.stringify(url)}>\n${clean}\n</page-content>`
}

/** Returns the tokens of these parts in a response, with the line breaks after them. */
export function renderedTokens(answer: Answer): number {
  return tokensOf(textOf(answer)) + 1
}

/** An entry of a list, with its content and without it. */
interface Entry {
  readonly full: Answer
  readonly short: Answer
}

/** Lists all entries. The ones whose content does not fit into the budget have their short form. */
export function fitEntries(entries: readonly Entry[], tokens: number): Answer {
  let left = tokens - entries.reduce((sum, { short }) => sum + renderedTokens(short), 0)
  return entries.flatMap(({ full, short }) => {
    const more = renderedTokens(full) - renderedTokens(short)
    if (more > left) return short
    left -= more
    return full
  })
}

/**
 * Returns page content from character `from`, within its token budget. If it is cut, names the call that returns the
 * rest.
 */
export function truncateToBudget(
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
