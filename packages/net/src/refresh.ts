import type { WireResponse } from '@harvestman/ports'

const maxHead = 16_384
/** A refresh within this many seconds is a redirect, regardless of the page's content. */
const soon = 2
/** A refresh within this many seconds is a redirect if the page shows hardly any text. */
const late = 10
const littleText = 200

/**
 * Returns the target of a `Refresh` header or `<meta http-equiv="refresh">` that acts as a redirect: within 2 seconds, or
 * within 10 seconds on a page with hardly any text. `undefined` for other pages. Reads the first 16 KB of the body.
 */
export function refreshTarget({ status, headers, body }: WireResponse, from: URL): URL | undefined {
  if (status < 200 || status >= 300) return undefined
  const valueOf = (name: string): string => headers.find(([header]) => header === name)?.[1] ?? ''
  if (!/^(?:text\/html|application\/xhtml|$)/i.test(valueOf('content-type').trim())) return undefined
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, maxHead)).toString('latin1')
  const isComplete = body.byteLength <= maxHead
  const refresh = valueOf('refresh') || (/refresh/i.test(head) ? tagIn(head) : undefined)
  const [, seconds, address] = /^\s*(\d+(?:\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(refresh ?? '') ?? []
  if (address === undefined) return undefined
  if (Number(seconds) > soon && !(Number(seconds) <= late && isComplete && textLength(head) < littleText))
    return undefined
  const target = URL.parse(address.trim().replaceAll('&amp;', '&'), from.href)
  if (!target || !/^https?:$/.test(target.protocol)) return undefined
  return withoutHash(target) === withoutHash(from) ? undefined : target
}

function tagIn(head: string): string | undefined {
  for (const [tag] of shown(head).matchAll(/<meta\b[^>]{0,2000}>/gi)) {
    if (/http-equiv\s*=\s*["']?\s*refresh\b/i.test(tag))
      return /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i
        .exec(tag)
        ?.slice(1)
        .find((value) => value !== undefined)
  }
  return undefined
}

/** Removes comments, and elements whose content a browser with scripts does not parse as tags. */
function shown(html: string): string {
  return html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replaceAll(/<(script|style|noscript|template|title|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
}

function textLength(html: string): number {
  return shown(html)
    .replaceAll(/<[^>]*(?:>|$)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim().length
}

function withoutHash({ href }: URL): string {
  return href.split('#')[0] ?? ''
}
