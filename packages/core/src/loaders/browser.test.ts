import { describe, expect, test } from 'vitest'

import { type Browser, type BrowserProfile, EngineError, type Tab } from '@harvestman/ports'
import type { PlannedAction } from '../plugin/action.ts'
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

const none = { pictures: false, ownContext: false }
const all = { pictures: true, ownContext: true }

function bench(job: Partial<LoadJob> & { readonly headers?: Record<string, string> } = {}, tab: Partial<Tab> = {}) {
  const profiles: BrowserProfile[] = []
  const browser: Browser = {
    open: async (profile) => {
      profiles.push(profile)
      return {
        goto: async () => ({ url: 'https://a.example/', status: 200, headers: [], latency: 120 }),
        url: async () => 'https://a.example/',
        html: async () => '<p>text</p>',
        close: async () => undefined,
        ...tab,
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
    browserNeeds: { pictures: false, ownContext: false },
    timeLeft: () => 30_000,
    maxBytes: 1,
    most: { bytes: 1_000, values: 100 },
    ...rest,
  }
  const work = browserLoader.load(
    { ...whole, request: { ...request, headers }, signal: new AbortController().signal } as unknown as LoadJob,
    { browser, clock: { now: () => Date.now(), sleep: async () => undefined } } as unknown as LoaderKit,
  )
  return { profiles, work }
}

test('a page says how long its host took to begin the answer, as the browser tells', async () => {
  expect(await bench().work).toMatchObject({ latency: 120 })
})

test('what actions and formats bring from a page is counted when it is brought', async () => {
  const scrape = {
    type: 'scrape',
    needs: none,
    run: async () => ({ into: 'scrapes', value: { html: 'x'.repeat(600) } }),
  }
  await expect(bench({ actions: [scrape] }).work).resolves.toMatchObject({ actions: { scrapes: [expect.any(Object)] } })
  await expect(bench({ actions: [scrape, scrape] }).work).rejects.toMatchObject({
    message: expect.stringContaining('1000 bytes'),
  })
  const capture = { name: 'texts', options: {}, run: async () => Array.from({ length: 200 }, () => 1) }
  await expect(bench({ captures: [capture] }).work).rejects.toMatchObject({ code: 'page_too_complex' })
})

test('only the start of a large page is checked for a challenge', async () => {
  const sizes: number[] = []
  const blockOf: LoadJob['blockOf'] = ({ body }) => void sizes.push(body.byteLength)
  const html = async (): Promise<string> => 'x'.repeat(1_000_000)
  const page = await bench({ blockOf }, { html, leaves: async () => undefined }).work
  expect(page).toMatchObject({ body: { byteLength: 1_000_000 } })
  expect(sizes).toEqual([60_001])
})

test('pages of one job share what the browser keeps', async () => {
  const { profiles, work } = bench({ group: 'job-1' })
  await work
  expect(profiles[0]?.group).toBe('job-1')
})

test.each([
  ['a page without a job', {}],
  ['a page that needs a context of its own', { group: 'job-1', browserNeeds: { ...none, ownContext: true } }],
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
  const take = {
    type: 'screenshot',
    needs: { ...none, pictures: true },
    run: async () => ({ into: 'screenshots', value: picture }),
  }
  const fail = {
    type: 'click',
    needs: all,
    run: () => Promise.reject(new EngineError('action_failed', 'Nothing matches.')),
  }
  expect(await bench({ actions: [take], browserNeeds: all }).work).toMatchObject({
    actions: { screenshots: [picture] },
  })
  await expect(bench({ actions: [take, fail], browserNeeds: all }).work).rejects.toMatchObject({
    code: 'action_failed',
    details: { index: 1, results: { screenshots: ['data:image/png;base64,iVBORw=='] } },
  })
})

test('pictures are left out where nothing needs them, and what is acted on is shown also when it is no page', async () => {
  const look = { type: 'look', needs: none, run: async () => undefined }
  const without = bench({ actions: [look] })
  const plain = bench()
  const drawn = bench({ actions: [look], browserNeeds: { ...none, pictures: true } })
  await Promise.all([without.work, plain.work, drawn.work])
  expect(without.profiles[0]).toMatchObject({ pictures: false, showsFiles: true })
  expect(plain.profiles[0]).toMatchObject({ pictures: false, showsFiles: false })
  expect(drawn.profiles[0]).toMatchObject({ pictures: true, showsFiles: true })
})

describe('an action that fails without pictures', () => {
  const failing = (needs: typeof none) => {
    const heard: unknown[] = []
    const run: PlannedAction['run'] = async (_, { mayRetry }) => {
      heard.push(mayRetry)
      throw new EngineError('action_failed', 'Nothing matches.')
    }
    return { action: { type: 'find', needs, run }, heard }
  }

  test('is tried once more on the page with its pictures, and knows the first time that it will be', async () => {
    const { action, heard } = failing(none)
    const { profiles, work } = bench({ actions: [action] })
    await expect(work).rejects.toMatchObject({ code: 'action_failed' })
    expect(profiles.map(({ pictures }) => pictures)).toEqual([false, true])
    expect(heard).toEqual([true, false])
  })

  test('is not, where the page was told something', async () => {
    const needs = { ...none, ownContext: true }
    const { action, heard } = failing(needs)
    const { profiles, work } = bench({ actions: [action], browserNeeds: needs })
    await expect(work).rejects.toMatchObject({ code: 'action_failed' })
    expect([profiles.length, heard]).toEqual([1, [false]])
  })
})

describe('a page whose browser crashes in a capture', () => {
  const crashing = (): { readonly name: string; readonly options: object; readonly run: () => Promise<string> } => {
    let runs = 0
    const run = (): Promise<string> => {
      runs += 1
      return runs === 1
        ? Promise.reject(new EngineError('browser_failed', 'The browser crashed.'))
        : Promise.resolve('ok')
    }
    return { name: 'picture', options: {}, run }
  }

  test('is loaded once more', async () => {
    const { profiles, work } = bench({ captures: [crashing()] })
    await expect(work).resolves.toMatchObject({ captured: { picture: 'ok' } })
    expect(profiles).toHaveLength(2)
  })

  test('is not loaded again if its actions have run, which would be repeated', async () => {
    let clicks = 0
    const click = { type: 'click', needs: all, run: async () => void (clicks += 1) }
    const { work } = bench({ actions: [click], captures: [crashing()], browserNeeds: all })
    await expect(work).rejects.toMatchObject({ code: 'browser_failed' })
    expect(clicks).toBe(1)
  })
})
