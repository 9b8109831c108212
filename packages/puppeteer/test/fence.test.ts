// @module-tag browser
import type { LiveBrowser, Sessions } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { findByArgument } from '../src/chromium/processes.ts'
import { puppeteerSessions } from '../src/index.ts'
import { attach, clientOf, connectPuppeteer, type Answer, type Client } from './clients.ts'
import { serve, type Served } from './servers.ts'
import { localGuard } from './guard.ts'
import { profile, soon } from './setup.ts'

let site: Served
let sessions: Sessions
let mine: LiveBrowser
let theirs: LiveBrowser

beforeAll(async () => {
  site = await serve({
    '*': '<title>Home</title><input id=box><button onclick="document.title = box.value">Go</button>',
  })
  sessions = puppeteerSessions()(localGuard())
  mine = await sessions.open({ team: 'one', profile }, soon())
  theirs = await sessions.open({ team: 'one', profile }, soon())
  await mine.tab.goto(at('/mine'), soon())
  await theirs.tab.goto(at('/theirs'), soon())
})

afterAll(async () => {
  await sessions.close()
  await site.close()
})

const at = (path: string): URL => new URL(`http://site.test:${site.port}${path}`)

describe('Puppeteer through the fence', () => {
  test('sees the page of its session alone, drives it, and opens and closes further tabs', async () => {
    const browser = await connectPuppeteer(await mine.connect())
    const pages = await browser.pages()
    expect(pages.map((page) => page.url())).toEqual([at('/mine').href])
    await pages[0]?.type('#box', 'typed')
    await pages[0]?.click('button')
    expect(await pages[0]?.title()).toBe('typed')
    const second = await browser.newPage()
    await second.goto(at('/second').href)
    expect((await second.screenshot()).length).toBeGreaterThan(1_000)
    await second.close()
    expect((await browser.pages()).length).toBe(1)
    await browser.disconnect()
  })

  test('cannot leave the guard: a private address is refused in every tab', async () => {
    const browser = await connectPuppeteer(await mine.connect())
    const page = await browser.newPage()
    const answer = await page.goto(`http://private.test:${site.port}/`).catch((error: Error) => error)
    expect(answer instanceof Error || answer?.status() !== 200).toBe(true)
    expect(site.seen.some((line) => line.includes('private'))).toBe(false)
    await page.close()
    await browser.disconnect()
  })
})

const rootDenied =
  `Browser.close Browser.crash Browser.crashGpuProcess Browser.getBrowserCommandLine Browser.setPermission
  Browser.grantPermissions Browser.executeBrowserCommand Browser.setWindowBounds Browser.getHistograms
  Target.exposeDevToolsProtocol
  Target.setRemoteLocations Target.sendMessageToTarget Target.openDevTools SystemInfo.getInfo SystemInfo.getProcessInfo
  IO.resolveBlob Tracing.start Tracing.getCategories Memory.getDOMCounters Memory.simulatePressureNotification
  Storage.getUsageAndQuota Storage.clearDataForOrigin Storage.getTrustTokens Tethering.bind Extensions.loadUnpacked
  Extensions.getStorageItems PWA.install Schema.getDomains FileSystem.getDirectory Nonsense.method`.split(/\s+/)

const pageDenied = `Page.setDownloadBehavior Page.addCompilationCache Page.captureSnapshot Page.crash Page.setBypassCsp
  DOM.setFileInputFiles DOM.getFileInfo Network.setRequestInterception
  Network.loadNetworkResource
  Network.replayXHR Network.takeResponseBodyForInterceptionAsStream Security.setIgnoreCertificateErrors
  Debugger.enable Debugger.setBreakpoint HeapProfiler.takeHeapSnapshot Profiler.start Storage.clearDataForOrigin
  IndexedDB.requestData CacheStorage.requestCacheNames DOMStorage.getDOMStorageItems ServiceWorker.unregister
  Target.createTarget Target.attachToTarget Target.getTargets Target.createBrowserContext Browser.close Browser.crash
  WebAuthn.enable Cast.enable DeviceAccess.enable FedCm.enable Autofill.trigger BackgroundService.startObserving
  WebAudio.enable Media.enable Overlay.enable LayerTree.enable Animation.enable Preload.enable Tracing.start`.split(
  /\s+/,
)

