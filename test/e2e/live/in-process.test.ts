// @module-tag long
// @module-tag browser
// @module-tag bubblewrap
// A live browser in one's own process: from a document, by code, words, steps and Puppeteer. Real Chromium, real jails.

import { createEngine, type Engine } from '@harvestman/core'
import { live, type Live } from '@harvestman/live'
import { pageOf, puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'
import { scriptedLLM } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startSites, type Sites } from '../live-tasks/sites.ts'

let sites: Sites
let engine: Engine & { readonly live: Live }
beforeAll(async () => {
  sites = await startSites()
  engine = createEngine({
    allowPrivate: ['127.0.0.0/8'],
    browser: puppeteerBrowser(),
    plugins: [live({ sessions: puppeteerSessions(), sandbox: localSandbox({ bound: 'watched' }) })],
    llm: scriptedLLM([{ value: 'A shirt.' }]),
  })
})
afterAll(async () => {
  await engine.close()
  await sites.close()
})

const open = async (path = '/form') => {
  const { metadata } = await engine.scrape({ url: sites.origin + path }, { keep: true })
  return engine.live.ofScrape(metadata.scrapeId)
}

test('code, words, steps and Puppeteer act on one page', async () => {
  await using session = await open()
  expect(await session.run('await page.title()')).toMatchObject({ result: 'Order a shirt', exitCode: 0 })
  expect(await session.ask('What is sold?')).toMatchObject({ success: true, answer: 'A shirt.' })
  const { text, url } = await session.snapshot()
  expect(url).toBe(`${sites.origin}/form`)
  const ref = /textbox "Name".*\[ref=(e\d+)\]/.exec(text)?.[1] ?? ''
  await session.act({ type: 'fill', ref, text: 'Ann' })
  {
    await using page = await pageOf(session)
    expect(await page.$eval('[name=name]', (field) => (field as unknown as { value: string }).value)).toBe('Ann')
    await page.select('[name=size]', 'Large')
    await page.click('[name=terms]')
    await Promise.all([page.waitForNavigation(), page.click('button')])
    expect(await page.title()).toBe('Sent')
    await expect(page.goto('file:///etc/hostname')).rejects.toThrow(/does not go to/)
  }
  expect(sites.received).toEqual([{ name: 'Ann', size: 'Large', note: '', terms: 'on' }])
  expect(await session.run('await page.title()')).toMatchObject({ result: 'Sent' })
})

test('a step that is none is refused by name, and one on what is gone says so', async () => {
  await using session = await open()
  const wrong = { type: 'upload', file: '/etc/passwd' } as unknown as Parameters<typeof session.act>[0]
  await expect(session.act(wrong)).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(session.act({ type: 'click', ref: 'e999' })).rejects.toMatchObject({ code: 'action_failed' })
})

test('what is left by `await using` is over, for all who hold it, and its scrape has no other', async () => {
  let kept: Awaited<ReturnType<typeof open>>
  {
    await using session = await open()
    kept = session
  }
  expect(kept.closed.aborted).toBe(true)
  await expect(kept.run('1')).rejects.toMatchObject({ code: 'session_over' })
  await expect(pageOf(kept)).rejects.toMatchObject({ code: 'session_over' })
  await expect(engine.live.ofScrape(kept.scrapeId!)).rejects.toMatchObject({ code: 'session_over' })
})
