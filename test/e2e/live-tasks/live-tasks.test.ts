// @module-tag browser
// Tasks on five sites: a real Chromium, a model over HTTP, and afterwards the same without a model.
import { createEngine, type Engine } from '@harvestman/core'
import { live, type Live, type LiveSession, type TaskRun } from '@harvestman/live'
import { chatLLM } from '@harvestman/llm'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { scripts, type Script, type ScriptRun, type Scripts } from '@harvestman/live/scripts'
import { engineErrorOf, startChatServer, type ChatReply, type ChatServer } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { answer, on, step } from './model.ts'
import { startSites, type Changes, type Sites } from './sites.ts'
import { longIf } from '../../../scripts/long-tests.ts'

let sites: Sites
let model: ChatServer
type OwnEngine = Engine & { readonly live: Live; readonly scripts: Scripts }
let withModel: OwnEngine
let withoutModel: OwnEngine

const parts = () => ({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions() }), scripts()],
})

beforeAll(async () => {
  sites = await startSites()
  model = await startChatServer({ replies: [] })
  withModel = createEngine({ ...parts(), llm: chatLLM({ url: model.url, model: 'told' }) })
  withoutModel = createEngine(parts())
})

afterAll(async () => {
  await withModel.close()
  await withoutModel.close()
  await model.close()
  await sites.close()
})

interface Task {
  readonly at: string
  readonly replies: readonly ChatReply[]
  readonly answer: string
  /** The steps that are recorded: waiting is none. */
  readonly steps: number
  readonly received?: Readonly<Record<string, string>>
  /** What is another later, and what is then said of which step. */
  readonly changes: Changes
  readonly failure: RegExp
}

const tasks: Readonly<Record<string, Task>> = {
  form: {
    at: '/form',
    replies: [
      on('fill', 'textbox "Name"', { text: 'Ann <Lee>' }),
      on('select', 'combobox "Size"', { option: 'Large' }),
      on('click', 'radio "Blue"'),
      on('fill', 'textbox "Note"', { text: 'By Friday' }),
      on('click', 'checkbox "I agree"'),
      on('click', 'button "Send order"'),
      answer(/Thank you, Ann <Lee>/),
    ],
    answer: 'Thank you, Ann <Lee>',
    steps: 6,
    received: { name: 'Ann <Lee>', size: 'Large', colour: 'blue', note: 'By Friday', terms: 'on' },
    changes: { formWithoutSize: true },
    failure:
      /^Step 2 of 6 \(select combobox "Size"\) did not go as it was recorded\. The page has no combobox "Size" now\.$/,
  },
  search: {
    at: '/search',
    replies: [
      on('fill', 'searchbox "Search"', { text: 'tea' }),
      step('press', { key: 'Enter' }),
      on('click', 'link "Tea pot"'),
      answer(/Costs \d+ coins/),
    ],
    answer: 'Costs 12 coins',
    steps: 3,
    changes: { searchFindsNothing: true },
    failure: /^Step 2 of 3 \(press searchbox "Search"\) .*"3 results"/,
  },
  login: {
    at: '/login',
    replies: [
      on('fill', 'textbox "Name"', { text: 'ann' }),
      on('fill', 'textbox "Password"', { text: '{{password}}' }),
      on('click', 'button "Log in"'),
      answer(/balance is \d+ coins/),
    ],
    answer: 'balance is 48 coins',
    steps: 3,
    received: { name: 'ann', password: 'hunter2!' },
    changes: { otherPassword: true },
    failure: /^Step 3 of 3 \(click button "Log in"\).*led to .*\/login\/enter instead of .*\/login\/account\.$/,
  },
  pagination: {
    at: '/pages',
    replies: [...[1, 2, 3].map(() => on('click', 'link "Next page"')), answer(/lives in \w+/)],
    answer: 'lives in Lima',
    steps: 3,
    changes: { fewerPages: true },
    failure: /^Step 1 of 3 \(click link "Next page"\).*"Page 2 of 5"/,
  },
  checkout: {
    at: '/checkout',
    replies: [
      step('wait', { ms: 500 }),
      on('fill', 'spinbutton "Amount"', { text: '3' }),
      on('click', 'button "Add to cart"'),
      on('click', 'button "Check out"'),
      on('fill', 'textbox "Street"', { text: '1 Long Lane' }),
      on('fill', 'textbox "City"', { text: 'Leeds' }),
      step('press', { key: 'Enter' }),
      on('click', 'button "Pay now"'),
      answer(/Your order is \d+/),
    ],
    answer: 'Your order is 100',
    steps: 7,
    received: { amount: '3', street: '1 Long Lane', city: 'Leeds' },
    changes: { soldOut: true },
    failure: /^Step 7 of 7 \(click button "Pay now"\).*"Thank you"/,
  },
}

