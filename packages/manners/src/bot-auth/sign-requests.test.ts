import type { Browser } from '@harvestman/ports'
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
