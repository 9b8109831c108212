import { describe, expect, test } from 'vitest'

import { duration, progressLine, showProgress } from './progress.ts'

describe('The line of a job that runs', () => {
  const state = { done: 9, failed: 1, total: 40, credits: 12, url: 'https://a.test/docs' }

  test('says how much is done, how fast, what failed, and how long it will take', () => {
    expect(progressLine(state, 2.5, 0, 200)).toBe(
      '⠋ █████░░░░░░░░░░░░░░░ 10/40  2.5/s  1 failed  12 credits  ETA 12 s  https://a.test/docs',
    )
  })

  test('promises nothing before it knows how fast it is', () => {
    const line = progressLine({ done: 0, failed: 0, total: 1, credits: 0, url: '' }, 0, 0, 200)
    expect(line).toBe('⠋ ░░░░░░░░░░░░░░░░░░░░ 0/1  0.0/s')
  })

  test('is never as wide as the terminal, which would wrap it', () => {
    for (const columns of [1, 20, 40, 80]) expect(progressLine(state, 1, 0, columns).length).toBeLessThan(columns)
    expect(progressLine(state, 2.5, 0, 60)).toMatch(/…$/)
  })

  test('never shows more than all', () => {
    expect(progressLine({ ...state, done: 80 }, 1, 0, 200)).toContain('█'.repeat(20))
    expect(progressLine({ ...state, done: 80 }, 1, 0, 200)).not.toContain('ETA')
  })
})

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [59_000, '59 s'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h 0 min'],
  [90_060_000, '25 h 1 min'],
])('%i ms are said as %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words)
})

describe('A terminal', () => {
  function screen(isTerminal = true) {
    const written: string[] = []
    let now = 0
    let tick = (): void => undefined
    const progress = showProgress({
      write: (text) => void written.push(text),
      isTerminal,
      columns: () => 200,
      now: () => now,
      every: (milliseconds, work) => {
        expect(milliseconds).toBeGreaterThanOrEqual(100)
        tick = work
        return () => {
          tick = () => undefined
        }
      },
    })
    const pass = (milliseconds: number) => {
      now += milliseconds
      tick()
    }
    return { progress, written, pass, write: (text: string) => void written.push(text) }
  }

  test('has one line, which is drawn again in its place', () => {
    const { progress, written, pass } = screen()
    progress.show({ done: 1, failed: 0, total: 4, credits: 0, url: 'a' })
    pass(100)
    progress.show({ done: 2, failed: 0, total: 4, credits: 0, url: 'b' })
    pass(100)
    expect(written).toHaveLength(2)
    for (const text of written) expect(text.startsWith('\r\u001B[2K')).toBe(true)
    expect(written.join('')).not.toContain('\n')
    expect(written[1]).toContain('2/4')
  })

  test('shows the rate of the last seconds', () => {
    const { progress, written, pass } = screen()
    progress.show({ done: 100, failed: 0, total: 1_000, credits: 0, url: '' })
    for (let second = 0; second < 30; second += 1) pass(1_000)
    expect(written.at(-1)).toContain('0.0/s')
    progress.show({ done: 150, failed: 0, total: 1_000, credits: 0, url: '' })
    pass(1_000)
    expect(Number(/([\d.]+)\/s/.exec(written.at(-1) ?? '')?.[1])).toBeCloseTo(5, 0)
  })

  test('has the line taken away before something else is written, and at the end', () => {
    const { progress, written, pass, write } = screen()
    pass(100)
    progress.print(() => write('page\n'))
    expect(written.slice(1)).toEqual(['\r\u001B[2K', 'page\n'])
    progress.print(() => write('page\n'))
    expect(written).toHaveLength(4)
    pass(100)
    progress.end()
    pass(100)
    expect(written.at(-1)).toBe('\r\u001B[2K')
  })

  test('that is none gets a plain line every ten seconds, and nothing before there is something to say', () => {
    const { progress, written, pass, write } = screen(false)
    pass(10_000)
    progress.show({ done: 3, failed: 1, total: 9, credits: 3, url: 'a' })
    pass(10_000)
    progress.print(() => write('page\n'))
    progress.end()
    pass(10_000)
    expect(written).toEqual(['4 of 9 pages, 1 failed\n', 'page\n'])
  })
})
