// Differences between page versions that do not count as changes. Each rule is documented in docs/changes.md, with an example.
import { compilePatterns, isPatternProblem, type Patterns } from '@harvestman/json-schema'

/**
 * Content that is ignored in addition to the rules: text of selected elements, and lines that match a pattern of the caller.
 */
export interface Ignored {
  readonly texts: readonly string[]
  readonly patterns: Patterns
}

export const nothingIgnored: Ignored = { texts: [], patterns: mustCompile([]) }

function mustCompile(sources: readonly string[]): Patterns {
  const compiled = compilePatterns(sources)
  if (isPatternProblem(compiled)) throw new Error(compiled.problem)
  return compiled
}

/** A line of a page: its text, and the key by which it is compared. */
export interface PageLine {
  readonly text: string
  /** Empty for a line that is ignored. */
  readonly key: string
}

const maxLines = 50_000
const maxLineLength = 20_000

/**
 * Returns all lines of a page in Markdown, each with the key by which it is compared. The key is empty for blank lines and for
 * lines in `ignored`, which remain in the result. After 50,000 lines, the rest is one line.
 */
export function linesOf(markdown: string, ignored: Ignored = nothingIgnored): PageLine[] {
  const hidden = new Set(ignored.texts.flatMap((text) => text.split('\n')).map(plain))
  hidden.delete('')
  const lines = markdown.split('\n')
  // The rest of an extremely long page counts as one line.
  const counted = lines.length > maxLines ? [...lines.slice(0, maxLines), lines.slice(maxLines).join(' ')] : lines
  return counted.map((text) => ({ text, key: keyOf(text, hidden, ignored.patterns) }))
}

function keyOf(text: string, hidden: ReadonlySet<string>, patterns: Patterns): string {
  if (text.trim() === '') return ''
  if (hidden.size > 0 && hidden.has(plain(text))) return ''
  if (!patterns.isEmpty && patterns.find(text.slice(0, maxLineLength)) !== undefined) return ''
  return normalizeLine(text)
}

