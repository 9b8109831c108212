import type { Handler } from '@harvestman/http'
import { expect, test } from 'vitest'

import { makeLogin } from './login.ts'

const handle: Handler = async (request) =>
  new Response(null, { status: request.headers.get('authorization') === 'Bearer right' ? 200 : 401 })

function loginOf(key: string): Request {
  return new Request('http://host/ui/login', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'x-harvestman-ui': '1' },
    body: JSON.stringify({ key }),
  })
}

test('one who guesses keys is refused after ten, and nobody else is', async () => {
  const { logIn } = makeLogin(handle, '')
  const statusOf = async (key: string, peer: string): Promise<number> => (await logIn(loginOf(key), { peer })).status
  const guesses = await Promise.all(Array.from({ length: 12 }, () => statusOf('wrong', '203.0.113.9')))
  expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  expect(await statusOf('right', '203.0.113.9')).toBe(429)
  expect(await statusOf('right', '203.0.113.10')).toBe(200)
})

test('logging in with the right key is never too often', async () => {
  const { logIn } = makeLogin(handle, '')
  for (let number = 0; number < 30; number += 1) {
    expect((await logIn(loginOf('right'), { peer: '203.0.113.9' })).status).toBe(200)
  }
})
