// @module-tag bubblewrap
// @module-tag python3
// @module-tag browser
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Jail, LiveBrowser, Sandbox, Sessions } from '@harvestman/ports'
import { puppeteerSessions } from '@harvestman/puppeteer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { localSandbox } from '../src/index.ts'
import { bound, run, soon } from './setup.ts'

const page = `<title>Form</title><h1>Order</h1><label>Name <input></label>
  <button onclick="document.title = 'Sent ' + document.querySelector('input').value">Send</button><a href="/next">Next</a>`

let site: Server
let origin: string
let sessions: Sessions
let live: LiveBrowser
let sandbox: Sandbox
let jail: Jail

beforeAll(async () => {
  site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/next' ? '<title>Next</title><p>There' : page)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://site.test:${(site.address() as AddressInfo).port}`
  sessions = puppeteerSessions()({
    checkUrl: () => undefined,
    resolve: async () => ({ address: '127.0.0.1', family: 4 }),
  })
  const profile = { headers: {}, mobile: false, blockAds: false, skipTlsVerification: false }
  live = await sessions.open({ team: 'one', profile }, soon())
  await live.tab.goto(new URL(`${origin}/form`), soon())
  sandbox = localSandbox({ bound })
  jail = await sandbox.open({ connect: () => live.connect() }, soon())
})

afterAll(async () => {
  await sandbox?.close()
  await sessions?.close()
  site?.close()
})

const good = { exitCode: 0, killed: false, error: undefined }

describe('JavaScript', () => {
  test('waits at the top level, and its last expression is the result', async () => {
    expect(await run(jail, 'node', 'console.log("a"); await page.title()')).toMatchObject({
      ...good,
      stdout: 'a\n',
      result: 'Form',
    })
    expect(await run(jail, 'node', '({ a: [1, 2] })')).toMatchObject({ result: '{"a":[1,2]}' })
    expect(await run(jail, 'node', 'const nothing = 1')).toMatchObject({ ...good, result: undefined })
    expect(await run(jail, 'node', 'return (await page.locator("h1").innerText())')).toMatchObject({ result: 'Order' })
  })

  test('keeps its variables for the next call, and may say them anew', async () => {
    await run(jail, 'node', 'const count = 1; let word = "w"')
    expect(await run(jail, 'node', 'const count = 2; count + word')).toMatchObject({ result: '2w' })
  })

  test('has imports of both kinds, and what comes with Node', async () => {
    const { result } = await run(
      jail,
      'node',
      `import { join } from 'node:path'\nimport os from "os"\nconst { sep } = await import('path')\njoin('a', 'b') + sep + typeof os.cpus + typeof require('fs').readFileSync`,
    )
    expect(result).toBe('a/b/functionfunction')
  })

  test('says what went wrong, in the words of the language', async () => {
    const failed = await run(jail, 'node', 'await page.locator("#none").click({ timeout: 200 })')
    expect(failed).toMatchObject({ exitCode: 1, killed: false, result: undefined })
    expect(failed.error).toMatch(/Timeout 200ms exceeded/)
    const unreadable = await run(jail, 'node', 'const a = 1\nsyntax error here')
    expect(unreadable.error).toMatch(/^SyntaxError/)
    expect(unreadable.stderr).toMatch(/^SyntaxError: [^\n]+\n {4}at <anonymous>:2:8\n$/)
    expect(await run(jail, 'node', '1 + 1')).toMatchObject({ ...good, result: '2' })
  })

  test('has the page, its context and its browser', async () => {
    const code = `const second = await context.newPage(); await second.goto('${origin}/next'); const title = await second.title(); await second.close(); title + context.pages().length + browser.isConnected()`
    expect(await run(jail, 'node', code)).toMatchObject({ ...good, result: 'Next1true' })
  })
})

describe('Python', () => {
  test('waits at the top level, drives the page in the words of Playwright, and gives its last expression', async () => {
    const code = `await page.goto("${origin}/form")
await page.get_by_label("Name").fill("Ann")
await page.get_by_role("button", name="Send").click()
print(await page.title())
await page.locator("h1").inner_text()`
    expect(await run(jail, 'python', code)).toMatchObject({ ...good, stdout: 'Sent Ann\n', result: 'Order' })
  })

  test('keeps its variables and functions for the next call', async () => {
    await run(jail, 'python', 'import json\nasync def title():\n    return await page.title()\ncount = 1')
    expect(await run(jail, 'python', 'json.dumps([count, await title()])')).toMatchObject({ result: '[1, "Sent Ann"]' })
  })

  test('says what went wrong, with the line', async () => {
    const { stderr, error, exitCode } = await run(jail, 'python', 'x = 1\nx.nothing')
    expect(exitCode).toBe(1)
    expect(error).toBe("AttributeError: 'int' object has no attribute 'nothing'")
    expect(stderr).toMatch(/line 2/)
  })

  test('gets bytes as bytes, lists as lists, and many at once', async () => {
    const code = `import asyncio
shot, links = await asyncio.gather(page.screenshot(), page.locator("a").all_inner_texts())
[shot[:4] == b"\\x89PNG", links]`
    expect(await run(jail, 'python', code)).toMatchObject({ ...good, result: '[true, ["Next"]]' })
  })
})

