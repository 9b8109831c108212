import { EventEmitter } from 'node:events'

import type { BrowserProfile } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { makeDocuments, type DocumentsOptions } from './documents.ts'
import type { Session } from '../lib/cdp.ts'

test.each([
  ['page', 'main', 'Aborted', { code: 'internal', cause: new Error('No key.') }],
  ['frame', 'inner', 'BlockedByClient', undefined],
])('a %s whose headers cannot be determined is refused', async (_, frameId, errorReason, refusal) => {
  const sent: unknown[] = []
  const send = async (method: string, params: object): Promise<object> => {
    if (method !== 'Fetch.enable') sent.push({ method, ...params })
    return {}
  }
  const documentHeaders = (): never => {
    throw new Error('No key.')
  }
  const documents = makeDocuments({
    profile: { headers: {}, documentHeaders } as unknown as BrowserProfile,
    guard: { checkUrl: () => undefined, resolve: async () => [] },
    route: { signal: new AbortController().signal },
    mainFrame: 'main',
    mayDownload: () => false,
    note: () => undefined,
  } as unknown as DocumentsOptions)
  const session = Object.assign(new EventEmitter(), { send })
  await documents.follow(session as unknown as Session)
  const request = { url: 'https://a.test/', method: 'GET', headers: {} }
  session.emit('Fetch.requestPaused', { requestId: 'one', frameId, resourceType: 'Document', request })
  await expect.poll(() => sent).toEqual([{ method: 'Fetch.failRequest', requestId: 'one', errorReason }])
  const taken = documents.takeRefusal()
  if (refusal) expect(taken).toMatchObject(refusal)
  else expect(taken).toBeUndefined()
})
