// The limits that a server tells its page.
import type { Handler } from '@harvestman/http'
import { expect, test } from 'vitest'

import { withWebPage } from '../src/web-page.ts'

const limits = [{ setting: 'limits.bodyBytes', value: 50_000_000, unit: 'bytes', description: 'The largest body.' }]
const own = { 'sec-fetch-site': 'same-origin', 'x-harvestman-ui': '1' }

/** An API with one key, or without any. */
function apiOf({ isOpen }: { readonly isOpen: boolean }): Handler {
  const handle: Handler = async ({ headers }) =>
    new Response(null, { status: headers.get('authorization') === 'Bearer right' ? 200 : 401 })
  return Object.assign(handle, { isOpen })
}

const ask = (path: string, init: RequestInit = {}) => new Request(`http://127.0.0.1${path}`, { headers: own, ...init })

test('A server without keys tells its limits to its page', async () => {
  const handle = await withWebPage(apiOf({ isOpen: true }), { limits: () => limits })
  expect(await (await handle(ask('/ui/limits'))).json()).toEqual({ success: true, limits })
})

test('A server with keys tells its limits to those who are logged in, on its own page', async () => {
  const handle = await withWebPage(apiOf({ isOpen: false }), { limits: () => limits })
  const statusOf = async (headers: Record<string, string>) => (await handle(ask('/ui/limits', { headers }))).status
  expect(await statusOf(own)).toBe(401)
  const logIn = await handle(ask('/ui/login', { method: 'POST', body: JSON.stringify({ key: 'right' }) }))
  const cookie = logIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await statusOf({ ...own, cookie })).toBe(200)
  expect(await statusOf({ cookie, 'sec-fetch-site': 'cross-site' })).toBe(401)
})
