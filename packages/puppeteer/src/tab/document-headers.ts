import type { BrowserProfile } from '@harvestman/ports'

import type { Protocol } from '../lib/cdp.ts'

/** Names and values of headers. */
export type Headers = readonly (readonly [name: string, value: string])[]

/**
 * Returns all headers of a request if some must be added: the caller's own, and those for this document. `undefined` if the
 * request stays unchanged.
 */
export function headersFor(
  { request, resourceType }: Protocol.Fetch.RequestPausedEvent,
  profile: BrowserProfile,
  own: Headers,
): Headers | undefined {
  const sent = Object.entries(request.headers)
  if (!profile.documentHeaders || resourceType !== 'Document') return own.length > 0 ? replaced(sent, own) : undefined
  const lower = Object.fromEntries([...sent, ...own].map(([name, value]) => [name.toLowerCase(), value]))
  const more = Object.entries(profile.documentHeaders({ url: new URL(request.url), headers: lower }))
  return own.length + more.length > 0 ? replaced(replaced(sent, own), more) : undefined
}

/** Returns the headers with others added. A header that is already there is replaced. */
function replaced(headers: Headers, others: Headers): Headers {
  const names = new Set(others.map(([name]) => name.toLowerCase()))
  return [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...others]
}
