import { describe, expect, onTestFinished, test } from 'vitest'

import type { Handler } from './node-handler.ts'
import { checkPeer, withPeers, type FindOwner } from './peers.ts'
import { serve } from './serve.ts'

const id = '0b9c2a1e-6f0d-4c43-8d0f-8f6a4e1f6b11'
const secret = 'known to all of them'

/** A process that says who it is and what it was asked; it has the browser, or knows who does. */
async function start(name: string, find: FindOwner, options: { readonly secret?: string } = {}) {
  const own: Handler = async (request) =>
    Response.json({
      name,
      url: request.url,
      method: request.method,
      key: request.headers.get('authorization'),
      body: await request.text(),
    })
  const server = await serve(withPeers(own, { find, secret, ...options }), { port: 0, isOpen: false })
  onTestFinished(() => server.close())
  return server
}

const here: FindOwner = async () => undefined

describe('what is asked about a live browser', () => {
  test.each([
    ['POST', `/v2/scrape/${id}/interact`],
    ['DELETE', `/v2/interact/${id}`],
    ['POST', `/v2/browser/${id}/execute?x=1`],
    ['GET', `/v2/browser/${id}/tools`],
    ['POST', `/v2/interact/${id}/tools`],
    ['POST', `/v2/browser/${id}/site-api`],
    ['DELETE', `/v2/browser/${id}/shares/0b9c2a1e`],
    ['GET', `/live/${id}?token=t`],
  ])('is passed on to its owner with key, body and the address it was asked at: %s %s', async (method, path) => {
    const owner = await start('owner', here)
    const other = await start('other', async () => ({ url: owner.url }))
    const body = method === 'POST' ? '{"code":"1"}' : undefined
    const answer = await fetch(other.url + path, {
      method,
      headers: { authorization: 'Bearer k' },
      ...(body && { body }),
    })
    expect(await answer.json()).toEqual({
      name: 'owner',
      url: other.url + path,
      method,
      key: 'Bearer k',
      body: body ?? '',
    })
  })

  test('is answered here when its owner is gone, and everything else is never passed on', async () => {
    const gone = await start('here', async () => ({ isGone: true }))
    expect(await (await fetch(`${gone.url}/v2/interact/${id}`)).json()).toMatchObject({ name: 'here' })
    const other = await start('other', async () => ({ url: 'http://127.0.0.1:1' }))
    for (const path of [`/v2/crawl/${id}`, '/v2/interact', '/v2/interact/profiles/mine'])
      expect(await (await fetch(other.url + path)).json()).toMatchObject({ name: 'other' })
  })

  test('is refused as something to try again when its owner does not answer', async () => {
    const other = await start('other', async () => ({ url: 'http://127.0.0.1:1' }))
    const answer = await fetch(`${other.url}/v2/interact/${id}`)
    expect([answer.status, ((await answer.json()) as { readonly success: boolean }).success]).toEqual([502, false])
  })

  test.each([['another secret'], [secret]])(
    'is believed to come from a process only when it is signed: with %s',
    async (theirs) => {
      const owner = await start('owner', here)
      const other = await start('other', async () => ({ url: owner.url }), { secret: theirs })
      const { url } = (await (await fetch(`${other.url}/live/${id}`)).json()) as { readonly url: string }
      expect(url.startsWith(other.url)).toBe(theirs === secret)
    },
  )

  test('is not believed when it was signed for another path', async () => {
    let seen: Headers | undefined
    const spy = await serve(async (request: Request) => ((seen = request.headers), new Response()), { port: 0 })
    onTestFinished(() => spy.close())
    const other = await start('other', async () => ({ url: spy.url }))
    await fetch(`${other.url}/live/${id}`)
    const owner = await start('owner', here)
    const headers = {
      'x-harvestman-asked': seen?.get('x-harvestman-asked') ?? '',
      'x-harvestman-signed': seen?.get('x-harvestman-signed') ?? '',
    }
    const answer = async (path: string) =>
      ((await (await fetch(owner.url + path, { headers })).json()) as { readonly url: string }).url
    expect(await answer(`/live/${id}`)).toBe(`${other.url}/live/${id}`)
    expect(await answer(`/cdp/${id}`)).toBe(`${owner.url}/cdp/${id}`)
  })
})

test('a process that others ask from beyond this machine needs a secret', () => {
  for (const url of ['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1']) checkPeer(url, undefined)
  checkPeer('http://10.0.0.4:3002', secret)
  expect(() => checkPeer('http://10.0.0.4:3002', undefined)).toThrow('secret')
})
