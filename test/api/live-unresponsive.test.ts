// @module-tag browser
// @module-tag bubblewrap
// @module-tag python3
// A live browser whose page keeps its process busy for good: the session goes on for every way of using it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { createApi, serve, type Server as Api } from '@harvestman/http'
import { live } from '@harvestman/live'
import type { CodeLanguage } from '@harvestman/ports'
import { puppeteerBrowser, puppeteerSessions, type PuppeteerOptions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'
import { scriptedLLM } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { longIf } from '../../scripts/long-tests.ts'

const page = '<title>Home</title><button onclick="for(;;){}">Stop</button>'
const large = `<title>Large</title><button>Go</button>${'<p>Some text</p>'.repeat(200_000)}`

const seen: string[] = []
const makeEngine = (options: PuppeteerOptions) =>
  createEngine({
    allowPrivate: ['127.0.0.0/8'],
    browser: puppeteerBrowser(),
    plugins: [
      live({ sessions: puppeteerSessions({ nice: 0, ...options }), sandbox: localSandbox({ bound: 'watched' }) }),
    ],
    llm: scriptedLLM([
      ({ turns = [], prompt }) => {
        const last = turns.at(-1)
        seen.push(last && 'result' in last ? last.result : last && 'text' in last ? last.text : '')
        const steps = turns.filter(({ role }) => role === 'tool').length
        const isDone = steps > 0 || !prompt.includes('Click')
        return {
          calls: [isDone ? { name: 'done', input: { answer: 'Done.' } } : { name: 'click', input: { ref: 'e1' } }],
        }
      },
    ]),
  })
const engine = makeEngine({ unresponsive: 3_000 })
// The large page has 430 MB after a garbage collection. Chromium collects late on a busy host, so that it had up to 1 GB: the
// default limit, at which a page is ended.
const patient = makeEngine({ unresponsive: 120_000, pageMemory: 3_000_000_000 })

let site: Server
let api: Api
let patientApi: Api
let home = ''

beforeAll(async () => {
  site = createServer(({ url }, response) =>
    response.setHeader('content-type', 'text/html').end(url === '/large' ? large : page),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  home = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  api = await serve(createApi(engine), { port: 0 })
  patientApi = await serve(createApi(patient), { port: 0 })
})

afterAll(async () => {
  await api.close()
  await engine.close()
  await patient.close()
  await patientApi.close()
  site.close()
})

interface Executed {
  readonly success: boolean
  readonly result?: string
  readonly stdout?: string
  readonly stderr?: string
  readonly error?: string
}

async function execute(id: string, language: CodeLanguage, code: string, { url } = api): Promise<Executed> {
  const response = await fetch(`${url}/v2/browser/${id}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ language, code, timeout: 60 }),
  })
  return (await response.json()) as Executed
}

const titles: Readonly<Record<CodeLanguage, string>> = {
  node: 'await page.title()',
  python: 'await page.title()',
  bash: 'agent-browser get title',
}

const loops: Readonly<Record<CodeLanguage, string>> = {
  node: "await page.evaluate('for(;;){}')",
  python: "await page.evaluate('for(;;){}')",
  bash: "agent-browser eval 'for(;;){}'",
}

describe('after a page has stopped to respond, the session goes on', () => {
  for (const language of ['node', 'python', 'bash'] as const)
    test(`for code in ${language}`, longIf(language !== 'node'), async () => {
      await using session = await engine.live.open()
      await session.act({ type: 'goto', url: home })
      const { stderr } = await execute(session.id, language, loops[language])
      expect(stderr).toContain(`The page ${home} did not respond for 3 s and was ended. Its URL is opened again`)
      const { result, stdout } = await execute(session.id, language, titles[language])
      expect((result ?? stdout)?.trim()).toBe('Home')
      expect((await execute(session.id, 'node', '1')).result).toBe('1')
    })

  test('for prompts: the model is told, and reads the page again', { tags: ['long'] }, async () => {
    await using session = await engine.live.open()
    await session.act({ type: 'goto', url: home })
    seen.length = 0
    const run = await session.ask('Click the button.', { timeout: 60_000 })
    expect(run).toMatchObject({ success: true, answer: 'Done.' })
    expect(seen.at(-1)).toContain(`note: The page ${home} did not respond for 3 s and was ended.`)
    expect(await session.ask('Look.')).toMatchObject({ success: true })
  })

  test(
    'for prompts whose time is over before: that is a timeout, which says what to do',
    { tags: ['long'] },
    async () => {
      await using session = await engine.live.open()
      await session.act({ type: 'goto', url: home })
      const { ref = '' } = /\[ref=(?<ref>e\d+)\]/.exec((await session.snapshot()).text)?.groups ?? {}
      await session.act({ type: 'click', ref }, { timeout: 500 }).catch(() => undefined)
      const late = await session.ask('Look.', { timeout: 500 }).catch((error: unknown) => error)
      expect(late).toMatchObject({ code: 'timeout', message: expect.stringMatching(/raise "timeout"/) as string })
      expect(await session.ask('Look.')).toMatchObject({ success: true })
    },
  )
})

test('a page of 200,000 paragraphs can be used by code and prompts', { tags: ['long'] }, async () => {
  await using session = await patient.live.open()
  await session.act({ type: 'goto', url: `${home}large` }, { timeout: 250_000 })
  const run = await session.ask('Look.', { timeout: 250_000 })
  expect(run).toMatchObject({ success: true })
  expect(run.page.note).toMatch(/too large to be read whole/)
  expect(await execute(session.id, 'node', '1', patientApi)).toMatchObject({ success: true, result: '1' })
  expect((await execute(session.id, 'node', 'await page.title()', patientApi)).result).toBe('Large')
  expect((await execute(session.id, 'bash', 'agent-browser get title', patientApi)).stdout?.trim()).toBe('Large')
})
