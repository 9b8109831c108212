import { expect, test } from 'vitest'

import { type Browser, type BrowserProfile, EngineError, type Tab } from '@harvestman/ports'
import type { LoadJob, LoaderKit } from '../plugin/parts.ts'
import { browserLoader } from './browser.ts'

const request = {
  headers: {},
  mobile: false,
  blockAds: true,
  skipTlsVerification: false,
  location: { country: 'US', languages: ['en-US'] },
  waitFor: 0,
}

function bench(job: Partial<LoadJob> & { readonly headers?: Record<string, string> } = {}) {
  const profiles: BrowserProfile[] = []
  const browser: Browser = {
    open: async (profile) => {
      profiles.push(profile)
      return {
        goto: async () => ({ url: 'https://a.example/', status: 200, headers: [], latency: 120 }),
        url: async () => 'https://a.example/',
        html: async () => '<p>text</p>',
        close: async () => undefined,
      } as unknown as Tab
    },
    close: async () => undefined,
  }
  const { headers = {}, ...rest } = job
  const whole = {
    url: new URL('https://a.example/'),
    headers,
    captures: [],
    actions: [],
    maxBytes: 1,
    most: { bytes: 1_000, values: 100 },
    ...rest,
  }
  const work = browserLoader.load(
    { ...whole, request: { ...request, headers }, signal: new AbortController().signal } as unknown as LoadJob,
    { browser } as unknown as LoaderKit,
  )
  return { profiles, work }
}

test('a page says how long its host took to begin the answer, as the browser tells', async () => {
  expect(await bench().work).toMatchObject({ latency: 120 })
})

test('what actions and formats bring from a page is counted when it is brought', async () => {
  const scrape = { type: 'scrape', run: async () => ({ into: 'scrapes', value: { html: 'x'.repeat(600) } }) }
  await expect(bench({ actions: [scrape] }).work).resolves.toMatchObject({ actions: { scrapes: [expect.any(Object)] } })
  await expect(bench({ actions: [scrape, scrape] }).work).rejects.toMatchObject({
    message: expect.stringContaining('1000 bytes'),
  })
  const capture = { name: 'texts', options: {}, run: async () => Array.from({ length: 200 }, () => 1) }
  await expect(bench({ captures: [capture] }).work).rejects.toMatchObject({ code: 'page_too_complex' })
})

const write = { type: 'write', run: async () => undefined }

test('pages of one job share what the browser keeps', async () => {
  const { profiles, work } = bench({ group: 'job-1' })
  await work
  expect(profiles[0]?.group).toBe('job-1')
})

test.each([
  ['a page without a job', {}],
  ['a page that is acted on', { group: 'job-1', actions: [write] }],
  ['a page that is asked for with headers of the caller', { group: 'job-1', headers: { cookie: 'a=1' } }],
])('%s shares nothing', async (_, job) => {
  const { profiles, work } = bench(job)
  await work
  expect(profiles[0]).not.toHaveProperty('group')
})

test('the browser goes through the proxy of the job, and through none without', async () => {
  const through = bench({ proxy: { url: 'http://proxy.example' } })
  await through.work
  expect(through.profiles[0]?.proxy).toEqual({ url: 'http://proxy.example' })
  const direct = bench()
  await direct.work
  expect(direct.profiles[0]).not.toHaveProperty('proxy')
})

test('what actions brought as bytes is a file of the page, and printable when a later action fails', async () => {
  const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47])
  const take = { type: 'screenshot', run: async () => ({ into: 'screenshots', value: picture }) }
  const fail = { type: 'click', run: () => Promise.reject(new EngineError('action_failed', 'Nothing matches.')) }
  expect(await bench({ actions: [take] }).work).toMatchObject({ actions: { screenshots: [picture] } })
  await expect(bench({ actions: [take, fail] }).work).rejects.toMatchObject({
    code: 'action_failed',
    details: { index: 1, results: { screenshots: ['data:image/png;base64,iVBORw=='] } },
  })
})
