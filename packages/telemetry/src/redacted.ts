/**
 * Returns a URL without the parts that may contain secrets: fragment, user name, password and query, which becomes `?…`. An
 * invalid URL becomes `invalid`.
 */
export function redacted(url: string): string {
  try {
    const { protocol, host, pathname, search } = new URL(url)
    return `${protocol}//${host}${pathname}${search && '?…'}`
  } catch {
    return 'invalid'
  }
}

const secrets: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/\b(https?|wss?|rediss?|postgres(?:ql)?|socks5?):\/\/[^\s/@:]*:[^\s/@]*@/gi, '$1://…@'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 …'],
  [/\bhm_[\w-]{16}_[\w-]{43}\b/g, 'hm_…'],
  [/\b(api[-_]?key|token|password|secret|cookie|authorization)(["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi, '$1$2…'],
]

/** Returns a sentence with `…` in place of what looks like a key, token, cookie or password. */
export function withoutSecrets(sentence: string): string {
  return secrets.reduce((text, [pattern, shown]) => text.replaceAll(pattern, shown), sentence)
}