/** The refusal names the method, and says in a sentence what to do instead. */
const refusalOf = (method: string): RegExp =>
  new RegExp(String.raw`^'${method.replace('.', String.raw`\.`)}' is not allowed in a live browser\. [A-Z].{10,}\.$`)

test('a client may open sessions with the browser: they can do what it can without one, and no more', async () => {
  const client = await clientOf(mine)
  const opened = await client.ask('Target.attachToBrowserTarget')
  const browser = String(opened.result?.['sessionId'])
  const { result } = await client.ask('Target.getTargets', {}, browser)
  const infos = result?.['targetInfos'] as { targetId: string; url: string }[]
  expect(infos.map(({ url }) => url)).toEqual([at('/mine').href])
  const page = await client.ask('Target.attachToTarget', { targetId: infos[0]?.targetId, flatten: true }, browser)
  const sessionId = String(page.result?.['sessionId'])
  expect(client.heard.filter(({ method }) => method === 'Target.attachedToTarget')).toMatchObject([
    { sessionId: browser, params: { sessionId } },
  ])
  expect((await client.ask('Runtime.evaluate', { expression: '1 + 1' }, sessionId)).result).toMatchObject({
    result: { value: 2 },
  })
  for (const method of ['Browser.close', 'Target.setAutoAttach', 'Storage.getUsageAndQuota'])
    expect((await client.ask(method, {}, browser)).error?.message).toContain('is not allowed')
  await client.ask('Target.detachFromTarget', { sessionId }, browser)
  await expect
    .poll(() => client.heard.filter(({ method }) => method === 'Target.detachedFromTarget'))
    .toMatchObject([{ sessionId: browser }])
  expect((await client.ask('Target.detachFromTarget', { sessionId: browser })).error).toBeUndefined()
  expect((await client.ask('Target.getTargets', {}, browser)).error?.message).toContain('Session with given id')
  client.wire.close()
})

describe('the fence refuses, and the browser does not hear of', () => {
  test.each(rootDenied)('%s', async (method) => {
    const client = await clientOf(mine)
    const { error } = await client.ask(method, {})
    expect(error).toEqual({ code: -32_601, message: expect.stringMatching(refusalOf(method)) as string })
    client.wire.close()
  })

  test.each(pageDenied)('%s on a page', async (method) => {
    const client = await clientOf(mine)
    const { error } = await client.ask(method, {}, await attach(client))
    expect(error).toEqual({ code: -32_601, message: expect.stringMatching(refusalOf(method)) as string })
    client.wire.close()
  })

  const addresses = ['file:///etc/hostname', 'chrome://version', 'devtools://devtools', 'view-source:http://site.test']
  const more = [
    'chrome-extension://x/y',
    'filesystem:http://x/',
    'javascript:alert(1)',
    'about:crash',
    'ftp://site.test',
  ]
  test.each([...addresses, ...more])('the address %s', async (url) => {
    const client = await clientOf(mine)
    const session = await attach(client)
    for (const answer of [
      await client.ask('Page.navigate', { url }, session),
      await client.ask('Target.createTarget', { url }),
    ])
      expect(answer.error?.message).toMatch(/does not go to/)
    client.wire.close()
  })
})

