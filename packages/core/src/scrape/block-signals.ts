// Detects pages that a host sends to bots instead of the requested page. Each row describes the block page of a public bot
// protection service.
import type { Page } from '../plugin/parts.ts'

/** Reason why a page counts as blocked. */
export interface Block {
  /** Name of the bot protection service, if known. */
  readonly wall?: string
  readonly reason: string
}

interface Wall {
  readonly name: string
  /** A header that only its block pages have, and a pattern for its value. */
  readonly header?: readonly [name: string, value: RegExp]
  /** Pattern that only its block pages match. */
  readonly words?: RegExp
  /** Status codes of its block pages; any if absent. */
  readonly statuses?: readonly number[]
  /** Maximum size of its block pages in bytes. Larger pages that match are real pages. */
  readonly maxBytes?: number
}

const refusals = [202, 401, 403, 405, 406, 429, 503]

const walls: readonly Wall[] = [
  { name: 'Cloudflare', header: ['cf-mitigated', /challenge/] },
  {
    name: 'Cloudflare',
    words: /\/cdn-cgi\/challenge-platform\/|<title>(?:Just a moment\.\.\.|Attention Required! \| Cloudflare)/i,
    statuses: refusals,
  },
  { name: 'Vercel', header: ['x-vercel-mitigated', /challenge|deny/] },
  { name: 'AWS WAF', header: ['x-amzn-waf-action', /challenge|captcha/] },
  { name: 'DataDome', header: ['x-datadome', /./], statuses: [401, 403, 405, 429] },
  { name: 'DataDome', words: /geo\.captcha-delivery\.com/i, statuses: refusals },
  { name: 'HUMAN', words: /captcha\.px-(?:cdn|cloud)\.net|id="px-captcha"/i, statuses: refusals },
  { name: 'Akamai', words: /errors\.edgesuite\.net|\/_sec\/(?:cp_challenge|verify)/i, statuses: refusals },
  { name: 'Imperva', words: /_Incapsula_Resource|Incapsula incident ID/i, maxBytes: 10_000 },
  { name: 'Kasada', header: ['x-kpsdk-ct', /./], statuses: [403, 429] },
  { name: 'Sucuri', words: /Sucuri WebSite Firewall/i, statuses: refusals },
  { name: 'DDoS-Guard', header: ['server', /ddos-guard/i], statuses: [403, 429, 503] },
  { name: 'Anubis', words: /id="anubis_(?:challenge|version)"/, maxBytes: 60_000 },
]

const lookedAt = 60_000

/**
 * Returns why a page counts as blocked: a known block page, any status 403 or 429, or 401 without a login. `undefined` for a
 * real page or one that does not exist.
 */
export function detectBlock({ status, headers, body }: Page): Block | undefined {
  let known: string | undefined
  // Decoded on demand: most pages are real ones and need no search in the body.
  const text = (): string =>
    (known ??= Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, lookedAt)).toString('latin1'))
  const wall = walls.find(({ header, words, statuses, maxBytes = Infinity }) => {
    if (statuses && !statuses.includes(status)) return false
    if (header) return header[1].test(headers[header[0]] ?? '')
    return body.byteLength <= maxBytes && words?.test(text()) === true
  })
  if (wall) return { wall: wall.name, reason: `The host answered ${status} with a wall of ${wall.name}.` }
  if (status === 403 || status === 429) return { reason: `The host answered ${status}.` }
  // A host that offers a login requires credentials from every client, so this is no block.
  if (status === 401 && headers['www-authenticate'] === undefined) return { reason: 'The host answered 401.' }
  return undefined
}
