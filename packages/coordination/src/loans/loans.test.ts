import { hostname } from 'node:os'

import { type Json, type Queue, type Task, type TaskHandler, systemClock } from '@harvestman/ports'
import { memoryStore } from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { lease, leaseWatch } from '../records/lease.ts'
import { openLoanHelper, type LoanWork } from './helper.ts'
import { loanLeaseKey, openHelpers, loanPartKey, type Helpers } from './owner.ts'
import { parseBody, loanKind, maxItemLength, maxItems, sealPart } from './messages.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

/** Hands each task to the consumer that came first. */
function lineQueue() {
  const waiting: Task[] = []
  const handlers = new Set<TaskHandler>()
  const pushed: Task[] = []
  const feed = (): void => {
    const [handle] = handlers
    for (const task of handle ? waiting.splice(0) : []) {
      void handle?.(task, new AbortController().signal).catch(() => undefined)
    }
  }
  const queue: Queue = {
    reach: 'shared',
    push: async (task, { delay = 0 } = {}) => {
      pushed.push(task)
      setTimeout(() => {
        waiting.push(task)
        feed()
      }, delay)
    },
    consume: async (handle) => {
      handlers.add(handle)
      feed()
      return async () => void handlers.delete(handle)
    },
    close: async () => undefined,
  }
  return { queue, pushed }
}

function bench() {
  const store = memoryStore()
  const { queue, pushed } = lineQueue()
  const common = { store, queue, clock: systemClock, leaseTime: 1_000 }
  const woken = Promise.withResolvers<void>()
  const lender = openHelpers({ ...common, owner: 'here/1/1/lender', woken: woken.resolve })
  open.push(lender)
  let taken = 0
  let most = 0
  const borrow = (places: number, work: LoanWork): void => {
    const take = () => {
      most = Math.max(most, (taken += 1))
      return () => void (taken -= 1)
    }
    const free = (): number => places - taken
    const borrower = openLoanHelper({
      ...common,
      owner: 'there/2/2/borrower',
      places,
      free,
      take,
      open: async () => work,
    })
    open.push(borrower)
  }
  return { store, queue, pushed, lender, borrow, woken: woken.promise, mostAtOnce: () => most }
}

const never = new AbortController().signal
const doubling: LoanWork = {
  one: async (piece) => ({ piece }),
  keep: async (done) => done.map((one) => Number((one as { readonly piece: Json }).piece) * 2),
}
const lendMany = (lender: Helpers, count: number) =>
  Promise.all(Array.from({ length: count }, (_, piece) => lender.run('group', piece, never)))