describe('another session', () => {
  test('is not listed, and cannot be attached to, closed or looked at', async () => {
    const [me, other] = [await clientOf(mine), await clientOf(theirs)]
    const targetId = await targetOf(other)
    expect(JSON.stringify(await me.ask('Target.getTargets'))).not.toContain(targetId)
    for (const method of [
      'Target.attachToTarget',
      'Target.closeTarget',
      'Target.activateTarget',
      'Target.getTargetInfo',
    ])
      expect((await me.ask(method, { targetId })).error?.message).toBe('No target with given id found')
    const session = await attach(other)
    const { error } = await me.ask('Runtime.evaluate', { expression: '1' }, session)
    expect(error?.message).toBe('Session with given id not found.')
    me.wire.close()
    other.wire.close()
  })

  test('is not reached by the id of its context, for tabs or for cookies', async () => {
    const [me, other] = [await clientOf(mine), await clientOf(theirs)]
    const { result } = await other.ask('Target.getTargets')
    const [{ browserContextId } = {}] = (result?.['targetInfos'] ?? []) as { browserContextId?: string }[]
    for (const method of ['Target.createTarget', 'Storage.getCookies', 'Storage.clearCookies'])
      expect((await me.ask(method, { browserContextId, url: 'about:blank' })).error?.message).toMatch(/browser context/)
    me.wire.close()
    other.wire.close()
  })

  test('never answers, whatever numbers both count with: 1,000 calls in turn', async () => {
    const clients = [await clientOf(mine), await clientOf(theirs)] as const
    const [one, two] = [await attach(clients[0]), await attach(clients[1])]
    await clients[0].ask('Runtime.evaluate', { expression: 'document.cookie = "who=mine"' }, one)
    await clients[1].ask('Runtime.evaluate', { expression: 'document.cookie = "who=theirs"' }, two)
    const say = { expression: 'location.pathname + document.cookie', returnByValue: true }
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, turn) =>
        clients[turn % 2 === 0 ? 0 : 1].ask('Runtime.evaluate', say, turn % 2 === 0 ? one : two),
      ),
    )
    const values = answers.map(({ result }) => (result?.['result'] as { value: string } | undefined)?.value)
    expect(new Set(values.filter((_, turn) => turn % 2 === 0))).toEqual(new Set(['/minewho=mine']))
    expect(new Set(values.filter((_, turn) => turn % 2 === 1))).toEqual(new Set(['/theirswho=theirs']))
    for (const { wire } of clients) wire.close()
  })

  test('says nothing of what happens in it to a client that listens for everything', async () => {
    const client = await clientOf(mine)
    await client.ask('Target.setDiscoverTargets', { discover: true, filter: [{}] })
    await client.ask('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{}],
    })
    const other = await clientOf(theirs)
    const { result } = await other.ask('Target.createTarget', { url: at('/new').href })
    await other.ask('Target.closeTarget', { targetId: result?.['targetId'] })
    await client.ask('Browser.getVersion')
    expect(JSON.stringify(client.heard)).not.toContain(String(result?.['targetId']))
    expect(JSON.stringify(client.heard)).toContain('/mine')
    client.wire.close()
    other.wire.close()
  })
})

