import { expect, test } from 'vitest'

import { distance, fingerprint } from './fingerprint.ts'

const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    Array.from(String((from + index) * 7919), (digit) => 'abcdefghij'[Number(digit)]).join(''),
  )
const between = (one: string, other: string) => distance(fingerprint(one)!, fingerprint(other)!)

test('texts that differ only in numbers, signs, order and letter case are the same', () => {
  const text = words(0, 100)
  expect(between(`1. ${text.join(' ')}`, `99, ${text.toReversed().join(' - 7 ').toUpperCase()}!`)).toBe(0)
})

test('texts of nearly the same words are near, others are not', () => {
  const text = words(0, 400)
  expect(between(text.join(' '), [...text.slice(0, 398), ...words(900, 2)].join(' '))).toBeLessThanOrEqual(6)
  expect(between(text.join(' '), words(5000, 400).join(' '))).toBeGreaterThan(12)
})

test('long texts are judged by a part of their words, the same in both', () => {
  const text = words(0, 2500)
  expect(between(text.join(' '), ['one', 'more', ...text].join(' '))).toBeLessThanOrEqual(4)
  expect(between(text.join(' '), words(90_000, 2500).join(' '))).toBeGreaterThan(12)
})

test('long texts are not the same for their beginnings and ends, which are those of the site', () => {
  const [head, foot] = [words(0, 1000).join(' '), words(20_000, 1000).join(' ')]
  const page = (from: number) => [head, ...words(from, 1500), foot].join(' ')
  expect(between(page(40_000), page(60_000))).toBeGreaterThan(12)
})

test('scripts that write without blanks are read sign by sign, other scripts by words', () => {
  const chinese = '今天天气很好我们去公园散步看见很多花和树还有小鸟在唱歌'
  expect(between(chinese, `${chinese.slice(14)}，${chinese.slice(0, 14)}。`)).toBe(0)
  const russian = 'один два три четыре пять шесть семь восемь девять десять ветер море небо земля вода огонь лес'
  expect(between(russian, russian.split(' ').reverse().join(', '))).toBe(0)
})

test('a text of a few words says nothing', () => {
  expect([fingerprint(''), fingerprint('Photo 12'), fingerprint(words(0, 15).join(' '))]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(fingerprint(words(0, 16).join(' '))).toBeDefined()
})

test('where the links of a text lead does not count, only what they are called', () => {
  const words = 'welcome to our house of many doors where every visitor is given a key of his own and all open one room'
  const page = (id: string): string =>
    `${words} [a door](https://a.test/rooms/${id}/enter) [another](https://a.test/x-${id})`
  const [one, other] = [fingerprint(page('kxwbzq')), fingerprint(page('mmrfjdla'))]
  expect(one && other && distance(one, other)).toBe(0)
})
