// @module-tag browser
// What a task in words and a saved script may not send to another site, in a real browser: nothing arrives there.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { scripts } from '@harvestman/live/scripts'
import { scriptedLLM } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { longIf } from '../../scripts/long-tests.ts'

const password = 'hunter2secret'

/** Ways to leave a page with what was typed, by a button or link that is its second element. */
const ways: Readonly<Record<string, (other: string) => string>> = {
  'a form that gets': (other) => `<form action="${other}/form"><input name=p aria-label=P><button>Go</button></form>`,
  'a form that posts': (other) =>
    `<form method=post action="${other}/form"><input name=p aria-label=P><button>Go</button></form>`,
  'the action of a button': (other) =>
    `<form method=post action="/own"><input name=p aria-label=P><button formaction="${other}/form">Go</button></form>`,
  'a form in a new tab': (other) =>
    `<form method=post target=_blank action="${other}/form"><input name=p aria-label=P><button>Go</button></form>`,
  'a form that posts into a frame': (other) =>
    `<form method=post target=f action="${other}/form"><input name=p aria-label=P><button>Go</button></form><iframe name=f></iframe>`,
  'a form that gets into a frame': (other) =>
    `<form target=f action="${other}/form"><input name=p aria-label=P><button>Go</button></form><iframe name=f></iframe>`,
  'a form of its own site that redirects': () =>
    `<form method=post action="/leave"><input name=p aria-label=P><button>Go</button></form>`,
  'a link': (other) => `<input id=p aria-label=P><a href="${other}/" onclick="this.search = p.value">Go</a>`,
  'a link in a new tab': (other) =>
    `<input id=p aria-label=P><a target=_blank href="${other}/" onclick="this.search = p.value">Go</a>`,
  'a script that sets the location': (other) =>
    `<input id=p aria-label=P><button onclick="location = '${other}/?' + p.value">Go</button>`,
  'a script that opens a window': (other) =>
    `<input id=p aria-label=P><button onclick="window.open('${other}/?' + p.value)">Go</button>`,
  'a refresh': (other) =>
    `<input id=p aria-label=P><button onclick="document.head.innerHTML = '<meta http-equiv=refresh content=&quot;0;url=${other}/?' + p.value + '&quot;>'">Go</button>`,
}

const servers: Server[] = []
const arrived: string[] = []
let home = ''
let other = ''

const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions() }), scripts()],
  llm: scriptedLLM([
    ({ turns = [] }) => {
      const steps = turns.filter(({ role }) => role === 'tool').length
      const fill = { name: 'fill', input: { ref: 'e1', text: '{{password}}' } }
      const click = { name: 'click', input: { ref: 'e2' } }
      return { calls: [[fill, click][steps] ?? { name: 'done', input: { answer: 'Done.' } }] }
    },
  ]),
})

async function startServer(host: string, answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  other = await startServer('127.0.0.2', (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      arrived.push(`${request.method} ${request.url} ${body}`)
      response.setHeader('content-type', 'text/javascript').end('document.title = "Served by a CDN"')
    })
  })
  home = await startServer('127.0.0.1', ({ url = '/' }, response) => {
    if (url === '/leave') return void response.writeHead(307, { location: `${other}/left` }).end()
    const way = ways[decodeURIComponent(new URL(url, 'http://a').searchParams.get('way') ?? '')]
    response.setHeader('content-type', 'text/html')
    response.end(`<title>Home</title><script src="${other}/cdn.js"></script>${way?.(other) ?? 'Own page'}`)
  })
})

afterAll(async () => {
  await engine.close()
  for (const server of servers) server.close()
})

describe('A task that types a password sends nothing to another site by', () => {
  const shown = ['a form that posts into a frame', 'a form of its own site that redirects', 'a link in a new tab']

  for (const way of Object.keys(ways))
    test(way, longIf(!shown.includes(way)), async () => {
      await using session = await engine.live.open()
      await session.act({ type: 'goto', url: `${home}/?way=${encodeURIComponent(way)}` })
      expect((await session.snapshot()).title).toBe('Served by a CDN')
      arrived.length = 0
      const secrets = [{ name: 'password', value: password, origin: home }]
      const { steps, page } = await session.ask('Type {{password}} and go.', { secrets })
      expect(steps.map(({ outcome }) => outcome)).toEqual(['done', 'refused'])
      expect(steps[1]?.note).toMatch(/leads to 127\.0\.0\.2:\d+, which is of another site\. Nothing was sent there/)
      expect(arrived).toEqual([])
      expect(page.url).toContain(home)
    })
})

describe('A saved script that types a password sends nothing to another site by', () => {
  const shown = ['a form that posts', 'a link']

  for (const way of Object.keys(ways))
    test(way, longIf(!shown.includes(way)), async () => {
      const start = `${home}/?way=${encodeURIComponent(way)}`
      await using session = await engine.live.open()
      await session.act({ type: 'goto', url: start })
      expect((await session.snapshot()).title).toBe('Served by a CDN')
      await engine.scripts.record({ session: session.id })
      const { text } = await session.snapshot()
      const refOf = (role: string): string => new RegExp(`${role} .*\\[ref=(e\\d+)\\]`).exec(text)?.[1] ?? ''
      await session.act({ type: 'fill', ref: refOf('textbox'), text: password })
      await session.act({ type: 'click', ref: refOf('(?:button|link)') })
      const name = 'way'
      const { script } = await engine.scripts.save({ name, session: session.id, secrets: [] })
      const own = {
        ...script,
        hosts: [new URL(home).host],
        steps: script.steps.map((step) => ({ ...step, expects: {} })),
      }
      await engine.scripts.save({ name, script: own })
      arrived.length = 0
      const failed = await engine.scripts.run(name, { stepTimeout: 5_000 }).catch((error: unknown) => error)
      expect(failed).toMatchObject({
        code: 'action_failed',
        message: expect.stringMatching(/leads to 127\.0\.0\.2:\d+, which is not one of the hosts/) as string,
        details: { reason: 'other_site' },
      })
      expect(arrived.filter((line) => line.includes(password))).toEqual([])
      expect(arrived.filter((line) => !line.includes('/cdn.js'))).toEqual([])
    })
})
