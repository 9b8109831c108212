// @module-tag browser
// What clients of a live browser are refused, tried with real ones by the address that they are given. All that the browser
// itself is told goes through a program that writes it down.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine, type Engine } from '@harvestman/core'
import { live, type Live } from '@harvestman/live'
import { createApi, serve, type Server } from '@harvestman/http'
import { findBrowser, puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { plainBrowser } from '../plain-browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-heard-'))
const heard = join(folder, 'heard')

let engine: Engine & { readonly live: Live }
let api: Server
let cdpUrl: string

beforeAll(async () => {
  const listener = join(folder, findBrowser()?.kind === 'full' ? 'chromium' : 'chromium-headless-shell')
  writeFileSync(listener, `#!/bin/bash\nexec '${await plainBrowser()}' "$@" 3< <(exec tee '${heard}' <&3)\n`)
  chmodSync(listener, 0o755)
  engine = createEngine({
    browser: puppeteerBrowser(),
    plugins: [live({ sessions: puppeteerSessions({ executablePath: listener, nice: 0 }) })],
  })
  api = await serve(createApi(engine), { port: 0 })
  const session = await engine.live.open()
  cdpUrl = `${api.url.replace(/^http/, 'ws')}/cdp/${session.id}?token=${session.tokens.cdp}`
})

afterAll(async () => {
  await api.close()
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

const denied = `Browser.close Browser.crash Browser.crashGpuProcess Browser.getBrowserCommandLine Browser.setPermission
  Browser.grantPermissions Browser.resetPermissions Browser.executeBrowserCommand Browser.setWindowBounds
  Target.exposeDevToolsProtocol
  Target.setRemoteLocations Target.sendMessageToTarget SystemInfo.getInfo SystemInfo.getProcessInfo
  IO.resolveBlob Tracing.start Tracing.end Memory.getDOMCounters HeapProfiler.takeHeapSnapshot Profiler.start
  Debugger.enable Storage.getUsageAndQuota Storage.clearDataForOrigin
  Network.setRequestInterception Network.loadNetworkResource
  Page.setDownloadBehavior Page.crash Page.captureSnapshot DOM.setFileInputFiles DOM.getFileInfo
  Security.setIgnoreCertificateErrors Extensions.loadUnpacked PWA.install Schema.getDomains FileSystem.getDirectory
  IndexedDB.requestData CacheStorage.requestCacheNames DOMStorage.getDOMStorageItems ServiceWorker.unregister
  WebAuthn.enable Overlay.enable Animation.enable Nonsense.method`.split(/\s+/)

/** As clients take any command and any of its parameters. */
type Send = (method: string, params: object) => Promise<unknown>

interface Client {
  readonly send: Send
  readonly close: () => Promise<void>
}

const clients: Readonly<Record<string, () => Promise<Client>>> = {
  'puppeteer-core, on a page': async () => {
    const browser = await puppeteer.connect({ browserWSEndpoint: cdpUrl })
    const [page] = await browser.pages()
    const session = await page!.createCDPSession()
    return { send: session.send.bind(session) as Send, close: () => browser.disconnect() }
  },
  'puppeteer-core, on the browser': async () => {
    const browser = await puppeteer.connect({ browserWSEndpoint: cdpUrl })
    const [page] = await browser.pages()
    const root = (await page!.createCDPSession()).connection()!
    return { send: root.send.bind(root) as Send, close: () => browser.disconnect() }
  },
  'playwright-core, on a page': async () => {
    const browser = await chromium.connectOverCDP(cdpUrl)
    const context = browser.contexts()[0]!
    const session = await context.newCDPSession(context.pages()[0]!)
    return { send: session.send.bind(session) as Send, close: () => browser.close() }
  },
  'playwright-core, on the browser': async () => {
    const browser = await chromium.connectOverCDP(cdpUrl)
    const session = await browser.newBrowserCDPSession()
    return { send: session.send.bind(session) as Send, close: () => browser.close() }
  },
}

describe.each(Object.entries(clients))('%s', (name, open) => {
  test(`is refused ${denied.length} commands, and the browser hears none of them`, async () => {
    expect(denied.length).toBeGreaterThan(40)
    const { send, close } = await open()
    const mark = `mark-${name.replaceAll(/\W+/g, '-')}`
    const answers = await Promise.all(
      denied.map((method) =>
        send(method, { mark }).then(
          () => 'done',
          (error: Error) => error.message,
        ),
      ),
    )
    const taken = denied.filter(
      (method, index) => !answers[index]?.includes(`'${method}' is not allowed in a live browser.`),
    )
    expect(taken).toEqual([])
    await allIsWritten(mark)
    expect(readFileSync(heard, 'utf8')).not.toContain(mark)
    await close()
  })
})

/** What is written down is all that was said until now: a command of another client, sent after, is among it. */
async function allIsWritten(mark: string): Promise<void> {
  const browser = await puppeteer.connect({ browserWSEndpoint: cdpUrl })
  const [page] = await browser.pages()
  const last = mark.replace('mark', 'last')
  expect(await page?.evaluate(`'${last}'`)).toBe(last)
  await expect.poll(() => readFileSync(heard, 'utf8')).toContain(last)
  await browser.disconnect()
}
