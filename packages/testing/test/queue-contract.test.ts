import { embeddedQueue } from '@harvestman/core'
import type { Clock, Queue } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { queueContract } from '../src/index.ts'

// A rule that is broken is waited for until the timeout, which is measured by this clock.
const now = performance.now.bind(performance)
beforeAll(() => void (performance.now = () => now() * 20))
afterAll(() => void (performance.now = now))

type Break = (queue: Queue, clock: Clock) => Partial<Queue>

// Ways to break one rule each, and a case that must see it.
const breaks: Readonly<Record<string, readonly [seenBy: string, Break]>> = {
  'forgets what is pushed before somebody consumes': [
    'a task that is pushed before anybody consumes is handed out, as it was pushed',
    (queue) => {
      let isConsumed = false
      return {
        push: async (task, options) => (isConsumed ? queue.push(task, options) : undefined),
        consume(handle, options) {
          isConsumed = true
          return queue.consume(handle, options)
        },
      }
    },
  ],
  'runs one more than was said': [
    'at most as many handlers run at once as was said, and as many do',
    (queue) => ({
      consume: (handle, options) => queue.consume(handle, { ...options, concurrency: options.concurrency + 1 }),
    }),
  ],
  'runs one at a time': [
    'at most as many handlers run at once as was said, and as many do',
    (queue) => ({ consume: (handle, options) => queue.consume(handle, { ...options, concurrency: 1 }) }),
  ],
  'hands tasks to any consumer': [
    'a consumer is handed tasks of its kind and no others',
    (queue) => ({ push: (task, options) => queue.push({ ...task, kind: 'test' }, options) }),
  ],
  'does not look at priorities': [
    'a higher priority is handed out earlier',
    (queue) => ({ push: (task, options) => queue.push(task, { delay: options?.delay ?? 0 }) }),
  ],
  'does not delay': [
    'delayed tasks are handed out when their time has come and not before, by whatever clock',
    (queue) => ({ push: (task, options) => queue.push(task, { priority: options?.priority ?? 0 }) }),
  ],
  'gives up a task that failed': [
    'a task whose handler rejects is handed out again',
    (queue) => ({
      consume: (handle, options) => queue.consume((...given) => handle(...given).catch(() => undefined), options),
    }),
  ],
  'tries a failing task without rest': [
    'a task that always fails does not hold up the others, nor is it tried without rest',
    (queue) => ({
      consume: (handle, options) =>
        queue.consume(async (...given) => {
          for (let tries = 0; ; tries += 1)
            try {
              return await handle(...given)
            } catch (error) {
              if (tries === 50) throw error
            }
        }, options),
    }),
  ],
  'does not wait when it is stopped': [
    'stopping waits for the running handlers and hands out nothing new',
    (queue) => ({
      async consume(handle, options) {
        const stop = await queue.consume(handle, options)
        return async () => void stop()
      },
    }),
  ],
  'closes without a word to the handlers': [
    'closing aborts the signal of running handlers, waits for them and hands out nothing new',
    (queue) => ({
      consume: (handle, options) => queue.consume((task) => handle(task, new AbortController().signal), options),
      close: async () => void queue.close(),
    }),
  ],
  'takes tasks after it was closed': [
    'every call after closing rejects, but closing again',
    (queue) => ({ push: (task, options) => queue.push(task, options).catch(() => undefined) }),
  ],
}

describe.concurrent('the contract notices a queue that', () => {
  for (const [name, [seenBy, spoil]] of Object.entries(breaks))
    test(name, async () => {
      const rule = queueContract.find((one) => one.name === seenBy)
      const make = ({ clock }: { readonly clock: Clock }) => {
        const queue = embeddedQueue({ clock })
        return { ...queue, ...spoil(queue, clock) }
      }
      await expect(rule?.run(make)).rejects.toThrow()
    })
})
