import type { Jail, LiveBrowser, Sandbox } from '@harvestman/ports'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import { expect, test } from 'vitest'

import { makeJails } from './jails.ts'

const { signal } = new AbortController()

/** A sandbox whose jails open when the test says so, unless all callers have cancelled. */
function bench() {
  const [opened, closed]: [AbortSignal[], Jail[]] = [[], []]
  const mayOpen = Promise.withResolvers<void>()
  const sandbox = {
    open: async (_: unknown, all: AbortSignal) => {
      opened.push(all)
      await untilAborted(mayOpen.promise, all)
      const jail = { gone: new AbortController().signal, close: async () => void closed.push(jail) } as unknown as Jail
      return jail
    },
  } as unknown as Sandbox
  const jails = makeJails({ live: {} as LiveBrowser, onFault: () => undefined })
  return { jails, sandbox, opened, closed, mayOpen: mayOpen.resolve }
}

test('a caller that cancels while a sandbox is opened does not cancel it for another caller', async () => {
  const { jails, sandbox, opened, closed, mayOpen } = bench()
  const caller = new AbortController()
  const first = jails.open(sandbox, caller.signal)
  const second = jails.open(sandbox, signal)
  const reason = new Error('The caller left.')
  caller.abort(reason)
  await expect(first).rejects.toBe(reason)
  mayOpen()
  const jail = await second
  expect(await jails.open(sandbox, signal)).toBe(jail)
  expect(opened).toHaveLength(1)
  await jails.close()
  expect(closed).toEqual([jail])
})

test('an opening that all callers cancelled is aborted, and the next call opens another sandbox', async () => {
  const { jails, sandbox, opened, mayOpen } = bench()
  const caller = new AbortController()
  const first = jails.open(sandbox, caller.signal)
  caller.abort(new Error('The caller left.'))
  await expect(first).rejects.toThrow('The caller left.')
  expect(opened[0]?.aborted).toBe(true)
  const second = jails.open(sandbox, signal)
  mayOpen()
  expect((await second).gone.aborted).toBe(false)
  expect(opened).toHaveLength(2)
})
