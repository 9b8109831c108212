// @module-tag browser
// Pages that keep their process busy for good, and pages that are very large.
import type { LiveBrowser, Sessions } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { puppeteerSessions } from '../src/index.ts'
import { attach, clientOf, connectPuppeteer } from './clients.ts'
import { serve, type Served } from './servers.ts'
import { localGuard } from './guard.ts'
import { profile, soon } from './setup.ts'

let site: Served
let sessions: Sessions
/** With the default limit. */
let patient: Sessions
/** Pages may take little memory. */
let small: Sessions

const home = '<title>Home</title><button onclick="for(;;){}">Stop</button>'
const fill = 'const all = []; for (;;) all.push(new Uint8Array(2e7).fill(1))'
const paragraphs = (count: number): string =>
  `<title>Large</title><button onclick="document.title = 'Clicked'">First</button>${'<p>Some text</p>'.repeat(count)}`

beforeAll(async () => {
  site = await serve({
    '/home': home,
    '/other': '<title>Other</title>',
    '/busy': '<title>Busy</title><script>addEventListener("load", () => setTimeout(() => { for(;;){} }))</script>',
    '/hungry': `<title>Hungry</title><button onclick="${fill}">Fill</button>`,
    '/large': paragraphs(20_000),
    '/long': paragraphs(500),
  })
  sessions = puppeteerSessions({ nice: 0, unresponsive: 2_000 })(localGuard())
  patient = puppeteerSessions({ nice: 0 })(localGuard())
  small = puppeteerSessions({ nice: 0, pageMemory: 300_000_000 })(localGuard())
})

afterAll(async () => {
  await sessions.close()
  await patient.close()
  await small.close()
  await site.close()
})

const at = (path: string): string => `http://site.test:${site.port}${path}`

async function open(path: string, from = sessions): Promise<LiveBrowser> {
  const live = await from.open({ team: 'one', profile }, soon())
  await live.act({ type: 'goto', url: at(path) }, soon())
  return live
}

const loop = { type: 'click', ref: 'e1' } as const

describe('a page that does not respond', () => {
  test('is ended and opened again for the next snapshot, with a note of it', async () => {
    const live = await open('/home')
    await expect.poll(async () => (await live.snapshot(soon())).text).toContain('e1')
    await live.act(loop, soon()).catch(() => undefined)
    expect((await live.snapshot(soon())).url).toBe(at('/home'))
    expect(live.takeNotes()).toEqual([
      `The page ${at('/home')} did not respond for 2 s and was ended. Its URL is opened again, without what was typed into it.`,
    ])
    const titleNow = async (): Promise<string> => (await live.snapshot(soon())).title
    await expect.poll(titleNow).toBe('Home')
    expect(live.takeNotes()).toEqual([])
    expect(await live.tab.url()).toBe(at('/home'))
    await live.tab.goto(new URL(at('/other')), soon())
    expect(await live.tab.url()).toBe(at('/other'))
    await live.close()
  })

  test('leaves its tab empty when it stops again at once, and the tab can be used', { tags: ['long'] }, async () => {
    const live = await open('/busy')
    await expect.poll(async () => (await live.snapshot(soon())).url, { timeout: 20_000 }).toBe('about:blank')
    await live.act({ type: 'goto', url: at('/home') }, soon())
    await expect.poll(async () => (await live.snapshot(soon())).title).toBe('Home')
    await live.close()
  })

  test(
    'ends what a client has asked of it with a sentence; the page of the client goes on, and so do other tabs',
    { tags: ['long'] },
    async () => {
      const live = await open('/home')
      const browser = await connectPuppeteer(await live.connect())
      const [page] = await browser.pages()
      const other = await browser.newPage()
      await other.goto(at('/other'))
      const crashes: Error[] = []
      page?.on('error', (error) => crashes.push(error))
      await expect(page?.evaluate('for(;;){}')).rejects.toThrow(/did not respond and was ended/)
      expect(await other.title()).toBe('Other')
      await expect.poll(() => page?.title()).toBe('Home')
      await page?.goto(at('/other'))
      expect(await page?.title()).toBe('Other')
      expect(crashes).toEqual([])
      await browser.disconnect()
      await live.close()
    },
  )

  test('does not keep its profile from being saved', { tags: ['long'] }, async () => {
    const live = await open('/home', patient)
    await expect.poll(async () => (await live.snapshot(soon())).text).toContain('e1')
    const client = await clientOf(live)
    await client.ask('Storage.setCookies', { cookies: [{ name: 'kept', value: '1', url: at('/home') }] })
    await live.act(loop, soon(500)).catch(() => undefined)
    expect(await live.save(soon(10_000))).toMatchObject({ cookies: [{ name: 'kept', value: '1' }] })
    client.wire.close()
    await live.close()
  })

  test('does not keep a client from connecting', { tags: ['long'] }, async () => {
    const live = await open('/home')
    await expect.poll(async () => (await live.snapshot(soon())).text).toContain('e1')
    await live.act(loop, soon(500)).catch(() => undefined)
    const client = await clientOf(live)
    const { result } = await client.ask('Runtime.evaluate', { expression: '1 + 1' }, await attach(client))
    expect(result).toMatchObject({ result: { value: 2 } })
    client.wire.close()
    await live.close()
  })
})

