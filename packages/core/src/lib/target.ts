const mostLetters = 2_048

/** Subject of a request, for a list: its address, without a name and a password, or its words. */
export function targetOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = URL.parse(value)
  if (!url || (url.username === '' && url.password === '')) return value.slice(0, mostLetters)
  url.username = ''
  url.password = ''
  return url.href.slice(0, mostLetters)
}

/** A URL without the name and password before its host; the rest of the text is unchanged. */
export function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^\s/?#@]+@/i, '$1')
}
