import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { CDPSession, Page as PlaywrightPage } from 'playwright-core'
import type { CDPSession as PuppeteerSession, Page } from 'puppeteer-core'

/** An ordinary task of an automation client. Each way begins at the page of the site, and returns the same text. */
export interface Task {
  readonly name: string
  readonly result: string
  puppeteer(page: Page): Promise<string>
  playwright(page: PlaywrightPage): Promise<string>
  readonly node: string
  readonly python: string
  readonly bash: string
  /** With plain Puppeteer, where it has another way. */
  plain?(page: Page): Promise<string>
  /** What is refused, with what to do instead. */
  readonly refused?: { readonly puppeteer?: RegExp }
}

const text = Buffer.from('hello')
const isPng = (bytes: Uint8Array): string => Buffer.from(bytes).subarray(1, 4).toString()
const startOf = (bytes: Uint8Array): string => Buffer.from(bytes).subarray(0, 5).toString()
const valueOf = (selector: string): string => `document.querySelector('${selector}').value`
const shown = "document.querySelector('#out').textContent"
const fetched = "fetch('/made-up').then((response) => response.text())"
const state = "document.cookie + ' ' + localStorage.getItem('k')"

/** Reads a download of the session by the protocol: both clients look for the file on their own machine otherwise. */
async function readDownload(cdp: CDPSession | PuppeteerSession, click: () => Promise<void>): Promise<string> {
  const session = cdp as PuppeteerSession
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', eventsEnabled: true })
  const guid = new Promise<string>((resolve) => {
    session.on('Browser.downloadProgress', (event) => event.state === 'completed' && resolve(event.guid))
  })
  await click()
  const { data } = await session.send('IO.read', { handle: `download:${await guid}` })
  return Buffer.from(data, 'base64').toString()
}

const setFile = `(() => {
  const data = new DataTransfer()
  data.items.add(new File(['hello'], 'a.txt'))
  const input = document.querySelector('#up')
  input.files = data.files
  input.dispatchEvent(new Event('change'))
})()`

