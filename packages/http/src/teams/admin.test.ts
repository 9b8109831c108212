// The rows for operators, each by what it answers and by the edges of what it takes.
import { expect, test } from 'vitest'

import { createApi } from '../api/api.ts'
import { fakeEngine } from '../fixtures/fake-engine.ts'

const adminKey = 'operator'

function setUp(metrics?: () => string) {
  const api = createApi(
    fakeEngine(() => ({ markdown: 'Text' })),
    { adminKey, ...(metrics && { metrics }) },
  )
  const send = (method: string, path: string, body?: object, key = adminKey) =>
    api(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  const ask = async (...given: Parameters<typeof send>) => {
    const response = await send(...given)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { send, ask }
}

async function withTeam() {
  const { ask } = setUp()
  await ask('POST', '/admin/teams', {
    id: 'acme',
    name: 'Acme',
    limits: { concurrency: 3, requestsPerMinute: { scrape: 9 } },
  })
  return ask
}

test('what the server counts is given as text, to operators alone', async () => {
  const { send } = setUp(() => 'pages_total 3\n')
  const answer = await send('GET', '/metrics')
  expect([answer.status, await answer.text()]).toEqual([200, 'pages_total 3\n'])
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
})

test('a server that counts nothing says so', async () => {
  const { status, body } = await setUp().ask('GET', '/metrics')
  expect([status, body['error']]).toEqual([404, 'This server has no metrics.'])
})

test('a new team is answered as it is, and the same id is taken', async () => {
  const { ask } = setUp()
  const team = { id: 'acme', name: 'Acme', limits: { concurrency: 3 } }
  const made = { ...team, createdAt: expect.any(String) as string }
  expect(await ask('POST', '/admin/teams', team)).toEqual({ status: 200, body: { success: true, team: made } })
  expect((await ask('POST', '/admin/teams', team)).status).toBe(409)
  expect(await ask('GET', '/admin/teams')).toEqual({
    status: 200,
    body: { success: true, teams: [made], configured: [] },
  })
})

test('limits are set in place of those that a team has', async () => {
  const ask = await withTeam()
  const { status, body } = await ask('PUT', '/admin/teams/acme/limits', { concurrency: 5 })
  expect(status).toBe(200)
  expect(body).toMatchObject({ success: true, team: { id: 'acme', name: 'Acme' } })
  expect((body['team'] as { limits: unknown }).limits).toEqual({ concurrency: 5 })
  const none = await ask('PUT', '/admin/teams/none/limits', { concurrency: 5 })
  expect([none.status, none.body['error']]).toEqual([404, 'This team does not exist.'])
})

test('credits are granted once for each id, to the team of the address, and what is left is answered', async () => {
  const ask = await withTeam()
  const grant = (credits: number, id: string, team = 'acme') =>
    ask('POST', `/admin/teams/${team}/credits`, { credits, id })
  expect(await grant(100, 'one')).toEqual({ status: 200, body: { success: true, credits: 100, granted: 100 } })
  expect((await grant(100, 'one')).body).toMatchObject({ credits: 100, granted: 100 })
  expect((await grant(50, 'two')).body).toMatchObject({ credits: 150, granted: 150 })
  expect((await grant(1, 'one', 'other')).body).toMatchObject({ credits: 1, granted: 1 })
})

test.each([
  [{ credits: 1, id: 'x' }, 200],
  [{ credits: 1_000_000_000, id: 'x'.repeat(200) }, 200],
  [{ credits: 0, id: 'x' }, 400],
  [{ credits: 1_000_000_001, id: 'x' }, 400],
  [{ credits: 1.5, id: 'x' }, 400],
  [{ credits: 1, id: '' }, 400],
  [{ credits: 1, id: 'x'.repeat(201) }, 400],
  [{ credits: 1 }, 400],
  [{ credits: 1, id: 'x', more: 1 }, 400],
])('a grant of %j is answered with %i', async (grant, status) => {
  const ask = await withTeam()
  expect((await ask('POST', '/admin/teams/acme/credits', grant)).status).toBe(status)
})

test('a key is made, listed without its text, and revoked once', async () => {
  const ask = await withTeam()
  const made = await ask('POST', '/admin/teams/acme/keys', { name: 'laptop' })
  expect([made.status, made.body['success'], typeof made.body['key']]).toEqual([200, true, 'string'])
  const info = made.body['info'] as { readonly id: string }
  expect(info).toMatchObject({ team: 'acme', name: 'laptop', createdAt: expect.any(String) as string })
  const listed = await ask('GET', '/admin/teams/acme/keys')
  expect(listed).toEqual({ status: 200, body: { success: true, keys: [info] } })
  const revoke = () => ask('DELETE', `/admin/teams/acme/keys/${info.id}`)
  expect((await revoke()).body).toEqual({ success: true, revoked: true })
  const after = (await ask('GET', '/admin/teams/acme/keys')).body['keys'] as readonly object[]
  expect(after).toMatchObject([{ id: info.id, revokedAt: expect.any(String) as string }])
  expect((await ask('DELETE', '/admin/teams/acme/keys/none')).body).toEqual({ success: true, revoked: false })
})

test.each([
  ['POST', 'keys', {}],
  ['GET', 'keys', undefined],
])('%s of the %s of a team that is not there says so', async (method, what, body) => {
  const ask = await withTeam()
  const none = await ask(method, `/admin/teams/none/${what}`, body)
  expect([none.status, none.body['error']]).toEqual([404, 'This team does not exist.'])
})

test('a name of a team in an address has at most 64 letters', async () => {
  const ask = await withTeam()
  const keys = (team: string) => ask('GET', `/admin/teams/${team}/keys`)
  expect((await keys('x'.repeat(64))).status).toBe(404)
  expect((await keys('x'.repeat(65))).body['error']).not.toBe('This team does not exist.')
})
