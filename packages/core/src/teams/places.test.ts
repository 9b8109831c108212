import { describe, expect, test } from 'vitest'

import { makeTeamPlaces, waitForPlace } from './places.ts'

const never = new AbortController().signal
const one = { concurrency: 1, queue: 2 }

describe('The places of a team', () => {
  test('are taken in the order of asking, and those of another team are free', async () => {
    const places = makeTeamPlaces()
    const first = await places.enter('a', one, never)
    const order: string[] = []
    const second = places.enter('a', one, never).then((held) => (order.push('second'), held))
    const third = places.enter('a', one, never).then((held) => (order.push('third'), held))
    expect(places.count('a')).toEqual({ working: 1, waiting: 2 })
    await places.enter('b', one, never)
    first.leave()
    ;(await second).leave()
    ;(await third).leave()
    expect(order).toEqual(['second', 'third'])
    expect(places.count('a')).toEqual({ working: 0, waiting: 0 })
  })

  test('refuse who comes when too many wait, and say when to try again', async () => {
    const places = makeTeamPlaces()
    await places.enter('a', { concurrency: 1, queue: 0 }, never)
    await expect(places.enter('a', { concurrency: 1, queue: 0 }, never)).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfter: 5 },
    })
  })

  test('are not held for one who went away while waiting', async () => {
    const places = makeTeamPlaces()
    const held = await places.enter('a', one, never)
    const gone = new AbortController()
    const waiting = places.enter('a', one, gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    held.leave()
    held.leave()
    expect(places.count('a')).toEqual({ working: 0, waiting: 0 })
  })

  test('are waited for no longer than the request has time', async () => {
    const places = makeTeamPlaces()
    await places.enter('a', one, never)
    await expect(waitForPlace(places, 'a', one, 20, undefined)).rejects.toMatchObject({ code: 'timeout' })
  })
})
