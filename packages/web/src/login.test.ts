import { createEngine } from '@harvestman/core'
import { createApi, makeForwarded, type Handler } from '@harvestman/http'
import { expect, onTestFinished, test } from 'vitest'

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

test('one who guesses from a private network is not another caller with each X-Forwarded-For', async () => {
  const forwarded = makeForwarded()
  const { logIn } = makeLogin(Object.assign(handle.bind(undefined), { forwarded }), '')
  const statusOf = async (number: number): Promise<number> => {
    const request = loginOf('wrong')
    request.headers.set('x-forwarded-for', `198.51.100.${number}`)
    return (await logIn(request, { peer: '172.18.0.2' })).status
  }
  const guesses = []
  for (let number = 0; number < 12; number += 1) guesses.push(await statusOf(number))
  expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
})

test('logging in with the right key is never too often', async () => {
  const { logIn } = makeLogin(handle, '')
  for (let number = 0; number < 30; number += 1) {
    expect((await logIn(loginOf('right'), { peer: '203.0.113.9' })).status).toBe(200)
  }
})

test('a key that the API cannot check opens no session, and the error of the API is returned', async () => {
  const error = { success: false, error: 'The store cannot be reached.' }
  const { logIn } = makeLogin(async () => Response.json(error, { status: 503 }), '')
  for (let number = 0; number < 11; number += 1) {
    const response = await logIn(loginOf('right'), { peer: '203.0.113.9' })
    expect([response.status, response.headers.get('set-cookie'), await response.json()]).toEqual([503, null, error])
  }
})

test('a key opens a session whatever its scopes are', async () => {
  const authenticate = () => ({ team: 'one', scopes: { groups: ['scrape'] } })
  const engine = createEngine()
  onTestFinished(() => engine.close())
  const { logIn } = makeLogin(createApi(engine, { authenticate }), '')
  expect((await logIn(loginOf('right'))).status).toBe(200)
})
