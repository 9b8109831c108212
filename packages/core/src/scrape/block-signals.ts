// Detects pages that a host sends to bots instead of the requested page.
import { retryAfter } from '@harvestman/toolbox/retry-after'
import type { Block, Page } from '../plugin/parts.ts'

type Response = Pick<Page, 'url' | 'status' | 'headers' | 'body'>

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

/** Block pages that a header declares, even if their status is that of a limit of requests. */
const declaredWalls: readonly Wall[] = [
  { name: 'Cloudflare', header: ['cf-mitigated', /challenge/] },
  { name: 'Vercel', header: ['x-vercel-mitigated', /challenge|deny/] },
  { name: 'AWS WAF', header: ['x-amzn-waf-action', /challenge|captcha/] },
]

// Each row describes the block page of a public bot protection service.
const walls: readonly Wall[] = [
  {
    name: 'Cloudflare',
    words: /\/cdn-cgi\/challenge-platform\/|<title>(?:Just a moment\.\.\.|Attention Required! \| Cloudflare)/i,
    statuses: refusals,
  },
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
/** A block page with a status below 400 has few bytes. Larger pages are not searched: that would cost time on every page. */
const maxQuietBytes = 16_000

/**
 * Returns why a page counts as blocked: a known block page, a status such as 403, or a short page that only asks to run a
 * script, to solve a captcha, to log in or to go away. `undefined` for a real page or one that does not exist. `now` is in
 * milliseconds since 1970.
 */
export function detectBlock(page: Response, requested: URL, now: number): Block | undefined {
  const { status, headers, body } = page
  let known: string | undefined
  // Decoded on demand: most pages are real ones and need no search in the body.
  const text = (): string =>
    (known ??= Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, lookedAt)).toString('latin1'))
  const isOf = ({ header, words, statuses, maxBytes = Infinity }: Wall): boolean => {
    if (statuses && !statuses.includes(status)) return false
    if (header) return !requestsPassword(page) && header[1].test(headers[header[0]] ?? '')
    return body.byteLength <= maxBytes && words?.test(text()) === true
  }
  const wait = status === 429 || status === 503 ? retryAfter(headers['retry-after'], now) : undefined
  const wall = declaredWalls.find(isOf) ?? (wait === undefined ? walls.find(isOf) : undefined)
  if (wall)
    return { signal: 'wall', wall: wall.name, reason: `The host answered ${status} with a wall of ${wall.name}.` }
  if (wait !== undefined || status === 429) return limited(status, wait, now)
  if (status >= 400) return refused(page, text)
  if (!isHtml(headers)) return undefined
  if (page.url !== requested.href && isLoginPage(page.url, requested) && passwordField.test(text()))
    return { signal: 'login', reason: 'The host redirected to a page to log in.' }
  if (body.byteLength > maxQuietBytes || hasManyElements(text()) || !suspicious.test(text())) return undefined
  const shown = visibleText(text())
  return shown.length > maxQuietText ? undefined : describe(text(), shown, `The host answered ${status}`)
}

function limited(status: number, wait: number | undefined, now: number): Block {
  const until = wait === undefined ? '' : ` until ${new Date(now + wait).toISOString()}`
  return { signal: 'rate', reason: `The host answered ${status}: it limits requests${until}.`, retryAfter: wait }
}

/** Returns whether a response requests the password of HTTP authentication. */
function requestsPassword({ status, headers }: Response): boolean {
  return status === 401 && headers['www-authenticate'] !== undefined
}

/** Classifies an error page. */
function refused(page: Response, text: () => string): Block | undefined {
  const { status, headers } = page
  const isRefusal = status === 403 || status === 406 || (status === 401 && !requestsPassword(page))
  if (!isRefusal && status !== 503) return undefined
  const answered = `The host answered ${status}`
  const shown = isHtml(headers) ? visibleText(text()) : undefined
  const found = shown !== undefined && shown.length <= maxRefusalText ? describe(text(), shown, answered) : undefined
  if (!isRefusal) return found?.signal === 'challenge' || found?.signal === 'captcha' ? found : undefined
  if (found && found.signal !== 'soft') return found
  // A refusal with a form to log in: every visitor gets the same.
  if (shown !== undefined && passwordField.test(text()))
    return { signal: 'login', reason: `${answered} with a form to log in.` }
  return { signal: 'status', reason: `${answered}.` }
}

/** Characters of visible text that a block page has at most. With a status of an error, it may have more. */
const maxQuietText = 700
const maxRefusalText = 4_000

// The patterns need linear time, whatever the host sends: each repetition ends at the next tag or has a maximum.
const suspicious =
  /captcha|turnstile|human|robot|\bbots?\b|automated|unusual|suspicious|denied|blocked|banned|your browser|moment|cookie\s*=/i
