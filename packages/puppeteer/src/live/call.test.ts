import { expect, test } from 'vitest'

import { browserFailed } from '../lib/errors.ts'
import { callPage } from './call.ts'
import type { LiveTabs } from './tabs.ts'

test.each([
  ['Inspected target navigated or closed', 'action_failed', 'navigated'],
  ['Execution context was destroyed.', 'action_failed', 'navigated'],
  ['Cannot find context with specified id', 'action_failed', 'navigated'],
  // The page has dropped the promise, and is still there.
  ['Promise was collected', 'action_failed', undefined],
  ['Session closed.', 'browser_failed', undefined],
])('a call that the browser ends with "%s" rejects with %s, reason %s', async (message, code, reason) => {
  const send = async (): Promise<never> => {
    throw browserFailed('The browser failed.', new Error(message))
  }
  // Cast: the call uses only this function of a tab.
  const tabs = { page: async () => ({ send }) } as unknown as LiveTabs
  const error: unknown = await callPage(tabs, 'f', []).catch((one: unknown) => one)
  expect(error).toMatchObject({ code })
  expect((error as { details?: Record<string, unknown> }).details?.['reason']).toBe(reason)
})
