import { pageOptionsOf } from '@harvestman/toolbox/page-options'
import { expect, test } from 'vitest'

import type { Exchange } from './exchanges.ts'
import type { OpenBrowser } from './open-browsers.ts'
import { runHere } from './fixtures/run-here.ts'
import { trafficOfBrowser, trafficOfFile, trafficOfRecord } from './page-traffic.ts'

const exchange = (url: string, type: string, referer?: string): Exchange => ({
  ...{ method: 'GET', url, headers: new Map(referer === undefined ? [] : [['referer', referer]]), sent: undefined },
  ...{ status: 200, received: new Map([['content-type', type]]), text: '<!doctype html>' },
})
const home = 'https://shop.example/'
const lamps = 'https://shop.example/lamps'
const exchanges = [
  exchange(home, 'text/html'),
  exchange(lamps, 'text/html', home),
  exchange('https://shop.example/news', 'application/json', home),
  exchange('https://api.example/lamps', 'application/json', home),
  exchange('https://shop.example/api', 'application/json', lamps),
]
const browserOf = (request: object, list = exchanges): OpenBrowser => ({
  ...{ exchanges: list, options: pageOptionsOf(request, {}), proxy: undefined },
  live: { call: async () => '' },
})
const pageAt = (url: string) => async () => ({ url: new URL(url), text: 'Amber lamp', cookies: '' })

test('a page that a link opened has its own document, and the requests to other origins', async () => {
  const { exchanges: found } = await trafficOfBrowser(browserOf({}), undefined, pageAt(lamps))
  expect(found.map(({ url }) => url)).toEqual([lamps, 'https://api.example/lamps', 'https://shop.example/api'])
})

test('the document of a frame of the same origin does not displace the one of the page, whose URL scripts have changed', async () => {
  const frame = { ...exchange('https://shop.example/frame', 'text/html', lamps), isFrame: true }
  const browser = browserOf({}, [
    exchange(lamps, 'text/html'),
    frame,
    exchange(`${lamps}/api`, 'application/json', lamps),
  ])
  const traffic = await trafficOfBrowser(browser, undefined, pageAt(`${lamps}/2`))
  expect(traffic.exchanges.map(({ url }) => url)).toEqual([lamps, frame.url, `${lamps}/api`])
})

test('secrets in the query of the page are removed from its URL and from its document', async () => {
  const url = `${lamps}?kind=floor&code=abc&state=a1b2c3d4e5f6a7b8`
  const browser = browserOf({}, [exchange(url, 'text/html')])
  const traffic = await trafficOfBrowser(browser, undefined, pageAt(url))
  expect(traffic.url.href).toBe(`${lamps}?kind=floor`)
  expect(traffic.exchanges.map((one) => one.url)).toEqual([`${lamps}?kind=floor`])
})

test('a page with a secret in its path is refused', async () => {
  const url = `${lamps}/a1b2c3d4e5f6a7b8`
  const read = trafficOfBrowser(browserOf({}, [exchange(url, 'text/html')]), undefined, pageAt(url))
  await expect(read).rejects.toMatchObject({ code: 'conflict', message: expect.not.stringContaining('a1b2') })
})

test('a live browser with a profile is refused before its page is read', async () => {
  const read = trafficOfBrowser(browserOf({ profile: {} }), undefined, () => Promise.reject(new Error('read')))
  await expect(read).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('profile') })
})

const found = (options: object | undefined, onRead = (): void => undefined) => ({
  options: options && pageOptionsOf(options, {}),
  responses: async function* () {
    for (let at = 0; ; at++) {
      onRead()
      const type = at === 0 ? 'text/html' : 'application/json'
      yield {
        asked: { url: `${lamps}${at === 0 ? '' : `/${at}`}`, method: 'GET', headers: [] },
        answer: { status: 200, headers: [['content-type', type] as const], body: Buffer.from('<!doctype html>') },
      }
    }
  },
})
const { signal } = new AbortController()

test.each([{ mobile: true }, undefined])('a record of a request with the options %j is refused', async (options) => {
  const read = trafficOfRecord({ record: found(options), redacted: 'left-out', url: lamps, shown: '' }, signal)
  await expect(read).rejects.toMatchObject({ code: 'conflict' })
})

test('a record is read until the limit of responses, with the setting for certificates of its request', async () => {
  let reads = 0
  const record = found({ skipTlsVerification: true }, () => (reads += 1))
  const traffic = await trafficOfRecord({ record, redacted: 'left-out', url: undefined, shown: '' }, signal)
  expect(traffic).toMatchObject({ skipTlsVerification: true, proxy: 'basic' })
  expect(reads).toBe(200)
})

const read = (file: string, openRecord = (): never => expect.unreachable()) =>
  trafficOfFile({ file, url: undefined, shown: 'Amber lamp' }, { work: runHere, openRecord, signal })

test('a HAR file has the traffic of its page, requested through a basic proxy without cookies', async () => {
  const headers = [{ name: 'content-type', value: 'text/html' }]
  const request = { method: 'GET', url: `${lamps}?code=abc`, headers: [] }
  const response = { status: 200, headers, content: { text: '<!doctype html>' } }
  const traffic = await read(JSON.stringify({ log: { entries: [{ request, response }] } }))
  expect(traffic).toMatchObject({ url: new URL(lamps), proxy: 'basic', cookies: '', redacted: 'left-out' })
  expect(traffic.exchanges.map(({ url }) => url)).toEqual([lamps])
})

test('the file of a record is read without its secrets, whatever the options of its request were', async () => {
  const record = {
    options: undefined,
    responses: async function* () {
      const headers = [['content-type', 'text/html'] as const, ['set-cookie', 'id=secret'] as const]
      const asked = { url: `${lamps}?api_key=secret`, method: 'GET', headers: [['cookie', 'id=secret'] as const] }
      yield { asked, answer: { status: 200, headers, body: Buffer.from('<!doctype html>') } }
    },
  }
  const bytes: Uint8Array[] = []
  const file = Buffer.from([0x1f, 0x8b, 8, 0, 1]).toString('base64')
  const opened = trafficOfFile(
    { file, url: undefined, shown: '' },
    { work: runHere, openRecord: (given) => (bytes.push(given), record), signal },
  )
  const { exchanges: found } = await opened
  expect(JSON.stringify(found.map(({ headers, received, ...one }) => [one, ...headers, ...received]))).not.toContain(
    'secret',
  )
  expect(Buffer.concat(bytes).toString('base64')).toBe(file)
})

test.each(['', 'WARC/1.1', 'UEsDBA=='])(
  'the file %j is refused, because it is neither HAR nor a record',
  async (file) => {
    await expect(read(file)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('.har'),
    })
  },
)

test('a HAR file without the page is named a file in the message, with its pages', async () => {
  const request = { method: 'GET', url: lamps, headers: [] }
  const response = { status: 200, headers: [], content: { text: '<p>', mimeType: 'text/html' } }
  const file = JSON.stringify({ log: { entries: [{ request, response }] } })
  const opened = trafficOfFile(
    { file, url: home, shown: '' },
    { work: runHere, openRecord: () => expect.unreachable(), signal },
  )
  await expect(opened).rejects.toThrow(`The file has no page with the URL ${home}. Its pages are: ${lamps}.`)
})
