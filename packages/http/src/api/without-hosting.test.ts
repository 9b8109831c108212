// An engine of one program needs no teams: its API has no endpoints about them, and all the rest.
import { createEngine } from '@harvestman/core'
import { expect, test } from 'vitest'

import { createApi } from './api.ts'

async function status(method: string, path: string, body?: object): Promise<number> {
  await using engine = createEngine()
  const headers = { authorization: 'Bearer operator', 'content-type': 'application/json' }
  const request = new Request(`http://localhost${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await createApi(engine, { adminKey: 'operator' })(request)).status
}

test.each([
  ['GET', '/admin/teams'],
  ['GET', '/v2/team/activity'],
  ['GET', '/v1/team/activity'],
  ['POST', '/v2/parse/upload-url'],
])('%s %s is not there', async (method, path) => {
  expect(await status(method, path)).toBe(404)
})

test('what a team has used and how busy it is are told, and its credits are granted', async () => {
  expect(await status('GET', '/v2/team/credit-usage')).toBe(200)
  expect(await status('GET', '/v2/team/queue-status')).toBe(200)
  expect(await status('POST', '/admin/teams/acme/credits', { credits: 1, id: 'one' })).toBe(200)
})

test('a file that was to be sent before is refused', async () => {
  expect(await status('POST', '/v2/parse', { uploadRef: 'x' })).toBe(400)
})
