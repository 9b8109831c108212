// An engine is killed, with no time to clean up, while an agent and a piece of research are at work. The next engine on its
// store goes on with both from what was kept, and no credits stay set aside.
import { answers } from '@harvestman/answers'
import { createEngine, type Engine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { chatLLM } from '@harvestman/llm'
import { startChatServer, type ChatReply } from '@harvestman/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'

import { searchOf, shopPages } from './answers-world.ts'

vi.setConfig({ testTimeout: 300_000 })

const child = fileURLToPath(new URL('./answers-child.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'harvestman-answers-'))
const visits: string[] = []
const shop = createServer((request, response) => {
  const path = request.url ?? ''
  const page = shopPages[path]
  if (page !== undefined) visits.push(path)
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? 'Not found')
})
await once(shop.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`

/** What the model was asked for, and did not answer: the agent's second step, and the judgement of what was read. */
const held = new Set<string>()
const reply =
  (isHeld: boolean): ChatReply =>
  ({ prompt, body }) => {
    const hold = (what: string): ChatReply => {
      held.add(what)
      return 'silence'
    }
    if (prompt.includes('Choose what to search')) return { value: { queries: ['lamps'] } }
    if (prompt.includes('Judge whether')) {
      return isHeld ? hold('research') : { value: { summary: 'One lamp.', gaps: [], isEnough: true } }
    }
    if (prompt.includes('Write a thorough answer')) return { text: 'It is made of oak.' }
    if (!body.tools) return { value: { material: 'oak' } }
    const done = body.messages.filter(({ role }) => role === 'assistant').length
    if (done === 0) return { calls: [{ name: 'read', input: { url: `${url}aurora` } }] }
    return isHeld ? hold('agent') : { calls: [{ name: 'finish', input: {} }] }
  }
const model = await startChatServer({ replies: [reply(true)], key: 'k' })

beforeEach(() => {
  visits.length = 0
  held.clear()
})
afterAll(async () => {
  await model.close()
  shop.closeAllConnections()
  shop.close()
  rmSync(folder, { recursive: true })
})

interface Ids {
  readonly agent: string
  readonly research: string
}

/** Has an engine begin both in another process, and kills it when both wait for the model. */
async function beginAndKill(store: string): Promise<Ids> {
  model.script([reply(true)])
  const process_ = spawn(process.execPath, [child, store, url, model.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(createInterface({ input: process_.stdout }), 'line')) as [string]
    await vi.waitFor(() => expect([...held].toSorted()).toEqual(['agent', 'research']), 120_000)
    return JSON.parse(line) as Ids
  } finally {
    const gone = once(process_, 'exit')
    process_.kill('SIGKILL')
    await gone
  }
}

async function withNext<Result>(
  path: string,
  options: Parameters<typeof createEngine>[0],
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const store = sqliteStore(path)
  const engine = createEngine({
    store,
    allowPrivate: ['127.0.0.0/8'],
    limits: { leaseTime: 2_000 },
    plugins: [answers],
    ...options,
  })
  try {
    await engine.jobs.work()
    return await work(engine)
  } finally {
    await engine.close()
    await store.close()
  }
}

const call = { team: 'acme' }

/** What the team has when all that is set aside was settled or given back. */
async function untilSettled(engine: Engine, left: number): Promise<void> {
  await vi.waitFor(async () => expect((await engine.usage(call)).credits).toBe(left), 120_000)
}

test('both go on in the next engine, read no page again, and leave no credits set aside', async () => {
  const path = join(folder, 'goes-on.sqlite')
  const ids = await beginAndKill(path)
  expect(visits.toSorted()).toEqual(['/aurora', '/aurora'])
  model.script([reply(false)])
  const llm = chatLLM({ url: model.url, key: 'k', model: 'm' })
  await withNext(path, { llm, search: searchOf(url) }, async (engine) => {
    const agent = await (await engine.unchecked.find('agent', ids.agent, call)).end()
    const research = await (await engine.unchecked.find('deep_research', ids.research, call)).end()
    expect(agent.error).toBeUndefined()
    expect(agent).toMatchObject({ status: 'completed', data: { material: 'oak' }, acts: [{ action: 'read' }] })
    expect(research).toMatchObject({ status: 'completed', data: { finalAnalysis: 'It is made of oak.' } })
    expect(visits).toHaveLength(2)
    await untilSettled(engine, 100 - agent.creditsUsed - research.creditsUsed)
  })
})

test(
  'both fail with a reason where the next engine has no model, cost nothing, and give back what was set aside',
  { tags: ['long'] },
  async () => {
    const path = join(folder, 'fails.sqlite')
    const ids = await beginAndKill(path)
    await withNext(path, {}, async (engine) => {
      const agent = await (await engine.unchecked.find('agent', ids.agent, call)).end()
      const research = await (await engine.unchecked.find('deep_research', ids.research, call)).end()
      for (const { status, error, creditsUsed } of [agent, research]) {
        expect({ status, error, creditsUsed }).toEqual({
          status: 'failed',
          error: expect.stringMatching(/language model/) as string,
          creditsUsed: 0,
        })
      }
      await untilSettled(engine, 100)
    })
  },
)
