import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

import type { Queue, Task } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { until } from './until.ts'

/** An empty queue that several processes share. */
export interface SharedQueue {
  readonly queue: Queue
  /**
   * A script and its arguments, run by Node as a separate process: it consumes the same queue, writes a line to its output when
   * it has three tasks, and never completes them.
   */
  readonly holder: readonly string[]
}

/** Creates a queue that several processes share. */
export type MakeSharedQueue = () => SharedQueue | Promise<SharedQueue>

const ids = ['a', 'b', 'c']

const rule = (what: string, signal: NodeJS.Signals) => ({
  name: `the tasks of a process that ${what} are handed out again, when its lease is over`,
  run: async (make: MakeSharedQueue) => {
    const { queue, holder } = await make()
    for (const id of ids) await queue.push({ id, kind: 'test', body: { of: [id] } })
    const child = spawn(process.execPath, holder, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    try {
      const held = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)])
      assert.ok(held, 'The process ended before it held the tasks.')
      child.kill(signal)
      if (signal === 'SIGKILL') await ended
      const seen = new Set<string>()
      await queue.consume(async ({ id }: Task) => void seen.add(id), { kind: 'test', concurrency: 3 })
      await until('all tasks are handed out again', () => ids.every((id) => seen.has(id)))
    } finally {
      child.kill('SIGKILL')
      await ended
      await queue.close()
    }
  },
})

/** The rules of a shared `Queue` for a process that dies while it has tasks. */
export const queueHoldersContract: Contract<MakeSharedQueue> = [
  rule('was killed', 'SIGKILL'),
  rule('is frozen, with its connection open,', 'SIGSTOP'),
]
