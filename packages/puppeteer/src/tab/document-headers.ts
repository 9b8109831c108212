import type { BrowserProfile } from '@harvestman/ports'

import type { Protocol } from '../lib/cdp.ts'

type Headers = readonly (readonly [name: string, value: string])[]

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
  const replaced = new Set(own.map(([name]) => name))
  const kept = sent.filter(([name]) => !replaced.has(name.toLowerCase()))
  if (!profile.documentHeaders || resourceType !== 'Document') return own.length > 0 ? [...kept, ...own] : undefined
  const lower = Object.fromEntries([...sent, ...own].map(([name, value]) => [name.toLowerCase(), value]))
  const more = Object.entries(profile.documentHeaders({ url: new URL(request.url), headers: lower }))
  return own.length + more.length > 0 ? [...kept, ...own, ...more] : undefined
}
