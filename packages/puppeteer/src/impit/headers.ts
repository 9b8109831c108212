import type { WireRequest } from '@harvestman/ports'
import type { KnownBrowser } from './library.ts'

// The browsers that impit knows, newest first. They differ in their TLS hello.
const browsers: readonly (readonly [version: number, name: KnownBrowser])[] = [
  [151, 'chrome151'],
  [142, 'chrome142'],
  [136, 'chrome136'],
  [131, 'chrome131'],
  [0, 'chrome124'],
]

/**
 * Returns the browser whose TLS hello belongs to a request: the newest one that is not newer than its user agent, or the newest
 * one without a user agent. `undefined` for another client, which must not look like a browser.
 */
export function browserFor({ 'user-agent': userAgent }: WireRequest['headers']): KnownBrowser | undefined {
  if (userAgent === undefined) return 'chrome151'
  const [, version] = /\bChrome\/(\d{1,4})\b/.exec(userAgent) ?? []
  return version === undefined ? undefined : browsers.find(([since]) => Number(version) >= since)?.[1]
}

// Headers that impit adds if a request has none. An empty value prevents that. `Accept-Encoding` is always sent.
const added = [
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'upgrade-insecure-requests',
  'user-agent',
  'accept',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-user',
  'sec-fetch-dest',
  'accept-language',
]

/** Returns the headers of a request for impit, which sends no others. A browser sends the priority of documents. */
export function impitHeaders(headers: WireRequest['headers']): [name: string, value: string][] {
  const isDocument = headers['sec-fetch-dest'] === 'document'
  const blank = [...added, ...(isDocument ? [] : ['priority'])].filter((name) => !(name in headers))
  return [...Object.entries(headers), ...blank.map((name): [string, string] => [name, ''])]
}
