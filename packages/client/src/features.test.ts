import { setTimeout } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createClient } from './client.ts'

/** A server that responds after the usual timeout of the client has passed. */
const slow: typeof fetch = async (_, init) => {
  await setTimeout(500, undefined, { signal: init?.signal ?? undefined })
  return Response.json({ success: true, data: { steps: [] } })
}
const client = createClient({ url: 'https://api.test', key: 'k', timeout: 50, retries: 0, fetch: slow })

test('a call waits as long as its own timeout allows the server, and other calls as long as the client says', async () => {
  await expect(client.scripts.list()).rejects.toMatchObject({ code: 'TIMEOUT' })
  expect(await client.scripts.run('sign-up')).toEqual({ steps: [] })
  expect(await client.scripts.run('sign-up', { timeout: 1_000 })).toEqual({ steps: [] })
})

test('code that fails in a live browser is a result, with its success, and not an error', async () => {
  const failed = { success: false, stdout: '', result: '', stderr: 'boom', exitCode: 1, killed: false, error: 'boom' }
  const { browsers } = createClient({ url: 'https://api.test', fetch: async () => Response.json(failed) })
  expect(await browsers.execute('a', { code: 'boom' })).toEqual(failed)
})
