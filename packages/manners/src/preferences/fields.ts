// The syntax of single values: Content-Signal, Content-Usage, robots tags and Link headers.
import { uses, type Signal, type Source, type Statement, type Use } from './statements.ts'

const maxParts = 100
const answers: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
  ['y', true],
  ['n', false],
])

/** Uses by the names in Content-Signal. */
const signalled = new Map<string, readonly Use[]>([
  ['search', ['search']],
  ['ai-input', ['ai-input']],
  ['ai-train', ['ai-train']],
])

/** Uses by the categories of Content-Usage, including those of earlier drafts. */
const categories = new Map<string, readonly Use[]>([
  ['all', uses],
  ['bots', uses],
  ['ai', ['ai-input', 'ai-train']],
  ['train-ai', ['ai-train']],
  ['train-genai', ['ai-train']],
  ['genai', ['ai-train']],
  ['ai-train', ['ai-train']],
  ['ai-use', ['ai-input']],
  ['ai-output', ['ai-input']],
  ['ai-input', ['ai-input']],
  ['search', ['search']],
  ['tdm', ['tdm']],
])

/** Reads the value of Content-Signal, such as `search=yes, ai-train=no`. Unknown names and values are ignored. */
export function readContentSignal(value: string, source: Source): readonly Statement[] {
  return readAnswers(value, signalled, 'content-signal', source)
}

/**
 * Reads the value of Content-Usage, such as `bots=n, search=y`. A more specific category decides over one that contains it.
 * Unknown names and values are ignored.
 */
export function readContentUsage(value: string, source: Source): readonly Statement[] {
  return readAnswers(value, categories, 'content-usage', source)
}

function readAnswers(
  value: string,
  names: ReadonlyMap<string, readonly Use[]>,
  signal: Signal,
  source: Source,
): readonly Statement[] {
  // The last value of a name counts, as in every dictionary of structured fields (RFC 9651).
  const stated = new Map<string, boolean>()
  for (const part of value.split(/[,\s]+/, maxParts)) {
    const [, name = '', answer = ''] = /^([\w*.-]+)=([\w?]+)(?:;|$)/.exec(part) ?? []
    const allowed = answers.get(answer.toLowerCase())
    if (allowed !== undefined) stated.set(name.toLowerCase(), allowed)
  }
  const decided = new Map<Use, { readonly width: number; readonly allowed: boolean }>()
  for (const [name, allowed] of stated) {
    const covered = names.get(name) ?? []
    const width = covered.length
    for (const use of covered) {
      const known = decided.get(use)
      const isMoreSpecific = !known || width < known.width
      // Of two equally specific categories, the one that forbids the use decides.
      if (isMoreSpecific || (width === known.width && !allowed)) decided.set(use, { width, allowed })
    }
  }
  return [...decided].map(([use, { allowed }]) => ({ use, allowed, signal, ...source }))
}

// Directives of robots tags that have a value; any other word before a colon names a bot.
const withValue: ReadonlySet<string> = new Set([
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
  'unavailable_after',
])

/** Reads `X-Robots-Tag` or a robots `meta` element: `noai` and `noimageai`, for every bot or the bot with this name. */
export function readRobotsTag(value: string, bot: string, source: Source): readonly Statement[] {
  const found: Statement[] = []
  let isOurs = true
  for (const part of value.split(',', maxParts)) {
    const [before = '', after] = splitAt(part, ':')
    const name = before.trim().toLowerCase()
    const isNamed = after !== undefined && /^(?:\*|[\w-]+)$/.test(name) && !withValue.has(name)
    if (isNamed) isOurs = name === bot.toLowerCase() || name === '*'
    const directive = (isNamed ? after : before).trim().toLowerCase()
    if (!isOurs) continue
    const statement = { use: 'ai-train', allowed: false, signal: 'robots-tag', ...source } as const
    if (directive === 'noai') found.push(statement)
    if (directive === 'noimageai') found.push({ ...statement, of: 'images' })
  }
  return found
}

/** Reads a value of `tdm-reservation`: 1 reserves text and data mining, 0 allows it. */
export function readReservation(value: unknown, source: Source): readonly Statement[] {
  const text = String(value).trim()
  if (text !== '0' && text !== '1') return []
  return [{ use: 'tdm', allowed: text === '0', signal: 'tdm-reservation', ...source }]
}

/** Returns the targets of the links in a `Link` header that are RSL licences. */
export function rslLinks(header: string): readonly string[] {
  const found: string[] = []
  let at = header.indexOf('<')
  for (let count = 0; at >= 0 && count < maxParts; count += 1) {
    const end = header.indexOf('>', at)
    if (end < 0) break
    const next = header.indexOf('<', end)
    const parameters = header.slice(end + 1, next < 0 ? undefined : next).toLowerCase()
    if (/;\s*rel="?[^";]*\blicense\b/.test(parameters) && parameters.includes('application/rsl+xml'))
      found.push(header.slice(at + 1, end).trim())
    at = next
  }
  return found
}

/** Splits at the first occurrence of a separator; one part without it. */
function splitAt(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
