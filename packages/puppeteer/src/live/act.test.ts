import { expect, test } from 'vitest'

import type { Contexts } from '../fence/shared.ts'
import type { Line } from '../fence/switch.ts'
import { act, type Refs } from './act.ts'
import { makeLiveTabs, type LiveTabs } from './tabs.ts'

/** A tab whose browser responds to this command with this error. */
async function tabWith(
  failing: string,
  error: { readonly code?: number; readonly message: string },
): Promise<LiveTabs> {
  const line: Line = {
    onEvent: undefined,
    onClosed: undefined,
    owns: () => true,
    ask: async (method) => {
      const targetInfo = { targetId: 'tab', type: 'page', url: 'http://site.test/', title: '' }
      if (method === 'Target.setDiscoverTargets')
        line.onEvent?.({ method: 'Target.targetCreated', params: { targetInfo } })
      if (method === failing) return { error }
      return { result: { sessionId: 'session', object: { objectId: '1' }, quads: [] } }
    },
    close: () => undefined,
  }
  return makeLiveTabs(line, { has: () => true } as unknown as Contexts, () => undefined)
}

const refs: Refs = new Map([['e1', { pageId: 'tab', node: 7, isTop: true }]])

test.each([
  ['DOM.getContentQuads', { code: -32_000, message: 'Could not compute content quads.' }, /is gone, or cannot be seen/],
  ['DOM.scrollIntoViewIfNeeded', { code: -32_000, message: 'Target crashed' }, /did not respond or crashed/],
  ['DOM.scrollIntoViewIfNeeded', { message: 'The browser is gone.' }, /did not carry out a step/],
])('a click for which %s fails with %o is reported with its cause', async (failing, error, message) => {
  const tabs = await tabWith(failing, error)
  await expect(act(tabs, refs, { type: 'click', ref: 'e1' })).rejects.toThrow(message)
})

test('a browser that is gone while an option is chosen is not reported as a missing element', async () => {
  const tabs = await tabWith('DOM.resolveNode', { message: 'The browser is gone.' })
  await expect(act(tabs, refs, { type: 'select', ref: 'e1', option: 'Large' })).rejects.toMatchObject({
    code: 'browser_failed',
  })
})
