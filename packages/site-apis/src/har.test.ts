import { expect, test } from 'vitest'

import { readHar } from './har.ts'

const page = 'https://shop.example/lamps'
const pairs = (fields: object) => Object.entries(fields).map(([name, value]) => ({ name, value: String(value) }))

interface Given {
  readonly url: string
  readonly type?: string
  readonly text?: string
  readonly encoding?: string
  readonly headers?: object
  readonly received?: object
  readonly postData?: object
}

const entry = ({
  url,
  type = 'application/json',
  text = '[]',
  encoding,
  headers = {},
  received = {},
  postData,
}: Given) => ({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  request: {
    method: postData ? 'POST' : 'GET',
    url,
    httpVersion: 'h2',
    headers: pairs(headers),
    cookies: [],
    postData,
  },
  response: {
    ...{ status: 200, headers: pairs({ 'Content-Type': type, ...received }), cookies: [] },
    content: { size: text.length, mimeType: type, text, encoding },
  },
})
const html = (url: string, text = '<!doctype html>') => entry({ url, type: 'text/html; charset=utf-8', text })
const harOf = (...entries: readonly object[]) => JSON.stringify({ log: { version: '1.2', entries } })

test('the page is the first document, or the last one with the URL, and what came before it is ignored', () => {
  const har = harOf(
    html('https://shop.example/'),
    entry({ url: 'https://shop.example/news' }),
    html(page, 'first'),
    html(page, 'second'),
    entry({ url: 'https://shop.example/api' }),
  )
  const found = readHar({ har, url: `${page}#list` })
  expect(found.exchanges?.map(({ url, text }) => [url, text])).toEqual([
    [page, 'second'],
    ['https://shop.example/api', '[]'],
  ])
  expect(readHar({ har, url: undefined }).exchanges).toHaveLength(5)
  expect(readHar({ har, url: 'https://shop.example/other?key=1' })).toEqual({
    pages: ['https://shop.example/', page, page],
  })
})

test('the document of a frame is not the page, even with the same URL', () => {
  const { request, response } = html(page, 'frame')
  const frame = { request: { ...request, headers: pairs({ 'Sec-Fetch-Dest': 'iframe' }) }, response }
  expect(readHar({ har: harOf(html(page, 'own'), frame), url: page }).exchanges?.[0]?.text).toBe('own')
})

test('cookies are removed, and the values of secret headers and parameters are replaced', () => {
  const secret = 'own-secret'
  const headers = { Cookie: `id=${secret}`, Authorization: `Bearer ${secret}`, 'X-API-Key': secret, ':path': '/lamps' }
  const api = { url: `https://shop.example/api?access_token=${secret}&page=1`, headers }
  const har = harOf(html(page), entry({ ...api, received: { 'Set-Cookie': `id=${secret}` } }))
  const [, found] = readHar({ har, url: undefined }).exchanges ?? []
  expect(found?.url).toBe('https://shop.example/api?access_token=left-out&page=1')
  expect([...(found?.headers ?? [])]).toEqual([
    ['authorization', 'left-out'],
    ['x-api-key', 'left-out'],
  ])
  expect([...(found?.received.values() ?? [])].join(' ')).not.toContain(secret)
})

test('bodies in base64 are decoded by their charset, and text is used as it is', () => {
  const latin = { type: 'application/json; charset=iso-8859-1', encoding: 'base64' }
  const har = harOf(
    html(page),
    entry({ url: `${page}/a`, ...latin, text: Buffer.from('["Größe"]', 'latin1').toString('base64') }),
    entry({ url: `${page}/b`, type: latin.type, text: '["Größe"]' }),
  )
  expect(
    readHar({ har, url: undefined })
      .exchanges?.slice(1)
      .map(({ text }) => text),
  ).toEqual(['["Größe"]', '["Größe"]'])
})

test('a form without its text has its parameters as the body', () => {
  const postData = { mimeType: 'application/x-www-form-urlencoded', params: pairs({ q: 'floor lamp', page: 1 }) }
  const har = harOf(html(page), entry({ url: `${page}/search`, postData }))
  expect(readHar({ har, url: undefined }).exchanges?.[1]?.sent).toBe('q=floor+lamp&page=1')
})

test('entries that are incomplete, or whose response is not text, are ignored', () => {
  const { request } = entry({ url: page })
  const har = harOf(
    html(page),
    { request },
    entry({ url: 'data:text/html,a' }),
    entry({ url: `${page}.png`, type: 'image/png' }),
  )
  expect(readHar({ har, url: undefined }).exchanges).toHaveLength(1)
})

test('at most 200 exchanges are read', () => {
  const many = Array.from({ length: 300 }, (_, at) => entry({ url: `${page}/${at}` }))
  expect(readHar({ har: harOf(html(page), ...many), url: undefined }).exchanges).toHaveLength(200)
})

test.each(['{', '{}', '{"log":{"entries":{}}}'])('%.30s is no HAR file', (har) => {
  expect(() => readHar({ har, url: undefined })).toThrow('file is not a HAR file')
})

test.each([
  ['many values', `{"log":{"entries":[${'[],'.repeat(3_000_000)}[]]}}`, 'limit of 3000000 for values'],
  ['deep lists', '['.repeat(201), 'limit of 200 for the depth'],
  ['many characters', ' '.repeat(32_000_001), '32000001 characters'],
])('a file with %s is refused before it is parsed', (_, har, message) => {
  expect(() => readHar({ har, url: undefined })).toThrow(message)
})

test('URLs are compared in their normalized form without fragments', () => {
  const har = harOf(html('https://SHOP.example/lamps?q=größe#first'))
  expect(readHar({ har, url: `${page}?q=gr%C3%B6%C3%9Fe#second` }).exchanges).toHaveLength(1)
})

test('a response from the cache of the browser has the status of the stored response', () => {
  const { request, response } = html(page)
  const har = harOf({ request, response: { ...response, status: 304 } })
  expect(readHar({ har, url: page }).exchanges?.map(({ status }) => status)).toEqual([200])
})

test('null is the same as an absent field', () => {
  const { request, response } = html(page)
  const har = harOf(
    { request: { ...request, postData: null }, response },
    { request: { ...request, postData: { text: null, params: null } }, response },
    { request, response: { ...response, content: { ...response.content, encoding: null } } },
  )
  expect(readHar({ har, url: undefined }).exchanges).toHaveLength(3)
})

test('a header that is too long is ignored, and its entry is read', () => {
  const har = harOf(entry({ url: page, type: 'text/html', headers: { 'x-long': 'a'.repeat(20_001), accept: '*/*' } }))
  expect([...(readHar({ har, url: undefined }).exchanges?.[0]?.headers ?? [])]).toEqual([['accept', '*/*']])
})
