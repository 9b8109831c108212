import { expect, test } from 'vitest'

import { watchShared } from './shared-memory.ts'

const megabyte = 1e6
const [calm, greedy] = [11, 12]

/** A browser whose shared process and two pages are told step by step; gives the page that is ended, if one is. */
function browser(most: number) {
  let now = 0
  const watch = watchShared(most, () => now)
  const worked = new Map([
    [calm, 0],
    [greedy, 0],
  ])
  const process = (pid: number, memory: number, work: number) => ({
    ...{ pid, memory, work },
    ...{ parent: 1, group: 1, isZombie: false },
  })
  const look = (held: number, work: { readonly calm?: number; readonly greedy?: number } = {}): number | undefined => {
    now += 200
    for (const [pid, ticks] of worked) worked.set(pid, ticks + ((pid === calm ? work.calm : work.greedy) ?? 0))
    const pages = [...worked].map(([pid, ticks]) => process(pid, 50 * megabyte, ticks))
    return watch.look([process(2, held * megabyte, 0)], pages)
  }
  return Object.assign(look, { end: (pid: number): void => void worked.delete(pid) })
}

test('the page that a shared process grew for is ended, and not one that worked more before', () => {
  const look = browser(400 * megabyte)
  for (let step = 0; step < 10; step += 1) expect(look(300, { calm: 15 })).toBeUndefined()
  for (let step = 0; step < 6; step += 1) look(300)
  expect(look(400, { greedy: 4 })).toBeUndefined()
  expect(look(480, { greedy: 4 })).toBeUndefined()
  expect(look(580, { greedy: 4 })).toBe(greedy)
})

test('what a page asked for and is carried out while it rests is put down to it', () => {
  const look = browser(400 * megabyte)
  for (let step = 0; step < 10; step += 1) look(100, { calm: 5 })
  for (let step = 0; step < 6; step += 1) look(100)
  look(100, { greedy: 3 })
  expect(look(300)).toBeUndefined()
  expect(look(600)).toBe(greedy)
})

test('a page is not blamed for what another one held that is gone, and is bounded again when that is freed', () => {
  const look = browser(400 * megabyte)
  look(100, { calm: 10 })
  expect(look(250, { greedy: 10 })).toBeUndefined()
  expect(look(450, { greedy: 10 })).toBeUndefined()
  look.end(greedy)
  for (let step = 0; step < 15; step += 1) expect(look(450)).toBeUndefined()
  expect(look(120)).toBeUndefined()
  expect(look(300, { calm: 10 })).toBeUndefined()
  expect(look(450, { calm: 10 })).toBe(calm)
})

test('a page that worked while another one filled the process is not blamed for what is freed late', () => {
  const look = browser(400 * megabyte)
  look(100, { calm: 3, greedy: 2 })
  look(400, { calm: 3, greedy: 5 })
  look(480, { greedy: 5 })
  expect(look(1100, { greedy: 5 })).toBe(greedy)
  look.end(greedy)
  for (let step = 0; step < 30; step += 1) expect(look(1100, { calm: 1 })).toBeUndefined()
  expect(look(300)).toBeUndefined()
  expect(look(500, { calm: 10 })).toBe(calm)
})

test('memory of pages that are gone counts beyond twice the limit, so that it cannot grow without an end', () => {
  const look = browser(400 * megabyte)
  look(100, { greedy: 5 })
  look(1_300, { greedy: 5 })
  look.end(greedy)
  expect(look(1_300, { calm: 1 })).toBeUndefined()
  expect(look(1_420, { calm: 5 })).toBe(calm)
})