const passwordField = /<input\b[^<>]*\btype\s*=\s*["']?password\b/i
const loginWord =
  /^(?:(?:user|account|member|customer|wp)[-_]?)?(?:log-?_?in|sign-?_?in|log-?_?on|sign-?_?on|auth|authenticate|authorize|sso|oauth2?|saml2?|anmeld(?:en|ung)|einloggen|connexion|iniciar-sesion|acceder|accedi|inloggen|entrar)(?:\.\w{2,5})?$/i
const widget =
  /class\s*=\s*["'][^"']*\b(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha|geetest_captcha)\b|(?:recaptcha|hcaptcha|turnstile)[^"'\s>]{0,200}\/(?:api|enterprise)\.js|<input\b[^<>]*\bname\s*=\s*["']?[\w-]*captcha|<img\b[^<>]*\bsrc\s*=\s*["']?[^"'\s<>]{0,200}captcha/i
const asksForHuman =
  /\bare you (?:a |an )?(?:human|robot|bot)\b|\byou(?:'re| are) (?:a human|human|not a (?:robot|bot))\b|\bnot a robot\b|\b(?:solve|complete|enter|type)\b[^.]{0,30}\bcaptcha\b|\b(?:complete|pass)\b[^.]{0,30}\bsecurity check\b|\b(?:enter|type)\b[^.]{0,20}\b(?:characters|letters|text|code)\b[^.]{0,20}\bin the (?:image|picture)\b|\bhuman verification\b|\bcaptcha (?:is )?required\b/i
const asksForShownCode =
  /\b(?:enter|type)\b[^.]{0,20}\b(?:characters|letters|text|code)\b[^.]{0,20}\b(?:you see|shown)\b(?! (?:on|in) your\b)/i
const checksBrowser =
  /checking (?:if the site connection is secure|your (?:browser|connection))|(?:verifying|verify)[^.]{0,30}(?:your browser|you are (?:a )?human)|just a moment|ddos protection by|browser (?:check|verification)|enable javascript and cookies to continue/i
const refusesAddress =
  /\byour (?:ip|address|ip[- ]address|network)\b.{0,60}\b(?:banned|blocked|blacklisted|denied|restricted)|\b(?:banned|blocked|blacklisted)\b[^.]{0,30}\byour ip\b/i
const refusesBots =
  /\baccess(?: to (?:this|the) \w+)?(?: has been| is| was)?(?: temporarily)? (?:denied|blocked|restricted)\b|\b(?:request|you|access)(?: has| have)?(?: been| was| were)(?: temporarily)? blocked\b|\bunusual (?:traffic|activity|requests)\b|\bsuspicious (?:traffic|activity|requests)\b|\bautomated (?:traffic|requests|queries|access)\b|\bpardon our interruption\b|\bbots? detected\b|\bdetected[^.]{0,30}\b(?:bot|robot|automat\w+)\b/i

/** Describes the block page with this HTML and visible text, or returns `undefined` if it reads like another page. */
function describe(html: string, shown: string, answered: string): Block | undefined {
  const start = shown.slice(0, 300)
  if (widget.test(html) && hasOneField(html) && (asksHuman(html, shown) || refusesBots.test(start)))
    return { signal: 'captcha', reason: `${answered} with a captcha.` }
  if (refusesAddress.test(shown))
    return { signal: 'address', reason: `${answered} with a page that bans the IP address.` }
  if (shown.length <= 300 && setsCookieAndReloads(html))
    return { signal: 'challenge', reason: `${answered} with a script that sets a cookie.` }
  if (checksBrowser.test(shown) && /<script\b/i.test(html))
    return { signal: 'challenge', reason: `${answered} with a page that checks the browser.` }
  // What refuses is the start of the page, not something that it mentions.
  if (refusesBots.test(start) || (asksHuman(html, start) && hasOneField(html)))
    return { signal: 'soft', reason: `${answered} with a page that refuses automated requests.` }
  return undefined
}

/** Returns whether the page asks the visitor to prove to be human, for example with the characters in an image. */
function asksHuman(html: string, shown: string): boolean {
  return asksForHuman.test(shown) || (asksForShownCode.test(shown) && /<img\b/i.test(html))
}

/** Returns whether at most one field can be filled in: a form with more has a purpose of its own. */
function hasOneField(html: string): boolean {
  const fields = html.match(/<(?:textarea|select|input)\b[^<>]*>/gi) ?? []
  const filled = fields.filter((field) => !/\btype\s*=\s*["']?(?:hidden|submit|button|image|checkbox)\b/i.test(field))
  return filled.length <= 1
}

/** Returns whether a page has more elements than a block page. Ends early for the usual page. */
function hasManyElements(html: string): boolean {
  let at = -1
  for (let count = 0; count < 60; count += 1) {
    at = html.indexOf('</', at + 1)
    if (at < 0) return false
  }
  return true
}

const setsCookie = /\bdocument\s*\.\s*cookie\s*=(?!=)/
const reloads = /\blocation\s*\.\s*(?:reload|replace|assign)\s*\(|\blocation(?:\s*\.\s*href)?\s*=(?!=)/

function setsCookieAndReloads(html: string): boolean {
  if (/<a\b[^<>]*\bhref\b/i.test(html)) return false
  const scripts = html.match(/<script\b[\s\S]*?(?:<\/script\s*>|$)/gi) ?? []
  return scripts.some((script) => setsCookie.test(script) && reloads.test(script))
}

function isHtml(headers: Response['headers']): boolean {
  const type = headers['content-type']
  return type === undefined || type.includes('html')
}

/** Returns whether a URL is a page to log in, and another one than the requested page. */
function isLoginPage(href: string, requested: URL): boolean {
  const url = new URL(href)
  return url.pathname !== requested.pathname && hasLoginPath(url) && !hasLoginPath(requested)
}

/** Returns whether the path of a URL is that of a page to log in: one of its segments is a word such as `login`. */
export function hasLoginPath({ pathname }: URL): boolean {
  return pathname.split('/').some((segment) => loginWord.test(segment))
}

/** Returns roughly the visible characters of HTML: without scripts, styles, comments and tags. */
function visibleText(html: string): string {
  return html
    .replace(/<(script|style|noscript|template|svg)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)|<[^<>]*>/gi, ' ')
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/&(?:#39|#x27|rsquo|apos);/gi, "'")
    .replace(/\s+/g, ' ')
    .trim()
}
