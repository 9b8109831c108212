// @module-tag browser
// Tasks on five sites: a real Chromium, a model over HTTP, and afterwards the same without a model.
import { createEngine, type Engine } from '@harvestman/core'
import { live, type Live, type LiveSession, type TaskRun, type TaskScript } from '@harvestman/live'
import { chatLLM } from '@harvestman/llm'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { startChatServer, type ChatReply, type ChatServer } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { answer, on, step } from './model.ts'
import { startSites, type Changes, type Sites } from './sites.ts'
import { longIf } from '../../../scripts/long-tests.ts'

let sites: Sites
let model: ChatServer
let withModel: Engine & { readonly live: Live }
let withoutModel: Engine & { readonly live: Live }

const parts = () => ({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions() })],
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
    received: { name: 'Ann <Lee>', size: 'Large', colour: 'blue', note: 'By Friday', terms: 'on' },
    changes: { formWithoutSize: true },
    failure: /^Step 2 of 6 \(select combobox "Size"\) did not go as before\. The page has no combobox "Size" now\.$/,
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
    changes: { searchFindsNothing: true },
    failure: /^Step 2 of 3 \(press\) did not go as before\. The page shows no heading "3 results"\.$/,
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
    received: { name: 'ann', password: 'hunter2!' },
    changes: { otherPassword: true },
    failure: /^Step 3 of 3 \(click button "Log in"\).*did not lead to .*\/login\/account but to .*\/login\/enter\.$/,
  },
  pagination: {
    at: '/pages',
    replies: [...[1, 2, 3].map(() => on('click', 'link "Next page"')), answer(/lives in \w+/)],
    answer: 'lives in Lima',
    changes: { fewerPages: true },
    failure: /^Step 1 of 3 \(click link "Next page"\).*The page shows no heading "Page 2 of 5"\.$/,
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
    received: { amount: '3', street: '1 Long Lane', city: 'Leeds' },
    changes: { soldOut: true },
    failure: /^Step 8 of 8 \(click button "Pay now"\).*The page shows no heading "Thank you"\.$/,
  },
}

const secrets = () => [{ name: 'password', value: 'hunter2!', origin: sites.origin }]

async function inPage<T>(
  engine: Engine & { readonly live: Live },
  path: string,
  work: (session: LiveSession) => Promise<T>,
): Promise<T> {
  const { metadata } = await engine.scrape({ url: sites.origin + path, waitFor: 300 }, { keep: true })
  await using session = await engine.live.ofScrape(metadata.scrapeId)
  return await work(session)
}

const carryOut = ({ at, replies }: Task): Promise<TaskRun> => {
  model.script(replies)
  return inPage(withModel, at, (session) => session.ask('Do it.', { secrets: secrets(), timeout: 60_000 }))
}

const repeat = (at: string, script: TaskScript): Promise<TaskRun> =>
  inPage(withoutModel, at, (session) => session.repeat(script, { secrets: secrets(), timeout: 60_000 }))

for (const [name, task] of Object.entries(tasks))
  describe(`the site with a ${name}`, longIf(name !== 'search'), () => {
    let saved = ''

    test('is used as the task says, step by step, and the answer is what its last page says', async () => {
      sites.change({})
      sites.received.length = 0
      const { success, answer: said, error, steps, script } = await carryOut(task)
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
      const { success, error, steps, page } = await repeat(task.at, JSON.parse(saved) as TaskScript)
      expect({ success, error }).toEqual({ success: true, error: undefined })
      expect(steps.length).toBe(task.replies.length - 1)
      expect(page.text).toContain(task.answer)
      expect(sites.received).toEqual(task.received ? [task.received] : [])
    })

    test('has changed: the script stops at the step that shows it, and says what is other', async () => {
      sites.change(task.changes)
      const { success, error } = await repeat(task.at, JSON.parse(saved) as TaskScript)
      expect(success).toBe(false)
      expect(error).toMatch(task.failure)
    })
  })

test('a script that is none is refused, by the name of what is wrong in it', async () => {
  const step = { action: { type: 'run', code: 'rm' }, leadsTo: '' }
  const wrong = { steps: [step] } as unknown as TaskScript
  await expect(repeat('/form', wrong)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/steps.*action/) as unknown,
  })
})
