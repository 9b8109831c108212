import { describe, expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { defineLoader, definePlugin } from '../plugin/define.ts'
import { both, browsing, failure, good, house, refused, shell, url } from './fixtures/house.ts'

describe('explain', () => {
  test('is there only for who asked', async () => {
    expect(await house().engine.scrape({ url })).not.toHaveProperty('explain')
  })

  test('tells each step and why, from the shell to the browser', async () => {
    const { engine } = house(() => ({ body: shell }), { browser: browsing().make, proxies: both })
    const { explain } = await engine.scrape({ url, maxAge: 1_000 }, { explain: true })
    expect(
      explain?.steps.map(({ step, outcome, loader }) => (loader ? [step, outcome, loader] : [step, outcome])),
    ).toEqual([
      ['cache', 'miss'],
      ['proxy', 'basic'],
      ['loader', 'page', 'http'],
      ['parser', 'html'],
      ['scripts', 'browser next'],
      ['proxy', 'basic'],
      ['loader', 'page', 'browser'],
      ['parser', 'html'],
    ])
    expect(explain?.steps[2]).toMatchObject({ status: 200, digest: expect.stringMatching(/^sha256:[\da-f]{64}$/) })
    const next = await engine.scrape({ url: `${url}b` }, { explain: true })
    expect(next.explain?.steps[0]).toMatchObject({ step: 'hosts', reason: expect.stringContaining('a.example') })
    const kept = await engine.scrape({ url, maxAge: 60_000 }, { explain: true })
    expect(kept.explain?.steps[0]).toMatchObject({ step: 'cache', outcome: 'hit' })
  })

  test('tells why a loader read the page when it did', async () => {
    const page = { url, status: 200, headers: { 'content-type': 'text/html' }, body: new TextEncoder().encode(good) }
    const rest = { captured: {}, actions: {}, proxyUsed: 'basic', warnings: [], readiness: 'It was quiet.' } as const
    const slow = defineLoader({ name: 'slow', cost: 0, load: async () => ({ ...page, ...rest }) })
    const { engine } = house(undefined, { plugins: [definePlugin({ name: 'more', loaders: [slow] })] })
    const { explain } = await engine.scrape({ url }, { explain: true })
    expect(explain?.steps).toContainEqual(
      expect.objectContaining({ loader: 'slow', outcome: 'page', reason: 'It was quiet.' }),
    )
  })

  test('tells which proxy was tried next, and why', async () => {
    const { engine } = house(refused, { proxies: both })
    const { explain } = await engine.scrape({ url, proxy: 'auto' }, { explain: true })
    expect(explain?.steps).toContainEqual(
      expect.objectContaining({ step: 'proxy', outcome: 'enhanced next', reason: 'The host answered 403.' }),
    )
  })

  test('tells which blocks of the page went, with the features that decided', async () => {
    const page = `<nav><a href="/a">Menu</a></nav>${good}<footer>Imprint</footer>`
    const { engine } = house(() => ({ body: page }))
    const { explain } = await engine.scrape({ url }, { explain: true })
    const blocks = explain?.blocks ?? []
    const kept = (text: string) => blocks.find((block) => block.text.includes(text))?.kept
    expect([kept('Some text'), kept('Menu')]).toEqual([true, false])
    expect(blocks[0]?.reasons[0]).toEqual({
      feature: expect.any(String),
      value: expect.any(Number),
      push: expect.any(Number),
    })
    const whole = await engine.scrape({ url, onlyMainContent: false }, { explain: true })
    expect(whole.explain).not.toHaveProperty('blocks')
  })

  test('lists what the page hides, removed or part of the content', async () => {
    const page = `${good}<p hidden>Secret</p><button aria-controls="x">More</button><p id="x" style="display:none">Folded</p>`
    const { engine } = house(() => ({ body: page }))
    const { markdown, explain } = await engine.scrape({ url, onlyMainContent: false }, { explain: true })
    expect(explain?.hidden).toEqual([
      { reason: 'display', text: 'Secret', length: 6 },
      { reason: 'display', kept: 'control', text: 'Folded', length: 6 },
    ])
    expect(markdown).toContain('Folded')
    expect(markdown).not.toContain('Secret')
    const { explain: none } = await engine.scrape({ url: `${url}#none`, redactPII: true }, { explain: true })
    expect(none).not.toHaveProperty('hidden')
  })

  test('lists the start of hidden text, which the format hiddenText returns in full', async () => {
    const long = 'secret '.repeat(100).trim()
    const { engine } = house(() => ({ body: `${good}<p>${'visible '.repeat(100)}</p><p hidden>${long}</p>` }))
    const { hiddenText, explain } = await engine.scrape({ url, formats: ['hiddenText'] }, { explain: true })
    expect(hiddenText).toEqual([{ reason: 'display', text: long, length: long.length }])
    expect(explain?.hidden).toEqual([{ reason: 'display', text: long.slice(0, 200), length: long.length }])
  })

  test('tells of a failure how it came about', async () => {
    const { engine } = house(() => {
      throw new EngineError('connection_failed', 'It broke.')
    })
    const { details } = await failure(engine.scrape({ url }, { explain: true }))
    expect(details['explain']).toMatchObject({ steps: [{ step: 'loader', outcome: 'failed', reason: 'It broke.' }] })
  })
})
