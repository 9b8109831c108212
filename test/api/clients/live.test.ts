// @module-tag long
// @module-tag other-clients
// @module-tag browser
// @module-tag bubblewrap
// The calls of other people's clients to live browsers: real Chromium, real jails, and what they give is looked at.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server as Web } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'
import { scriptedLLM } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { key } from './cases.ts'
import { callTool, cli, commandLine, mcp } from './others.ts'

// The command line remembers its last scrape there. Nobody else is told of it: a browser writes to its home after its end.
const home = mkdtempSync(join(tmpdir(), 'harvestman-clients-'))
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions(), sandbox: localSandbox({ bound: 'watched' }) })],
  llm: scriptedLLM(Array.from({ length: 10 }, () => ({ value: 'It sells tea.' }))),
})
let site: Web
let url: string
let server: Server
const house = {
  home,
  get server() {
    return server
  },
}

beforeAll(async () => {
  site = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<title>Shop</title><main><h1>Tea</h1><p>We sell tea of all kinds here.</p><button>Buy</button></main>'),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/shop`
  server = await serve(createApi(engine, { authenticate: apiKeys(key) }), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
  site.close()
  site.closeAllConnections()
  rmSync(home, { recursive: true, force: true })
})

const slow = { timeout: 600_000 }

describe(commandLine, slow, () => {
  test(
    'interacts by code in three languages and by words with what it scraped last, and stops',
    { tags: ['long'] },
    async () => {
      await cli(house, 'scrape', url)
      expect(await cli(house, 'interact', '-c', 'await page.title()')).toBe('Shop\n')
      expect(await cli(house, 'interact', '-c', 'print(await page.title())', '--python')).toBe('Shop\n')
      expect(await cli(house, 'interact', '-c', 'snapshot', '--bash')).toContain('button "Buy"')
      expect(await cli(house, 'interact', 'What does it sell?')).toBe('It sells tea.\n')
      const whole = JSON.parse(await cli(house, 'interact', '-c', '1 + 1', '--json')) as Record<string, unknown>
      expect(whole).toMatchObject({ success: true, result: '2', exitCode: 0, killed: false })
      expect(whole['liveViewUrl']).toContain(server.url)
      expect(await cli(house, 'interact', 'stop')).toMatch(/Session stopped[^]*Credits billed: 7/)
    },
  )

  test('is told that a session is over, in a sentence', async () => {
    const { metadata } = await engine.scrape({ url }, { keep: true, team: 'default' })
    await cli(house, 'interact', '-s', metadata.scrapeId, '-c', '1')
    await cli(house, 'interact', 'stop', metadata.scrapeId)
    await expect(cli(house, 'interact', '-s', metadata.scrapeId, '-c', '1')).rejects.toThrow(
      /Browser session has been destroyed/,
    )
  })
})

describe(mcp, slow, () => {
  test(
    'firecrawl_interact opens a page, goes on by its id, and firecrawl_interact_stop ends it',
    { tags: ['long'] },
    async () => {
      const first = await callTool(house, 'firecrawl_interact', { url, code: 'await page.title()', language: 'node' })
      const opened = JSON.parse(first) as Record<string, unknown>
      expect(opened).toMatchObject({ success: true, result: 'Shop', exitCode: 0 })
      const { scrapeId } = opened
      const bash = await callTool(house, 'firecrawl_interact', {
        scrapeId,
        code: 'agent-browser get url',
        language: 'bash',
      })
      expect(JSON.parse(bash)).toMatchObject({ success: true, stdout: `${url}\n` })
      const said = await callTool(house, 'firecrawl_interact', { scrapeId, prompt: 'What does it sell?' })
      expect(JSON.parse(said)).toMatchObject({ success: true, output: 'It sells tea.' })
      const ended = await callTool(house, 'firecrawl_interact_stop', { scrapeId })
      expect(JSON.parse(ended)).toMatchObject({ success: true, creditsBilled: 7 })
    },
  )
})
