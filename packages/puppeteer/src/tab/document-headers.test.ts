import type { BrowserProfile } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { Protocol } from '../lib/cdp.ts'
import { headersFor } from './document-headers.ts'

test('a header is sent once, also if it is sent already, or added twice', () => {
  const profile = {
    documentHeaders: () => ({ 'x-both': 'document', accept: 'text/html' }),
  } as unknown as BrowserProfile
  const request = { url: 'https://a.test/', headers: { Accept: '*/*', 'X-Own': 'browser', 'X-Rest': 'rest' } }
  const event = { request, resourceType: 'Document' } as unknown as Protocol.Fetch.RequestPausedEvent
  const own = [
    ['x-own', 'caller'],
    ['x-both', 'caller'],
  ] as const
  expect(headersFor(event, profile, own)).toEqual([
    ['X-Rest', 'rest'],
    ['x-own', 'caller'],
    ['x-both', 'document'],
    ['accept', 'text/html'],
  ])
})
