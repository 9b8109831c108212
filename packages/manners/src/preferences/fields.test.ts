import { describe, expect, test } from 'vitest'

import { readContentSignal, readContentUsage, readReservation, readRobotsTag, rslLinks } from './fields.ts'
import { sourceOf, summaryOf, type Statement } from './statements.ts'

const source = sourceOf('https://a.example/robots.txt', 'line')
const uses = (statements: readonly Statement[]) => summaryOf(statements, false)

test.each([
  ['search=yes,ai-train=no', { search: true, 'ai-train': false }],
  ['search=yes, ai-input=no, ai-train=no', { search: true, 'ai-input': false, 'ai-train': false }],
  ['AI-Train=NO', { 'ai-train': false }],
  ['ai-train=yes, ai-train=no', { 'ai-train': false }],
  ['ai-train=no, use=reference, fancy=maybe', { 'ai-train': false }],
  ['ai-train', {}],
  ['ai-train=', {}],
  ['', {}],
])('Content-Signal: %s', (value, expected) => expect(uses(readContentSignal(value, source))).toEqual(expected))

test.each([
  ['train-ai=n', { 'ai-train': false }],
  ['train-ai=n, search=y', { search: true, 'ai-train': false }],
  ['train-ai=n;exceptions="x", search=y', { search: true, 'ai-train': false }],
  ['bots=n', { search: false, 'ai-input': false, 'ai-train': false, tdm: false }],
  ['bots=n, search=y', { search: true, 'ai-input': false, 'ai-train': false, tdm: false }],
  ['search=y, bots=n', { search: true, 'ai-input': false, 'ai-train': false, tdm: false }],
  ['bots=n, train-ai=y', { search: false, 'ai-input': false, 'ai-train': true, tdm: false }],
  ['train-ai=y, train-genai=n', { 'ai-train': false }],
  ['train-genai=n', { 'ai-train': false }],
  ['ai=n', { 'ai-input': false, 'ai-train': false }],
  ['train-ai=yes', { 'ai-train': true }],
  ['train-ai', {}],
  ['train-ai=?0', {}],
  ['unknown=n', {}],
])('Content-Usage: %s', (value, expected) => expect(uses(readContentUsage(value, source))).toEqual(expected))

test.each([
  ['noai', ['ai-train']],
  ['noindex, NoAI , noimageai', ['ai-train', 'ai-train of images']],
  ['noimageai', ['ai-train of images']],
  ['googlebot: noai', []],
  ['googlebot: noindex, noai', []],
  ['gatherer: noai', ['ai-train']],
  ['googlebot: noindex, gatherer: noai', ['ai-train']],
  ['max-snippet: 10, noai', ['ai-train']],
  ['unavailable_after: Wed, 25 Jun 2025 15:00:00 GMT, noai', ['ai-train']],
  ['*: noai', ['ai-train']],
  ['noindex', []],
])('X-Robots-Tag: %s', (value, expected) =>
  expect(readRobotsTag(value, 'Gatherer', source).map(({ use, of }) => (of ? `${use} of ${of}` : use))).toEqual(
    expected,
  ),
)

test.each([
  ['1', [false]],
  [1, [false]],
  [' 0 ', [true]],
  ['2', []],
  [undefined, []],
  [{}, []],
])('tdm-reservation: %j', (value, expected) =>
  expect(readReservation(value, source).map(({ allowed }) => allowed)).toEqual(expected),
)

test.each([
  ['<https://a.example/l.xml>; rel="license"; type="application/rsl+xml"', ['https://a.example/l.xml']],
  ['</l.xml>; type=application/rsl+xml; rel=license', ['/l.xml']],
  ['</s.css>; rel=preload, </l.xml>; rel="alternate license"; type="application/rsl+xml"', ['/l.xml']],
  ['<https://creativecommons.org/by>; rel="license"', []],
  ['</l.xml>; rel="canonical"; type="application/rsl+xml"', []],
  ['<unfinished', []],
  ['', []],
])('Link: %s', (header, expected) => expect(rslLinks(header)).toEqual(expected))

describe('a training use', () => {
  test('is covered by a reservation of text and data mining', () => {
    expect(uses(readReservation('1', source))).toEqual({ 'ai-train': false, tdm: false })
  })

  test('is forbidden if one of several statements forbids it', () => {
    const both = [...readContentSignal('ai-train=yes', source), ...readContentUsage('train-ai=n', source)]
    expect(uses(both)).toEqual({ 'ai-train': false })
  })

  test('of images is not that of pages', () => {
    const statements = readRobotsTag('noimageai', 'Gatherer', source)
    expect([summaryOf(statements, false), summaryOf(statements, true)]).toEqual([{}, { 'ai-train': false }])
  })
})