describe('agent-browser in bash', () => {
  test('takes a snapshot, and its references last until the next call', async () => {
    const { stdout } = await run(
      jail,
      'bash',
      `agent-browser open ${origin}/form > /dev/null; agent-browser snapshot -i`,
    )
    const box = /textbox "Name" .*\[ref=(e\d+)\]/.exec(stdout)?.[1]
    const button = /button "Send" .*?\[ref=(e\d+)\]/.exec(stdout)?.[1]
    const next = await run(
      jail,
      'bash',
      `agent-browser fill @${box} "Bob B"; agent-browser click @${button}; agent-browser get title`,
    )
    expect(next).toMatchObject({ ...good, stdout: '✓ Done\n✓ Done\nSent Bob B\n' })
  })

  const lines: readonly (readonly [string, RegExp])[] = [
    ['get url', /\/form$/],
    ['get text h1', /^Order$/],
    ['get count a', /^1$/],
    ['is visible h1', /^true$/],
    ['type input xyz', /Done/],
    ['press Enter', /Done/],
    ['scroll down 100', /Done/],
    ['eval 1 + 1', /^2$/],
    ['wait 10', /Done/],
    ['wait h1', /Done/],
    ['find role link click --name Next', /Done/],
    ['get title --json', /^\{"success":true,"data":"Next"\}$/],
    ['back', /Done/],
    ['forward', /Done/],
    ['reload', /Done/],
    ['tab new', /Tab 2/],
    ['tab 1', /Done/],
    ['tab', /→ \[1\] Next/],
    ['screenshot /tmp/shot.png', /saved to \/tmp\/shot.png/],
  ]
  const main = new Set(['get url', 'get text h1', 'eval 1 + 1', 'screenshot /tmp/shot.png'])
  for (const [command, answer] of lines)
    test(command, longIf(!main.has(command)), async () => {
      const { stdout, exitCode } = await run(jail, 'bash', `agent-browser ${command}`)
      expect(stdout.trim()).toMatch(answer)
      expect(exitCode).toBe(0)
    })

  test('may be left out before its commands, and what is none is not found', async () => {
    const { stdout } = await run(jail, 'bash', 'get title; eval "document.title"')
    expect(stdout.split('\n')[0]).toMatch(/\w/)
    expect(await run(jail, 'bash', 'flyaway')).toMatchObject({ exitCode: 127 })
    expect((await run(jail, 'bash', 'flyaway')).stderr).toBe('bash: flyaway: command not found\n')
  })

  test('says what it cannot do, and fails', async () => {
    const unknown = await run(jail, 'bash', 'agent-browser fly')
    expect(unknown).toMatchObject({ exitCode: 1 })
    expect(unknown.stderr).toMatch(/no command fly/)
    expect((await run(jail, 'bash', 'agent-browser click @e999')).stderr).toMatch(/no @e999/)
  })

  test('says at which line of its own code that cannot be read stops, whatever ran before', async () => {
    await run(jail, 'bash', 'echo one\necho two')
    const { stderr } = await run(jail, 'bash', 'echo one\nfi\n')
    expect(stderr).toMatch(/^bash: eval: line 2: syntax error/)
  })

  test('leaves files that all languages see', async () => {
    await run(jail, 'bash', 'echo kept > /tmp/note')
    expect(await run(jail, 'python', 'open("/tmp/note").read().strip()')).toMatchObject({ result: 'kept' })
    expect(await run(jail, 'node', 'require("fs").existsSync("/tmp/shot.png")')).toMatchObject({ result: 'true' })
  })
})

test('the languages that are here are told: all three, and without Python two', async () => {
  expect(await sandbox.languages?.()).toEqual(['node', 'python', 'bash'])
  const without = localSandbox({ bound, python: 'no-such-python' })
  expect(await without.languages?.()).toEqual(['node', 'bash'])
  await without.close()
  const unfenced = localSandbox({ bound, bubblewrap: 'no-such-program' })
  expect(await unfenced.languages?.()).toEqual([])
})

describe('by way of the browser, code cannot', () => {
  test.each([
    ['node', 'await page.goto("file:///etc/hostname")'],
    ['node', 'await page.goto("chrome://version")'],
    [
      'node',
      'const cdp = await context.newCDPSession(page); await cdp.send("DOM.setFileInputFiles", { files: ["/etc/hostname"], objectId: "1" })',
    ],
    [
      'node',
      'const all = await browser.newBrowserCDPSession(); await all.send("Target.createBrowserContext", { proxyServer: "http://127.0.0.1:1" })',
    ],
    ['node', 'await browser.newContext({ proxy: { server: "http://127.0.0.1:1" } })'],
    ['python', 'await page.goto("file:///etc/hostname")'],
    ['python', 'await page.goto("chrome://version")'],
    ['python', 'await page.set_input_files("input", "/etc/hostname")'],
    ['python', 'await browser.new_context(proxy={"server": "http://127.0.0.1:1"})'],
    ['bash', 'agent-browser upload input /etc/hostname'],
    ['bash', 'agent-browser tab new file:///etc/hostname'],
    ['bash', 'agent-browser open file:///etc/hostname'],
    ['bash', 'agent-browser open chrome://version'],
  ] as const)('%s: %s', async (language, code) => {
    const { exitCode } = await run(jail, language, code)
    expect(exitCode).toBe(1)
  })
})

test('a call that is killed loses the variables, and the page stays where it was', { tags: ['long'] }, async () => {
  await run(jail, 'bash', `agent-browser open ${origin}/next`)
  expect(await run(jail, 'node', 'for (;;);', 1_000)).toMatchObject({ killed: true })
  expect(await run(jail, 'node', 'await page.title() + typeof count')).toMatchObject({ result: 'Nextundefined' })
})
