// Strings that checkPromptInjection reads in addition to the tree of a page, as HTML.

/** Maximum number of characters of a text file, and of all results of actions, that are read. */
export const maxScreened = 2_000_000

const maxPages = 50

/** Returns HTML that displays the start of a string: its first 2,000,000 characters (`maxScreened`). */
export function asMarkup(text: string): string {
  return `<div>${text.slice(0, maxScreened).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</div>`
}

/**
 * Returns the results of actions: each captured page (at most 50), and all other strings and keys, read both as text and as
 * HTML. Bytes, such as screenshots, are not read. `isCut` is true if there are more than 2,000,000 characters (`maxScreened`),
 * with a newline between two strings; the rest is omitted.
 */
export function actionSources(actions: Readonly<Record<string, readonly unknown[]>>): {
  readonly sources: readonly string[]
  readonly isCut: boolean
} {
  const pages: string[] = []
  const texts: string[] = []
  let left = maxScreened
  let isCut = false
  const take = (into: string[], text: string): void => {
    // Texts are joined by newlines.
    const separator = into === texts && texts.length > 0 ? 1 : 0
    const part = text.slice(0, Math.max(left - separator, 0))
    isCut ||= part.length < text.length
    if (part === '') return
    left -= separator + part.length
    into.push(part)
  }
  const walk = (value: unknown): void => {
    if (isCut) return
    if (typeof value === 'string') take(texts, value)
    else if (Array.isArray(value)) for (const one of value) walk(one)
    else if (isPlain(value))
      for (const [key, one] of Object.entries(value)) {
        if (key === 'html' && typeof one === 'string' && pages.length < maxPages) {
          take(pages, one)
          continue
        }
        take(texts, key)
        walk(one)
      }
  }
  for (const values of Object.values(actions)) for (const value of values) walk(value)
  const text = texts.join('\n')
  const sources = [...pages, ...(text === '' ? [] : [asMarkup(text)]), ...(text.includes('<') ? [text] : [])]
  return { sources, isCut }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
