/** An entry of the index: location and summary of a record. */
export interface IndexEntry {
  readonly url: string
  /** Time of recording, in milliseconds since 1970. */
  readonly at: number
  readonly mime: string
  readonly status: number
  readonly digest: string
  readonly offset: number
  readonly length: number
  readonly filename: string
  /** Method of the request, if it is not GET. */
  readonly method?: string
}

/**
 * Returns a line of a CDXJ index, with its line break. Web-archive tools use it to find records. Throws a `TypeError` if the
 * URL is invalid.
 */
export function printEntry(entry: IndexEntry): string {
  const { url, at, mime, digest, filename, method, offset, length, status } = entry
  const stamp = new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const numbers = { status: String(status), length: String(length), offset: String(offset) }
  return `${sortKey(url)} ${stamp} ${JSON.stringify({ url, mime, digest, filename, method, ...numbers })}\n`
}

/**
 * Returns the URL in lower case without its scheme and `www`, with its host reversed, so that pages of a domain sort together,
 * and with sorted parameters: `com,example)/page?a=1`. Throws a `TypeError` if it is invalid.
 */
export function sortKey(address: string): string {
  const url = new URL(address)
  const host = url.hostname.replace(/^www\d*\./, '')
  const isName = !host.startsWith('[') && !/^[\d.]+$/.test(host)
  const reversed = isName ? host.split('.').toReversed().join(',') : host
  const query = [...url.search.slice(1).split('&')].toSorted().join('&')
  const port = url.port === '' ? '' : `:${url.port}`
  return `${reversed}${port})${url.pathname}${query === '' ? '' : `?${query}`}`.toLowerCase()
}
