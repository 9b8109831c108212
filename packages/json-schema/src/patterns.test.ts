import { describe, expect, test } from 'vitest'

import { compilePatterns, isPatternProblem, type Patterns } from './patterns.ts'

function mustCompile(...sources: string[]): Patterns {
  const patterns = compilePatterns(sources)
  if (isPatternProblem(patterns)) throw new Error(patterns.problem)
  return patterns
}

function problemOf(...sources: string[]): string | undefined {
  const patterns = compilePatterns(sources)
  return isPatternProblem(patterns) ? patterns.problem : undefined
}

test.each([
  ['blog', '/my-blog/1', true],
  ['^/blog', '/my-blog/1', false],
  ['^/blog/.*', '/blog/1', true],
  ['\\.html$', '/a.html', true],
  ['\\.html$', '/a.htmlx', false],
  ['^/(en|de)/', '/fr/x', false],
  ['/\\d{4}/\\d{2}/', '/blog/2024/05/x', true],
  ['Blog', '/blog', false],
  ['(?i)Blog', '/blog', true],
  ['\\/docs\\/(?<page>[^\\/]+)$', '/docs/intro', true],
  ['\\u0061\\x62', '/ab', true],
  ['[[:digit:]]+', '/12', true],
  ['\\p{Cyrillic}', '/страница', true],
  ['', '/anything', true],
])('the pattern %s in %s: %s', (source, text, isFound) => {
  expect(mustCompile(source).find(text)).toBe(isFound ? source : undefined)
})

test('the first pattern that fits is told; an empty list fits nothing', () => {
  expect(mustCompile('x', 'b', 'blog').find('/blog')).toBe('b')
  expect([mustCompile().isEmpty, mustCompile().find('/blog')]).toEqual([true, undefined])
})

test.each([
  ['(?=a)b', 'looks ahead or behind'],
  ['a(?!b)', 'looks ahead or behind'],
  ['(?<=a)b', 'looks ahead or behind'],
  ['(?<!a)b', 'looks ahead or behind'],
  ['(a)\\1', 'back-reference'],
  ['(?<n>a)\\k<n>', 'back-reference'],
  ['[a', 'not a valid regular expression (missing closing ])'],
  ['a(', 'not a valid regular expression (missing closing ))'],
  ['*', 'not a valid regular expression (missing argument to repetition operator)'],
  ['a{1001}', 'not a valid regular expression (invalid repeat count)'],
  ['(((a{50}){50}){50}){50}', 'not a valid regular expression'],
  ['\\p{L}{999}a{99}', 'too large'],
  ['a'.repeat(2001), 'longer than 2000 characters'],
])('%s is refused by name', (source, reason) => {
  const problem = problemOf('fine', source)
  expect(problem).toContain(reason)
  expect(problem).toContain(JSON.stringify(source.slice(0, 50)).slice(0, -1))
  expect(compilePatterns(['fine', source])).toMatchObject({ index: 1 })
})

test('what only looks like look-around or a back-reference is taken', () => {
  expect(problemOf('\\(\\?=', '[(?=]', '\\\\1', '[\\]](?:a)', '(?P<n>a)', '\\d1')).toBeUndefined()
})

test('lists are bounded in number and in size', () => {
  expect(problemOf(...Array.from({ length: 1001 }, () => 'a'))).toContain('more than 1000 patterns')
  expect(problemOf(...Array.from({ length: 30 }, () => '[a-z]{300}'))).toContain('too large together')
})

describe('patterns that run away elsewhere', () => {
  const inner = ['a+', 'a*', 'a|a', 'a|aa', '[a-z]+', '\\w+', '.*', '(?:a?){20}', 'a+a+', '(?:a|b|ab)+']
  const outer = [
    (part: string) => `(${part})+$`,
    (part: string) => `(${part})*!x`,
    (part: string) => `^(?:${part}\\s?)*z$`,
    (part: string) => `((${part})+)+\\?`,
    (part: string) => `\\b(?:${part})+\\b#`,
    (part: string) => `(${part}){1,20}${part}@`,
  ]
  const bad = inner.flatMap((part) => outer.map((wrap) => wrap(part)))
  const evil = ['a', 'ab', 'a ', '0', 'a/'].map((part) => part.repeat(10_240 / part.length))

  test('are sixty, and end on addresses of 10 KB, where a backtracking engine would need longer than the universe', () => {
    expect(new Set(bad).size).toBe(60)
    for (const source of bad) for (const url of evil) mustCompile(source).find(`/${url}!`)
  })

  // A ratio of two runs, far from the 1,024 of a quadratic engine: no clock decides alone.
  test('need time in proportion to the length', () => {
    const time = (patterns: Patterns, url: string, times: number) => {
      const start = process.cpuUsage().user
      for (let number = 0; number < times; number += 1) patterns.find(url)
      return process.cpuUsage().user - start
    }
    const patterns = mustCompile('(\\w+\\s?)+$', '\\b(?:a|aa)+\\b#', '(.*a){20}z')
    for (const length of [1024, 32_768]) time(patterns, `/${'a'.repeat(length)}!`, 20)
    const short = time(patterns, `/${'a'.repeat(1024)}!`, 64)
    const long = time(patterns, `/${'a'.repeat(32_768)}!`, 64)
    expect(long / Math.max(short, 1000)).toBeLessThan(32 * 8)
  })
})
