// HTML templates for untrusted strings: every value is escaped unless it is markup already.

export interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Part[] | false | undefined

/**
 * A template literal tag for HTML. Values are escaped, unless they are markup themselves; lists are joined, and `false` and
 * `undefined` print nothing. Indentation of the template is removed.
 */
export function fragment(texts: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return { markup: texts.map((text, index) => narrowed(text) + printed(values[index])).join('') }
}

/** Removes the indentation of the source, which would be half of a report. */
function narrowed(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, '\n')
}

function printed(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(printed).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
// Control and direction characters that a browser would interpret instead of showing.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

function escaped(text: string): string {
  return text.replaceAll(hidden, '\ufffd').replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter)
}
