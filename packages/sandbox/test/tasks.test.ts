// @module-tag bubblewrap
// @module-tag python3
// @module-tag browser
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { CodeLanguage, Jail, LiveBrowser, Sandbox, Sessions } from '@harvestman/ports'
import { puppeteerSessions } from '@harvestman/puppeteer'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { localSandbox } from '../src/index.ts'
import { bound, run, soon } from './setup.ts'

const page = `<title>Home</title><button onclick="fetch('/data')">Ask</button><a id=get href=/file>Get</a>
  <input type=file id=up onchange="out.textContent = this.files[0].name + ' ' + this.files[0].size"><p id=out></p>
  <a id=pop target=_blank href=/popup>Open</a><iframe name=inner src=/inner></iframe>`

let site: Server
let origin: string
let sessions: Sessions
let live: LiveBrowser
let sandbox: Sandbox
let jail: Jail

beforeAll(async () => {
  site = createServer(({ url }, response) => {
    if (url === '/file') response.setHeader('content-disposition', 'attachment; filename="rows.csv"').end('a,b\n1,2\n')
    else if (url === '/data') response.setHeader('content-type', 'application/json').end('{"n":1}')
    else response.setHeader('content-type', 'text/html').end(url === '/inner' ? '<p id=in>Inside</p>' : page)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://site.test:${(site.address() as AddressInfo).port}`
  sessions = puppeteerSessions()({
    checkUrl: () => undefined,
    resolve: async () => ({ address: '127.0.0.1', family: 4 }),
  })
  const profile = { headers: {}, mobile: false, blockAds: false, skipTlsVerification: false }
  live = await sessions.open({ team: 'one', profile }, soon())
  sandbox = localSandbox({ bound })
  jail = await sandbox.open({ connect: () => live.connect() }, soon())
})

afterAll(async () => {
  await sandbox?.close()
  await sessions?.close()
  site?.close()
})

beforeEach(async () => {
  await run(jail, 'node', `await page.goto('${origin}/')`)
})

/** What code prints, or its error. */
async function printed(language: CodeLanguage, code: string): Promise<string> {
  const { stdout, stderr, exitCode } = await run(jail, language, code.replaceAll('ORIGIN', origin))
  return (exitCode === 0 ? stdout : stderr).trim().replaceAll(origin, 'ORIGIN')
}

describe('Python', () => {
  test.each([
    [
      'has properties as values, not as calls that wait',
      `r = await page.goto("ORIGIN/")
print(r.status, r.ok, r.url, page.url, page.is_closed(), len(context.pages), await page.url)`,
      '200 True ORIGIN/ ORIGIN/ False 1 ORIGIN/',
    ],
    [
      'expects a response, by pattern and by a function of its own',
      `async with page.expect_response("**/data") as info:
    await page.click("button")
async with page.expect_response(lambda r: r.status == 200 and r.url.endswith("/data")) as other:
    await page.click("button")
print(await (await info.value).json(), (await other.value).status)`,
      "{'n': 1} 200",
    ],
    [
      'expects a popup',
      `async with page.expect_popup() as info:
    await page.click("#pop")
popup = await info.value
await popup.wait_for_load_state()
print(popup.url)
await popup.close()`,
      'ORIGIN/popup',
    ],
    [
      'saves a download in a file of the sandbox',
      `async with page.expect_download() as info:
    await page.click("#get")
download = await info.value
await download.save_as("/tmp/saved/rows.csv")
print(download.suggested_filename, open("/tmp/saved/rows.csv").read())`,
      'rows.csv a,b\n1,2',
    ],
    [
      'uploads a file of the sandbox, also to a file chooser',
      `open("/tmp/up.txt", "w").write("hello")
await page.set_input_files("#up", "/tmp/up.txt")
first = await page.inner_text("#out")
async with page.expect_file_chooser() as info:
    await page.click("#up")
await (await info.value).set_files({"name": "b.txt", "mimeType": "text/plain", "buffer": b"12"})
print(first, await page.inner_text("#out"))`,
      'up.txt 5 b.txt 2',
    ],
    [
      'answers and stops requests, and listens to events',
      `seen = []
page.on("request", lambda request: seen.append(request.method))
async def answer(route, request):
    await route.fulfill(status=200, body="made up " + request.method)
await page.route("**/made-up", answer)
await page.route("**/stopped", lambda route: route.abort())
print(await page.evaluate("fetch('/made-up').then((r) => r.text())"), await page.evaluate("fetch('/stopped').catch((e) => e.name)"), len(seen))
await page.unroute("**/made-up", answer)
await page.unroute("**/stopped")`,
      'made up GET TypeError 2',
    ],
    [
      'prints a PDF, reads a frame, and has a context of its own',
      `print((await page.pdf())[:5], await page.frame_locator("iframe").locator("#in").inner_text(), page.frame(name="inner").url)
other = await browser.new_context()
other_page = await other.new_page()
await other_page.goto("ORIGIN/")
print(await other_page.title(), len(browser.contexts))
await other.close()`,
      "b'%PDF-' Inside ORIGIN/inner\nHome 2",
    ],
  ])('%s', async (_name, code, output) => expect(await printed('python', code)).toBe(output))

  test('that is killed leaves no request of a page waiting', async () => {
    await run(jail, 'python', 'await page.route("**/data", lambda route: route.abort())')
    await run(jail, 'python', 'import os\nos.kill(os.getpid(), 9)')
    const { result } = await run(jail, 'node', 'await page.evaluate("fetch(\'/data\').then((r) => r.status)")')
    expect(result).toBe('200')
  })
})

describe('bash', () => {
  test.each([
    [
      'waits for a response',
      'agent-browser click button; agent-browser wait --response /data',
      '✓ Done\n200 GET ORIGIN/data',
    ],
    [
      'uploads and downloads files',
      'printf hello > /tmp/up.txt; agent-browser upload "#up" /tmp/up.txt; agent-browser get text "#out"; agent-browser download "#get" /tmp/rows.csv; cat /tmp/rows.csv',
      '✓ Done\nup.txt 5\nDownloaded rows.csv to /tmp/rows.csv\na,b\n1,2',
    ],
    ['prints a PDF', 'agent-browser pdf /tmp/page.pdf; head -c5 /tmp/page.pdf', 'PDF saved to /tmp/page.pdf\n%PDF-'],
    [
      'acts in a frame',
      'agent-browser frame iframe; agent-browser get text "#in"; agent-browser frame main; agent-browser get text button',
      '✓ Done\nInside\n✓ Done\nAsk',
    ],
    [
      'sets, lists and clears cookies and storage',
      'agent-browser cookies set who me; agent-browser cookies; agent-browser cookies clear; agent-browser storage local set a b; agent-browser storage local get a; agent-browser storage local clear',
      '✓ Done\nwho=me\tsite.test/\n✓ Done\n✓ Done\nb\n✓ Done',
    ],
    [
      'answers requests',
      'agent-browser network route "**/made-up" --body made; agent-browser eval "fetch(\'/made-up\').then((r) => r.text())"; agent-browser network unroute',
      '✓ Done\nmade\n✓ Done',
    ],
    [
      'opens a tab in a context of its own',
      'agent-browser tab new --isolated ORIGIN/; agent-browser tab; agent-browser tab close',
      'Tab 2\n  [1] Home - ORIGIN/\n→ [2] Home - ORIGIN/\n✓ Done',
    ],
    ['says what it knows', 'agent-browser network other', 'network knows route, unroute and requests, not other.'],
  ])('%s', async (_name, code, output) => expect(await printed('bash', code)).toBe(output))
})

test('JavaScript saves a download and chooses a file, in any context', async () => {
  const code = `const other = await (await browser.newContext()).newPage()
    await other.goto('ORIGIN/')
    const downloading = other.waitForEvent('download')
    await other.click('#get')
    await (await downloading).saveAs('/tmp/node.csv')
    const [chooser] = await Promise.all([other.waitForEvent('filechooser'), other.click('#up')])
    await chooser.setFiles('/tmp/node.csv')
    console.log(require('fs').readFileSync('/tmp/node.csv', 'utf8') + (await other.innerText('#out')))
    await other.context().close()`
  expect(await printed('node', code)).toBe('a,b\n1,2\nnode.csv 8')
})