const secrets = () => [{ name: 'password', value: 'hunter2!', origin: sites.origin }]

async function inPage<T>(engine: OwnEngine, path: string, work: (session: LiveSession) => Promise<T>): Promise<T> {
  const { metadata } = await engine.scrape({ url: sites.origin + path, waitFor: 300 }, { keep: true })
  await using session = await engine.live.ofScrape(metadata.scrapeId)
  return await work(session)
}

const carryOut = ({ at, replies }: Task): Promise<{ readonly run: TaskRun; readonly script: Script }> => {
  model.script(replies)
  return inPage(withModel, at, async (session) => {
    await withModel.scripts.record({ session: session.id })
    const run = await session.ask('Do it.', { secrets: secrets(), timeout: 60_000 })
    const { script } = await withModel.scripts.save({ name: 'task', session: session.id })
    return { run, script }
  })
}

const repeat = (at: string, script: Script): Promise<{ readonly run: ScriptRun; readonly text: string }> =>
  inPage(withoutModel, at, async (session) => {
    await withoutModel.scripts.save({ name: 'task', script })
    const parameters = 'password' in script.parameters ? { password: 'hunter2!' } : {}
    const run = await withoutModel.scripts.run('task', { session: session.id, parameters, stepTimeout: 2_000 })
    return { run, text: (await session.snapshot()).text }
  })

for (const [name, task] of Object.entries(tasks))
  describe(`the site with a ${name}`, longIf(name !== 'search'), () => {
    let saved = ''

    test('is used as the task says, step by step, and the answer is what its last page says', async () => {
      sites.change({})
      sites.received.length = 0
      const { run, script } = await carryOut(task)
      const { success, answer: said, error, steps } = run
      expect({ success, error }).toEqual({ success: true, error: undefined })
      expect(said).toContain(task.answer)
      expect(steps.map(({ outcome }) => outcome)).toEqual(Array(task.replies.length - 1).fill('done'))
      expect(sites.received).toEqual(task.received ? [task.received] : [])
      const asked = JSON.stringify(model.requests)
      expect(asked).toContain(sites.origin)
      expect(asked).not.toContain('hunter2!')
      saved = JSON.stringify(script)
      expect(saved).not.toContain('hunter2!')
    })

    test('is used in the same way by the saved script, without a model', async () => {
      sites.received.length = 0
      const { run, text } = await repeat(task.at, JSON.parse(saved) as Script)
      expect(run.steps.map(({ outcome }) => outcome)).toEqual(Array(task.steps).fill('done'))
      expect(text).toContain(task.answer)
      expect(sites.received).toEqual(task.received ? [task.received] : [])
    })

    test('has changed: the script stops at the step that shows it, and says what is other', async () => {
      sites.change(task.changes)
      const error = await engineErrorOf(repeat(task.at, JSON.parse(saved) as Script))
      expect(error).toMatchObject({ code: 'action_failed', message: expect.stringMatching(task.failure) as unknown })
    })
  })