describe('work that is lent', () => {
  test('is asked for once there are no places, and done by who has some: each piece once, and its value comes back', async () => {
    const { lender, borrow, woken, mostAtOnce } = bench()
    expect(lender.places).toBe(0)
    lender.requestSlots()
    const given: Json[] = []
    borrow(4, { ...doubling, one: async (piece) => (given.push(piece), { piece }) })
    await woken
    // What the other has free, and some that wait there so that no place stands empty.
    expect(lender.places).toBe(5)
    const came = await lendMany(lender, 5)
    expect(came).toEqual([0, 2, 4, 6, 8].map((value) => ({ value })))
    expect(given).toEqual([0, 1, 2, 3, 4])
    expect(mostAtOnce()).toBeLessThanOrEqual(4)
  })

  test('comes back when there is no place for it after all, and so many fewer places are counted on', async () => {
    const { lender, borrow, woken } = bench()
    lender.requestSlots()
    borrow(4, doubling)
    await woken
    const before = lender.places
    const came = await lendMany(lender, 16)
    const back = came.filter((one) => 'back' in one)
    expect(back.every((one) => 'back' in one && one.back === 'later')).toBe(true)
    expect(came.length - back.length).toBeGreaterThanOrEqual(4)
    expect(lender.places).toBe(Math.max(before - back.length, 0))
  })

  test('that only its lender can do comes back as such', async () => {
    const { lender, borrow, woken } = bench()
    lender.requestSlots()
    borrow(4, { ...doubling, one: async () => undefined })
    await woken
    expect(await lender.run('group', 1, never)).toEqual({ back: 'unable' })
    expect(await lender.run('group', 'x'.repeat(maxItemLength), never)).toEqual({ back: 'unable' })
  })

  test('comes back when its borrower is gone, or nobody has begun it; what is said of it later counts for nothing', async () => {
    const { store, queue, lender } = bench()
    const watch = leaseWatch(systemClock)
    const loans: string[] = []
    await queue.consume(
      async (task) => {
        const body = parseBody(task)
        loans.push(body?.id ?? '')
        // The first is begun by a process of this machine that runs no more; the second by nobody.
        if (loans.length > 1) return
        await lease(store, loanLeaseKey(body?.id ?? ''), { owner: `${hostname()}/1/-1/dead`, ttl: 60_000, watch })
      },
      { kind: loanKind, concurrency: 1 },
    )
    const [first, second] = [lender.run('one', 1, never), lender.run('two', 2, never)]
    expect(await Promise.all([first, second])).toEqual([{ back: 'later' }, { back: 'later' }])
    expect(loans).toHaveLength(2)
    for (const loan of loans) {
      // Who takes the task up now finds it taken.
      expect(await lease(store, loanLeaseKey(loan), { owner: 'late', ttl: 1_000, watch })).toBeUndefined()
      await store.set(loanPartKey(loan, 0), sealPart({ by: 'late', came: [{ piece: 0, value: 'late' }] }))
    }
  })

  test('is given up at once by who wants it no more, and its borrower is told', async () => {
    const { lender, borrow, woken } = bench()
    lender.requestSlots()
    const begun = Promise.withResolvers<void>()
    const told = Promise.withResolvers<void>()
    borrow(4, {
      ...doubling,
      one: (_, signal) => {
        begun.resolve()
        signal.addEventListener('abort', () => told.resolve(), { once: true })
        return told.promise.then(() => undefined)
      },
    })
    await woken
    const stop = new AbortController()
    const lent = lender.run('group', 1, stop.signal)
    await begun.promise
    stop.abort(new Error('enough'))
    await expect(lent).rejects.toThrow('enough')
    await told.promise
  })

  test('comes back when its borrower is closed', async () => {
    const { lender, borrow, woken } = bench()
    lender.requestSlots()
    const begun = Promise.withResolvers<void>()
    borrow(4, {
      ...doubling,
      one: (_, signal) => {
        begun.resolve()
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
      },
    })
    await woken
    const lent = lender.run('group', 1, never)
    await begun.promise
    await open.at(-1)?.close()
    expect(await lent).toEqual({ back: 'later' })
  })
})

describe('a task of the queue that is not as an engine writes it is nobody’s work', () => {
  const good = { layout: 1, is: 'work', by: 'a', id: 'b-1', group: 'job', pieces: [1] }
  const read = (body: Json) => parseBody({ id: 'x', kind: loanKind, body })
  test.each([
    ['no record', 'work'],
    ['without its lender', { ...good, by: undefined }],
    ['with a name that is a path', { ...good, id: '../job' }],
    ['with a name without end', { ...good, group: 'g'.repeat(1_000) }],
    ['with more pieces than are lent together', { ...good, pieces: Array.from({ length: maxItems + 1 }, () => 1) }],
    ['with a piece that is too long', { ...good, pieces: ['x'.repeat(maxItemLength + 1)] }],
    ['of another kind', { ...good, is: 'orders' }],
  ])('%s', (_, body) => {
    expect(read(body as Json)).toBeUndefined()
  })
  test('but one of a newer version is left to it', () => {
    expect(read(good)).toMatchObject({ group: 'job' })
    expect(() => read({ ...good, layout: 2 })).toThrow('newer version')
  })
})
