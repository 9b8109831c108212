import { expect, test } from 'vitest'

import type { LivePage } from '../page/live-page.ts'
import { inspect } from '../page/names.ts'
import { digest } from '../page/seen.fake.ts'
import { scriptSchema } from '../script/schema.ts'
import { runScript, type RunResult } from './run.ts'

const { signal } = new AbortController()
const start = 'https://shop.test/'

/** Runs a step until the page shows "Done", which it does after that many times. */
function runUntilDone(after: number): Promise<RunResult> {
  // The run opens the start first.
  let times = -1
  const page: LivePage = {
    ...{ tab: 'T1', opener: undefined, closed: signal },
    show: async () => undefined,
    see: async (expression, schema) =>
      schema.parse(expression === inspect('digest') ? digest({ texts: times >= after ? ['Done'] : [] }) : look),
    send: async () => ({}),
    listen: () => undefined,
  }
  const look = { ...digest({ url: start }), elements: [], isComplete: true }
  const tabs = {
    ...{ first: page, open: [page], coming: new Set<string>(), listen: () => undefined },
    [Symbol.asyncDispose]: async () => undefined,
  }
  const keys = { press: async () => undefined, goto: async () => void (times += 1) }
  const script = scriptSchema.parse({
    ...{ version: 1, start, hosts: ['shop.test'], parameters: {} },
    steps: [{ action: 'goto', value: start, until: 'Done' }],
  })
  const clock = { now: () => 0, sleep: async () => undefined }
  return runScript(
    script,
    {},
    { tabs, keys, clock, signal, takeRefused: () => undefined },
    { repair: false, stepTimeout: 0 },
  )
}

test('a step runs at most 100 times until the page shows a string, which may be after the last time', async () => {
  expect((await runUntilDone(0)).steps).toHaveLength(0)
  expect((await runUntilDone(100)).steps).toHaveLength(100)
  await expect(runUntilDone(101)).rejects.toMatchObject({
    message: expect.stringContaining('After 100 times the page does not show "Done"'),
    details: { done: expect.toSatisfy((steps: readonly unknown[]) => steps.length === 100) },
  })
})