// Elsewhere the system ends it, without a reason.
const ended =
  process.platform === 'linux'
    ? /The page \S+ took more memory than one page may have \(`pageMemory`\)\. Its URL is opened again/
    : /The page \S+ crashed\. Its URL is opened again/

describe('a page that crashed', () => {
  test.skipIf(process.platform !== 'linux')('ends the action that waits for it, with the reason', async () => {
    const live = await open('/hungry', small)
    await expect.poll(async () => (await live.snapshot(soon())).text).toContain('e1')
    await expect(live.act({ type: 'click', ref: 'e1' }, soon())).rejects.toMatchObject({
      code: 'action_failed',
      message:
        'The page took more memory than one page may have (`pageMemory`), and was opened again. Take another snapshot.',
    })
    await expect.poll(async () => (await live.snapshot(soon())).title).toBe('Hungry')
    expect(live.takeNotes()).toEqual([expect.stringMatching(ended)])
    await live.close()
  })

  test('is opened again for the next snapshot', { tags: ['long'] }, async () => {
    const live = await open('/home', patient)
    const client = await clientOf(live)
    const session = await attach(client)
    await client.ask('Runtime.evaluate', { expression: fill }, session)
    await expect.poll(async () => (await live.snapshot(soon())).title, { timeout: 30_000 }).toBe('Home')
    expect(live.takeNotes()).toEqual([expect.stringMatching(ended)])
    client.wire.close()
    await live.close()
  })
})

describe('a large page', () => {
  test('is read to a limit of nodes, with a note, and its elements can be acted on', { tags: ['long'] }, async () => {
    const live = await open('/large', patient)
    await expect.poll(async () => (await live.snapshot(soon())).note, { timeout: 30_000 }).toBeDefined()
    const { text, note } = await live.snapshot(soon())
    expect(text.split('\n').slice(0, 2)).toEqual(['- button "First" [ref=e1]', '- text: "Some text"'])
    expect(text.split('\n').length).toBeLessThanOrEqual(2_000)
    expect(note).toMatch(/^The page is too large to be read whole/)
    await live.act({ type: 'click', ref: 'e1' }, soon())
    await expect.poll(async () => (await live.snapshot(soon())).title).toBe('Clicked')
    await live.close()
  })

  test(
    'is not laid out again by the settings that clients send to every page and that it has already',
    { tags: ['long'] },
    async () => {
      const live = await open('/long', patient)
      await expect.poll(async () => (await live.snapshot(soon())).text).toContain('Some text')
      const client = await clientOf(live)
      const session = await attach(client)
      await client.ask('Performance.enable', {}, session)
      const layouts = async (): Promise<number> => {
        await client.ask('Runtime.evaluate', { expression: 'document.body.offsetHeight' }, session)
        const { result } = await client.ask('Performance.getMetrics', {}, session)
        const metrics = result?.['metrics'] as readonly { name: string; value: number }[]
        return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? 0
      }
      const fonts = {
        ...{ standard: 'Times New Roman', fixed: 'Monospace', serif: 'Times New Roman', sansSerif: 'Arial' },
        ...{ cursive: 'Comic Sans MS', fantasy: 'Impact' },
      }
      const features = [{ name: 'prefers-color-scheme', value: 'light' }]
      const before = await layouts()
      await client.ask('Page.setFontFamilies', { fontFamilies: fonts }, session)
      await client.ask('Emulation.setEmulatedMedia', { media: '', features }, session)
      expect(await layouts()).toBe(before)
      const dark = [{ name: 'prefers-color-scheme', value: 'dark' }]
      const isDark = { expression: 'matchMedia("(prefers-color-scheme: dark)").matches' }
      for (const [wanted, given] of [
        [true, dark],
        [false, features],
      ] as const) {
        await client.ask('Emulation.setEmulatedMedia', { media: '', features: given }, session)
        const { result } = await client.ask('Runtime.evaluate', isDark, session)
        expect(result).toMatchObject({ result: { value: wanted } })
      }
      client.wire.close()
      await live.close()
    },
  )
})
