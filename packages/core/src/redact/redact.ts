import { findEmails } from './emails.ts'
import { findFinancial } from './financial.ts'
import { findPhones } from './phones.ts'
import { findSecrets } from './secrets.ts'
import type { Find, FoundEntity, Span } from './span.ts'

export type { FoundEntity, Span } from './span.ts'

/** Options of a redaction. */
export interface Redaction {
  readonly mode: 'accurate' | 'aggressive' | 'fast'
  readonly entities: readonly FoundEntity[]
  readonly replaceStyle: 'tag' | 'mask' | 'remove'
}

/** Maximum length of the input in characters. A longer input is replaced by an empty string. */
export const maxRedacted = 250_000

// In order of precedence, for spans that overlap.
const finders: readonly (readonly [FoundEntity, Find])[] = [
  ['SECRET', findSecrets],
  ['EMAIL', findEmails],
  ['FINANCIAL', findFinancial],
  ['PHONE', findPhones],
]
const ranks = finders.map(([entity]) => entity)
const numbers: readonly FoundEntity[] = ['FINANCIAL', 'PHONE']

/**
 * Finds personal data of the requested entities by patterns and check digits. Returns spans without overlaps, in order of their
 * position; empty if there are none.
 */
export function findPersonalData(
  text: string,
  { mode, entities }: Pick<Redaction, 'mode' | 'entities'>,
): readonly Span[] {
  const options = { isAggressive: mode === 'aggressive' }
  const find = (wanted: readonly FoundEntity[]) =>
    finders.flatMap(([entity, findIn]) => (wanted.includes(entity) ? findIn(text, options) : []))
  const isNumber = numbers.some((entity) => entities.includes(entity))
  // Always search both kinds of numbers, so that the kind of a number does not depend on the requested ones.
  const found = isNumber ? withoutOverlaps(find(numbers)).filter(({ entity }) => entities.includes(entity)) : []
  const others = entities.filter((entity) => !numbers.includes(entity))
  return withoutOverlaps([...find(others), ...found])
}

/** Returns the spans in order. Of two that overlap, the first remains, unless one with precedence covers its end. */
function withoutOverlaps(found: readonly Span[]): Span[] {
  const rankOf = ({ entity }: Span) => ranks.indexOf(entity)
  const inOrder = found.toSorted((one, other) => one.start - other.start || rankOf(one) - rankOf(other))
  const spans: Span[] = []
  let end = 0
  for (const [index, span] of inOrder.entries()) {
    if (span.start < end) continue
    const next = inOrder[index + 1]
    if (next && next.start < span.end && rankOf(next) < rankOf(span) && next.end >= span.end) continue
    end = span.end
    spans.push(span)
  }
  return spans
}

/**
 * Returns Markdown with personal data replaced. Returns the empty string if the Markdown is too long (`maxRedacted` characters)
 * or the search fails, so that nothing is shown unredacted.
 */
export function redact(text: string, redaction: Redaction): string {
  if (text.length > maxRedacted) return ''
  try {
    return replaced(text, redaction)
  } catch {
    return ''
  }
}

/** Returns a warning if Markdown is too long to redact (more than `maxRedacted` characters), otherwise `undefined`. */
export function redactionProblem(text: string): string | undefined {
  if (text.length <= maxRedacted) return undefined
  return `The Markdown is empty: redactPII reads at most ${maxRedacted} characters, and it has ${text.length}.`
}

function replaced(text: string, redaction: Redaction): string {
  const parts: string[] = []
  const isInTable = findHtmlTables(text)
  let from = 0
  for (const { start, end, entity } of findPersonalData(text, redaction)) {
    const replacement = replacementOf(text.slice(start, end), entity, redaction)
    const isHtml = redaction.replaceStyle === 'tag' && isInTable(start)
    parts.push(text.slice(from, start), isHtml ? `&lt;${entity}&gt;` : replacement)
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** Returns a function that returns whether a position is in a table that is written as HTML. Positions must be in order. */
function findHtmlTables(text: string): (position: number) => boolean {
  const opening = /^[ \t>]*<table>/gm
  let [start, end] = [-1, 0]
  return (position) => {
    while (end <= position && start < text.length) {
      opening.lastIndex = end
      start = opening.exec(text)?.index ?? text.length
      const closing = text.indexOf('</table>', start)
      end = closing < 0 ? text.length : closing
    }
    return start < position
  }
}

function replacementOf(found: string, entity: FoundEntity, { replaceStyle }: Redaction): string {
  if (replaceStyle === 'tag') return `<${entity}>`
  return replaceStyle === 'mask' ? '*'.repeat(found.length) : ''
}
