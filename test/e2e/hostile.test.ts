// @module-tag long
import { createEngine, EngineError, type Engine } from '@harvestman/core'
import { startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { longIf } from '../../scripts/long-tests.ts'

let site: Site
let engine: Engine<readonly []>

beforeAll(async () => {
  site = await startSite()
  engine = createEngine({ allowPrivate: ['127.0.0.0/8'] })
})
afterAll(async () => {
  await engine.close()
  await site.close()
})

interface Ended {
  readonly outcome: string
  readonly warning: string | undefined
}

// What ends these pages is a bound of bytes; a busy machine has as long as it needs.
async function scrape(path: string, timeout = 60_000): Promise<Ended> {
  try {
    const { metadata, warning } = await engine.scrape({ url: site.url + path, timeout })
    return { outcome: String(metadata.statusCode), warning }
  } catch (error) {
    return { outcome: EngineError.is(error) ? error.code : String(error), warning: undefined }
  }
}

describe('a page that is made to stop the process', () => {
  const pages: readonly (readonly [path: string, outcome: string, isLong?: 'long'])[] = [
    ['/huge/body', 'response_too_large'],
    ['/huge/endless', 'response_too_large'],
    ['/bomb/gzip', 'response_too_large'],
    ['/bomb/br', 'response_too_large', 'long'],
    ['/bomb/zstd', 'response_too_large'],
    ['/bomb/twice', 'response_too_large', 'long'],
    ['/bomb/members', 'response_too_large'],
    ['/huge/html', '200', 'long'],
    ['/huge/deep', '200'],
    ['/huge/deep?name=b', '200'],
    ['/huge/deep?name=table', '200'],
    ['/huge/wide', '200', 'long'],
    ['/huge/less-than', '200'],
    ['/huge/blanks', '200'],
    ['/huge/attribute', '200'],
    ['/huge/attributes', '200', 'long'],
    ['/huge/table', '200', 'long'],
  ]
  for (const [path, outcome, isLong] of pages)
    test(
      `${path} ends with ${outcome}, and another scrape at the same moment with its page`,
      longIf(isLong !== undefined),
      async () => {
        const [hostile, good] = await Promise.all([scrape(path), scrape('/good/article')])
        expect(hostile.outcome).toBe(outcome)
        expect(good.outcome).toBe('200')
      },
    )

  test.concurrent.each(['/slow/silent', '/slow/headers', '/slow/body', '/slow/loris', '/slow/loris-headers'])(
    '%s ends with its timeout',
    async (path) => expect((await scrape(path, 1_000)).outcome).toBe('timeout'),
  )

  test('a page deeper than is read says in its warning that it was flattened', async () => {
    expect((await scrape('/huge/deep')).warning).toMatch(/deep|level|nest/i)
  })

  test('a selector of a caller that would cost more than the page is refused before anything is fetched', async () => {
    const selector = `${':has(* '.repeat(40)}*${')'.repeat(40)}`
    const before = site.hits()
    await expect(engine.scrape({ url: `${site.url}/good/article`, includeTags: [selector] })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(site.hits()).toBe(before)
  })

  test('a selector that costs too much on this page is given up, and says so', async () => {
    const includeTags = ['p:has(~ p ~ p ~ i)']
    const work = engine.scrape({ url: `${site.url}/huge/wide?count=20000`, includeTags })
    const said = await work.then(
      ({ warning }) => warning,
      (error: EngineError) => error.message,
    )
    expect(said).toMatch(/takes too long on this page|could not be read within/)
  })
})
