import type { Find, Span } from './span.ts'

const maxLocal = 64
const local = /[\p{L}\p{N}._%+'&~\\-]/u
const domain = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}\\-]{0,62})\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}])/uy
const file = /\.(?:avif|css|gif|html?|ico|jpe?g|js|json|mjs|mp4|pdf|php|png|svg|ts|webp|zip)$/i
const at = String.raw`[[({] ?(?:at|arroba|chez) ?[\])}]`
const dot = String.raw`(?:\.| ?[[({] ?(?:dot|punkt|punto|point) ?[\])}] ?)`
const spelled = new RegExp(
  String.raw`(?<![\p{L}\p{N}])[\p{L}\p{N}][\p{L}\p{N}._+-]{0,63} ?${at} ?(?:[\p{L}\p{N}-]{1,63}${dot}){1,4}\p{L}{2,24}(?!\p{L})`,
  'giu',
)

/** Finds e-mail addresses, also `name [at] example [dot] com`. */
export const findEmails: Find = (text) => {
  const spans: Span[] = []
  for (let sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', sign + 1)) {
    let start = sign
    while (start > 0 && sign - start < maxLocal && local.test(text[start - 1] ?? '')) start -= 1
    while (start < sign && /[.'&~\\-]/.test(text[start] ?? '')) start += 1
    domain.lastIndex = sign + 1
    const host = domain.exec(text)?.[0]
    if (host === undefined || start === sign || file.test(host)) continue
    // Skip `git@host` of repository URLs, and user names and passwords in URLs.
    if (
      text.slice(start, sign) === 'git' ||
      (/[/:]$/.test(text.slice(Math.max(0, start - 1), start)) && !isMail(text, start))
    )
      continue
    spans.push({ start, end: sign + 1 + host.length, entity: 'EMAIL', kind: 'email' })
  }
  for (const { 0: found, index } of text.matchAll(spelled))
    spans.push({ start: index, end: index + found.length, entity: 'EMAIL', kind: 'spelled email' })
  return spans
}

/** Returns whether the characters before a possible e-mail address do not belong to a URL with a user name. */
function isMail(text: string, start: number): boolean {
  const head = text.slice(Math.max(0, start - 80), start)
  return !/\w:\/\/[^\s/@]*$/.test(head)
}
