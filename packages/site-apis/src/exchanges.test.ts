import { expect, test } from 'vitest'

import { makeExchanges } from './exchanges.ts'

const request = { url: 'https://a.example/api', method: 'GET', headers: [] }

test('responses are decoded by their charset, and those with an unknown one are ignored', () => {
  const { list, traffic } = makeExchanges()
  for (const charset of ['windows-1252', 'lamps'])
    traffic.note?.(request, {
      ...{ status: 200, body: Uint8Array.of(0xe9) },
      headers: [['content-type', `text/html; charset=${charset}`]],
    })
  expect(list.map(({ text }) => text)).toEqual(['é'])
})

test('bodies of requests count towards the limit of bytes', () => {
  const { list, traffic } = makeExchanges()
  const headers = [['content-type', 'application/json']] as const
  const answer = { status: 200, body: new Uint8Array(10), headers }
  traffic.note?.({ ...request, method: 'POST', body: new Uint8Array(15_999_995) }, answer)
  expect(list).toEqual([])
  traffic.note?.(request, answer)
  expect(list).toHaveLength(1)
})

test('a browser that visits many pages keeps the last responses', () => {
  const { list, traffic } = makeExchanges({ keeps: 'last' })
  const headers = [['content-type', 'application/json']] as const
  for (let at = 0; at < 250; at++)
    traffic.note?.({ ...request, url: `${request.url}/${at}` }, { status: 200, body: new Uint8Array(99_900), headers })
  expect(list).toHaveLength(160)
  expect(list.at(-1)?.url).toBe('https://a.example/api/249')
})

test('a browser that visits many pages keeps the document of the page above the limits, and no scripts', () => {
  const { list, traffic } = makeExchanges({ keeps: 'last' })
  const note = (path: string, type: string, text: string) =>
    traffic.note?.(
      { ...request, url: `https://a.example/${path}` },
      { status: 200, body: Buffer.from(text), headers: [['content-type', type]] },
    )
  note('old', 'text/html', '<!doctype html><p>old')
  note('lamps', 'text/html', '<!doctype html><p>lamps')
  note('script', 'text/javascript', '1')
  for (let at = 0; at < 300; at++) note(`poll/${at}`, 'application/json', '{}')
  expect(list).toHaveLength(200)
  expect(list.slice(0, 2).map(({ url }) => url)).toEqual(['https://a.example/lamps', 'https://a.example/poll/101'])
})

test('the document of a frame does not displace the one of the page above the limits', () => {
  const { list, traffic } = makeExchanges({ keeps: 'last' })
  const headers = [['content-type', 'text/html']] as const
  const note = (path: string, isFrame: boolean, text = '<!doctype html>') =>
    traffic.note?.(
      { ...request, url: `https://a.example/${path}`, isFrame },
      { status: 200, body: Buffer.from(text), headers },
    )
  note('lamps', false)
  note('frame', true)
  for (let at = 0; at < 300; at++) note(`${at}`, false, '<li>')
  expect(list.slice(0, 2).map(({ url }) => url)).toEqual(['https://a.example/lamps', 'https://a.example/101'])
})

test('responses that are scripts, images, or have an unknown charset are not accepted by their headers', () => {
  const accepts = (type: string, keeps: 'first' | 'last') =>
    makeExchanges({ keeps }).accepts([['content-type', type]], 10)
  expect(accepts('text/html; charset=lamps', 'first')).toBe(false)
  expect(accepts('image/png', 'first')).toBe(false)
  expect(accepts('text/javascript', 'last')).toBe(false)
  expect(accepts('text/javascript', 'first')).toBe(true)
  expect(accepts('text/html; charset=utf-8', 'last')).toBe(true)
})

test('headers count towards the limit of bytes, and a response with a long URL is ignored', () => {
  const { list, traffic } = makeExchanges()
  const answer = { status: 200, body: new Uint8Array(10) }
  const type = ['content-type', 'application/json'] as const
  traffic.note?.(request, { ...answer, headers: [type, ['x', 'a'.repeat(16_000_000)]] })
  traffic.note?.({ ...request, headers: [['x', 'a'.repeat(16_000_000)]] }, { ...answer, headers: [type] })
  traffic.note?.({ ...request, url: `${request.url}?a=${'b'.repeat(8_000)}` }, { ...answer, headers: [type] })
  expect(list).toEqual([])
})
