import type { Browser, BrowserProfile } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { signingBrowser } from './sign-requests.ts'

const browser = (more: Partial<Browser> = {}): Browser => ({
  open: () => Promise.reject(new Error('not in this test')),
  close: async () => undefined,
  ...more,
})

test('a browser whose requests are signed keeps its identity', async () => {
  const identity = { version: 140, platform: 'Linux' } as const
  expect(await signingBrowser(browser({ identity: async () => identity }), () => ({})).identity?.()).toBe(identity)
  expect(signingBrowser(browser(), () => ({}))).not.toHaveProperty('identity')
})

test('a browser whose requests are signed keeps the headers that others add, and signs them too', async () => {
  const opened: BrowserProfile[] = []
  const open: Browser['open'] = async (profile) => {
    opened.push(profile)
    throw new Error('not in this test')
  }
  const signing = signingBrowser(browser({ open }), ({ headers }) => ({ signature: Object.keys(headers).join(' ') }))
  const documentHeaders = (): Record<string, string> => ({ 'x-other': 'kept' })
  await expect(signing.open({ documentHeaders } as unknown as BrowserProfile, AbortSignal.any([]))).rejects.toThrow()
  expect(opened[0]?.documentHeaders?.({ url: new URL('https://a.test/'), headers: { accept: '*/*' } })).toEqual({
    'x-other': 'kept',
    signature: 'accept x-other',
  })
})
