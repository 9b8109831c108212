import { getPriority } from 'node:os'

import { describe, expect, test } from 'vitest'

import { makeThreads } from './threads.ts'

const never = new AbortController().signal
const messages = { tooSlow: 'too slow', tooLarge: 'too large' }

/** A thread that does this with each task. */
function threadThat(work: string): URL {
  const library = new URL('./thread.ts', import.meta.url).href
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import { answerTasks } from '${library}'\nanswerTasks(${work})`)}`,
  )
}

function threads(work: string, budget = 20_000) {
  return makeThreads<number, number>({ entry: threadThat(work), size: 1, budget, megabytes: 200, messages })
}

test('a task that is aborted before it has a thread does not run', async () => {
  const pool = threads('() => { for (;;); }', 1_000)
  const stop = new AbortController()
  const result = pool.run(0, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(result).rejects.toThrow('stopped')
  await pool.close()
})

describe('what a thread tells before its answer', () => {
  test('comes to the caller, in order, and is not the answer', async () => {
    const pool = threads('async (task, tell) => { tell(1); tell({ two: 2 }); return task + 1 }')
    const parts: unknown[] = []
    expect(await pool.run(41, never, { onPart: (part) => parts.push(part) })).toBe(42)
    expect(parts).toEqual([1, { two: 2 }])
    expect(await pool.run(1, never)).toBe(2)
    await pool.close()
  })

  test('has come when the thread is stopped', async () => {
    const pool = threads('(task, tell) => { tell("before"); for (;;); }')
    const stop = new AbortController()
    const heard = pool.run(0, stop.signal, {
      onPart: (part) => stop.abort(new Error(`stopped after ${String(part)}`)),
    })
    await expect(heard).rejects.toThrow('stopped after before')
    await pool.close()
  })
})

test(
  'a task that takes more memory outside the heap than it may is stopped, while its thread is busy',
  { tags: ['long'] },
  async () => {
    const pool = threads(
      '() => { const kept = []; for (;;) if (kept.length < 400) kept.push(new Uint8Array(1_048_576).fill(1)) }',
    )
    await expect(pool.run(0, never)).rejects.toMatchObject({ code: 'page_too_complex', message: 'too large' })
    await pool.close()
  },
)

test('an answer that holds more than a document may is refused in the thread, whatever made it', async () => {
  const pool = threads('(count) => ({ links: Array.from({ length: count }, () => "a link") })')
  const most = { bytes: 1_000, values: 50 }
  await expect(pool.run(51, never, { most })).rejects.toMatchObject({
    code: 'page_too_complex',
    details: { of: 'values' },
  })
  expect(await pool.run(40, never, { most })).toMatchObject({ links: expect.any(Array) })
  await expect(pool.run(600_000, never)).rejects.toMatchObject({ details: { limit: 500_000 } })
  await pool.close()
})

test('a thread that has nothing to do for a while is let go, and the next task gets a new one', async () => {
  const entry = threadThat('() => { globalThis.count = (globalThis.count ?? 0) + 1; return globalThis.count }')
  const pool = makeThreads<number, number>({ entry, size: 1, budget: 20_000, megabytes: 200, idleTime: 50, messages })
  expect([await pool.run(0, never), await pool.run(0, never)]).toEqual([1, 2])
  await new Promise((go) => setTimeout(go, 300))
  expect(await pool.run(0, never)).toBe(1)
  await pool.close()
})

test('tasks of one team without end do not keep another team waiting', async () => {
  const pool = threads('(task) => { for (; task === 0; ); return task }')
  const stop = new AbortController()
  const bombs = Array.from({ length: 8 }, () => pool.run(0, stop.signal, { team: 'bombs' }).catch(() => 'stopped'))
  expect(await pool.run(7, never, { team: 'other' })).toBe(7)
  expect(await pool.run(8, never, { team: 'other' })).toBe(8)
  stop.abort(new Error('enough'))
  expect(new Set(await Promise.all(bombs))).toEqual(new Set(['stopped']))
  await pool.close()
})

describe('the time that a task may take', () => {
  test('is that of the processor: a thread that waits for its turn loses nothing by it', async () => {
    const pool = threads('() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)', 1_000)
    expect(await pool.run(0, never)).toBe('timed-out')
    await pool.close()
  })

  test('ends for a task that keeps its thread busy', async () => {
    const pool = threads('() => { for (;;); }', 500)
    // On a machine that has hardly any processor time to give, the thread is told to have had none, and the task comes again.
    const failure = async (): Promise<unknown> => {
      const error: unknown = await pool.run(0, never).catch((thrown: unknown) => thrown)
      return (error as { readonly code?: string }).code === 'timeout' ? failure() : error
    }
    expect(await failure()).toMatchObject({ code: 'page_too_complex', message: 'too slow' })
    await pool.close()
  })

  test('has an end by the clock', async () => {
    const pool = threads('() => new Promise(() => undefined)', 50)
    // One that idles looks like one that was not given the processor: on a busy machine it is said to be that.
    await expect(pool.run(0, never)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:page_too_complex|timeout)$/),
    })
    await pool.close()
  })
})

test(
  'tasks of a team that keeps threads busy give way to those of a team that does not',
  { tags: ['long'] },
  async ({ skip }) => {
    if (process.platform !== 'linux') skip('only Linux has a priority for each thread')
    const own = `process.getBuiltinModule('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1)`
    const pool = threads(
      `(ms) => { const end = performance.now() + ms; while (performance.now() < end); return process.getBuiltinModule('node:os').getPriority(Number(${own})) }`,
    )
    const usual = getPriority()
    const loud = (ms: number): Promise<number> => pool.run(ms, never, { team: 'loud' })
    const other = (): Promise<number> => pool.run(300, never, { team: 'other' })
    expect(await other()).toBe(usual)
    expect(await loud(1_000)).toBe(usual)
    expect(await loud(20)).toBe(usual + 10)
    expect(await other()).toBe(usual)
    await pool.close()
  },
)

test('a thread that ends between two tasks, as by a timer that one left behind, is replaced', async () => {
  const pool = threads('(task) => { if (task === 1) setTimeout(() => { throw new Error("late") }, 50); return task }')
  expect(await pool.run(1, never)).toBe(1)
  // The timer may fire only while the thread has its next task, which then fails.
  const next = (): Promise<unknown> => pool.run(2, AbortSignal.timeout(10_000)).catch((error: unknown) => error)
  await new Promise((end) => setTimeout(end, 200))
  await expect.poll(next, { timeout: 10_000 }).toBe(2)
  await pool.close()
})