describe('what a client sends', () => {
  const sentences: readonly (readonly [string, string, RegExp])[] = [
    ['is too large', `{"id":1,"method":"${'x'.repeat(9_000_000)}"}`, /at most 8388608 characters/],
    [
      'is too deep',
      `{"id":1,"method":"Browser.getVersion","params":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      /100 deep/,
    ],
    ['is no JSON', '{"id":1', /not JSON/],
    ['is no command', '[]', /not a command/],
    ['has no number', '{"method":"Browser.getVersion"}', /number as its id/],
    ['has params of another kind', '{"id":1,"method":"Browser.getVersion","params":[]}', /params/],
  ]
  test.each(sentences)('is refused when it %s', async (_name, text, sentence) => {
    const wire = await mine.connect()
    const answer = new Promise<string>((resolve) => (wire.onMessage = resolve))
    wire.send(text)
    expect(await answer).toMatch(sentence)
    wire.close()
  })

  test('is refused when there is too much of it, and the client goes on later', async () => {
    const client = await clientOf(mine)
    const answers = await Promise.all(Array.from({ length: 6_000 }, () => client.ask('Target.getBrowserContexts')))
    expect(answers.filter(({ error }) => error?.message.includes('messages')).length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await client.ask('Browser.getVersion')).result).toBeDefined()
    client.wire.close()
  })

  test('opens at most 20 tabs', { tags: ['long'] }, async () => {
    const client = await clientOf(theirs)
    const opened: string[] = []
    let refusal: string | undefined
    while (refusal === undefined && opened.length < 30) {
      const { result, error } = await client.ask('Target.createTarget', { url: 'about:blank' })
      refusal = error?.message
      if (result) opened.push(String(result['targetId']))
    }
    expect(refusal).toMatch(/at most 20 tabs/)
    for (const targetId of opened) await client.ask('Target.closeTarget', { targetId })
    client.wire.close()
  })

  test.each([
    ['Emulation.setDeviceMetricsOverride', { width: 100_000, height: 10, deviceScaleFactor: 1, mobile: false }],
    ['Page.captureScreenshot', { clip: { x: 0, y: 0, width: 30_000, height: 30_000, scale: 1 } }],
    ['Page.printToPDF', { paperWidth: 20_000, paperHeight: 20_000 }],
    [
      'Input.dispatchDragEvent',
      { type: 'drop', x: 1, y: 1, data: { items: [], files: ['/etc/passwd'], dragOperationsMask: 1 } },
    ],
  ])('%s is refused when it asks for too much', async (method, params) => {
    const client = await clientOf(mine)
    const { error } = await client.ask(method, params, await attach(client))
    expect(error?.message).toMatch(/at most|cannot be dragged/)
    client.wire.close()
  })
})

describe('a page of 20,000 x 20,000 pixels', () => {
  test('is not drawn at once, and its session and those of its team go on', async () => {
    const client = await clientOf(mine)
    const session = await attach(client)
    const show = (width: number, height: number): Promise<Answer> =>
      client.ask(
        'Runtime.evaluate',
        { expression: `document.body.innerHTML = '<div style="width:${width}px;height:${height}px">'` },
        session,
      )
    await show(20_000, 20_000)
    const whole = { captureBeyondViewport: true }
    expect((await client.ask('Page.captureScreenshot', whole, session)).error?.message).toMatch(/at most 16384 pixels/)
    await show(10, 2_000)
    expect(heightOf(await client.ask('Page.captureScreenshot', whole, session))).toBeGreaterThanOrEqual(2_000)
    await mine.tab.goto(at('/mine'), soon())
    expect((await theirs.tab.html(soon())).includes('Home')).toBe(true)
    client.wire.close()
  })
})

function heightOf({ result }: Answer): number {
  return Buffer.from(String(result?.['data']), 'base64').readUInt32BE(20)
}

test('a client that listens to all that is sent does not hear the key to the way out', async () => {
  const client = await clientOf(mine)
  const session = await attach(client)
  await client.ask('Network.enable', {}, session)
  await client.ask('Page.navigate', { url: at('/heard').href }, session)
  const sent = (): Answer | undefined =>
    client.heard.find(({ method }) => method === 'Network.requestWillBeSentExtraInfo')
  await expect.poll(sent, { timeout: 20_000 }).toBeDefined()
  expect(sent()?.params?.['headers']).toMatchObject({ Host: at('/').host })
  expect(JSON.stringify(client.heard)).not.toMatch(/Proxy-Authorization/i)
  await mine.tab.goto(at('/mine'), soon())
  client.wire.close()
})

async function targetOf({ ask }: Client): Promise<string> {
  const { result } = await ask('Target.getTargets')
  const [page] = (result?.['targetInfos'] ?? []) as { targetId: string }[]
  return page?.targetId ?? ''
}

describe('a client hears that it is over', () => {
  test('when the session is closed', async () => {
    const own = await sessions.open({ team: 'two', profile }, soon())
    const client = await clientOf(own)
    const closed = new Promise<void>((resolve) => (client.wire.onClose = () => resolve()))
    await own.close()
    await closed
    expect(own.gone.aborted).toBe(true)
  })
})

test('a client does not wait for a page whose process has ended, and loads it anew', async () => {
  const before = new Set(findByArgument('--type=renderer'))
  const alone = await sessions.open({ team: 'of one page', profile }, soon())
  const client = await clientOf(alone)
  const page = await attach(client)
  const never = client.ask('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true }, page)
  for (const pid of findByArgument('--type=renderer')) if (!before.has(pid)) process.kill(pid, 'SIGKILL')
  expect((await never).error?.message).toMatch(/was ended/)
  const evaluate = { expression: '1 + 1' }
  expect((await client.ask('Runtime.evaluate', evaluate, page)).error?.message).toMatch(/was ended/)
  expect((await client.ask('Page.navigate', { url: at('/anew').href }, page)).error).toBeUndefined()
  await expect
    .poll(async () => (await client.ask('Runtime.evaluate', evaluate, page)).result?.['result'])
    .toMatchObject({ value: 2 })
  await alone.close()
})
