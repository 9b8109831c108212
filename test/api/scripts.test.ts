// @module-tag long
// @module-tag browser
// Scripts over HTTP, by the typed client and by command. Real Chromium.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { live } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { scripts } from '@harvestman/live/scripts'
import puppeteer from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { plain } from '../../packages/cli/src/paint.ts'
import { run } from '../../packages/cli/src/program.ts'
import { openShop, type Shop } from '../e2e/scripts/shop.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-scripts-'))
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions() }), scripts()],
})
let shop: Shop
let server: Server
const client = (key = 'key-one') => createClient({ url: server.url, key })
beforeAll(async () => {
  shop = await openShop()
  server = await serve(createApi(engine, { authenticate: apiKeys('one:key-one,two:key-two') }), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
  shop.close()
  rmSync(folder, { recursive: true })
})

async function harvestman(...args: readonly string[]) {
  const said = { out: '', err: '' }
  const code = await run(args, {
    env: { HARVESTMAN_SERVER: server.url, HARVESTMAN_SERVER_KEY: 'key-one' },
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    isTerminal: false,
    paint: { out: plain, err: plain },
    isInteractive: false,
    columns: () => 80,
    stdin: () => new Uint8Array(),
    lines: async function* () {},
  })
  return { code, ...said }
}

test('what a program does in a live browser of a server is recorded, run with other values, and edited by command', async () => {
  const browser = await client().browsers.open()
  const connected = await puppeteer.connect({ browserWSEndpoint: browser.cdpUrl })
  const [page] = await connected.pages()
  if (!page) throw new Error('no page')
  await page.goto(`${shop.origin}/order`)
  await client().scripts.record({ session: browser.id })
  await page.type('#who', 'Ann')
  await page.select('#size', 'Large')
  await page.click('#send')
  const saved = await client().scripts.save({ name: 'order', session: browser.id, parameters: { name: 'Ann' } })
  expect(saved).toMatchObject({ version: 1, origin: 'recorded' })
  await connected.disconnect()
  await client().browsers.close(browser.id)

  const { steps, version } = await client().scripts.run('order', { parameters: { name: 'Bob' } })
  expect({ version, outcomes: new Set(steps.map(({ outcome }) => outcome)) }).toEqual({
    version: 1,
    outcomes: new Set(['done']),
  })
  const ran = await harvestman('scripts', 'run', 'order', '-p', 'name=Cy')
  expect(ran).toMatchObject({
    code: 0,
    out: expect.stringMatching(/fill .*Name.*: done\n[^]*click .*Order now.*: done/),
  })
  const file = join(folder, 'order.json')
  writeFileSync(file, (await harvestman('scripts', 'show', 'order')).out)
  expect(await harvestman('scripts', 'save', 'order', file)).toMatchObject({
    code: 0,
    err: expect.stringContaining('version 2'),
  })
  expect((await harvestman('scripts', 'list')).out).toMatch(/^order {2}version 2, edited/)
  expect((await harvestman('scripts', 'history', 'order')).out).toMatch(/version 2 {2}edited[^]*version 1 {2}recorded/)
  expect(await client('key-two').scripts.list()).toEqual([])
  await expect(client('key-two').scripts.get('order')).rejects.toMatchObject({ status: 404 })

  await client().scripts.run('order', { parameters: { name: 'Eve' }, profile: { name: 'shop' } })
  expect((await client().profiles.list()).map(({ name }) => name)).toEqual(['shop'])
  const both = { session: 'a', profile: { name: 'shop' } }
  await expect(client().scripts.run('order', both)).rejects.toMatchObject({ status: 400 })

  shop.look = 'nothing happens'
  const failed = client().scripts.run('order', { parameters: { name: 'Di' }, stepTimeout: 300 })
  await expect(failed).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(/^Step 3 of 3/),
    details: { step: 3, reason: expect.any(String) },
  })
  expect(await harvestman('scripts', 'delete', 'order')).toMatchObject({ code: 0 })
  expect(await client().scripts.list()).toEqual([])
}, 180_000)
