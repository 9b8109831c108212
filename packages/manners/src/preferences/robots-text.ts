// Statements in robots.txt: Content-Signal, Content-Usage and License.
import { readContentSignal, readContentUsage } from './fields.ts'
import { matchesPath, specificity } from './path-pattern.ts'
import { sourceOf, type Statement } from './statements.ts'

/** Statements of a robots.txt for one bot. */
export interface RobotsStatements {
  /** Returns the statements about a page. */
  about(url: URL): readonly Statement[]
  /** URLs of RSL licences. */
  readonly licenses: readonly string[]
}

/** A line with a statement. */
interface Line {
  readonly pattern: string
  readonly statements: readonly Statement[]
}

interface Group {
  readonly bots: Set<string>
  readonly lines: Line[]
}

const maxLines = 50_000
const maxLicenses = 20
const maxStatements = 1_000
const readers = { 'content-signal': readContentSignal, 'content-usage': readContentUsage } as const

/**
 * Reads robots.txt for the bot with this name. Of the groups for it, or else for all bots, the statements with the longest
 * matching path apply; a statement without a path applies to every page. Statements before the first group apply to every bot.
 */
export function readRobotsStatements(text: string, where: string, bot: string): RobotsStatements {
  const { groups, licenses } = groupsOf(text, where)
  const [everywhere, ...named] = groups
  const own = named.filter(({ bots }) => bots.has(bot.toLowerCase()))
  const chosen = own.length > 0 ? own : named.filter(({ bots }) => bots.has('*'))
  const lines = [everywhere!, ...chosen].flatMap((group) => group.lines)
  return { about: (url) => applying(lines, url), licenses }
}

function groupsOf(text: string, where: string): { groups: readonly Group[]; licenses: readonly string[] } {
  const groups: Group[] = [{ bots: new Set(), lines: [] }]
  const licenses = new Set<string>()
  let isNaming = false
  let count = 0
  for (const [name, value, line] of linesOf(text)) {
    if (/^user[- ]?agent$/.test(name)) {
      if (!isNaming) groups.push({ bots: new Set(), lines: [] })
      isNaming = true
      groups.at(-1)!.bots.add(tokenOf(value))
      continue
    }
    // A sitemap or a licence is not a member of a group (RFC 9309, 2.2.4).
    if (name === 'sitemap') continue
    if (name === 'license') {
      const url = URL.parse(value, where)
      if (url && licenses.size < maxLicenses) licenses.add(url.href)
      continue
    }
    isNaming = false
    if (name !== 'content-signal' && name !== 'content-usage') continue
    const [, pattern = '', stated = ''] = /^(\/\S*)?\s*(.*)$/.exec(value) ?? []
    const statements = readers[name](stated, sourceOf(where, line))
    if (statements.length > 0 && (count += 1) <= maxStatements) groups.at(-1)!.lines.push({ pattern, statements })
  }
  return { groups, licenses: [...licenses] }
}

/** Returns the statements with the most specific path, separately for each signal and use. */
function applying(lines: readonly Line[], url: URL): readonly Statement[] {
  const path = `${url.pathname}${url.search}`
  const best = new Map<string, { length: number; statements: Statement[] }>()
  for (const { pattern, statements } of lines) {
    if (pattern !== '' && !matchesPath(pattern, path)) continue
    const length = specificity(pattern)
    for (const statement of statements) {
      const key = `${statement.signal} ${statement.use}`
      const known = best.get(key)
      if (!known || length > known.length) best.set(key, { length, statements: [statement] })
      else if (length === known.length) known.statements.push(statement)
    }
  }
  return [...best.values()].flatMap((one) => one.statements)
}

function* linesOf(text: string): Generator<readonly [name: string, value: string, line: string]> {
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/, maxLines)) {
    const hash = raw.indexOf('#')
    const line = (hash < 0 ? raw : raw.slice(0, hash)).trim()
    const colon = line.indexOf(':')
    if (colon < 0) continue
    yield [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim(), line]
  }
}

function tokenOf(value: string): string {
  return value.startsWith('*') ? '*' : (/^[\w-]*/.exec(value)?.[0] ?? '').toLowerCase()
}