/** Normalizes a line for comparison with the text of an element. Markdown syntax and punctuation are removed. */
function plain(line: string): string {
  return line
    .slice(0, maxLineLength)
    .replaceAll(/!?\[([^[\]]{0,1000})\]\([^()]{0,2000}\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

/** Query parameters that identify visits, builds and campaigns. */
const stampedParameter =
  /^(?:v|ver|version|t|ts|time|timestamp|_|cb|cache|cachebuster|hash|h|rev|build|rnd|rand|nonce|token|csrf|sid|session|sessionid|jsessionid|phpsessid|fbclid|gclid|msclkid|ref|utm_\w+)$/i

function withoutStamps(address: string): string {
  const [path = '', query] = address.replace(/;jsessionid=[^?#]*/i, '').split('?', 2)
  const parameters = query
    ?.split('#', 1)[0]
    ?.split('&')
    .filter((pair) => !stampedParameter.test(pair.split('=', 1)[0] ?? ''))
    .join('&')
  const file = path
    // app.3f2a9c1b.js and 3f2a9c1b4d5e/app.js are the same file of different builds.
    .replaceAll(/(?<=[./_-])(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{8,64}(?=[./_-]|$)/gi, '#')
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, '#')
  return parameters ? `${file}?${parameters}` : file
}

// Every repetition is limited, and no match begins within a number, because pages may be long and malicious.
const number = String.raw`(?<![\d.,])\d[\d.,  ']{0,20}\s?(?:k|m|mio|mln|tsd|tys|万|億|만)?\.?`
const counted = [
  'views?|visits?|visitors?|likes?|dislikes?|shares?|comments?|replies|reactions?|followers?|subscribers?',
  'downloads?|stars?|forks?|watchers?|claps?|upvotes?|votes?|retweets?|reposts?|bookmarks?|installs?',
  '(?:people|users?|members?|guests?|customers?|others?)(?: are| is)?(?: currently| now)? (?:online|viewing|watching|looking|reading|here)',
  'aufrufe|kommentare?|antworten|abonnenten|besucher|gefällt mir|vues?|commentaires?|abonnés|vistas|visitas|comentarios?|seguidores|visualizzazioni|commenti',
  '回复|评论|浏览|阅读|点赞|コメント|回視聴|조회|댓글',
].join('|')

const unit =
  '(?:s|sec|second|m|min|minute|h|hr|hour|d|day|w|week|mo|month|y|yr|year|sekunde|minute|stunde|tag|woche|monat|jahr|seconde|heure|jour|semaine|mois|an|année|segundo|minuto|hora|día|dia|semana|mes|año|mês|ano)(?:s|n|en|e|es)?'

/** Passages whose changes are irrelevant, such as counts and times. They are replaced by a placeholder. */
const rules: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [new RegExp(`${number}\\s{1,5}(?:${counted})(?![\\p{L}\\p{N}])`, 'giu'), '#count'],
  [new RegExp(`(?<![\\p{L}])(?:${counted})\\s{0,5}[:(]\\s{0,5}${number}\\)?`, 'giu'), '#count'],
  [
    new RegExp(
      `(?:(?:about|over|almost|less than|ca\\.|etwa|environ)\\s{1,5})?(?:(?<!\\d)\\d{1,6}|an?|one|a few|einer?|un[ea]?)\\s{0,5}${unit}\\.?\\s{1,5}(?:ago|old|from now)(?![\\p{L}])`,
      'giu',
    ),
    '#when',
  ],
  [
    new RegExp(
      `(?<![\\p{L}])(?:vor|il y a|hace|há|fa)\\s{1,5}(?:\\d{1,6}|einer?m?|une?|una?|uma?)\\s{0,5}${unit}(?![\\p{L}])`,
      'giu',
    ),
    '#when',
  ],
  [
    /(?<!\d)\d{1,6}\s{0,5}(?:秒|分钟|分|小时|時間|时间|天|日|周|週間|个月|ヶ月|年)\s{0,5}前|(?<!\d)\d{1,6}\s{0,5}(?:초|분|시간|일|주|개월|년)\s{0,5}전/gu,
    '#when',
  ],
  [
    /(?<![\p{L}])(?:just now|moments? ago|yesterday|today|gerade eben|gestern|heute|à l’instant|hier|aujourd’hui|ayer|hoy)(?:\s{1,5}(?:at|um|à|a las)\s{1,5}\d{1,2}[:.h]\d{2}(?:\s?[ap]m)?)?(?![\p{L}])/giu,
    '#when',
  ],
  [
    /(?<![\p{L}])(?:page |site |seite )?(?:generated|rendered|served|loaded|cached|fetched|built|retrieved|generiert)(?:\s{1,5}(?:in|at|on|by|from|um|am))?\s{0,5}:?\s{0,5}\d[\w\s.,:+/-]{0,60}/giu,
    '#stamp',
  ],
  [
    /(?<![\p{L}])(?:build|commit|revision|rev|request id|trace id|ray id|session id)\s{0,5}(?:number|id|hash)?\s{0,5}[:#]?\s{0,5}(?:\d{1,15}|(?=[\da-f-]{0,63}\d)[\da-f-]{4,64})(?![\p{L}\p{N}])/giu,
    '#stamp',
  ],
  [/(?:©|\(c\)|copyright)\s{0,5}(?:\d{4}\s{0,5}[-–]\s{0,5})?\d{4}/giu, '#stamp'],
]

/**
 * Returns a line as it is compared: white space is collapsed, and parts that differ on each load, such as tokens in URLs,
 * counters and relative times, are replaced in the first 20,000 characters.
 */
export function normalizeLine(line: string): string {
  const rest = line.slice(maxLineLength)
  let text = line
    .slice(0, maxLineLength)
    .replaceAll(/data:[\w/+.-]+;base64,[\w+/=]+/g, 'data:#')
    .replaceAll(/(?<=\]\()[^\s)]+|https?:\/\/[^\s)<>"']+/g, withoutStamps)
    .replaceAll(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
  for (const [pattern, instead] of rules) text = text.replaceAll(pattern, instead)
  return (text + rest).replaceAll(/\s+/g, ' ').trim()
}

/**
 * Returns a key that is equal for pages with the same content, whatever the order of their lines. It is about as long as the
 * page.
 */
export function contentKey(lines: readonly PageLine[]): string {
  return lines
    .map(({ key }) => key)
    .filter(Boolean)
    .sort()
    .join('\n')
}
