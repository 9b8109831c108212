import { expect, test } from 'vitest'

import { makeLines, type Line } from './lines.ts'

interface TestLine extends Line {
  readonly closedBy: Error[]
}

function lineTo(key: string): TestLine {
  const closedBy: Error[] = []
  return { key, closedBy, close: (reason) => closedBy.push(reason) }
}

function opened(key: string, lines = makeLines<TestLine>()) {
  const line = lineTo(key)
  lines.add(line)
  return { line, lines }
}

const reason = new Error('why')

test('a line is given again for the same key, and to one at a time', () => {
  const { line, lines } = opened('a')
  expect(lines.take('a')).toBeUndefined()
  lines.keep(line)
  expect(lines.take('b')).toBeUndefined()
  expect(lines.take('a')).toBe(line)
  expect(lines.take('a')).toBeUndefined()
})

test('the line that was used last is given first', () => {
  const { line: older, lines } = opened('a')
  const { line: newer } = opened('a', lines)
  lines.keep(older)
  lines.keep(newer)
  expect(lines.take('a')).toBe(newer)
})

test('a line that was dropped is closed once and not given again', () => {
  const { line, lines } = opened('a')
  lines.keep(line)
  lines.drop(line, reason)
  lines.drop(line, reason)
  lines.keep(line)
  expect(lines.take('a')).toBeUndefined()
  expect(line.closedBy).toEqual([reason])
})

test('a line that is lost while it works is left to the one who uses it', () => {
  const { line, lines } = opened('a')
  lines.lost(line, reason)
  expect(line.closedBy).toEqual([])
  lines.keep(line)
  lines.lost(line, reason)
  expect(line.closedBy).toEqual([reason])
  expect(lines.take('a')).toBeUndefined()
})

test('only so many wait', () => {
  const lines = makeLines<TestLine>()
  const all = Array.from({ length: 300 }, (_, index) => opened(`host ${index}`, lines).line)
  for (const line of all) lines.keep(line)
  expect(all.filter(({ closedBy }) => closedBy.length > 0)).toHaveLength(300 - 256)
})

test('all are closed at the end, those at work as well', () => {
  const { line: atWork, lines } = opened('a')
  const { line: waiting } = opened('b', lines)
  lines.keep(waiting)
  lines.closeAll(reason)
  expect([atWork.closedBy, waiting.closedBy]).toEqual([[reason], [reason]])
  expect(lines.take('b')).toBeUndefined()
})

test('a line that is opened after all were closed is closed as well', () => {
  const { lines } = opened('a')
  lines.closeAll(reason)
  const line = lineTo('a')
  expect(() => lines.add(line)).toThrow(reason)
  expect(line.closedBy).toEqual([reason])
})
