import { describe, expect, test } from 'vitest'

import { makeSemaphore } from './semaphore.ts'
import { makeTurns } from './turns.ts'

const never = new AbortController().signal

test('what waits comes in turns by team, however much each has', () => {
  const turns = makeTurns<string>()
  for (let number = 0; number < 5; number += 1) turns.push('a', `a${number}`)
  turns.push('b', 'b0')
  turns.push('b', 'b1')
  turns.push('c', 'c0')
  const order = Array.from({ length: 8 }, () => turns.shift())
  expect(order).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3', 'a4'])
  expect([turns.shift(), turns.size]).toEqual([undefined, 0])
})

/** Takes permits, and notes in which order they were given. */
function entrance(limit: number, spare = 0) {
  const semaphore = makeSemaphore({ limit, spare })
  const entered: string[] = []
  const take = async (name: string, signal = never): Promise<() => void> => {
    const release = await semaphore.acquire(name[0] ?? '', signal)
    entered.push(name)
    return release
  }
  return { semaphore, entered, take }
}

const settled = (): Promise<void> => new Promise((go) => setImmediate(go))

describe('permits that teams share', () => {
  test('are given to the others in turns when one team wants them all', async () => {
    const { entered, take } = entrance(1)
    const leave = await take('a0')
    const waiting = ['a1', 'a2', 'a3', 'b0', 'c0'].map(async (name) => (await take(name))())
    leave()
    await Promise.all(waiting)
    expect(entered).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'a3'])
  })

  test('are all for one team that is alone', async () => {
    const { semaphore, take } = entrance(3, 1)
    await Promise.all([take('a0'), take('a1'), take('a2')])
    void take('a3')
    await settled()
    expect(semaphore.held).toBe(3)
  })

  test('have a spare one for a team that has none, whatever another does', async () => {
    const { entered, semaphore, take } = entrance(2, 1)
    const leaves = await Promise.all([take('a0'), take('a1')])
    void take('a2')
    const leave = await take('b0')
    void take('b1')
    await settled()
    expect(entered).toEqual(['a0', 'a1', 'b0'])
    leave()
    await settled()
    // Without the spare permit there are two, and both are taken; but that team has none again.
    expect([entered, semaphore.held]).toEqual([['a0', 'a1', 'b0', 'b1'], 3])
    leaves[0]?.()
    await settled()
    expect(semaphore.held).toBe(2)
  })

  test('are not given to those who have gone, and freed once', async () => {
    const { entered, semaphore, take } = entrance(1)
    const leave = await take('a0')
    const stop = new AbortController()
    const gone = take('b0', stop.signal)
    const last = take('c0')
    stop.abort(new Error('Too long.'))
    await expect(gone).rejects.toThrow('Too long.')
    leave()
    leave()
    await last
    expect([entered, semaphore.held]).toEqual([['a0', 'c0'], 1])
    await expect(take('d0', stop.signal)).rejects.toThrow('Too long.')
  })

  test('refuse all that wait when they are closed', async () => {
    const { semaphore, take } = entrance(1)
    await take('a0')
    const waiting = take('b0')
    semaphore.clear(new Error('Closed.'))
    await expect(waiting).rejects.toThrow('Closed.')
  })

  test('are given only when the holder of all of them says so, and those who wait when that changes', async () => {
    let isOpen = false
    const semaphore = makeSemaphore({ limit: 1, may: () => isOpen })
    const waiting = semaphore.acquire('a', never)
    await settled()
    expect([semaphore.held, semaphore.waiting]).toEqual([0, 1])
    isOpen = true
    semaphore.serve()
    const release = await waiting
    expect([semaphore.held, semaphore.waiting]).toEqual([1, 0])
    release()
    expect(semaphore.held).toBe(0)
  })
})