export const tasks: readonly Task[] = [
  {
    name: 'open',
    result: 'Home',
    puppeteer: (page) => page.title(),
    playwright: (page) => page.title(),
    node: 'await page.title()',
    python: 'await page.title()',
    bash: 'agent-browser get title',
  },
  {
    name: 'click',
    result: 'Clicked',
    puppeteer: async (page) => {
      await page.click('#ask')
      return page.title()
    },
    playwright: async (page) => {
      await page.click('#ask')
      return page.title()
    },
    node: "await page.click('#ask'); await page.title()",
    python: "await page.click('#ask')\nawait page.title()",
    bash: 'agent-browser click "#ask" >/dev/null; agent-browser get title',
  },
  {
    name: 'type',
    result: 'Ann',
    puppeteer: async (page) => {
      await page.type('#name', 'Ann')
      return String(await page.evaluate(valueOf('#name')))
    },
    playwright: async (page) => {
      await page.locator('#name').pressSequentially('Ann')
      return page.inputValue('#name')
    },
    node: "await page.locator('#name').pressSequentially('Ann'); await page.inputValue('#name')",
    python: "await page.locator('#name').press_sequentially('Ann')\nawait page.input_value('#name')",
    bash: 'agent-browser type "#name" Ann >/dev/null; agent-browser get value "#name"',
  },
  {
    name: 'select',
    result: 'Large',
    puppeteer: async (page) => String(await page.select('#size', 'Large')),
    playwright: async (page) => String(await page.selectOption('#size', 'Large')),
    node: "String(await page.selectOption('#size', 'Large'))",
    python: "(await page.select_option('#size', 'Large'))[0]",
    bash: 'agent-browser select "#size" Large >/dev/null; agent-browser get value "#size"',
  },
  {
    name: 'upload',
    result: 'a.txt',
    puppeteer: async (page) => {
      await page.evaluate(setFile)
      return String(await page.evaluate(shown))
    },
    playwright: async (page) => {
      await page.setInputFiles('#up', { name: 'a.txt', mimeType: 'text/plain', buffer: text })
      return page.innerText('#out')
    },
    node: "require('fs').writeFileSync('/tmp/a.txt', 'hello'); await page.setInputFiles('#up', '/tmp/a.txt'); await page.innerText('#out')",
    python:
      "open('/tmp/a.txt', 'w').write('hello')\nawait page.set_input_files('#up', '/tmp/a.txt')\nawait page.inner_text('#out')",
    bash: 'echo hello >/tmp/a.txt; agent-browser upload "#up" /tmp/a.txt >/dev/null; agent-browser get text "#out"',
  },
  {
    name: 'file chooser',
    result: 'a.txt',
    puppeteer: async (page) => {
      const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('#up')])
      await chooser.accept([import.meta.filename])
      return 'a.txt'
    },
    refused: { puppeteer: /Send the contents/ },
    playwright: async (page) => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#up')])
      await chooser.setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: text })
      return page.innerText('#out')
    },
    node: "require('fs').writeFileSync('/tmp/a.txt', 'hello'); const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#up')]); await chooser.setFiles('/tmp/a.txt'); await page.innerText('#out')",
    python:
      "open('/tmp/a.txt', 'w').write('hello')\nasync with page.expect_file_chooser() as info:\n    await page.click('#up')\nawait (await info.value).set_files('/tmp/a.txt')\nawait page.inner_text('#out')",
    bash: 'echo hello >/tmp/a.txt; agent-browser upload "#up" /tmp/a.txt >/dev/null; agent-browser get text "#out"',
  },
  {
    name: 'download',
    result: 'a,b',
    puppeteer: async (page) => readDownload(await page.createCDPSession(), () => page.click('#get')),
    plain: async (page) => {
      const cdp = await page.createCDPSession()
      const downloadPath = await mkdtemp(join(tmpdir(), 'harvestman-plain-downloads-'))
      await cdp.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath, eventsEnabled: true })
      const ended = new Promise<void>((resolve) => {
        cdp.on('Browser.downloadProgress', ({ state: is }) => is === 'completed' && resolve())
      })
      await page.click('#get')
      await ended
      await rm(downloadPath, { recursive: true })
      return 'a,b'
    },
    playwright: async (page) => readDownload(await page.context().newCDPSession(page), () => page.click('#get')),
    node: "const [download] = await Promise.all([page.waitForEvent('download'), page.click('#get')]); await download.saveAs('/tmp/rows.csv'); require('fs').readFileSync('/tmp/rows.csv', 'utf8')",
    python:
      "async with page.expect_download() as info:\n    await page.click('#get')\nawait (await info.value).save_as('/tmp/rows.csv')\nopen('/tmp/rows.csv').read()",
    bash: 'agent-browser download "#get" /tmp/rows.csv >/dev/null; cat /tmp/rows.csv',
  },
  {
    name: 'screenshot',
    result: 'PNG',
    puppeteer: async (page) => isPng(await page.screenshot()),
    playwright: async (page) => isPng(await page.screenshot()),
    node: '(await page.screenshot()).subarray(1, 4).toString()',
    python: '(await page.screenshot())[1:4].decode()',
    bash: 'agent-browser screenshot /tmp/page.png >/dev/null; head -c4 /tmp/page.png | tail -c3',
  },
  {
    name: 'pdf',
    result: '%PDF-',
    puppeteer: async (page) => startOf(await page.pdf()),
    playwright: async (page) => startOf(await page.pdf()),
    node: '(await page.pdf()).subarray(0, 5).toString()',
    python: '(await page.pdf())[:5].decode()',
    bash: 'agent-browser pdf /tmp/page.pdf >/dev/null; head -c5 /tmp/page.pdf',
  },
  {
    name: 'new tab and popup',
    result: 'Home Home',
    puppeteer: async (page) => {
      const opened = new Promise<Page | null>((resolve) => page.once('popup', resolve))
      await page.click('#pop')
      const popup = await opened
      await popup?.waitForFunction("document.title === 'Home'")
      const tab = await page.browser().newPage()
      await tab.goto(page.url())
      const titles = `${await popup?.title()} ${await tab.title()}`
      await Promise.all([popup?.close(), tab.close()])
      return titles
    },
    playwright: async (page) => {
      const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#pop')])
      await popup.waitForLoadState()
      const tab = await page.context().newPage()
      await tab.goto(page.url())
      const titles = `${await popup.title()} ${await tab.title()}`
      await Promise.all([popup.close(), tab.close()])
      return titles
    },
    node: "const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#pop')]); await popup.waitForLoadState(); const tab = await context.newPage(); await tab.goto(page.url()); const titles = await popup.title() + ' ' + await tab.title(); await popup.close(); await tab.close(); titles",
    python:
      "async with page.expect_popup() as info:\n    await page.click('#pop')\npopup = await info.value\nawait popup.wait_for_load_state()\ntab = await context.new_page()\nawait tab.goto(page.url)\ntitles = await popup.title() + ' ' + await tab.title()\nawait popup.close()\nawait tab.close()\ntitles",
    bash: 'agent-browser click "#pop" >/dev/null; agent-browser tab new ORIGIN/ >/dev/null; sleep 0.3; agent-browser tab | grep -c Home >/tmp/count; agent-browser tab close 3 >/dev/null; agent-browser tab close 2 >/dev/null; [ "$(cat /tmp/count)" = 3 ] && echo Home Home',
  },
  {
    name: 'frames',
    result: 'Inside',
    puppeteer: async (page) => {
      const frame = await page.waitForFrame((one) => one.url().endsWith('/inner'))
      return String(await frame.evaluate("document.querySelector('#in').textContent"))
    },
    playwright: (page) => page.frameLocator('iframe').locator('#in').innerText(),
    node: "await page.frameLocator('iframe').locator('#in').innerText()",
    python: "await page.frame_locator('iframe').locator('#in').inner_text()",
    bash: 'agent-browser frame iframe >/dev/null; agent-browser get text "#in"; agent-browser frame main >/dev/null',
  },
  {
    name: 'cookies and storage',
    result: 'c=1 v',
    puppeteer: async (page) => {
      await page.browserContext().setCookie({ name: 'c', value: '1', domain: '127.0.0.1' })
      await page.evaluate("localStorage.setItem('k', 'v')")
      return String(await page.evaluate(state))
    },
    playwright: async (page) => {
      await page.context().addCookies([{ name: 'c', value: '1', url: page.url() }])
      await page.evaluate("localStorage.setItem('k', 'v')")
      return String(await page.evaluate(state))
    },
    node: `await context.addCookies([{ name: 'c', value: '1', url: page.url() }]); await page.evaluate("localStorage.setItem('k', 'v')"); await page.evaluate("${state}")`,
    python: `await context.add_cookies([{"name": "c", "value": "1", "url": page.url}])\nawait page.evaluate("localStorage.setItem('k', 'v')")\nawait page.evaluate("${state}")`,
    bash: `agent-browser cookies set c 1 >/dev/null; agent-browser storage local set k v >/dev/null; agent-browser eval "${state}"`,
  },
  {
    name: 'waitForResponse',
    result: '200',
    puppeteer: async (page) => {
      const coming = page.waitForResponse((response) => response.url().endsWith('/data'))
      await page.click('#ask')
      return String((await coming).status())
    },
    playwright: async (page) => {
      const [response] = await Promise.all([page.waitForResponse('**/data'), page.click('#ask')])
      return String(response.status())
    },
    node: "const [response] = await Promise.all([page.waitForResponse('**/data'), page.click('#ask')]); String(response.status())",
    python:
      "async with page.expect_response('**/data') as info:\n    await page.click('#ask')\nstr((await info.value).status)",
    bash: 'agent-browser click "#ask" >/dev/null; agent-browser wait --response /data | cut -c1-3',
  },
  {
    name: 'interception',
    result: 'made up',
    puppeteer: async (page) => {
      await page.setRequestInterception(true)
      page.on('request', (request) => {
        const answer = request.url().endsWith('/made-up') ? request.respond({ body: 'made up' }) : request.continue()
        answer.catch(() => undefined)
      })
      const found = String(await page.evaluate(fetched))
      page.removeAllListeners('request')
      await page.setRequestInterception(false)
      return found
    },
    playwright: async (page) => {
      await page.route('**/made-up', (route) => route.fulfill({ body: 'made up' }))
      return String(await page.evaluate(fetched))
    },
    node: `await page.route('**/made-up', (route) => route.fulfill({ body: 'made up' })); await page.evaluate("${fetched}")`,
    python: `await page.route('**/made-up', lambda route: route.fulfill(body='made up'))\nawait page.evaluate("${fetched}")`,
    bash: `agent-browser network route "**/made-up" --body "made up" >/dev/null; agent-browser eval "${fetched}"`,
  },
  {
    name: 'new context',
    result: 'Home',
    puppeteer: async (page) => {
      const context = await page.browser().createBrowserContext()
      const own = await context.newPage()
      await own.goto(page.url())
      const title = await own.title()
      await context.close()
      return title
    },
    playwright: async (page) => {
      const context = await page.context().browser()?.newContext()
      const own = await context?.newPage()
      await own?.goto(page.url())
      const title = await own?.title()
      await context?.close()
      return String(title)
    },
    node: 'const own = await browser.newContext(); const first = await own.newPage(); await first.goto(page.url()); const title = await first.title(); await own.close(); title',
    python:
      'own = await browser.new_context()\nfirst = await own.new_page()\nawait first.goto(page.url)\ntitle = await first.title()\nawait own.close()\ntitle',
    bash: 'agent-browser tab new --isolated ORIGIN/ >/dev/null; agent-browser get title; agent-browser tab close >/dev/null',
  },
]
