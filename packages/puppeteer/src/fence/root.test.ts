import { expect, test } from 'vitest'

import { makeRoot, type RootParts } from './root.ts'

/** The browser commands of a client whose contexts cannot be opened or closed. */
function brokenRoot() {
  const fails = () => Promise.reject(new Error('The browser crashed.'))
  const contexts = {
    ...{ main: 'main', more: ['more'] },
    has: (id: unknown): id is string => id === 'main' || id === 'more',
    ...{ open: fails, close: fails },
  }
  // Cast: the commands below use only the contexts.
  return makeRoot({ contexts } as unknown as RootParts)
}

test('a context that the browser cannot open or close is refused, so that the client stays connected', async () => {
  const root = brokenRoot()
  const send = (method: string, params: Readonly<Record<string, unknown>>) =>
    root.carryOut({ id: 1, method, params, sessionId: undefined })
  const refused = { refusal: expect.stringContaining('Try again') }
  expect(await send('Target.createBrowserContext', {})).toEqual(refused)
  expect(await send('Target.disposeBrowserContext', { browserContextId: 'more' })).toEqual(refused)
})
